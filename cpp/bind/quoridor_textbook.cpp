// Quoridor's textbook searches for Python: check, convert, call. plyground.search wraps them.
#include "search/quoridor_textbook.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <map>
#include <optional>
#include <string>

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
};

TextbookOptions options_from(const QuoridorState& state, double path_weight, double progress_weight,
                             double wall_weight, std::optional<int> max_wall_moves,
                             const std::string& wall_order) {
    const auto order = kWallOrders.find(wall_order);
    if (order == kWallOrders.end()) {
        throw ConfigError("expected a wall order 'nearest', 'corridor' or 'cutting', got '" +
                          wall_order + "'");
    }
    return {path_weight,
            progress_weight,
            wall_weight,
            nb::cast<double>(state.config.attr("draw_penalty")),
            max_wall_moves.value_or(kActions),
            order->second};
}

void bind_search(nb::module_& m, const char* name,
                 TextbookFunction<Position, TextbookOptions> search, const char* doc) {
    const std::string signature =
        "def " + std::string(name) +
        "(state: QuoridorState, depth: int, path_weight: float, progress_weight: float, "
        "wall_weight: float, max_wall_moves: int | None = None, wall_order: str = 'nearest', "
        "poll: typing.Callable[[], object] | None = None) "
        "-> dict[str, typing.Any]";
    m.def(
        name,
        [search](const QuoridorState& state, int depth, double path_weight, double progress_weight,
                 double wall_weight, std::optional<int> max_wall_moves,
                 const std::string& wall_order, const nb::object& poll) {
            const auto options = options_from(state, path_weight, progress_weight, wall_weight,
                                              max_wall_moves, wall_order);
            const auto report = run_textbook(search, state.position, depth, options, poll);
            return textbook_dict(report, [&](int action) {
                return to_dense(static_cast<Action>(action), state.size());
            });
        },
        "state"_a, "depth"_a, "path_weight"_a, "progress_weight"_a, "wall_weight"_a,
        "max_wall_moves"_a = nb::none(), "wall_order"_a = "nearest", "poll"_a.none() = nb::none(),
        nb::sig(signature.c_str()), doc);
}

}  // namespace

void bind_quoridor_textbook(nb::module_& m) {
    bind_search(m, "quoridor_minimax", &minimax,
                "Plain minimax for the side to move; returns fields of a SearchResult. `poll` is "
                "called now and then; an exception from it ends the search.");
    bind_search(
        m, "quoridor_alphabeta", &alphabeta,
        "Plain alpha-beta for the side to move; returns fields of a SearchResult. `poll` is "
        "called now and then; an exception from it ends the search.");
}

}  // namespace plyground
