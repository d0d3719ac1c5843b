// Quoridor's textbook searches: alpha-beta agrees with minimax, and full width means every legal
// move. tests/search/test_textbook.py compares the values with plain Python.
#include <array>
#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/rng.h"
#include "check.h"
#include "games/quoridor.h"
#include "games/quoridor_perft.h"
#include "games/quoridor_text.h"
#include "search/quoridor_textbook.h"

namespace plyground::quoridor {
namespace {

constexpr std::array kOrders{WallOrder::kNearest, WallOrder::kCorridor, WallOrder::kCutting,
                             WallOrder::kDijkstra};

void never() {}

Position random_position(int size, SplitMix64& rng) {
    const Rules rules{static_cast<uint8_t>(size),
                      static_cast<uint8_t>(rng.below((size - 1) * (size - 1) + 1)), 60, 20};
    while (true) {
        Position position = Position::start(rules);
        for (uint32_t left = rng.below(40); left > 0 && !position.is_over(); --left) {
            std::vector<Action> moves;
            position.legal_moves().for_each([&](Action action) { moves.push_back(action); });
            position.play(moves[rng.below(static_cast<uint32_t>(moves.size()))]);
        }
        if (!position.is_over()) return position;
    }
}

TextbookOptions random_options(SplitMix64& rng) {
    TextbookOptions options;
    options.path_weight = static_cast<double>(rng.below(13));
    options.progress_weight = static_cast<double>(rng.below(4)) / 2 - 0.5;
    options.wall_weight = static_cast<double>(rng.below(3));
    options.wall_order = kOrders[rng.below(kOrders.size())];
    if (rng.below(2)) options.max_wall_moves = static_cast<int>(rng.below(10));
    return options;
}

void test_alphabeta_is_minimax(SplitMix64& rng) {
    for (int size = kMinSize; size <= kMaxSize; ++size) {
        for (int i = 0; i < 30; ++i) {
            const Position position = random_position(size, rng);
            const TextbookOptions options = random_options(rng);
            const bool narrow = size <= 4 || options.max_wall_moves < 10;
            const int depth = 1 + static_cast<int>(rng.below(narrow ? 3 : 2));
            const std::string where = format_position(position) + " depth " + std::to_string(depth);
            const TextbookReport full = minimax(position, depth, options, never);
            const TextbookReport pruned = alphabeta(position, depth, options, never);
            CHECK_IN(pruned.score == full.score, where);
            CHECK_IN(pruned.best_move == full.best_move, where);
            CHECK_IN(pruned.pv == full.pv, where);
            CHECK_IN(pruned.nodes <= full.nodes, where);
            CHECK_IN(pruned.first_move_cutoffs <= pruned.cutoffs, where);
            CHECK_IN(full.cutoffs == 0, where);
            Position line = position;
            for (const int move : full.pv) {
                CHECK_IN(line.is_legal(static_cast<Action>(move)), where);
                line.play(static_cast<Action>(move));
            }
            CHECK_IN(line.is_over() || static_cast<int>(full.pv.size()) == depth, where);
        }
    }
}

// Without a limit of walls, each order tries exactly the legal moves.
void test_full_width_is_perft(SplitMix64& rng) {
    for (int size = kMinSize; size <= kMaxSize; ++size) {
        for (int i = 0; i < 12; ++i) {
            const Position position = random_position(size, rng);
            uint64_t positions = 0;
            for (int depth = 0; depth <= 2; ++depth)
                positions += perft(position, depth);
            for (const WallOrder order : kOrders) {
                TextbookOptions options;
                options.wall_order = order;
                CHECK_IN(minimax(position, 2, options, never).nodes == positions,
                         format_position(position));
            }
        }
    }
}

bool same(const TextbookReport& a, const TextbookReport& b) {
    return a.score == b.score && a.pv == b.pv && a.nodes == b.nodes && a.cutoffs == b.cutoffs;
}

// Searches find the same with an empty cache, a full one, and one loaded from the log of another.
// A tiny cache overwrites its entries all the time.
void test_the_cache_changes_nothing(SplitMix64& rng) {
    TextbookCache first, loaded, tiny(4, 2);
    TextbookCache::Log log;
    for (int i = 0; i < 60; ++i) {
        const int size = kMinSize + i % (kMaxSize - kMinSize + 1);
        const Position position = random_position(size, rng);
        TextbookOptions options = random_options(rng);
        options.wall_order = WallOrder::kDijkstra;
        const int depth = 1 + static_cast<int>(rng.below(3));
        const std::string where = format_position(position) + " depth " + std::to_string(depth);
        const TextbookReport plain = alphabeta(position, depth, options, never);
        options.cache = &first;
        CHECK_IN(same(alphabeta(position, depth, options, never), plain), where);
        log = first.take_log();
        loaded.load_evaluations(log.evaluations);
        CHECK_IN(loaded.load_children(log.children) == log.children_count, where);
        options.cache = &loaded;
        CHECK_IN(same(alphabeta(position, depth, options, never), plain), where);
        log = loaded.take_log();
        CHECK_IN(log.children_found > 0, where);
        options.cache = &tiny;
        CHECK_IN(same(alphabeta(position, depth, options, never), plain), where);
    }
}

// Wrong entries may change a move, but never make it illegal.
void test_a_damaged_cache_is_harmless(SplitMix64& rng) {
    for (int i = 0; i < 60; ++i) {
        const Position position = random_position(kMinSize + i % 7, rng);
        TextbookCache cache;
        TextbookOptions options;
        options.wall_order = WallOrder::kDijkstra;
        options.cache = &cache;
        alphabeta(position, 2, options, never);
        TextbookCache::Log log = cache.take_log();
        for (auto* bytes : {&log.evaluations, &log.children}) {
            for (size_t at = 0; at < bytes->size(); ++at) {
                const bool in_key = bytes == &log.evaluations && at % 10 < 8;
                if (!in_key && rng.below(9) == 0) (*bytes)[at] = static_cast<uint8_t>(rng.next());
            }
        }
        TextbookCache damaged;
        damaged.load_evaluations(log.evaluations);
        damaged.load_children(log.children);
        options.cache = &damaged;
        const TextbookReport report = alphabeta(position, 3, options, never);
        CHECK_IN(position.is_legal(static_cast<Action>(report.best_move)),
                 format_position(position));
    }
}

// Lists with an impossible move, a move twice or a missing pawn move are not used.
void test_implausible_children_are_ignored() {
    const Position start = Position::start({});
    const uint64_t key = TextbookCache::key_of(start);
    TextbookOptions options;
    options.wall_order = WallOrder::kDijkstra;
    const TextbookReport plain = minimax(start, 1, options, never);
    for (const std::vector<int>& moves :
         std::vector<std::vector<int>>{{255}, {13, 3}, {13, 3, 5, 13}, {13, 3, 5, 81, 81}, {40}}) {
        TextbookCache cache;
        Children children;
        for (const int move : moves)
            children.add(move);
        cache.store_children(key, children);
        options.cache = &cache;
        CHECK(same(minimax(start, 1, options, never), plain));
    }
}

// A search that has made enough entries continues without the cache.
void test_one_search_adds_a_limited_number() {
    TextbookCache cache;
    TextbookOptions options;
    options.path_weight = 1, options.progress_weight = options.wall_weight = 0;
    options.wall_order = WallOrder::kDijkstra;
    options.cache = &cache;
    alphabeta(Position::start({}), 4, options, never);
    const TextbookCache::Log log = cache.take_log();
    CHECK(log.evaluations.size() == TextbookCache::kMostNewEvaluations);
    CHECK(log.children.size() < TextbookCache::kMostNewChildren + 200);
    CHECK(cache.take_log().evaluations.empty());
}

void test_threads_share_the_cache(SplitMix64& rng) {
    TextbookCache cache(1 << 10, 1 << 6);
    std::vector<Position> positions;
    std::vector<TextbookReport> expected;
    TextbookOptions options;
    options.wall_order = WallOrder::kDijkstra;
    for (int i = 0; i < 12; ++i) {
        positions.push_back(random_position(5, rng));
        expected.push_back(alphabeta(positions.back(), 3, options, never));
    }
    options.cache = &cache;
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            for (size_t i = 0; i < positions.size(); ++i)
                wrong += !same(alphabeta(positions[i], 3, options, never), expected[i]);
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    CHECK(wrong == 0);
}

void test_poll_ends_the_search() {
    const Position start = Position::start({});
    int polls = 0;
    bool ended = false;
    try {
        alphabeta(start, kMaxTextbookDepth, {}, [&] {
            if (++polls == 2) throw std::runtime_error("enough");
        });
    } catch (const std::runtime_error&) {
        ended = true;
    }
    CHECK(ended && polls == 2);
}

}  // namespace
}  // namespace plyground::quoridor

int main() {
    using namespace plyground;
    using namespace plyground::quoridor;
    SplitMix64 rng{test::seed()};
    test_alphabeta_is_minimax(rng);
    test_full_width_is_perft(rng);
    test_the_cache_changes_nothing(rng);
    test_a_damaged_cache_is_harmless(rng);
    test_implausible_children_are_ignored();
    test_one_search_adds_a_limited_number();
    test_threads_share_the_cache(rng);
    test_poll_ends_the_search();
    return test::report();
}
