// PathField, the distances after walls and pawn moves, against complete flood fills.
#include <vector>

#include "base/rng.h"
#include "check.h"
#include "games/quoridor_paths.h"
#include "games/quoridor_text.h"

using namespace plyground;
using namespace plyground::quoridor;

namespace {

void check_field(const Position& position, int player) {
    Route route;
    find_route(position, player, route);
    PathField field;
    field.build(position, player, route.length);
    const Bitboard goal = position.geometry().goal[player];
    const std::string where = format_position(position);

    position.pawn_moves(player).for_each([&](int cell) {
        CHECK_IN(field.distance_from(cell) == distance(position.walls, cell, goal), where);
    });
    const LegalMoves cutting{{},
                             position.walls.free_h(position.geometry()) & route.cut_h,
                             position.walls.free_v(position.geometry()) & route.cut_v};
    cutting.for_each([&](Action wall) {
        Walls walled = position.walls;
        walled.place(wall);
        CHECK_IN(field.length_around(walled, wall) == distance(walled, position.pawn[player], goal),
                 where + " after " + format_action(wall));
    });
}

}  // namespace

int main() {
    SplitMix64 rng{test::seed()};
    for (int game = 0; game < 300; ++game) {
        Rules rules;
        rules.size = static_cast<uint8_t>(3 + game % 7);
        rules.walls = static_cast<uint8_t>((rules.size - 1) * (rules.size - 1) / 3);
        Position position = Position::start(rules);
        while (!position.is_over()) {
            for (int player = 0; player < 2; ++player)
                check_field(position, player);
            const LegalMoves legal = position.legal_moves();
            std::vector<Action> moves;
            // More walls than pawn moves, so that boards fill up.
            const bool walls = (legal.h | legal.v) != 0 && rng.below(3) > 0;
            legal.for_each([&](Action action) {
                if (is_wall(action) == walls) moves.push_back(action);
            });
            position.play(moves[rng.below(static_cast<uint32_t>(moves.size()))]);
        }
    }
    return test::report();
}
