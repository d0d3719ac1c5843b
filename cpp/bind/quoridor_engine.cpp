// Quoridor's alpha-beta engine for Python: check, convert, call. plyground.search wraps it.
#include <nanobind/nanobind.h>

#include "base/error.h"
#include "bind/bind.h"
#include "bind/engine_binding.h"
#include "bind/quoridor_state.h"
#include "games/quoridor_text.h"
#include "search/engine.h"
#include "search/quoridor_knowledge.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace plyground {
namespace {

using namespace quoridor;
using QuoridorEngine = Engine<Knowledge>;

const Switches kSwitches{
    {"table", &SearchOptions::table},           {"killers", &SearchOptions::killers},
    {"history", &SearchOptions::history},       {"counter_moves", &SearchOptions::counter_moves},
    {"reductions", &SearchOptions::reductions}, {"null_move", &SearchOptions::null_move},
    {"futility", &SearchOptions::futility},     {"aspiration", &SearchOptions::aspiration},
    {"quiescence", &SearchOptions::quiescence}, {"exact_results", &SearchOptions::exact_results},
    {"all_moves", &SearchOptions::all_moves},
};

Weights weights_from(const std::map<std::string, int>& values) {
    Weights weights;
    for (const auto& [name, value] : values) {
        const auto found = std::find(kFeatureNames.begin(), kFeatureNames.end(), name);
        if (found == kFeatureNames.end())
            throw ConfigError("unknown evaluation weight '" + name + "'");
        if (value < -1000 || value > 1000) {
            throw ConfigError("expected weight '" + name + "' from -1000 to 1000, got " +
                              std::to_string(value));
        }
        weights.of[found - kFeatureNames.begin()] = value;
    }
    return weights;
}

std::map<std::string, int> by_feature_name(const std::array<int, kFeatures>& values) {
    std::map<std::string, int> out;
    for (int i = 0; i < kFeatures; ++i)
        out[kFeatureNames[i]] = values[i];
    return out;
}

nb::dict search(QuoridorEngine& engine, const QuoridorState& state, std::optional<double> time_s,
                std::optional<double> start_s, std::optional<uint64_t> nodes,
                std::optional<int> depth, const nb::object& progress) {
    const Position& position = state.position;
    if (position.is_over())
        throw IllegalMoveError("cannot search '" + format_position(position) +
                               "': the game is over");
    const auto number = [&](int action) {
        return to_dense(static_cast<Action>(action), position.rules.size);
    };
    const auto score = [](const SearchReport& report) { return report.score; };
    const Limits limits = limits_from(time_s, start_s, nodes, depth);
    const auto earlier_keys = state.history.keys_since_wall(position);
    return run_search(
        [&](const auto& poll) { return engine.search(position, earlier_keys, limits, poll); },
        [&](const SearchReport& report) { return report_dict(report, number, score); }, progress);
}

}  // namespace

void bind_quoridor_engine(nb::module_& m) {
    nb::class_<QuoridorEngine> engine(
        m, "QuoridorEngine", "The alpha-beta search for Quoridor, with its table and threads.");
    engine
        .def(
            "__init__",
            [](QuoridorEngine* self, int hash_mb, int threads,
               const std::map<std::string, int>& weights,
               const std::map<std::string, bool>& switches, int draw_score) {
                check_engine_size(hash_mb, threads);
                new (self)
                    QuoridorEngine(static_cast<size_t>(hash_mb), threads, weights_from(weights),
                                   options_from(kSwitches, switches, draw_score));
            },
            "hash_mb"_a = 64, "threads"_a = 1, "weights"_a = std::map<std::string, int>{},
            "switches"_a = std::map<std::string, bool>{},
            "draw_score"_a = SearchOptions{}.draw_score)
        .def("search", &search, "state"_a, "time_s"_a = nb::none(), "start_s"_a = nb::none(),
             "nodes"_a = nb::none(), "depth"_a = nb::none(), "progress"_a = nb::none(),
             nb::sig("def search(self, state: QuoridorState, time_s: float | None = None, start_s: "
                     "float | None = None, "
                     "nodes: int | None = None, depth: int | None = None, "
                     "progress: collections.abc.Callable[[dict[str, typing.Any]], object] | None = "
                     "None) "
                     "-> dict[str, typing.Any]"),
             "Search until a limit is reached; `progress` is called with intermediate results.");
    bind_engine_methods(engine);
    m.def(
        "quoridor_weights", [] { return by_feature_name(Weights{}.of); },
        "The evaluation's default weights, by name.");
    m.def(
        "quoridor_switches", [] { return default_switches(kSwitches); },
        "The switches of the search with their defaults.");
    m.def(
        "quoridor_features",
        [](const QuoridorState& state) {
            Weights all;
            all.of.fill(1);  // `features` skips some terms whose weight is 0
            const Knowledge knowledge(all, SearchOptions{});
            auto node = std::make_unique<Knowledge::Node>();
            knowledge.enter_root(state.position, *node);
            return by_feature_name(knowledge.features(*node));
        },
        "state"_a, "The evaluation's terms in a position, for the side to move, by name.");
}

}  // namespace plyground
