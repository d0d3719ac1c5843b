// Quoridor's textbook searches for Python: check, convert, call. plyground.search wraps them.
#include "search/quoridor_textbook.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "bind/bind.h"
#include "bind/quoridor_state.h"
#include "bind/textbook_binding.h"
#include "games/quoridor_text.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace plyground {
namespace {

using namespace quoridor;

const std::map<std::string, WallOrder> kWallOrders{
    {"nearest", WallOrder::kNearest},
    {"corridor", WallOrder::kCorridor},
    {"cutting", WallOrder::kCutting},
    {"dijkstra", WallOrder::kDijkstra},
};

TextbookOptions options_from(const QuoridorState& state, double path_weight, double progress_weight,
                             double wall_weight, std::optional<int> max_wall_moves,
                             const std::string& wall_order, TextbookCache* cache) {
    const auto order = kWallOrders.find(wall_order);
    if (order == kWallOrders.end()) {
        throw ConfigError(
            "expected a wall order 'nearest', 'corridor', 'cutting' or 'dijkstra', got '" +
            wall_order + "'");
    }
    return {path_weight,
            progress_weight,
            wall_weight,
            nb::cast<double>(state.config.attr("draw_penalty")),
            max_wall_moves.value_or(kActions),
            order->second,
            cache};
}

std::span<const uint8_t> span_of(const nb::bytes& bytes) {
    return {static_cast<const uint8_t*>(bytes.data()), bytes.size()};
}

nb::bytes bytes_of(const std::vector<uint8_t>& bytes) {
    return nb::bytes(bytes.data(), bytes.size());
}

void bind_cache(nb::module_& m) {
    nb::class_<TextbookCache>(m, "QuoridorTextbookCache",
                              "Evaluations and children of positions, shared by threads.")
        .def(nb::init<size_t, size_t>(), "evaluations"_a = TextbookCache::kEvaluations,
             "children"_a = TextbookCache::kChildren)
        .def(
            "take_log",
            [](TextbookCache& cache) {
                const auto log = cache.take_log();
                return nb::make_tuple(bytes_of(log.evaluations), bytes_of(log.children),
                                      log.children_count, log.evaluations_found,
                                      log.children_found);
            },
            nb::sig("def take_log(self) -> tuple[bytes, bytes, int, int, int]"),
            "New evaluations and children since the last call, the number of these children, and "
            "the numbers of evaluations and children found in the cache.")
        .def(
            "load_evaluations",
            [](TextbookCache& cache, const nb::bytes& bytes) {
                return cache.load_evaluations(span_of(bytes));
            },
            "saved"_a, "Load evaluations that `take_log` returned; malformed ones are ignored.")
        .def(
            "load_children",
            [](TextbookCache& cache, const nb::bytes& bytes) {
                return cache.load_children(span_of(bytes));
            },
            "saved"_a, "Load children that `take_log` returned; malformed ones are ignored.");
}

void bind_search(nb::module_& m, const char* name,
                 TextbookFunction<Position, TextbookOptions> search, const char* doc) {
    const std::string signature =
        "def " + std::string(name) +
        "(state: QuoridorState, depth: int, path_weight: float, progress_weight: float, "
        "wall_weight: float, max_wall_moves: int | None = None, wall_order: str = 'nearest', "
        "poll: typing.Callable[[], object] | None = None, "
        "cache: QuoridorTextbookCache | None = None) -> dict[str, typing.Any]";
    m.def(
        name,
        [search](const QuoridorState& state, int depth, double path_weight, double progress_weight,
                 double wall_weight, std::optional<int> max_wall_moves,
                 const std::string& wall_order, const nb::object& poll, TextbookCache* cache) {
            const auto options = options_from(state, path_weight, progress_weight, wall_weight,
                                              max_wall_moves, wall_order, cache);
            const auto report = run_textbook(search, state.position, depth, options, poll);
            return textbook_dict(report, [&](int action) {
                return to_dense(static_cast<Action>(action), state.size());
            });
        },
        "state"_a, "depth"_a, "path_weight"_a, "progress_weight"_a, "wall_weight"_a,
        "max_wall_moves"_a = nb::none(), "wall_order"_a = "nearest", "poll"_a.none() = nb::none(),
        "cache"_a = nb::none(), nb::sig(signature.c_str()), doc);
}

}  // namespace

void bind_quoridor_textbook(nb::module_& m) {
    bind_cache(m);
    bind_search(m, "quoridor_minimax", &minimax,
                "Plain minimax for the side to move; returns fields of a SearchResult. `poll` is "
                "called now and then; an exception from it ends the search.");
    bind_search(
        m, "quoridor_alphabeta", &alphabeta,
        "Plain alpha-beta for the side to move; returns fields of a SearchResult. `poll` is "
        "called now and then; an exception from it ends the search.");
}

}  // namespace plyground
