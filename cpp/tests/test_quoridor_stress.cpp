// Random games on every board with every number of walls. At each position everything the core says
// is held against the plain rules of quoridor_model.h: moves, reasons, paths, keys, text,
// symmetries, planes.
#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/rng.h"
#include "check.h"
#include "games/quoridor.h"
#include "games/quoridor_encoding.h"
#include "games/quoridor_paths.h"
#include "games/quoridor_text.h"
#include "quoridor_model.h"

namespace plyground::quoridor {
namespace {

using test::Kind;
using test::Model;
using test::Place;

// How often each event occurred in all games, to check that every case was covered.
std::map<std::string, int> seen;

int number_of(Place cell) { return 9 * cell.row + cell.col; }
Place place_of(int cell) { return {cell / 9, cell % 9}; }

// The fields of the position, and its text, which must parse to the same position.
void check_fields(const Position& position, const Model& model, const std::string& where) {
    for (int player = 0; player < 2; ++player) {
        CHECK_IN(position.pawn[player] == number_of(model.pawn[player]), where);
        CHECK_IN(position.hand[player] == model.hand[player], where);
        CHECK_IN(position.has_won(player) == model.has_won(player), where);
    }
    CHECK_IN(position.to_move == model.to_move, where);
    CHECK_IN(position.move_count == model.move_count, where);
    CHECK_IN(position.moves_since_wall == model.since_wall, where);
    CHECK_IN(static_cast<int>(position.outcome()) == model.outcome(), where);
    CHECK_IN(position.is_over() == model.is_over(), where);
    CHECK_IN(position.key == position.computed_key(), where);
    CHECK_IN(format_position(position) == where, where);
    CHECK_IN(parse_position_size(where) == model.size, where);
    const Position read = parse_position(where, position.rules);
    CHECK_IN(read == position, where);
    CHECK_IN(read.key == position.key, where);
    CHECK_IN(read.walls.open_north == position.walls.open_north, where);
    CHECK_IN(read.walls.open_east == position.walls.open_east, where);
    const std::string drawn = draw(position);
    CHECK_IN(std::count(drawn.begin(), drawn.end(), '\n') == 2 * model.size + 2, where);
}

// The bits of the open edges, and the free slots; each free wall can be placed and taken back.
void check_walls(const Position& position, const Model& model, const std::string& where) {
    const Walls& walls = position.walls;
    for (int cell = 0; cell < kCells; ++cell) {
        const Place at = place_of(cell);
        CHECK_IN(walls.open_north.has(cell) == model.is_open(at, {at.row + 1, at.col}), where);
        CHECK_IN(walls.open_east.has(cell) == model.is_open(at, {at.row, at.col + 1}), where);
    }
    LegalMoves{{}, walls.free_h(position.geometry()), walls.free_v(position.geometry())}.for_each(
        [&](Action wall) {
            Walls changed = walls;
            changed.place(wall);
            CHECK_IN(changed.h != walls.h || changed.v != walls.v, where);
            changed.remove(wall);
            CHECK_IN(changed.h == walls.h && changed.v == walls.v, where);
            CHECK_IN(changed.open_north == walls.open_north, where);
            CHECK_IN(changed.open_east == walls.open_east, where);
        });
}

// Places an illegal wall: every path search must report the player it cuts off.
void check_cut_off(const Position& position, const Model& model, Action wall,
                   const std::string& where) {
    Position walled = position;
    walled.walls.place(wall);
    Model walled_model = model;
    const auto [kind, at] = test::move_of(wall);
    walled_model.set_wall(kind, at, true);
    for (int player = 0; player < 2; ++player) {
        const int steps = walled_model.steps(player);
        Route route;
        find_route(walled, player, route);
        CHECK_IN(route.length == steps, where);
        CHECK_IN(distance(walled, player) == steps, where);
        CHECK_IN(astar_distance(walled, player) == steps, where);
        if (steps < 0) ++seen["no path"];
    }
}

// The legality of all 209 actions, also those outside a smaller board, by every function that
// tells.
std::vector<Action> check_moves(const Position& position, Model& model, const std::string& where) {
    const LegalMoves moves = position.legal_moves();
    const Geometry& geometry = position.geometry();
    std::vector<Action> legal;
    for (int i = 0; i < kActions; ++i) {
        const auto action = static_cast<Action>(i);
        const std::optional<std::string> refusal = model.refusal(i);
        const std::string move = where + " move " + test::name_of(test::move_of(i));
        CHECK_IN(moves.has(action) == !refusal, move);
        CHECK_IN(position.is_legal(action) == !refusal, move);
        CHECK_IN(why_illegal(position, action) == refusal, move);
        if (!refusal) legal.push_back(action);
        if (refusal && refusal->starts_with("it cuts"))
            check_cut_off(position, model, action, move);
        if (is_wall(action) && !position.is_over() && position.hand[position.to_move] > 0) {
            const bool blocked = refusal && refusal->find("cuts") == std::string::npos;
            const uint64_t free = is_vertical(action) ? position.walls.free_v(geometry)
                                                      : position.walls.free_h(geometry);
            CHECK_IN(((free >> slot_of(action)) & 1) == !blocked, move);
        }
        ++seen[!refusal ? "legal" : refusal->substr(0, refusal->find(" at "))];
    }
    std::vector<Action> listed;
    moves.for_each([&](Action action) { listed.push_back(action); });
    CHECK_IN(listed == legal, where);
    CHECK_IN(moves.count() == static_cast<int>(legal.size()), where);
    CHECK_IN(position.is_over() || moves.pawn.any(), where);  // there is always a pawn move
    for (int player = 0; player < 2; ++player) {
        Bitboard cells{};
        for (const Place cell : model.pawn_moves(player))
            cells |= Bitboard::of(number_of(cell));
        CHECK_IN(position.pawn_moves(player) == cells, where);
    }
    return legal;
}

// A route has the length that three searches find, uses open edges only, and lists the walls that
// cut it.
void check_routes(const Position& position, const Model& model, const std::string& where) {
    for (int player = 0; player < 2; ++player) {
        Route route;
        find_route(position, player, route);
        CHECK_IN(route.length == model.steps(player), where);
        CHECK_IN(distance(position, player) == route.length, where);
        CHECK_IN(astar_distance(position, player) == route.length, where);
        CHECK_IN(route.cells[0] == position.pawn[player], where);
        CHECK_IN(place_of(route.cells[route.length]).row == model.goal_row(player), where);
        uint64_t cut_h = 0;
        uint64_t cut_v = 0;
        Bitboard so_far = Bitboard::of(route.cells[0]);
        CHECK_IN(route.up_to[0] == so_far, where);
        for (int i = 1; i <= route.length; ++i) {
            const Place from = place_of(route.cells[i - 1]);
            const Place to = place_of(route.cells[i]);
            CHECK_IN(std::abs(from.row - to.row) + std::abs(from.col - to.col) == 1, where);
            CHECK_IN(model.is_open(from, to), where);
            so_far |= Bitboard::of(route.cells[i]);
            CHECK_IN(route.up_to[i] == so_far, where);
            // The two walls that close this edge, if the 9x9 grid has them.
            const int row = std::min(from.row, to.row);
            const int col = std::min(from.col, to.col);
            for (const int back : {0, 1}) {
                if (from.col == to.col && col - back >= 0 && col - back < 8) {
                    cut_h |= 1ULL << (8 * row + col - back);
                } else if (from.row == to.row && row - back >= 0 && row - back < 8) {
                    cut_v |= 1ULL << (8 * (row - back) + col);
                }
            }
        }
        CHECK_IN(so_far.count() == route.length + 1, where);
        CHECK_IN(route.cut_h == cut_h && route.cut_v == cut_v, where);
        for (int slot = 0; slot < kSlots; ++slot) {
            CHECK_IN(route.is_cut_by(static_cast<Action>(kHWall + slot)) == ((cut_h >> slot) & 1),
                     where);
            CHECK_IN(route.is_cut_by(static_cast<Action>(kVWall + slot)) == ((cut_v >> slot) & 1),
                     where);
        }
    }
}

// The position with every action replaced by `map`, and the players swapped if `swap`.
template <class Map>
Position mapped(const Position& position, Map map, bool swap) {
    Position image = Position::start(position.rules);
    const LegalMoves standing{{}, position.walls.h, position.walls.v};
    standing.for_each([&](Action wall) { image.walls.place(map(wall)); });
    for (int player = 0; player < 2; ++player) {
        const int as = swap ? 1 - player : player;
        image.pawn[as] = map(position.pawn[player]);
        image.hand[as] = position.hand[player];
    }
    image.to_move = swap ? 1 - position.to_move : position.to_move;
    image.move_count = position.move_count;
    image.moves_since_wall = position.moves_since_wall;
    image.key = image.computed_key();
    return image;
}

// The legal moves of the mirrored and of the flipped position are the mirrored and flipped moves.
void check_symmetries(const Position& position, const std::string& where) {
    const int size = position.rules.size;
    const auto mirrored = [&](Action action) { return mirror(action, size); };
    const auto flipped = [&](Action action) { return flip(action, size); };
    const LegalMoves moves = position.legal_moves();
    const LegalMoves in_mirror = mapped(position, mirrored, false).legal_moves();
    const LegalMoves turned = mapped(position, flipped, true).legal_moves();
    CHECK_IN(moves.count() == in_mirror.count() && moves.count() == turned.count(), where);
    moves.for_each([&](Action action) {
        CHECK_IN(in_mirror.has(mirrored(action)), where);
        CHECK_IN(turned.has(flipped(action)), where);
    });
    CHECK_IN(mapped(mapped(position, mirrored, false), mirrored, false) == position, where);
    CHECK_IN(mapped(mapped(position, flipped, true), flipped, true) == position, where);
}

// The planes, compared with planes made from the game's earlier positions. The buffers have the
// exact length and are on the heap, so that the address sanitizer detects a write past their end.
void check_encoding(const Position& position, const History& history,
                    const std::deque<Model>& latest, int frames, const std::string& where) {
    CHECK_IN(history.length == std::min<int>(History::kCapacity, position.move_count), where);
    const int size = position.rules.size;
    const int area = size * size;
    const auto length = static_cast<size_t>(kPlanesPerFrame * frames * area);
    const auto planes = std::make_unique<float[]>(length);
    const auto scalars = std::make_unique<float[]>(kScalars);
    std::fill_n(planes.get(), length, std::nanf(""));
    std::fill_n(scalars.get(), kScalars, std::nanf(""));
    encode(position, history, frames, planes.get(), scalars.get());

    const int me = position.to_move;
    std::vector<float> expected(length, 0.0F);
    for (int frame = 0; frame < std::min(frames, static_cast<int>(latest.size())); ++frame) {
        const Model& model = latest[frame];
        const auto mark = [&](int plane, int row, int col) {
            const int seen_row = me == 0 ? row : size - 1 - row;
            expected[((kPlanesPerFrame * frame + plane) * size + seen_row) * size + col] = 1.0F;
        };
        mark(0, model.pawn[me].row, model.pawn[me].col);
        mark(1, model.pawn[1 - me].row, model.pawn[1 - me].col);
        for (int row = 0; row < size - 1; ++row) {
            for (int col = 0; col < size - 1; ++col) {
                // A horizontal wall marks the cells south of it as the mover sees the board.
                const int south = me == 0 ? row : row + 1;
                if (model.horizontal[row][col]) {
                    mark(2, south, col);
                    mark(2, south, col + 1);
                }
                if (model.vertical[row][col]) {
                    mark(3, row, col);
                    mark(3, row + 1, col);
                }
            }
        }
    }
    CHECK_IN(std::equal(expected.begin(), expected.end(), planes.get()), where);
    const Model& now = latest.front();
    const float most = static_cast<float>(std::max<int>(1, position.rules.walls));
    const auto near = [](float a, float b) { return std::abs(a - b) < 1e-6F; };
    CHECK_IN(near(scalars[0], static_cast<float>(now.hand[me]) / most), where);
    CHECK_IN(near(scalars[1], static_cast<float>(now.hand[1 - me]) / most), where);
    CHECK_IN(scalars[2] == static_cast<float>(me), where);
    CHECK_IN(
        near(scalars[3], static_cast<float>(now.move_count) / static_cast<float>(now.max_moves)),
        where);
    CHECK_IN(near(scalars[4],
                  static_cast<float>(now.since_wall) / static_cast<float>(now.no_progress_limit)),
             where);
}

// A random legal move: a wall with a probability of walls_in_100 percent, else a pawn move, half of
// them towards the goal. In games with few walls the pawns meet, in the others the board fills up.
Action choose(const std::vector<Action>& legal, const Model& model, uint32_t walls_in_100,
              SplitMix64& rng) {
    std::vector<Action> pawn, wall;
    for (const Action action : legal)
        (is_wall(action) ? wall : pawn).push_back(action);
    const auto any = [&](const std::vector<Action>& of) {
        return of[rng.below(static_cast<uint32_t>(of.size()))];
    };
    if (!wall.empty() && rng.below(100) < walls_in_100) return any(wall);
    if (rng.below(2)) return any(pawn);
    return *std::min_element(pawn.begin(), pawn.end(), [&](Action a, Action b) {
        const auto steps_after = [&](Action action) {
            Model next = model;
            next.play(action);
            return next.steps(model.to_move);
        };
        return steps_after(a) < steps_after(b);
    });
}

void note_jump(const Model& model, Action action) {
    if (is_wall(action)) return;
    const Place from = model.pawn[model.to_move];
    const int rows = std::abs(from.row - place_of(action).row);
    const int cols = std::abs(from.col - place_of(action).col);
    if (rows + cols == 2) ++seen[rows == 1 ? "side step" : "jump"];
}

int play_game(int size, int walls, SplitMix64& rng) {
    // Most games have the usual limits; some end in an early draw.
    const int max_moves = rng.below(8) ? 200 : static_cast<int>(1 + rng.below(30));
    const int no_progress_limit = rng.below(8) ? 50 : static_cast<int>(1 + rng.below(20));
    const uint32_t walls_in_100 = rng.below(100);
    Position position = Position::start({static_cast<uint8_t>(size), static_cast<uint8_t>(walls),
                                         static_cast<uint16_t>(max_moves),
                                         static_cast<uint16_t>(no_progress_limit)});
    Model model(size, walls, max_moves, no_progress_limit);
    History history;
    std::deque<Model> latest{model};  // the newest first
    for (int positions = 1;; ++positions) {
        const std::string where = model.text();
        check_fields(position, model, where);
        check_walls(position, model, where);
        const std::vector<Action> legal = check_moves(position, model, where);
        check_routes(position, model, where);
        check_symmetries(position, where);
        check_encoding(position, history, latest, static_cast<int>(1 + rng.below(16)), where);
        if (model.is_over()) {
            ++seen["outcome " + std::to_string(model.outcome())];
            return positions;
        }
        if (legal.empty() || test::failed > 0)
            return positions;  // later failures would only repeat it
        const Action action = choose(legal, model, walls_in_100, rng);
        note_jump(model, action);
        history.push(position, action);
        const Position next = position.after(action);
        position.play(action);
        CHECK_IN(next == position, where);
        model.play(action);
        latest.push_front(model);
        if (latest.size() > History::kCapacity + 1) latest.pop_back();
    }
}

// Each is its own inverse, preserves the kind of an action and stays on the board.
void test_flip_and_mirror() {
    for (int size = kMinSize; size <= kMaxSize; ++size) {
        for (int index = 0; index < action_count(size); ++index) {
            const Action action = from_dense(index, size);
            for (const auto map : {flip, mirror}) {
                const Action image = map(action, size);
                CHECK(is_on_board(image, size));
                CHECK(map(image, size) == action);
                CHECK(is_wall(image) == is_wall(action) &&
                      is_vertical(image) == is_vertical(action));
            }
            CHECK(flip(mirror(action, size), size) == mirror(flip(action, size), size));
        }
    }
}

void test_random_games(SplitMix64& rng) {
    int games = 0;
    int positions = 0;
    for (int round = 0; round < 3; ++round) {
        for (int size = kMinSize; size <= kMaxSize; ++size) {
            for (int walls = 0; walls <= (size - 1) * (size - 1); ++walls) {
                positions += play_game(size, walls, rng);
                ++games;
            }
        }
    }
    std::printf("%d games, %d positions\n", games, positions);
    for (const auto& [what, times] : seen)
        std::printf("  %-40s %d\n", what.c_str(), times);
    // Every reason for an illegal move occurred, and every outcome.
    for (const char* what :
         {"legal", "the game is over", "no pawn move leads there", "a wall is in the way",
          "it lies outside the wall grid", "player 1 has no walls left",
          "player 2 has no walls left", "it overlaps the wall", "it crosses the wall",
          "it cuts player 1 off from the goal", "it cuts player 2 off from the goal", "outcome 1",
          "outcome 2", "outcome 3", "outcome 4", "jump", "side step", "no path"}) {
        CHECK_IN(test::failed > 0 || seen[what] > 0, what);
    }
}

}  // namespace
}  // namespace plyground::quoridor

int main() {
    using namespace plyground;
    using namespace plyground::quoridor;
    SplitMix64 rng{test::seed()};
    test_flip_and_mirror();
    test_random_games(rng);
    return test::report();
}
