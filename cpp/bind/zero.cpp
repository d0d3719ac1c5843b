// The Gumbel tree search and the features it hands out, for Python: check, convert, call. Its
// Python interface is search/gumbel.py.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "bind/arrays.h"
#include "bind/bind.h"
#include "bind/interpreter_lock.h"
#include "bind/path_net_evaluator.h"
#include "bind/zero_games.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace plyground {
namespace {

// Of one call without the interpreter lock, in which Ctrl-C has to wait.
constexpr double kMostSeconds = 1;

// A tree with what it was asked to do. Actions are numbered as the state has them outside, as the
// mover sees them inside.
template <class Game>
class TreeFace {
  public:
    using Position = typename Game::Position;

    TreeFace(const Position& position, const gumbel::Settings& settings, bool solves)
        : tree_(settings),
          exact_(solves ? gumbel::Effort::kAll : gumbel::Effort::kRules),
          quick_(solves ? gumbel::Effort::kQuick : gumbel::Effort::kRules) {
        require_ongoing(position);
        tree_.reset(position);
    }
    TreeFace(const TreeFace&) = delete;
    TreeFace& operator=(const TreeFace&) = delete;

    const gumbel::Tree<typename Game::Zero>& tree() const {
        require_idle();
        return tree_;
    }
    const Position& root() const {
        require_idle();
        return tree_.root();
    }

    void begin(int simulations, const std::optional<Values>& noise) {
        require_nothing_pending("begin");
        simulations_ = checked_count("simulations", simulations, 0, 100'000'000);
        noise_.assign(Game::kActions, 0);
        if (noise) {
            const auto expected = static_cast<size_t>(Game::action_count(root()));
            if (noise->shape(0) != expected) {
                refuse(std::to_string(expected) + " noise variables",
                       std::to_string(noise->shape(0)));
            }
            for (int action = 0; action < Game::kActions; ++action) {
                if (Game::is_action(root(), action))
                    noise_[action] = noise->data()[Game::outside(root(), action)];
            }
        }
        if (tree_.is_evaluated()) tree_.begin(simulations_, noise_.data());
    }

    nb::object select(size_t batch) {
        require_nothing_pending("select");
        const size_t width = Game::feature_bytes(tree_.root());
        std::vector<uint8_t> rows(batch * width);
        size_t count = 0;
        {
            const Use use(in_use_);
            const InterpreterRelease release;
            count = tree_.select(exact_, batch, rows.data());
        }
        nb::object array;
        uint8_t* const data = new_rows<uint8_t>(array, count, width);
        std::copy_n(rows.begin(), count * width, data);
        return array;
    }

    void expand(const Logits& logits, const Values& values) {
        require_idle();
        const size_t count = tree_.pending();
        if (count == 0) refuse("leaves that `select` handed out", "none");
        with_logits(logits, values, count, Game::kActions, [&](const auto* data) {
            const float* const value_data = values.data();
            const Use use(in_use_);
            const InterpreterRelease release;
            const bool is_new_root = !tree_.is_evaluated();
            for (size_t i = 0; i < count; ++i)
                tree_.expand(i, data + i * Game::kActions, value_data[i]);
            if (is_new_root) start();
        });
    }

    // Runs the plan, or as much of it as fits into that many seconds, with a network of the core.
    void search(PathNetEvaluator& network, int size, size_t batch, double seconds) {
        require_evaluated();
        require_nothing_pending("search");
        const nets::Layout& layout = network.layout();
        const size_t width = Game::feature_bytes(tree_.root());
        if (static_cast<size_t>(layout.feature_bytes) != width ||
            layout.actions() != Game::kActions) {
            refuse(
                "a network that reads " + std::to_string(width) + " bytes and has " +
                    std::to_string(Game::kActions) + " logits",
                std::to_string(layout.feature_bytes) + " and " + std::to_string(layout.actions()));
        }
        network.require_board(size);
        if (batch < 1) refuse("a batch of 1 or more", std::to_string(batch));
        if (!(seconds <= kMostSeconds)) {
            refuse("at most " + std::to_string(kMostSeconds) + " seconds", std::to_string(seconds));
        }
        using Clock = std::chrono::steady_clock;
        const auto limit = std::chrono::duration<double>(std::max(seconds, 0.0));
        const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(limit);
        const Use use(in_use_);
        const InterpreterRelease release;
        network.search(tree_, exact_, size, batch, deadline);
    }

    void advance(int64_t action) {
        require_nothing_pending("advance");
        const int actions = Game::action_count(root());
        if (action < 0 || action >= actions)
            refuse("an action from 0 to " + std::to_string(actions - 1), std::to_string(action));
        const auto played = static_cast<int>(action);
        require_legal(root(), Game::on_board(root(), played));
        require_ongoing(root().after(Game::on_board(root(), played)));
        tree_.advance(Game::inside(root(), played), true);
        simulations_ = 0;
        noise_.assign(Game::kActions, 0);
        if (tree_.is_evaluated()) start();
    }

    void require_evaluated() const {
        require_idle();
        if (!tree_.is_evaluated()) refuse("a root that has been evaluated", "none yet");
    }

  private:
    // Marks the tree while a thread works on it without the interpreter lock, which guards the
    // mark.
    class Use {
      public:
        explicit Use(bool& in_use) : in_use_(in_use) { in_use_ = true; }
        ~Use() { in_use_ = false; }
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

      private:
        bool& in_use_;
    };

    void require_idle() const {
        if (in_use_) throw std::runtime_error("another thread is using this tree");
    }
    void require_nothing_pending(const std::string& what) const {
        require_idle();
        if (tree_.pending() > 0)
            refuse("`expand` before `" + what + "`", std::to_string(tree_.pending()) + " leaves");
    }
    // Working out every child of the root would take long; where the root itself can be solved, its
    // children are soon done (in Quoridor they share one race).
    void start() {
        if (tree_.settings().prove) tree_.probe(Game::is_solvable(tree_.root()) ? exact_ : quick_);
        tree_.begin(simulations_, noise_.data());
    }

    gumbel::Tree<typename Game::Zero> tree_;
    typename Game::Exact exact_;
    typename Game::Exact quick_;
    int simulations_ = 0;
    std::vector<float> noise_ = std::vector<float>(Game::kActions);
    bool in_use_ = false;
};

// The plies of a proof as SearchResult has them: None if there is none.
nb::object win_in(int proven) {
    if (proven == 0) return nb::none();
    return nb::int_(proven > 0 ? proven - 1 : proven + 1);
}

template <class Game>
nb::object policy(const TreeFace<Game>& self) {
    self.require_evaluated();
    std::vector<float> seen(Game::kActions);
    self.tree().improved_policy(seen.data());
    nb::object array;
    float* const data = new_rows<float>(array, Game::action_count(self.root()));
    for (int action = 0; action < Game::kActions; ++action) {
        if (Game::is_action(self.root(), action))
            data[Game::outside(self.root(), action)] = seen[action];
    }
    return array;
}

template <class Game>
nb::list moves(const TreeFace<Game>& self) {
    self.require_evaluated();
    nb::list out;
    for (const auto& move : self.tree().moves()) {
        nb::dict entry;
        entry["action"] = Game::outside(self.root(), move.action);
        entry["logit"] = move.logit;
        entry["visits"] = move.visits;
        entry["value"] = move.q;
        entry["win_in"] = win_in(move.proven);
        out.append(entry);
    }
    return out;
}

template <class Game>
std::vector<int> pv(const TreeFace<Game>& self) {
    std::vector<int> line = self.tree().line();
    for (size_t ply = 0; ply < line.size(); ++ply)
        line[ply] = Game::outside(self.root(), line[ply], static_cast<int>(ply));
    return line;
}

template <class Game>
nb::object net_features(const typename Game::State& state, int history_length) {
    const auto position = position_seen<Game>(state, history_length);
    nb::object array;
    Game::pack(position, new_rows<uint8_t>(array, Game::feature_bytes(position)));
    return array;
}

template <class Game>
void new_tree(TreeFace<Game>* self, const typename Game::State& state, double c_visit,
              double c_scale, int max_considered, bool halving, bool prove, bool solves,
              int history_length, bool graph) {
    gumbel::Settings settings;
    settings.halving = halving;
    settings.c_visit = checked("c_visit", c_visit, 0, 1e6);
    settings.c_scale = checked("c_scale", c_scale, 0, 1e3);
    settings.max_considered = checked_count("max_considered", max_considered, 1, Game::kActions);
    settings.draw_value = Game::draw_value(state);
    settings.prove = prove;
    settings.graph = graph;
    new (self) TreeFace<Game>(position_seen<Game>(state, history_length), settings, solves);
}

template <class Game>
void bind_features(nb::module_& m) {
    const std::string prefix = Game::kPrefix;
    const std::string name = prefix + "_net_features";
    const std::string signature =
        "def " + name + "(state: " + Game::kName +
        "State, history_length: int = 0) -> numpy.typing.NDArray[numpy.uint8]";
    const std::string doc =
        "A position packed for a network, seen by the player to move; the "
        "layout is told in cpp/games/" +
        prefix + "_features.h.";
    m.attr(Game::kFeatureBytesName) = static_cast<int>(Game::kFeatureBytes);
    m.def(name.c_str(), &net_features<Game>, "state"_a, "history_length"_a = 0,
          nb::sig(signature.c_str()), doc.c_str());
}

template <class Game>
void bind_tree(nb::module_& m) {
    using Tree = TreeFace<Game>;
    const std::string name = std::string(Game::kName) + "Tree";
    nb::class_<Tree>(m, name.c_str(),
                     "A Gumbel tree search that asks for evaluations. While one thread uses it, "
                     "calls from others raise a RuntimeError.")
        .def("__init__", &new_tree<Game>, "state"_a, "c_visit"_a = 50.0, "c_scale"_a = 0.25,
             "max_considered"_a = 16, "halving"_a = true, "prove"_a = true,
             nb::arg(Game::kExact) = true, "history_length"_a = 0, "graph"_a = false)
        .def("begin", &Tree::begin, "simulations"_a, "noise"_a = nb::none(),
             nb::sig("def begin(self, simulations: int, noise: "
                     "numpy.typing.NDArray[numpy.float32] | None = None) -> None"),
             "Plan that many simulations more, on top of what the tree has; `noise` is added to "
             "the logits of the root, by action.")
        .def("select", &Tree::select, "batch"_a,
             nb::sig("def select(self, batch: int) -> numpy.typing.NDArray[numpy.uint8]"),
             "Features of up to that many leaves to evaluate. None when the plan is done, or now "
             "and "
             "then while no position needs an evaluation: `simulations_left` tells.")
        .def("expand", &Tree::expand, "logits"_a, "values"_a,
             nb::sig("def expand(self, logits: numpy.typing.NDArray[typing.Any], "
                     "values: numpy.typing.NDArray[numpy.float32]) -> None"),
             "The evaluations of the leaves `select` returned.")
        .def("search", &Tree::search, "network"_a, "size"_a, "batch"_a, "seconds"_a,
             nb::sig("def search(self, network: PathNetEvaluator, size: int, batch: int, "
                     "seconds: float) -> None"),
             "Run the plan on all threads of a network of the core, for at most a second.")
        .def("advance", &Tree::advance, "action"_a, "Play a move and keep what is known below it.")
        .def(
            "best_action",
            [](const Tree& self) {
                self.require_evaluated();
                return Game::outside(self.root(), self.tree().best_action());
            },
            "The move to play.")
        .def(
            "best_value",
            [](const Tree& self) {
                self.require_evaluated();
                return self.tree().best_value();
            },
            "What that move is worth, from -1 to 1.")
        .def(
            "root_value",
            [](const Tree& self) {
                self.require_evaluated();
                return self.tree().root_value();
            },
            "What the position is worth under the improved policy.")
        .def("policy", &policy<Game>,
             nb::sig("def policy(self) -> numpy.typing.NDArray[numpy.float32]"),
             "The improved policy, by action.")
        .def("moves", &moves<Game>, nb::sig("def moves(self) -> list[dict[str, typing.Any]]"),
             "What is known about each legal move: action, logit, visits, value, win_in.")
        .def("pv", &pv<Game>, "The line both sides are expected to follow.")
        .def_prop_ro(
            "simulations_left", [](const Tree& self) { return self.tree().simulations_left(); },
            "Of the plan; 0 as soon as everything is proven.")
        .def_prop_ro(
            "is_evaluated", [](const Tree& self) { return self.tree().is_evaluated(); },
            "Whether the root has its evaluation.")
        .def_prop_ro(
            "win_in", [](const Tree& self) { return win_in(self.tree().proven()); },
            nb::sig("def win_in(self) -> int | None"),
            "Plies to a proven win of the player to move, negative to a proven loss, or None.")
        .def_prop_ro(
            "visits", [](const Tree& self) { return self.tree().visits(); },
            "Simulations behind the root, kept ones included.")
        .def("__len__", [](const Tree& self) { return self.tree().size(); });
}

}  // namespace

void bind_zero(nb::module_& m) {
    bind_features<QuoridorZero>(m);
    bind_features<ReversiZero>(m);
    bind_tree<QuoridorZero>(m);
    bind_tree<ReversiZero>(m);
}

}  // namespace plyground
