// A search with its table and threads: the front door of alpha-beta.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "search/alphabeta.h"

namespace plyground {

template <GameKnowledge Knowledge>
class Engine {
  public:
    using Weights = typename Knowledge::Weights;
    using Position = typename Knowledge::Position;
    using Progress = std::function<bool(const SearchReport&)>;  // false stops the search

    Engine(size_t hash_mb, int threads, const Weights& weights, const SearchOptions& options)
        : table_(hash_mb), threads_(threads), options_(options) {
        for (int i = 0; i < threads; ++i)
            knowledge_.push_back(std::make_unique<Knowledge>(weights, options));
    }

    // Searches until a limit is met, `stop` is called or `progress` says no. `past` holds the keys
    // of the game's positions since the last irreversible move, this one left out.
    SearchReport search(const Position& root, const std::vector<uint64_t>& past,
                        const Limits& limits, const Progress& progress) {
        const std::lock_guard<std::mutex> lock(busy_);
        table_.next_age();
        SharedSearch shared{table_, limits, Clock::now(), false, [] { return true; }, nullptr};
        InFlight in_flight;
        if (threads_ > 1) shared.in_flight = &in_flight;
        stop_requested_ = false;  // one that came too late for the last search

        std::vector<std::unique_ptr<Searcher<Knowledge>>> searchers;
        for (int i = 0; i < threads_; ++i) {
            searchers.push_back(
                std::make_unique<Searcher<Knowledge>>(shared, *knowledge_[i], options_, i));
        }
        SearchReport latest;
        double last_poll = 0;
        const auto with_totals = [&](SearchReport report) {
            report.time_s = shared.elapsed_s();
            uint64_t nodes = 0;
            for (const auto& searcher : searchers)
                nodes += searcher->node_count();
            report.stats.nodes = std::max(nodes, report.stats.nodes);
            report.table_permille = table_.permille_used();
            return report;
        };
        shared.poll = [&] {
            const double now = shared.elapsed_s();
            if (stop_requested_.exchange(false)) return false;
            if (now - last_poll < 0.02) return true;
            last_poll = now;
            return progress(with_totals(latest));
        };
        const auto on_iteration = [&](const SearchReport& report) {
            latest = report;
            if (!progress(with_totals(latest))) shared.stop = true;
        };

        std::vector<std::thread> helpers;
        for (int i = 1; i < threads_; ++i) {
            helpers.emplace_back(
                [&, i] { searchers[i]->run(root, past, [](const SearchReport&) {}); });
        }
        searchers[0]->run(root, past, on_iteration);
        shared.stop = true;
        for (auto& helper : helpers)
            helper.join();

        SearchReport report = searchers[0]->report();
        for (int i = 1; i < threads_; ++i)
            report.stats += searchers[i]->report().stats;
        report.time_s = shared.elapsed_s();
        report.table_permille = table_.permille_used();
        return report;
    }

    // Ends the running search as soon as its first thread looks; safe to call from another thread.
    void stop() { stop_requested_ = true; }
    // The deepest results of the last search, for `recall` in an engine of another day.
    std::vector<Table::Kept> deepest(size_t most) {
        const std::lock_guard<std::mutex> lock(busy_);
        return table_.deepest(most);
    }
    // Takes results over that such an engine kept. They come from a file, so that only those are
    // taken which a search can meet: a move that it may ask about, no depth below 0.
    void recall(const std::vector<Table::Kept>& kept) {
        const std::lock_guard<std::mutex> lock(busy_);
        for (const auto& [key, entry] : kept) {
            if (entry.move < Knowledge::kActions && entry.depth >= 0) table_.store(key, entry);
        }
    }
    // Forgets what earlier searches found, so that the next one is as if it were the first.
    void clear() {
        const std::lock_guard<std::mutex> lock(busy_);
        table_.clear();
        for (auto& knowledge : knowledge_)
            knowledge->clear();
    }

  private:
    Table table_;
    int threads_;
    SearchOptions options_;
    std::vector<std::unique_ptr<Knowledge>> knowledge_;
    std::atomic<bool> stop_requested_{false};
    std::mutex busy_;
};

}  // namespace plyground
