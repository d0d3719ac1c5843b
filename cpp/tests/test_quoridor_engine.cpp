// The alpha-beta engine on Quoridor: limits, repeatable node counts, threads on one table, proofs,
// and saved table entries. Also built with the thread sanitizer, which checks the table.
#include <thread>
#include <vector>

#include "base/rng.h"
#include "check.h"
#include "games/quoridor_text.h"
#include "search/engine.h"
#include "search/quoridor_knowledge.h"

using namespace plyground;
using namespace plyground::quoridor;

namespace {

using QuoridorEngine = Engine<Knowledge>;

const auto kIgnoreProgress = [](const SearchReport&) { return true; };

Position position_of(const char* text, int size = 9, int walls = 10) {
    Rules rules;
    rules.size = static_cast<uint8_t>(size);
    rules.walls = static_cast<uint8_t>(walls);
    return parse_position(text, rules);
}

SearchReport search(const Position& position, Limits limits, int threads = 1,
                    SearchOptions options = {}) {
    QuoridorEngine engine(4, threads, Weights{}, options);
    return engine.search(position, {}, limits, kIgnoreProgress);
}

Limits to_depth(int depth) {
    Limits limits;
    limits.depth = depth;
    return limits;
}

void test_limits() {
    const Position start = Position::start(Rules{});
    Limits limits;
    limits.nodes = 12345;
    CHECK(search(start, limits).stats.nodes >= 12345 &&
          search(start, limits).stats.nodes < 12345 + 100);
    CHECK(search(start, to_depth(5)).depth == 5);
    CHECK(search(start, to_depth(8)).stats.nodes == search(start, to_depth(8)).stats.nodes);
}

void test_stop() {
    QuoridorEngine engine(4, 2, Weights{}, SearchOptions{});
    std::atomic<bool> done{false};
    // Calls `stop` until the search ends, which would otherwise take hours.
    std::thread stopper([&] {
        while (!done) {
            engine.stop();
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    });
    const SearchReport report =
        engine.search(Position::start(Rules{}), {}, to_depth(90), kIgnoreProgress);
    done = true;
    stopper.join();
    CHECK(report.depth < 90);
    CHECK(report.has_move);
}

// With all unsound techniques switched off, table, ordering and threads change no score.
void test_exact_at_full_width() {
    SearchOptions plain;
    plain.reductions = plain.null_move = plain.futility = plain.quiescence = false;
    plain.exact_results = false;
    plain.all_moves = true;
    SearchOptions bare = plain;
    bare.table = bare.killers = bare.history = bare.counter_moves = bare.aspiration = false;
    SplitMix64 rng{test::seed()};
    for (int game = 0; game < 12; ++game) {
        Rules rules;
        rules.size = static_cast<uint8_t>(3 + game % 3);
        rules.walls = static_cast<uint8_t>(2 + game % 2);
        Position position = Position::start(rules);
        for (int ply = 0; ply < 6 && !position.is_over(); ++ply) {
            std::vector<Action> moves;
            position.legal_moves().for_each([&](Action action) { moves.push_back(action); });
            const Score expected = search(position, to_depth(3), 1, bare).score;
            for (const int threads : {1, 2}) {
                const SearchReport report = search(position, to_depth(3), threads, plain);
                CHECK_IN(report.score == expected, format_position(position));
                CHECK_IN(position.is_legal(static_cast<Action>(report.best_move)),
                         format_position(position));
            }
            position.play(moves[rng.below(static_cast<uint32_t>(moves.size()))]);
        }
    }
}

// Races in separate columns, where the pawns never meet.
void test_forced_results() {
    const SearchReport now = search(position_of("9 e8/a5 - 3/3 1 20 1"), to_depth(3));
    CHECK(now.score == kWin - 1);
    const SearchReport race = search(position_of("9 a5/i6 - 0/0 1 20 1"), to_depth(6));
    CHECK(race.score == kWin - 7);
    const SearchReport lost = search(position_of("9 a5/i4 - 0/0 1 20 1"), to_depth(6));
    CHECK(lost.score == -kWin + 6);
    // The same race with five moves left before the draw by no progress.
    const SearchReport drawn = search(position_of("9 a5/i6 - 0/0 1 60 45"), to_depth(10));
    CHECK(!is_proven(drawn.score));
}

// Entries saved by one engine save another one most of the search.
void test_recall() {
    const Position start = position_of("9 e1/e9 - 10/10 1 0 0");
    QuoridorEngine first(16, 1, Weights{}, {});
    const SearchReport before = first.search(start, {}, to_depth(12), kIgnoreProgress);
    const auto saved = first.deepest(512);
    CHECK(!saved.empty() && saved.size() <= 512);
    CHECK(first.deepest(0).empty());

    QuoridorEngine second(16, 1, Weights{}, {});
    second.recall(saved);
    const SearchReport again = second.search(start, {}, to_depth(12), kIgnoreProgress);
    CHECK(again.depth == before.depth);
    CHECK(again.stats.nodes < before.stats.nodes / 2);

    // Random entries are ignored or do no harm.
    std::vector<Table::SavedEntry> nonsense;
    SplitMix64 rng{7};
    for (int i = 0; i < 2000; ++i) {
        TableEntry entry{static_cast<int16_t>(rng.next()), static_cast<int8_t>(rng.next()),
                         static_cast<Bound>(rng.next() & 3), static_cast<uint8_t>(rng.next()),
                         true};
        nonsense.push_back({i % 2 ? start.key : rng.next(), entry});
    }
    second.recall(nonsense);
    const SearchReport after = second.search(start, {}, to_depth(6), kIgnoreProgress);
    CHECK(start.is_legal(static_cast<Action>(after.best_move)));
}

}  // namespace

int main() {
    test_limits();
    test_stop();
    test_exact_at_full_width();
    test_forced_results();
    test_recall();
    return test::report();
}
