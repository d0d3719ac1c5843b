// What the tree search asks of Reversi: features, the last squares solved, openings.
#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "base/rng.h"
#include "check.h"
#include "games/reversi_text.h"
#include "search/reversi_zero.h"

using namespace plyground;
using namespace plyground::reversi;

namespace {

// A random unfinished position with that many empty squares.
Position random_position(int empties, SplitMix64& rng) {
    Position position;
    while (std::popcount(position.empty()) > empties || position.is_over()) {
        if (position.is_over() || std::popcount(position.empty()) <= empties) position = {};
        position.play(static_cast<Action>(Zero::opening_move(position, rng)));
    }
    return position;
}

// The score with perfect play, every line to its end.
int brute_force(const Position& position) {
    if (position.is_over()) return position.score();
    int best = -kSquares;
    position.for_each_action(
        [&](Action action) { best = std::max(best, -brute_force(position.after(action))); });
    return best;
}

void test_the_last_squares_are_solved(SplitMix64& rng) {
    Zero::Exact rules(gumbel::Effort::kRules);
    Zero::Exact quick(gumbel::Effort::kQuick);
    Zero::Exact all(gumbel::Effort::kAll);
    for (int i = 0; i < 400; ++i) {
        const int empties = 1 + i % 8;
        const Position position = random_position(empties, rng);
        const std::string where = format_position(position);
        const int score = brute_force(position);
        const int sign = (score > 0) - (score < 0);
        const auto known = all.known(position);
        CHECK_IN(Zero::is_solvable(position) && known && known->sign == sign, where);
        CHECK_IN(all.final_margin(position, *known) == score, where);
        CHECK_IN(quick.known(position).has_value() ==
                     (std::popcount(position.empty()) <= Zero::kQuickEmpties),
                 where);
        CHECK_IN(!rules.known(position), where);
    }
    const Position early = random_position(Zero::kMostEmpties + 1, rng);
    CHECK(!Zero::is_solvable(early) && !all.known(early));
}

void test_an_end_is_known_without_solving() {
    // White has no disc left, with 52 squares empty.
    const Position wiped =
        parse_position("XXXXXXXXXXXX---------------------------------------------------- O");
    Zero::Exact rules(gumbel::Effort::kRules);
    const auto known = rules.known(wiped);
    CHECK(known && known->sign == -1 && known->plies == 0);
    CHECK(rules.final_margin(wiped, *known) == -64);
}

void test_features(SplitMix64& rng) {
    for (int i = 0; i < 200; ++i) {
        const Position position = random_position(4 + i % 56, rng);
        std::array<uint8_t, kFeatureBytes> features;
        features.fill(0xee);
        const auto leaf = Zero::pack(position, features.data());
        std::array<Squares, kBitPlanes> planes;
        std::memcpy(planes.data(), features.data(), sizeof(planes));
        const std::string where = format_position(position);
        CHECK_IN(planes[0] == position.own && planes[1] == position.other, where);
        CHECK_IN(planes[2] == position.empty() && planes[3] == position.moves(), where);
        CHECK_IN(planes[4] == moves(position.other, position.own), where);
        CHECK_IN(features[48] == std::popcount(position.empty()), where);
        CHECK_IN(features[49] == position.is_legal(kPass), where);
        for (int zero = 50; zero < kFeatureBytes; ++zero)
            CHECK_IN(features[zero] == 0, where);
        int count = 0;
        leaf.moves.for_each([&](int action) {
            ++count;
            CHECK_IN(position.is_legal(action) && leaf.moves.has(action), where);
        });
        CHECK_IN(count == std::max(1, std::popcount(position.moves())), where);
        CHECK_IN(leaf.heuristic > -1.001F && leaf.heuristic < 1.001F, where);
    }
}

void test_regions() {
    // Two in one corner, touching; one alone; three in a line; diagonal neighbours belong together.
    const Squares two = bit_of(0) | bit_of(9), one = bit_of(7);
    const Squares three = bit_of(56) | bit_of(57) | bit_of(58);
    CHECK(odd_regions(two | one | three) == (one | three));
    CHECK(odd_regions(0) == 0);
    CHECK(odd_regions(~Squares{0}) == 0);
    // The end of one row and the start of the next are no neighbours.
    CHECK(odd_regions(bit_of(15) | bit_of(16)) == (bit_of(15) | bit_of(16)));
}

void test_openings_are_any_legal_move(SplitMix64& rng) {
    std::array<int, kActions> seen{};
    for (int i = 0; i < 4000; ++i)
        ++seen[Zero::opening_move({}, rng)];
    for (int action = 0; action < kActions; ++action)
        CHECK(Position{}.is_legal(action) ? seen[action] > 800 : seen[action] == 0);
}

}  // namespace

int main() {
    SplitMix64 rng{plyground::test::seed()};
    test_the_last_squares_are_solved(rng);
    test_an_end_is_known_without_solving();
    test_features(rng);
    test_regions();
    test_openings_are_any_legal_move(rng);
    return plyground::test::report();
}
