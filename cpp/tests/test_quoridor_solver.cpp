// Quoridor's solver: every value has to follow from the values one move later, and races have to
// agree with the race table. tests/search/test_solver.py compares it with a brute-force solver.
#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/rng.h"
#include "check.h"
#include "games/quoridor_text.h"
#include "search/quoridor_race.h"
#include "search/quoridor_solver.h"

namespace plyground::quoridor {
namespace {

constexpr uint64_t kMegabyte = 1 << 20;

Rules rules_for(int size, int walls) {
    return {static_cast<uint8_t>(size), static_cast<uint8_t>(walls), 65535, 65535};
}

// A position's value, derived from those of the positions one move later.
int value_by_moves(const Solution& solution, const Position& position) {
    int shortest_win = 0;
    int longest_loss = 0;
    bool all_lose = true;
    position.legal_moves().for_each([&](Action action) {
        const Position next = position.after(action);
        const bool won = next.has_won(position.to_move);
        const int left = won ? 0 : solution.plies_to_end(next);
        if (won || left < 0) {
            shortest_win = shortest_win ? std::min(shortest_win, 1 - left) : 1 - left;
        }
        longest_loss = std::max(longest_loss, left + 1);
        all_lose = all_lose && left > 0;
    });
    return shortest_win ? shortest_win : all_lose ? -longest_loss : 0;
}

// Checks up to `limit` positions that play can reach from the root, in random order.
void check_game(const Position& root, size_t limit, SplitMix64& rng) {
    const Solution solution(root, 100 * kMegabyte);
    std::vector<Position> todo{root};
    std::unordered_set<uint64_t> seen{root.key};
    for (size_t checked = 0; !todo.empty() && checked < limit; ++checked) {
        std::swap(todo[rng.below(static_cast<uint32_t>(todo.size()))], todo.back());
        Position position = todo.back();
        todo.pop_back();
        position.move_count = position.moves_since_wall = 0;
        const std::string where = format_position(position);
        CHECK_IN(solution.covers(position), where);
        const int value = solution.plies_to_end(position);
        CHECK_IN(value == value_by_moves(solution, position), where);
        if (position.hand[0] + position.hand[1] == 0) {
            const RaceTable race(position.walls, position.rules.size);
            const auto [pawn1, pawn2] = position.pawn;
            CHECK_IN(value == race.plies_to_end(pawn1, pawn2, position.to_move), where);
        }
        position.legal_moves().for_each([&](Action action) {
            const Position next = position.after(action);
            if (!next.has_won(position.to_move) && seen.insert(next.key).second)
                todo.push_back(next);
        });
    }
}

void test_values_follow_from_moves(SplitMix64& rng) {
    for (int walls = 0; walls <= 4; ++walls)
        check_game(Position::start(rules_for(3, walls)), 10000, rng);
    for (const int walls : {1, 3, 9})
        check_game(Position::start(rules_for(4, walls)), 3000, rng);
    check_game(Position::start(rules_for(5, 1)), 3000, rng);
    check_game(Position::start(rules_for(9, 0)), 3000, rng);
    // From within a game, with unequal hands.
    check_game(parse_position("5 c2/d4 b2h,c3v 2/0 2 4 0", rules_for(5, 5)), 3000, rng);
    check_game(parse_position("9 e4/e6 c3h,e3h,d7v,f5v 0/1 1 9 1", rules_for(9, 10)), 1000, rng);
}

void test_known_values() {
    const auto plies = [](int size, int walls) {
        const Position root = Position::start(rules_for(size, walls));
        return Solution(root, 100 * kMegabyte).plies_to_end(root);
    };
    CHECK(plies(3, 0) == -4);
    CHECK(plies(3, 1) == -8);
    CHECK(plies(3, 2) == -12);
    CHECK(plies(5, 0) == -8);
    CHECK(plies(5, 1) == -12);
}

void test_what_is_covered() {
    const Rules rules = rules_for(5, 2);
    const Solution solution(parse_position("5 c2/c4 b2h 1/2 2 3 0", rules), 100 * kMegabyte);
    const auto covers = [&](const char* text) {
        return solution.covers(parse_position(text, rules));
    };
    CHECK(covers("5 c2/c4 b2h 1/2 1 0 0"));
    CHECK(covers("5 a2/e5 b2h,a4v 0/2 1 0 0"));
    CHECK(!covers("5 c2/c4 b2h 2/1 1 0 0"));          // other hands
    CHECK(!covers("5 c2/c4 b2h,a4v 1/2 1 0 0"));      // a wall too many
    CHECK(!covers("5 c2/c4 c2h 1/2 1 0 0"));          // its mirror image
    CHECK(!covers("5 c5/c4 b2h 1/2 2 0 0"));          // won
    CHECK(!solution.covers(Position::start(rules)));  // before the root
}

void test_limits() {
    const Position root = Position::start(rules_for(9, 10));
    bool refused = false;
    try {
        const Solution solution(root, 64 * kMegabyte);
    } catch (const ConfigError&) {
        refused = true;
    }
    CHECK(refused);
    struct Stop {};
    bool stopped = false;
    try {
        const Solution solution(root, uint64_t{1} << 60,
                                [](const Solution::Progress&) { throw Stop{}; });
    } catch (const Stop&) {
        stopped = true;
    }
    CHECK(stopped);
}

}  // namespace
}  // namespace plyground::quoridor

int main() {
    using namespace plyground;
    using namespace plyground::quoridor;
    SplitMix64 rng{test::seed()};
    test_known_values();
    test_what_is_covered();
    test_limits();
    test_values_follow_from_moves(rng);
    return test::report();
}
