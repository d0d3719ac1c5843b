// A tree search on several threads: the same tree as without threads if there is one, all of the
// plan and no more if there are several, and an end at the deadline or with a proof.
#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/workers.h"
#include "base/zobrist.h"
#include "check.h"
#include "games/quoridor_text.h"
#include "search/gumbel_threads.h"
#include "search/quoridor_zero.h"

using namespace plyground;
using namespace plyground::gumbel;
using quoridor::Zero;
using Clock = std::chrono::steady_clock;

namespace {

constexpr auto kLongTime = std::chrono::minutes(10);

// Logits and a value that depend on the features alone, whatever thread asks.
void evaluate(const uint8_t* features, size_t width, float* logits, float& value) {
    uint64_t hash = 0;
    for (size_t i = 0; i < width; ++i)
        hash = mix64(hash + features[i]);
    SplitMix64 rng{hash};
    for (int action = 0; action < Zero::kActions; ++action)
        logits[action] = static_cast<float>(rng.below(1000)) / 250;
    value = static_cast<float>(rng.below(200)) / 100 - 1;
}

struct Search {
    explicit Search(const Zero::Position& position, bool halving = false) {
        Settings settings;
        settings.prove = settings.graph = true;
        settings.halving = halving;
        settings.c_visit = 10;
        settings.c_scale = 1;
        tree = std::make_unique<Tree<Zero>>(settings);
        tree->reset(position);
        std::vector<uint8_t> features(Zero::feature_bytes(position));
        CHECK(tree->select(exact, 1, features.data()) == 1);
        std::array<float, Zero::kActions> logits;
        float value;
        evaluate(features.data(), features.size(), logits.data(), value);
        tree->expand(0, logits.data(), value);
    }

    // A batch at a time, as for a network outside of the core.
    void run_without_threads(int simulations, size_t batch) {
        tree->begin(simulations, nullptr);
        const size_t width = Zero::feature_bytes(tree->root());
        std::vector<uint8_t> features(batch * width);
        std::array<float, Zero::kActions> logits;
        while (tree->simulations_left() > 0) {
            const size_t most = std::min<size_t>(batch, 1 + tree->visits() / 16);
            const size_t count = tree->select(exact, most, features.data());
            for (size_t i = 0; i < count; ++i) {
                float value;
                evaluate(features.data() + i * width, width, logits.data(), value);
                tree->expand(i, logits.data(), value);
            }
        }
    }

    void run(int simulations, size_t batch, Workers& workers, Clock::time_point deadline) {
        tree->begin(simulations, nullptr);
        const size_t width = Zero::feature_bytes(tree->root());
        const auto evaluate_leaves = [&](int thread, const uint8_t* features, size_t leaves,
                                         float* logits, float* values) {
            if (thread < 0 || thread >= workers.size() || leaves < 1 || leaves > batch)
                was_misused = true;
            evaluated += leaves;
            for (size_t i = 0; i < leaves; ++i)
                evaluate(features + i * width, width, logits + i * Zero::kActions, values[i]);
        };
        ThreadedSearch(*tree, exact, batch, deadline, evaluate_leaves).run(workers);
        CHECK(tree->pending() == 0 && !was_misused);
    }

    std::unique_ptr<Tree<Zero>> tree;
    Zero::Exact exact{Effort::kQuick};
    std::atomic<size_t> evaluated{0};
    std::atomic<bool> was_misused{false};  // by a thread, which must not CHECK
};

std::string report(const Tree<Zero>& tree) {
    std::string text = std::to_string(tree.size()) + ' ' + std::to_string(tree.best_value());
    for (const auto& move : tree.moves())
        text += ' ' + std::to_string(move.action) + ':' + std::to_string(move.visits);
    return text;
}

Zero::Position start(int size, int walls) {
    quoridor::Rules rules;
    rules.size = static_cast<uint8_t>(size);
    rules.walls = static_cast<uint8_t>(walls);
    return {quoridor::Position::start(rules)};
}

// Begins of games, as far as the tree has anything to search.
std::vector<Zero::Position> openings(SplitMix64& rng) {
    std::vector<Zero::Position> positions;
    for (const int size : {5, 7, 9}) {
        Zero::Position position = start(size, size);
        for (int ply = 0; ply < 6; ++ply) {
            positions.push_back(position);
            Zero::play(position, Zero::opening_move(position, rng));
            if (position.is_over()) break;
        }
    }
    return positions;
}

void test_one_thread(SplitMix64& rng) {
    Workers worker(1);
    for (const auto& position : openings(rng)) {
        for (const bool halving : {false, true}) {
            for (const size_t batch : {size_t{1}, size_t{4}}) {
                Search plain(position, halving);
                Search threaded(position, halving);
                for (const int simulations : {150, 1, 70}) {
                    plain.run_without_threads(simulations, batch);
                    threaded.run(simulations, batch, worker, Clock::now() + kLongTime);
                    CHECK_IN(report(*plain.tree) == report(*threaded.tree),
                             format_position(position));
                }
            }
        }
    }
}

void test_threads(SplitMix64& rng) {
    for (const int threads : {2, 5}) {
        Workers workers(threads);
        for (const auto& position : openings(rng)) {
            for (const size_t batch : {size_t{1}, size_t{8}}) {
                Search search(position, position.move_count % 2 == 1);
                uint64_t planned = 0;
                for (const int simulations : {200, 3, 100}) {
                    search.run(simulations, std::max(batch, static_cast<size_t>(threads)), workers,
                               Clock::now() + kLongTime);
                    planned += simulations;
                    CHECK_IN(search.tree->simulations_left() == 0, format_position(position));
                }
                const bool is_proven = search.tree->proven() != 0;
                CHECK_IN(is_proven || search.tree->visits() == planned, format_position(position));
                CHECK(search.evaluated < search.tree->size());
            }
        }
    }
}

void test_deadline() {
    Workers workers(3);
    Search search(start(9, 10));
    search.run(1000, 4, workers, Clock::now() - std::chrono::seconds(1));
    CHECK(search.tree->visits() == 0 && search.evaluated == 0);
    search.run(100'000'000, 4, workers, Clock::now() + std::chrono::milliseconds(30));
    CHECK(search.tree->simulations_left() > 0);
    const uint64_t visits = search.tree->visits();
    search.run(50, 4, workers, Clock::now() + kLongTime);
    CHECK(search.tree->visits() == visits + 50);
}

void test_proof() {
    Workers workers(2);
    Search search(start(3, 1));
    search.run(100'000, 2, workers, Clock::now() + kLongTime);
    CHECK(search.tree->proven() != 0 && search.tree->simulations_left() == 0);
    CHECK(search.tree->visits() < 100'000);
}

}  // namespace

int main() {
    SplitMix64 rng{plyground::test::seed()};
    test_one_thread(rng);
    test_threads(rng);
    test_deadline();
    test_proof();
    return plyground::test::report();
}
