// Races without walls in hand: the bit-parallel solver against plain retrograde analysis.
#include <vector>

#include "base/rng.h"
#include "check.h"
#include "games/quoridor_paths.h"
#include "games/quoridor_text.h"
#include "search/quoridor_race.h"

using namespace plyground;
using namespace plyground::quoridor;

namespace {

// Random walls on a board of that size, up to half as many as it has slots.
Position random_layout(int size, SplitMix64& rng) {
    Rules rules;
    rules.size = static_cast<uint8_t>(size);
    rules.walls = static_cast<uint8_t>((size - 1) * (size - 1) / 2);
    Position position = Position::start(rules);
    for (int left = static_cast<int>(rng.below(rules.walls + 1)); left > 0; --left) {
        std::vector<Action> walls;
        position.legal_moves().for_each([&](Action action) {
            if (is_wall(action)) walls.push_back(action);
        });
        if (walls.empty()) break;
        position.play(walls[rng.below(static_cast<uint32_t>(walls.size()))]);
    }
    position.hand = {0, 0};
    return position;
}

// Plies to the end of every race over the layout, by plain retrograde analysis.
class PlainRaces {
  public:
    explicit PlainRaces(const Position& layout) : layout_(layout), plies_(2 * kCells * kCells, 0) {
        for (int ply = 1, quiet = 0; quiet < 2; ++ply) {
            std::vector<std::pair<int, int>> found;
            for (int side = 0; side < 2; ++side) {
                for_each_pair([&](int pawn1, int pawn2) {
                    if (at(side, pawn1, pawn2) != 0) return;
                    const int value = look_ahead(side, pawn1, pawn2, ply);
                    if (value != 0) found.emplace_back(index(side, pawn1, pawn2), value);
                });
            }
            for (const auto& [where, value] : found)
                plies_[where] = value;
            quiet = found.empty() ? quiet + 1 : 0;
        }
    }

    int at(int side, int pawn1, int pawn2) const { return plies_[index(side, pawn1, pawn2)]; }

    // Every pair of pawn cells where no player has won and both can reach their goals.
    template <class F>
    void for_each_pair(F&& f) const {
        const Geometry& geometry = layout_.geometry();
        geometry.cells.without(geometry.goal[0]).for_each([&](int pawn1) {
            geometry.cells.without(geometry.goal[1]).for_each([&](int pawn2) {
                const bool open = distance(layout_.walls, pawn1, geometry.goal[0]) >= 0 &&
                                  distance(layout_.walls, pawn2, geometry.goal[1]) >= 0;
                if (pawn1 != pawn2 && open) f(pawn1, pawn2);
            });
        });
    }

  private:
    static int index(int side, int pawn1, int pawn2) {
        return (side * kCells + pawn1) * kCells + pawn2;
    }

    // +ply if the side to move wins in exactly `ply` plies, -ply if it loses in as many, 0 if not
    // decided yet.
    int look_ahead(int side, int pawn1, int pawn2, int ply) const {
        Position position = layout_;
        position.pawn = {static_cast<uint8_t>(pawn1), static_cast<uint8_t>(pawn2)};
        position.to_move = static_cast<uint8_t>(side);
        bool wins = false;
        bool all_lose = true;
        position.pawn_moves(side).for_each([&](int to) {
            const bool arrives = position.geometry().goal[side].has(to);
            const int reply =
                arrives ? 0 : at(1 - side, side == 0 ? to : pawn1, side == 0 ? pawn2 : to);
            wins = wins || (arrives ? ply == 1 : reply < 0 && 1 - reply <= ply);
            all_lose = all_lose && !arrives && reply > 0 && reply + 1 <= ply;
        });
        return wins ? ply : all_lose ? -ply : 0;
    }

    Position layout_;
    std::vector<int> plies_;
};

}  // namespace

int main() {
    SplitMix64 rng{test::seed()};
    RaceCache cache(4);
    for (const int size : {3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 7, 8, 9}) {
        const Position layout = random_layout(size, rng);
        const PlainRaces plain(layout);
        const RaceTable& table = cache.get(layout.walls, size);
        CHECK(cache.find(layout.walls, size) == &table);
        for (int side = 0; side < 2; ++side) {
            plain.for_each_pair([&](int pawn1, int pawn2) {
                CHECK_IN(table.plies_to_end(pawn1, pawn2, side) == plain.at(side, pawn1, pawn2),
                         format_position(layout) + " with pawns " + format_cell(pawn1) + "/" +
                             format_cell(pawn2) + " and player " + std::to_string(side + 1) +
                             " to move");
            });
        }
    }
    return test::report();
}
