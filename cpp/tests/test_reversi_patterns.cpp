// Reversi's pattern evaluation: incremental updates, symmetry, folding, and the fit.
#include <array>
#include <cmath>
#include <memory>
#include <set>
#include <vector>

#include "check.h"
#include "reversi_random.h"
#include "search/reversi_fit.h"
#include "search/reversi_patterns.h"

using namespace plyground;
using namespace plyground::reversi;

namespace {

std::vector<int16_t> random_values(SplitMix64& rng) {
    std::vector<int16_t> values(static_cast<size_t>(kPhases) * folded_size());
    for (int16_t& value : values)
        value = static_cast<int16_t>(static_cast<int>(rng.below(101)) - 50);
    return values;
}

void test_views_follow_moves() {
    SplitMix64 rng{test::seed()};
    for (int game = 0; game < 20; ++game) {
        Position position;
        PatternView view = PatternView::from(position.own, position.other);
        while (!position.is_over()) {
            const Action action = test::random_action(position, rng);
            PatternView next;
            if (action == kPass)
                view.passed(next);
            else
                view.after(action, flips(action, position.own, position.other), next);
            position.play(action);
            view = next;
            CHECK_IN(view.of == PatternView::from(position.own, position.other).of,
                     test::describe(position));
        }
    }
}

void test_symmetry() {
    SplitMix64 rng{test::seed()};
    const Patterns patterns(random_values(rng));
    std::set<Score> scores;
    for (int i = 0; i < 100; ++i) {
        const Position position = test::random_position(static_cast<int>(rng.below(60)), rng);
        const Score score = patterns.evaluate(position.own, position.other);
        scores.insert(score);
        for (int symmetry = 1; symmetry < kSymmetries; ++symmetry) {
            CHECK_IN(patterns.evaluate(symmetric(position.own, symmetry),
                                       symmetric(position.other, symmetry)) == score,
                     test::describe(position));
        }
    }
    CHECK(scores.size() > 50);
}

void test_folding() {
    SplitMix64 rng{test::seed()};
    std::array<uint32_t, kInstances + 1> indices;
    for (int i = 0; i < 50; ++i) {
        const Position position = test::random_position(static_cast<int>(rng.below(60)), rng);
        std::multiset<uint32_t> expected;
        for (int symmetry = 0; symmetry < kSymmetries; ++symmetry) {
            folded_indices(symmetric(position.own, symmetry), symmetric(position.other, symmetry),
                           indices);
            const std::multiset<uint32_t> found(indices.begin(), indices.end());
            if (symmetry == 0) expected = found;
            CHECK_IN(found == expected, test::describe(position));
        }
        CHECK(*expected.rbegin() == static_cast<uint32_t>(folded_size()) - 1);
    }
    CHECK(phase_of(4) == 0 && phase_of(8) == 0 && phase_of(9) == 1 && phase_of(64) == kPhases - 1);
}

// The fit recovers the pattern values that the scores were made of.
void test_fit() {
    SplitMix64 rng{test::seed()};
    std::vector<float> planted(folded_size());
    for (float& value : planted)
        value = static_cast<float>(rng.below(5)) - 2;
    std::vector<LabelledPosition> positions;
    for (int i = 0; i < 3000; ++i) {
        const Position position = test::random_position(20, rng);
        std::array<uint32_t, kInstances + 1> indices;
        folded_indices(position.own, position.other, indices);
        float score = 0;
        for (const uint32_t index : indices)
            score += planted[index];
        positions.push_back({position.own, position.other, static_cast<int>(score)});
    }
    PatternFit fit(positions, {.ridge = 0.01, .smoothing = 0});
    const double before = fit.step();
    double after = before;
    for (int i = 0; i < 30; ++i)
        after = fit.step();
    CHECK(before > 5);
    CHECK(after < 0.2 * before);
    CHECK(std::abs(fit.error(positions) - after) < 0.5);
    CHECK(std::isnan(fit.error({})));
}

// The moves of a random game, without passes.
std::vector<uint8_t> random_game(SplitMix64& rng) {
    Position position;
    std::vector<uint8_t> squares;
    while (!position.is_over()) {
        const Action action = test::random_action(position, rng);
        if (action != kPass) squares.push_back(action);
        position.play(action);
    }
    return squares;
}

void test_labels() {
    SplitMix64 rng{test::seed()};
    const std::vector<uint8_t> squares = random_game(rng);
    Table table(1);
    EndgameSolver solver(table);
    const RecordedGame game{squares, 10, 20, 24};
    for (const auto& [own, other, score, weight] : label_game(game, 8, 1, solver)) {
        const int empty_count = kSquares - std::popcount(own | other);
        CHECK(moves(own, other));
        if (empty_count >= 24) CHECK(std::abs(score) == 20);
        if (empty_count <= 8)
            CHECK(score == solver.solve(own, other, -kSquares - 1, kSquares + 1).score);
    }
    // An illegal move cuts a game off; the positions before it are labelled.
    const std::vector<uint8_t> cut_short{squares[0], squares[1], 255, squares[3]};
    CHECK(label_game({cut_short, 10, 20, 24}, 8, 1, solver).size() == 3);
}

// If the same positions have two scores, the fit follows the one with the larger weight.
void test_weights() {
    SplitMix64 rng{test::seed()};
    std::vector<LabelledPosition> heavy;
    std::vector<LabelledPosition> both;
    for (int i = 0; i < 200; ++i) {
        const Position position = test::random_position(20, rng);
        heavy.push_back({position.own, position.other, 10, 3});
        both.push_back(heavy.back());
        both.push_back({position.own, position.other, -10, 1});
    }
    PatternFit fit(both, {.ridge = 0.01, .smoothing = 0});
    for (int i = 0; i < 30; ++i)
        fit.step();
    // The weighted mean is 5.
    CHECK(std::abs(fit.error(heavy) - 5) < 0.5);
}

// Smoothing carries values into phases without positions.
void test_smoothing() {
    SplitMix64 rng{test::seed()};
    std::vector<LabelledPosition> seen;    // of one phase
    std::vector<LabelledPosition> unseen;  // of the phase before
    for (int i = 0; i < 200; ++i) {
        const Position position = test::random_position(20, rng);
        seen.push_back({position.own, position.other, 10});
        const Position earlier = test::random_position(24, rng);
        unseen.push_back({earlier.own, earlier.other, 10});
    }
    const auto error = [&](double smoothing) {
        PatternFit fit(seen, {.ridge = 0.001, .smoothing = smoothing});
        for (int i = 0; i < 50; ++i)
            fit.step();
        CHECK(fit.values().size() == static_cast<size_t>(kPhases) * folded_size());
        return fit.error(unseen);
    };
    CHECK(error(0) == 10);
    CHECK(error(1) < 5);
}

void test_own_games() {
    SplitMix64 rng{test::seed()};
    constexpr OwnGameSettings kSettings{.depth = 3, .solve_from = 9};
    const auto patterns = std::make_shared<const Patterns>(random_values(rng));
    Table table(1);
    EndgameSolver solver(table, patterns.get());
    Engine<Knowledge> engine(1, 1, Evaluation{patterns, {}}, SearchOptions{.draw_score = 0});
    std::vector<uint8_t> opening = random_game(rng);
    opening.resize(8);
    const auto label = [&](uint64_t seed) {
        engine.clear();
        return label_own_game(opening, kSettings, seed, engine, solver);
    };
    const std::vector<LabelledPosition> labelled = label(1);
    int early = 0;
    int solved = 0;
    for (const auto& [own, other, score, weight] : labelled) {
        CHECK((own & other) == 0);
        CHECK(moves(own, other));
        CHECK(std::abs(score) <= kSquares);
        CHECK(weight == 1);
        if (kSquares - std::popcount(own | other) > kSettings.solve_from) {
            ++early;
            continue;
        }
        ++solved;
        CHECK(score == solver.solve(own, other, -kSquares - 1, kSquares + 1).score);
    }
    CHECK(early > 10);
    CHECK(solved > 0);
    const auto boards = [](const std::vector<LabelledPosition>& positions) {
        std::vector<std::array<int64_t, 3>> rows;
        for (const auto& [own, other, score, weight] : positions)
            rows.push_back({static_cast<int64_t>(own), static_cast<int64_t>(other), score});
        return rows;
    };
    CHECK(boards(label(1)) == boards(labelled));
    CHECK(boards(label(2)) != boards(labelled));
    opening.push_back(opening.front());
    CHECK(label(1).empty());
}

}  // namespace

int main() {
    test_views_follow_moves();
    test_symmetry();
    test_folding();
    test_fit();
    test_labels();
    test_weights();
    test_smoothing();
    test_own_games();
    return test::report();
}
