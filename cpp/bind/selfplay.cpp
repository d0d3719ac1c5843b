// Self-play for Python: check, convert, call. Its Python interface is train/selfplay.py.
#include "search/selfplay.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "bind/arrays.h"
#include "bind/bind.h"
#include "bind/interpreter_lock.h"
#include "bind/zero_games.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace plyground {
namespace {

template <class Game>
using Pool = SelfPlay<typename Game::Zero>;

constexpr int kMaxSimulations = 1'000'000;
constexpr int kMaxConsidered = 255;  // no game here has more moves

// What `set` may change, and how; the constructor goes the same way.
using Setter = std::function<void(SelfPlaySettings&, const std::string&, double)>;
const std::map<std::string, Setter>& setters() {
    static const std::map<std::string, Setter> kSetters{
        {"simulations",
         [](auto& s, auto& name, double v) {
             s.simulations = checked_count(name, v, 1, kMaxSimulations);
         }},
        {"quick_moves",
         [](auto& s, auto& name, double v) { s.quick_moves = checked(name, v, 0, 1); }},
        {"quick_simulations",
         [](auto& s, auto& name, double v) {
             s.quick_simulations = checked_count(name, v, 1, kMaxSimulations);
         }},
        {"random_starts",
         [](auto& s, auto& name, double v) { s.random_starts = checked(name, v, 0, 1); }},
        {"max_considered",
         [](auto& s, auto& name, double v) {
             s.tree.max_considered = checked_count(name, v, 1, kMaxConsidered);
         }},
        {"c_visit",
         [](auto& s, auto& name, double v) { s.tree.c_visit = checked(name, v, 0, 1e6); }},
        {"c_scale",
         [](auto& s, auto& name, double v) { s.tree.c_scale = checked(name, v, 0, 1e3); }},
        {"heuristic_weight",
         [](auto& s, auto& name, double v) { s.heuristic_weight = checked(name, v, 0, 1); }},
        {"draw_by_path", [](auto& s, auto& name,
                            double v) { s.tree.draw_by_path = checked_count(name, v, 0, 1) != 0; }},
        {"random_openings",
         [](auto& s, auto& name, double v) { s.random_openings = checked(name, v, 0, 1); }},
        {"close_openings",
         [](auto& s, auto& name, double v) { s.close_openings = checked(name, v, 0, 1); }},
        {"quick_decided",
         [](auto& s, auto& name, double v) { s.quick_decided = checked(name, v, 0, 1); }},
        {"value_lambda",
         [](auto& s, auto& name, double v) { s.value_lambda = checked(name, v, 0, 1); }},
        {"opening_plies",
         [](auto& s, auto& name, double v) { s.opening_plies = checked_count(name, v, 0, 100); }},
    };
    return kSetters;
}

void change(SelfPlaySettings& settings, const std::string& name, double value) {
    const auto found = setters().find(name);
    if (found == setters().end()) throw ConfigError("unknown self-play setting '" + name + "'");
    found->second(settings, name, value);
}

template <class Game>
void new_selfplay(Pool<Game>* self, const std::vector<typename Game::State>& starts, int games,
                  int halves, int threads, double simulations, double max_considered,
                  double c_visit, double c_scale, double random_openings, double opening_plies,
                  double heuristic_weight, bool draw_by_path, double quick_moves,
                  double quick_simulations, double quick_decided, double random_starts,
                  double close_openings, double value_lambda, uint64_t seed, int history_length) {
    if (starts.empty()) refuse("one start or more", "none");
    std::vector<typename Game::Position> positions;
    for (const auto& start : starts) {
        require_ongoing(start.position);
        positions.push_back(position_seen<Game>(start, history_length));
    }
    SelfPlaySettings settings;
    change(settings, "simulations", simulations);
    change(settings, "max_considered", max_considered);
    change(settings, "c_visit", c_visit);
    change(settings, "c_scale", c_scale);
    change(settings, "random_openings", random_openings);
    change(settings, "opening_plies", opening_plies);
    change(settings, "heuristic_weight", heuristic_weight);
    settings.tree.draw_by_path = draw_by_path;
    change(settings, "quick_moves", quick_moves);
    change(settings, "quick_simulations", quick_simulations);
    change(settings, "quick_decided", quick_decided);
    change(settings, "random_starts", random_starts);
    change(settings, "close_openings", close_openings);
    change(settings, "value_lambda", value_lambda);
    settings.tree.draw_value = Game::draw_value(starts.front());
    settings.seed = seed;
    checked_count("halves", halves, 1, 64);
    checked_count("games", games, halves, 1 << 20);
    checked_count("threads", threads, 1, 1024);
    new (self) Pool<Game>(std::move(positions), games, halves, threads, settings);
}

template <class Pool>
int checked_half(const Pool& pool, int half) {
    checked_count("half", half, 0, pool.halves() - 1);
    return half;
}

template <class Game>
int step(Pool<Game>& pool, int half, const std::optional<Logits>& logits,
         const std::optional<Values>& values, Features& features) {
    const auto count = static_cast<size_t>(pool.size(checked_half(pool, half)));
    const size_t width = pool.feature_bytes();
    if (features.shape(0) < count || features.shape(1) != width) {
        refuse("features of shape (" + std::to_string(count) + " or more, " +
                   std::to_string(width) + ")",
               "(" + std::to_string(features.shape(0)) + ", " + std::to_string(features.shape(1)) +
                   ")");
    }
    if (logits.has_value() != values.has_value()) refuse("both logits and values", "one of them");
    if (logits.has_value() != pool.has_started(half)) {
        refuse(pool.has_started(half) ? "the evaluations of the last step" : "no evaluations yet",
               logits.has_value() ? "some" : "none");
    }
    uint8_t* const out = features.data();
    if (!logits) {
        const InterpreterRelease release;
        return pool.template step<float>(half, nullptr, nullptr, out);
    }
    return with_logits(*logits, *values, count, Game::kActions, [&](const auto* data) {
        const float* const value_data = values->data();
        const InterpreterRelease release;
        return pool.step(half, data, value_data, out);
    });
}

template <class Game>
nb::dict drain(Pool<Game>& pool, size_t most) {
    std::vector<typename Pool<Game>::Row> rows;
    {
        const InterpreterRelease release;
        rows = pool.drain(most);
    }
    const size_t count = rows.size();
    const size_t width = pool.feature_bytes();
    nb::object features, policy, outcome, root_value, margin, surprise, game, ply, action;
    uint8_t* const feature_data = new_rows<uint8_t>(features, count, width);
    uint16_t* const policy_data = new_rows<uint16_t>(policy, count, Game::kActions, kHalf);
    float* const outcomes = new_rows<float>(outcome, count);
    float* const root_values = new_rows<float>(root_value, count);
    float* const margins = new_rows<float>(margin, count);
    float* const surprises = new_rows<float>(surprise, count);
    int32_t* const games = new_rows<int32_t>(game, count);
    int32_t* const plies = new_rows<int32_t>(ply, count);
    int32_t* const actions = new_rows<int32_t>(action, count);
    {
        const InterpreterRelease release;
        for (size_t i = 0; i < count; ++i) {
            const auto& row = rows[i];
            std::copy_n(row.features.begin(), width, feature_data + i * width);
            std::copy(row.policy.begin(), row.policy.end(), policy_data + i * Game::kActions);
            outcomes[i] = row.outcome;
            root_values[i] = row.root_value;
            margins[i] = row.margin;
            surprises[i] = row.surprise;
            games[i] = row.game;
            plies[i] = row.ply;
            actions[i] = row.action;
        }
    }
    nb::dict out;
    out["features"] = features;
    out["policy"] = policy;
    out["outcome"] = outcome;
    out["root_value"] = root_value;
    out["margin"] = margin;
    out["surprise"] = surprise;
    out["game"] = game;
    out["ply"] = ply;
    out["action"] = action;
    return out;
}

template <class Pool>
nb::dict stats(Pool& pool) {
    SelfPlayStats found;
    {
        const InterpreterRelease release;
        found = pool.stats();
    }
    nb::dict out;
    out["games"] = found.games;
    out["draws"] = found.draws;
    out["first_player_wins"] = found.first_player_wins;
    out["plies"] = found.plies;
    out["evaluations"] = found.evaluations;
    out["simulations"] = found.simulations;
    out["waiting"] = found.waiting;
    return out;
}

template <class Pool>
void set(Pool& pool, const std::string& name, double value) {
    SelfPlaySettings settings = pool.settings();
    change(settings, name, value);
    const InterpreterRelease release;
    pool.set(settings);
}

template <class Game>
void bind_pool(nb::module_& m) {
    const std::string name = std::string(Game::kName) + "SelfPlay";
    const std::string signature =
        "def __init__(self, starts: collections.abc.Sequence[" + std::string(Game::kName) +
        "State], games: int, halves: int = 2, threads: int = 1, simulations: int = 64, "
        "max_considered: int = 16, c_visit: float = 50.0, c_scale: float = 0.25, "
        "random_openings: float = 0.3, opening_plies: int = 8, heuristic_weight: float = 0.0, "
        "draw_by_path: bool = False, quick_moves: float = 0.0, quick_simulations: int = 16, "
        "quick_decided: float = 0.0, random_starts: float = 0.0, close_openings: float = 0.0, "
        "value_lambda: float = 0.0, seed: int = 0, history_length: int "
        "= 0) -> None";
    nb::class_<Pool<Game>>(
        m, name.c_str(),
        "Games that a network plays against itself, many at a time, in halves that take turns.")
        .def("__init__", &new_selfplay<Game>, "starts"_a, "games"_a, "halves"_a = 2,
             "threads"_a = 1, "simulations"_a = 64, "max_considered"_a = 16, "c_visit"_a = 50.0,
             "c_scale"_a = 0.25, "random_openings"_a = 0.3, "opening_plies"_a = 8,
             "heuristic_weight"_a = 0.0, "draw_by_path"_a = false, "quick_moves"_a = 0.0,
             "quick_simulations"_a = 16, "quick_decided"_a = 0.0, "random_starts"_a = 0.0,
             "close_openings"_a = 0.0, "value_lambda"_a = 0.0, "seed"_a = 0, "history_length"_a = 0,
             nb::sig(signature.c_str()))
        .def_prop_ro("halves", &Pool<Game>::halves, "How many parts take turns.")
        .def(
            "size",
            [](const Pool<Game>& pool, int half) { return pool.size(checked_half(pool, half)); },
            "half"_a, "Games in that half, and so leaves in each of its steps.")
        .def(
            "step", &step<Game>, "half"_a, "logits"_a.none(), "values"_a.none(),
            "features"_a.noconvert(),
            nb::sig("def step(self, half: int, logits: numpy.typing.NDArray[typing.Any] | None, "
                    "values: numpy.typing.NDArray[numpy.float32] | None, "
                    "features: numpy.typing.NDArray[numpy.uint8]) -> int"),
            "Take the evaluations of the leaves this half handed out last (None the first time), "
            "run its games until each needs another one, and write those leaves' features. Returns "
            "how many there are.")
        .def(
            "drain", &drain<Game>, "max_rows"_a,
            nb::sig(
                "def drain(self, max_rows: int) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
            "Positions of finished games, each handed out once: features, policy (float16, mover's "
            "view), outcome, root_value, margin, surprise, game, ply, action (mover's view).")
        .def("stats", &stats<Pool<Game>>, nb::sig("def stats(self) -> dict[str, int]"),
             "Counts since the start: games, draws, first_player_wins, plies, evaluations, "
             "simulations; and rows waiting to be drained.")
        .def("set", &set<Pool<Game>>, "name"_a, "value"_a,
             nb::sig("def set(self, name: str, value: float) -> None"),
             "Change a setting of the constructor by name; moves begun before keep the old one.");
}

}  // namespace

void bind_selfplay(nb::module_& m) {
    bind_pool<QuoridorZero>(m);
    bind_pool<ReversiZero>(m);
}

}  // namespace plyground
