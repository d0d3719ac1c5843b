// Shared by the engine bindings of all games: settings in, reports out, and a search that releases
// the interpreter lock.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "bind/interpreter_lock.h"
#include "search/engine.h"

namespace plyground {

constexpr int kMaxDrawScore = 10'000;  // far from proven scores

using Switches = std::map<std::string, bool SearchOptions::*>;

inline SearchOptions options_from(const Switches& available,
                                  const std::map<std::string, bool>& switches, int draw_score) {
    SearchOptions options;
    for (const auto& [name, on] : switches) {
        const auto found = available.find(name);
        if (found == available.end()) throw ConfigError("unknown search option '" + name + "'");
        options.*(found->second) = on;
    }
    if (draw_score < -kMaxDrawScore || draw_score > kMaxDrawScore) {
        throw ConfigError("expected draw_score from -10000 to 10000, got " +
                          std::to_string(draw_score));
    }
    options.draw_score = draw_score;
    return options;
}

inline std::map<std::string, bool> default_switches(const Switches& available) {
    std::map<std::string, bool> out;
    for (const auto& [name, member] : available)
        out[name] = SearchOptions{}.*member;
    return out;
}

inline void check_engine_size(int hash_mb, int threads) {
    if (hash_mb < 1 || hash_mb > 1 << 16)
        throw ConfigError("expected hash_mb from 1 to 65536, got " + std::to_string(hash_mb));
    if (threads < 1 || threads > 256)
        throw ConfigError("expected threads from 1 to 256, got " + std::to_string(threads));
}

inline Limits limits_from(std::optional<double> time_s, std::optional<double> start_s,
                          std::optional<uint64_t> nodes, std::optional<int> depth) {
    Limits limits;
    if (time_s) limits.time_s = *time_s;
    if (start_s) limits.start_s = *start_s;
    if (nodes) limits.nodes = *nodes;
    if (depth) limits.depth = std::min(*depth, limits.depth);
    return limits;
}

// `number(action)` is the action's number in Python, `score(report)` the score in Python's units.
template <class Number, class ScoreOf>
nanobind::dict report_dict(const SearchReport& report, const Number& number, const ScoreOf& score) {
    nanobind::list pv;
    for (const int action : report.pv)
        pv.append(number(action));
    nanobind::dict out;
    out["best_move"] = number(report.best_move);
    out["score"] = score(report);
    out["depth"] = report.depth;
    out["pv"] = pv;
    out["nodes_searched"] = report.stats.nodes;
    out["time_ms"] = report.time_s * 1000;
    if (is_proven(report.score)) {
        out["win_in"] = report.score > 0 ? kWin - report.score : -kWin - report.score;
    } else {
        out["win_in"] = nanobind::none();
    }
    out["exact"] = report.exact;
    out["cutoffs"] = report.stats.cutoffs;
    out["first_move_cutoffs"] = report.stats.first_move_cutoffs;
    out["table_probes"] = report.stats.table_probes;
    out["table_hits"] = report.stats.table_hits;
    out["deepest"] = report.stats.deepest;
    out["nodes_by_depth"] = report.nodes_by_depth;
    return out;
}

// Runs search(poll) without the interpreter lock. `poll(report)` acquires it briefly, to check for
// Ctrl-C and to call `progress` with to_dict(report). An exception from either stops the search and
// is raised after it has ended.
template <class Search, class ToDict>
nanobind::dict run_search(const Search& search, const ToDict& to_dict,
                          const nanobind::object& progress) {
    bool failed = false;
    const auto poll = [&](const SearchReport& report) {
        if (InterpreterEnd::stops_this_thread()) return false;
        const nanobind::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) {
            failed = true;
            return false;
        }
        if (!progress.is_none() && report.has_move) {
            try {
                progress(to_dict(report));
            } catch (nanobind::python_error& error) {
                error.restore();
                failed = true;
                return false;
            }
        }
        return true;
    };
    SearchReport report;
    {
        const InterpreterRelease release;
        report = search(poll);
    }
    if (failed) throw nanobind::python_error();
    return to_dict(report);
}

// Table entries are serialized to 16 bytes each: key 8, score 2, depth 1, bound 1, move 1, has_move
// 1, unused 2. Only the same build of the engine can read them.
constexpr size_t kSavedEntryBytes = 16;

inline nanobind::bytes serialize_entries(const std::vector<Table::SavedEntry>& saved) {
    std::string out(saved.size() * kSavedEntryBytes, '\0');
    char* to = out.data();
    for (const auto& [key, entry] : saved) {
        std::memcpy(to, &key, 8);
        std::memcpy(to + 8, &entry.score, 2);
        to[10] = static_cast<char>(entry.depth);
        to[11] = static_cast<char>(entry.bound);
        to[12] = static_cast<char>(entry.move);
        to[13] = static_cast<char>(entry.has_move);
        to += kSavedEntryBytes;
    }
    return nanobind::bytes(out.data(), out.size());
}

inline std::vector<Table::SavedEntry> parse_entries(const nanobind::bytes& bytes) {
    if (bytes.size() % kSavedEntryBytes != 0) {
        throw ConfigError("expected results of 16 bytes each, got " + std::to_string(bytes.size()) +
                          " bytes");
    }
    std::vector<Table::SavedEntry> saved(bytes.size() / kSavedEntryBytes);
    const char* from = bytes.c_str();
    for (auto& [key, entry] : saved) {
        std::memcpy(&key, from, 8);
        std::memcpy(&entry.score, from + 8, 2);
        entry.depth = static_cast<int8_t>(from[10]);
        entry.bound = static_cast<Bound>(from[11] & 3);
        entry.move = static_cast<uint8_t>(from[12]);
        entry.has_move = from[13] != 0;
        from += kSavedEntryBytes;
    }
    return saved;
}

// Methods of every engine beside `search`. They wait for a running search without the interpreter
// lock, which its progress callback needs.
template <class Engine>
void bind_engine_methods(nanobind::class_<Engine>& engine) {
    using namespace nanobind::literals;
    engine.def("stop", &Engine::stop, "Stop the running search; may be called from any thread.")
        .def("clear", &Engine::clear, nanobind::call_guard<InterpreterRelease>(),
             "Delete the results of earlier searches.")
        .def(
            "deepest",
            [](Engine& self, size_t most) {
                std::vector<Table::SavedEntry> found;
                {
                    const InterpreterRelease release;
                    found = self.deepest(most);
                }
                return serialize_entries(found);
            },
            "most"_a, "The deepest table entries of the last search, serialized for `recall`.")
        .def(
            "recall",
            [](Engine& self, const nanobind::bytes& saved) {
                const auto entries = parse_entries(saved);
                const InterpreterRelease release;
                self.recall(entries);
            },
            "kept"_a, "Load entries that `deepest` returned, from the same build of the engine.");
}

}  // namespace plyground
