// The Gumbel tree search and the features it hands out, for Python: check, convert, call. The
// public face is search/gumbel.py.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "bind/arrays.h"
#include "bind/bind.h"
#include "bind/quoridor_state.h"
#include "games/quoridor_features.h"
#include "games/quoridor_text.h"
#include "search/quoridor_zero.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace plyground {
namespace {

using namespace quoridor;

// A tree with what it was asked to do. Actions are numbered as the state has them outside, as the
// mover sees them inside.
class QuoridorTree {
  public:
    QuoridorTree(const Position& position, const gumbel::Settings& settings, bool races)
        : tree_(settings),
          exact_(races ? Races::kAll : Races::kNone),
          quick_(races ? Races::kSimple : Races::kNone) {
        require_ongoing(position);
        tree_.reset(position);
    }
    QuoridorTree(const QuoridorTree&) = delete;
    QuoridorTree& operator=(const QuoridorTree&) = delete;

    const gumbel::Tree<Zero>& tree() const { return tree_; }
    int size() const { return tree_.root().rules.size; }
    // The number outside of a move that comes `ply` plies after the root.
    int outside(int action, int ply = 0) const {
        const auto seen = static_cast<Action>(action);
        const bool flipped = (tree_.root().to_move + ply) % 2 == 1;
        return to_dense(flipped ? flip(seen, size()) : seen, size());
    }

    void begin(int simulations, const std::optional<Values>& noise) {
        require_nothing_pending("begin");
        simulations_ = checked_count("simulations", simulations, 0, 100'000'000);
        noise_.assign(kActions, 0);
        if (noise) {
            const auto expected = static_cast<size_t>(action_count(size()));
            if (noise->shape(0) != expected) {
                refuse(std::to_string(expected) + " noise variables",
                       std::to_string(noise->shape(0)));
            }
            for (int action = 0; action < kActions; ++action) {
                if (is_on_board(static_cast<Action>(action), size()))
                    noise_[action] = noise->data()[outside(action)];
            }
        }
        if (tree_.is_evaluated()) tree_.begin(simulations_, noise_.data());
    }

    nb::object select(size_t batch) {
        require_nothing_pending("select");
        std::vector<uint8_t> rows(batch * kFeatureBytes);
        size_t count = 0;
        {
            const nb::gil_scoped_release release;
            count = tree_.select(exact_, batch, rows.data());
        }
        nb::object array;
        uint8_t* const data = new_rows<uint8_t>(array, count, kFeatureBytes);
        std::copy_n(rows.begin(), count * kFeatureBytes, data);
        return array;
    }

    void expand(const Logits& logits, const Values& values) {
        const size_t count = tree_.pending();
        if (count == 0) refuse("leaves that `select` handed out", "none");
        with_logits(logits, values, count, [&](const auto* data) {
            const float* const value_data = values.data();
            const nb::gil_scoped_release release;
            const bool is_new_root = !tree_.is_evaluated();
            for (size_t i = 0; i < count; ++i)
                tree_.expand(i, data + i * kActions, value_data[i]);
            tree_.finish_batch();
            if (is_new_root) start();
        });
    }

    void advance(int64_t action) {
        require_nothing_pending("advance");
        const Position& root = tree_.root();
        if (action < 0 || action >= action_count(size()))
            refuse("an action from 0 to " + std::to_string(action_count(size()) - 1),
                   std::to_string(action));
        const Action played = from_dense(static_cast<int>(action), size());
        require_legal(root, played);
        require_ongoing(root.after(played));
        tree_.advance(root.to_move == 1 ? flip(played, size()) : played, true);
        simulations_ = 0;
        noise_.assign(kActions, 0);
        if (tree_.is_evaluated()) start();
    }

    void require_evaluated() const {
        if (!tree_.is_evaluated()) refuse("a root that has been evaluated", "none yet");
    }

  private:
    using Races = Zero::Exact::Races;

    static void require_ongoing(const Position& position) {
        if (position.is_over()) {
            throw IllegalMoveError("cannot search '" + format_position(position) +
                                   "': the game is over");
        }
    }
    void require_nothing_pending(const std::string& what) const {
        if (tree_.pending() > 0)
            refuse("`expand` before `" + what + "`", std::to_string(tree_.pending()) + " leaves");
    }
    // Solving the races behind every last wall would take long; where all walls are placed, there
    // is but one.
    void start() {
        if (tree_.settings().prove) tree_.probe(Zero::is_solvable(tree_.root()) ? exact_ : quick_);
        tree_.begin(simulations_, noise_.data());
    }

    gumbel::Tree<Zero> tree_;
    Zero::Exact exact_;
    Zero::Exact quick_;
    int simulations_ = 0;
    std::vector<float> noise_ = std::vector<float>(kActions);
};

// The plies of a proof as SearchResult has them: None if there is none.
nb::object win_in(int proven) {
    if (proven == 0) return nb::none();
    return nb::int_(proven > 0 ? proven - 1 : proven + 1);
}

nb::object policy(const QuoridorTree& self) {
    self.require_evaluated();
    std::vector<float> seen(kActions);
    self.tree().improved_policy(seen.data());
    nb::object array;
    float* const data = new_rows<float>(array, action_count(self.size()));
    for (int action = 0; action < kActions; ++action) {
        if (is_on_board(static_cast<Action>(action), self.size()))
            data[self.outside(action)] = seen[action];
    }
    return array;
}

nb::list moves(const QuoridorTree& self) {
    self.require_evaluated();
    nb::list out;
    for (const auto& move : self.tree().moves()) {
        nb::dict entry;
        entry["action"] = self.outside(move.action);
        entry["logit"] = move.logit;
        entry["visits"] = move.visits;
        entry["value"] = move.q;
        entry["win_in"] = win_in(move.proven);
        out.append(entry);
    }
    return out;
}

std::vector<int> pv(const QuoridorTree& self) {
    std::vector<int> line = self.tree().line();
    for (size_t ply = 0; ply < line.size(); ++ply)
        line[ply] = self.outside(line[ply], static_cast<int>(ply));
    return line;
}

nb::object net_features(const QuoridorState& state) {
    nb::object array;
    uint8_t* const data = new_rows<uint8_t>(array, kFeatureBytes);
    pack_features(seen_by_mover(state.position), data);
    return array;
}

void new_tree(QuoridorTree* self, const QuoridorState& state, double c_visit, double c_scale,
              int max_considered, bool prove, bool races) {
    gumbel::Settings settings;
    settings.c_visit = checked("c_visit", c_visit, 0, 1e6);
    settings.c_scale = checked("c_scale", c_scale, 0, 1e3);
    settings.max_considered = checked_count("max_considered", max_considered, 1, kActions);
    settings.draw_value = nb::cast<float>(state.config.attr("draw_penalty"));
    settings.prove = prove;
    new (self) QuoridorTree(state.position, settings, races);
}

}  // namespace

void bind_zero(nb::module_& m) {
    m.attr("QUORIDOR_FEATURE_BYTES") = kFeatureBytes;
    m.def("quoridor_net_features", &net_features, "state"_a,
          nb::sig("def quoridor_net_features(state: QuoridorState) -> "
                  "numpy.typing.NDArray[numpy.uint8]"),
          "A position packed for a network, seen by the player to move; the layout is told in "
          "cpp/games/quoridor_features.h.");
    nb::class_<QuoridorTree>(m, "QuoridorTree",
                             "A Gumbel tree search that asks for evaluations; not for two threads "
                             "at a time.")
        .def("__init__", &new_tree, "state"_a, "c_visit"_a = 50.0, "c_scale"_a = 0.25,
             "max_considered"_a = 16, "prove"_a = true, "races"_a = true)
        .def("begin", &QuoridorTree::begin, "simulations"_a, "noise"_a = nb::none(),
             nb::sig("def begin(self, simulations: int, noise: "
                     "numpy.typing.NDArray[numpy.float32] | None = None) -> None"),
             "Plan that many simulations more, on top of what the tree has; `noise` is added to "
             "the logits of the root, by action.")
        .def("select", &QuoridorTree::select, "batch"_a,
             nb::sig("def select(self, batch: int) -> numpy.typing.NDArray[numpy.uint8]"),
             "Features of up to that many leaves to evaluate. None when the plan is done, or now "
             "and "
             "then while no position needs an evaluation: `simulations_left` tells.")
        .def("expand", &QuoridorTree::expand, "logits"_a, "values"_a,
             nb::sig("def expand(self, logits: numpy.typing.NDArray[typing.Any], "
                     "values: numpy.typing.NDArray[numpy.float32]) -> None"),
             "The evaluations of the leaves `select` returned.")
        .def("advance", &QuoridorTree::advance, "action"_a,
             "Play a move and keep what is known below it.")
        .def(
            "best_action",
            [](const QuoridorTree& self) {
                self.require_evaluated();
                return self.outside(self.tree().best_action());
            },
            "The move to play.")
        .def(
            "best_value",
            [](const QuoridorTree& self) {
                self.require_evaluated();
                return self.tree().best_value();
            },
            "What that move is worth, from -1 to 1.")
        .def(
            "root_value",
            [](const QuoridorTree& self) {
                self.require_evaluated();
                return self.tree().root_value();
            },
            "What the position is worth under the improved policy.")
        .def("policy", &policy, nb::sig("def policy(self) -> numpy.typing.NDArray[numpy.float32]"),
             "The improved policy, by action.")
        .def("moves", &moves, nb::sig("def moves(self) -> list[dict[str, typing.Any]]"),
             "What is known about each legal move: action, logit, visits, value, win_in.")
        .def("pv", &pv, "The line both sides are expected to follow.")
        .def_prop_ro(
            "simulations_left",
            [](const QuoridorTree& self) { return self.tree().simulations_left(); },
            "Of the plan; 0 as soon as everything is proven.")
        .def_prop_ro(
            "is_evaluated", [](const QuoridorTree& self) { return self.tree().is_evaluated(); },
            "Whether the root has its evaluation.")
        .def_prop_ro(
            "win_in", [](const QuoridorTree& self) { return win_in(self.tree().proven()); },
            nb::sig("def win_in(self) -> int | None"),
            "Plies to a proven win of the player to move, negative to a proven loss, or None.")
        .def_prop_ro(
            "visits", [](const QuoridorTree& self) { return self.tree().visits(); },
            "Simulations behind the root, kept ones included.")
        .def("__len__", [](const QuoridorTree& self) { return self.tree().size(); });
}

}  // namespace plyground
