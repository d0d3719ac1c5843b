// Reversi's classic evaluation, and the textbook searches that use it.
#include <string>
#include <vector>

#include "base/rng.h"
#include "check.h"
#include "games/reversi_text.h"
#include "search/reversi_textbook.h"

namespace plyground::reversi {
namespace {

void never() {}

Position random_position(SplitMix64& rng) {
    while (true) {
        Position position;
        for (uint32_t left = rng.below(60); left > 0 && !position.is_over(); --left) {
            std::vector<Action> actions;
            position.for_each_action([&](Action action) { actions.push_back(action); });
            position.play(actions[rng.below(static_cast<uint32_t>(actions.size()))]);
        }
        if (!position.is_over()) return position;
    }
}

ClassicEvaluator random_evaluator(SplitMix64& rng) {
    ClassicEvaluator evaluator;
    evaluator.material = rng.below(2);
    evaluator.mobility = rng.below(2);
    evaluator.corners = rng.below(2);
    evaluator.positional = rng.below(2);
    evaluator.material_weight = static_cast<double>(rng.below(40)) / 10 - 2;
    evaluator.mobility_weight = static_cast<double>(rng.below(60)) / 10;
    return evaluator;
}

// The table as usually printed, row by row.
constexpr int kTable[4][4] = {{25, -10, 5, 2}, {-10, -15, -3, -1}, {5, -3, 3, 1}, {2, -1, 1, 0}};

void test_square_kinds() {
    Squares seen = 0;
    for (const auto& [value, squares] : square_kinds()) {
        CHECK(!(seen & squares));
        seen |= squares;
        for_each_square(squares, [value = value](int square) {
            const int row = row_of(square), col = col_of(square);
            CHECK(kTable[row < 4 ? row : 7 - row][col < 4 ? col : 7 - col] == value);
        });
    }
    CHECK(seen == ~0ULL);
}

void test_evaluation(SplitMix64& rng) {
    for (int i = 0; i < 500; ++i) {
        const Position p = random_position(rng);
        const ClassicEvaluator evaluator = i % 2 ? ClassicEvaluator{} : random_evaluator(rng);
        const double value = evaluator.evaluate(p.own, p.other);
        CHECK_IN(evaluator.evaluate(p.other, p.own) == -value, format_position(p));
        for (int symmetry = 0; symmetry < kSymmetries; ++symmetry) {
            CHECK_IN(evaluator.evaluate(symmetric(p.own, symmetry), symmetric(p.other, symmetry)) ==
                         value,
                     format_position(p));
        }
    }
    const ClassicTerms empty = classic_terms(Position{0, 0});
    CHECK(empty.material == 0 && empty.mobility == 0 && empty.positional == 0);
    // A disc on b2 touches one empty corner; a corner of one's own makes its neighbours harmless.
    CHECK(classic_terms(Position{bit_of(9), 0}).near_corners == 1);
    CHECK(classic_terms(Position{bit_of(0) | bit_of(1), bit_of(62)}).near_corners == -1);
    CHECK(classic_terms(Position{bit_of(0) | bit_of(1), bit_of(62)}).corners == 1);
    CHECK(classic_terms(Position{bit_of(0) | bit_of(1), bit_of(62)}).positional == 25);
    // A corner secures its edge; the other side's disc alone on an edge is not stable.
    CHECK(classic_terms(Position{bit_of(0) | bit_of(1), bit_of(61)}).edge_stability == 2);
    CHECK(classic_terms(Position{bit_of(61), bit_of(0) | bit_of(1)}).edge_stability == -2);
}

void test_alphabeta_is_minimax(SplitMix64& rng) {
    for (int i = 0; i < 120; ++i) {
        const Position position = random_position(rng);
        const ClassicEvaluator evaluator = random_evaluator(rng);
        const int depth = 1 + static_cast<int>(rng.below(4));
        const std::string where = format_position(position) + " depth " + std::to_string(depth);
        const TextbookReport full = minimax(position, depth, evaluator, never);
        const TextbookReport pruned = alphabeta(position, depth, evaluator, never);
        CHECK_IN(pruned.score == full.score, where);
        CHECK_IN(pruned.pv == full.pv, where);
        CHECK_IN(pruned.nodes <= full.nodes, where);
        CHECK_IN(full.best_move == full.pv[0], where);
        Position line = position;
        for (const int move : full.pv) {
            CHECK_IN(line.is_legal(move), where);
            line.play(static_cast<Action>(move));
        }
        CHECK_IN(line.is_over() || static_cast<int>(full.pv.size()) == depth, where);
    }
}

// Minimax tries exactly the legal moves: its nodes are the move paths of all lengths. Early on no
// game can end, so none is counted twice.
void test_full_width_is_perft() {
    uint64_t positions = 0;
    for (int depth = 0; depth <= 6; ++depth)
        positions += perft({}, depth);
    CHECK(minimax({}, 6, {}, never).nodes == positions);
}

// Alpha-beta visits at most 32.5% of the nodes of minimax.
void test_most_nodes_are_pruned() {
    for (const char* moves : {"", "f5d6c3", "f5d6c3d3c4f4f6"}) {
        Position position;
        for (std::string_view rest = moves; !rest.empty(); rest.remove_prefix(2))
            position.play(parse_action(rest.substr(0, 2)));
        const auto all = static_cast<double>(minimax(position, 5, {}, never).nodes);
        const auto pruned = static_cast<double>(alphabeta(position, 5, {}, never).nodes);
        CHECK_IN(pruned <= 0.325 * all, moves);
    }
}

}  // namespace
}  // namespace plyground::reversi

int main() {
    using namespace plyground;
    using namespace plyground::reversi;
    SplitMix64 rng{test::seed()};
    test_square_kinds();
    test_evaluation(rng);
    test_alphabeta_is_minimax(rng);
    test_full_width_is_perft();
    test_most_nodes_are_pruned();
    return test::report();
}
