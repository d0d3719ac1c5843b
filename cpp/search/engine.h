// The alpha-beta engine of a game: its table, its threads, and the entry point of a search.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/thread_team.h"
#include "search/alphabeta.h"

namespace plyground {

// A mutex that throws when its holder locks it again, which would block for ever.
class SearchMutex {
  public:
    void lock() {
        if (holder_ == std::this_thread::get_id()) {
            throw std::runtime_error(
                "the engine is searching; its progress callback may only stop it");
        }
        mutex_.lock();
        holder_ = std::this_thread::get_id();
    }
    void unlock() {
        holder_ = std::thread::id();
        mutex_.unlock();
    }

  private:
    std::mutex mutex_;
    std::atomic<std::thread::id> holder_;
};

template <GameKnowledge Knowledge>
class Engine {
  public:
    using Weights = typename Knowledge::Weights;
    using Position = typename Knowledge::Position;
    using Progress = std::function<bool(const SearchReport&)>;  // returns false to stop the search

    Engine(size_t hash_mb, int threads, const Weights& weights, const SearchOptions& options)
        : table_(hash_mb), threads_(threads), options_(options) {
        for (int i = 0; i < threads; ++i)
            knowledge_.push_back(std::make_unique<Knowledge>(weights, options));
    }

    // Searches until a limit is reached, `stop` is called or `progress` returns false.
    // `earlier_keys` are the keys of the game's positions since the last irreversible move, without
    // this one.
    SearchReport search(const Position& root, const std::vector<uint64_t>& earlier_keys,
                        const Limits& limits, const Progress& progress) {
        const std::lock_guard<SearchMutex> lock(busy_);
        table_.next_age();
        SharedSearch shared{table_, limits, Clock::now(), false, [] { return true; }, nullptr};
        std::optional<InFlight> in_flight;
        if (threads_ > 1) shared.in_flight = &in_flight.emplace();
        stop_requested_ = false;  // drop a request that came after the last search ended

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
            if (now - last_poll < kProgressInterval_s) return true;
            last_poll = now;
            return progress(with_totals(latest));
        };
        const auto on_iteration = [&](const SearchReport& report) {
            latest = report;
            if (!progress(with_totals(latest))) shared.stop = true;
        };

        ThreadTeam helpers([&] { shared.stop = true; });
        for (int i = 1; i < threads_; ++i) {
            helpers.start(
                [&, i] { searchers[i]->run(root, earlier_keys, [](const SearchReport&) {}); });
        }
        searchers[0]->run(root, earlier_keys, on_iteration);
        helpers.join();

        SearchReport report = searchers[0]->report();
        for (int i = 1; i < threads_; ++i)
            report.stats += searchers[i]->report().stats;
        report.time_s = shared.elapsed_s();
        report.table_permille = table_.permille_used();
        return report;
    }

    // Stops the running search at its next poll; may be called from any thread.
    void stop() { stop_requested_ = true; }
    // The deepest entries of the last search, for `recall` in a later engine.
    std::vector<Table::SavedEntry> deepest(size_t most) {
        const std::lock_guard<SearchMutex> lock(busy_);
        return table_.deepest(most);
    }
    // Stores saved entries in the table. They may come from a file, so entries with an impossible
    // move or depth are ignored.
    void recall(const std::vector<Table::SavedEntry>& saved) {
        const std::lock_guard<SearchMutex> lock(busy_);
        for (const auto& [key, entry] : saved) {
            if (entry.move < Knowledge::kActions && entry.depth >= 0) table_.store(key, entry);
        }
    }
    // Deletes all results of earlier searches, so that the next one behaves like the first.
    void clear() {
        const std::lock_guard<SearchMutex> lock(busy_);
        table_.clear();
        for (auto& knowledge : knowledge_)
            knowledge->clear();
    }

  private:
    static constexpr double kProgressInterval_s = 0.02;

    Table table_;
    int threads_;
    SearchOptions options_;
    std::vector<std::unique_ptr<Knowledge>> knowledge_;
    std::atomic<bool> stop_requested_{false};
    SearchMutex busy_;
};

}  // namespace plyground
