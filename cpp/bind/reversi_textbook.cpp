// Reversi's classic evaluation and textbook searches for Python: check, convert, call.
// plyground.search wraps them.
#include "search/reversi_textbook.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

#include "bind/bind.h"
#include "bind/reversi_state.h"
#include "bind/textbook_binding.h"
#include "games/reversi_text.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace plyground {
namespace {

using namespace reversi;

void bind_search(nb::module_& m, const char* name,
                 TextbookFunction<Position, ClassicEvaluator> search, const char* doc) {
    const std::string signature = "def " + std::string(name) +
                                  "(state: ReversiState, depth: int, evaluator: "
                                  "ReversiClassicEvaluator, poll: typing.Callable[[], object] | "
                                  "None = None) -> dict[str, typing.Any]";
    m.def(
        name,
        [search](const ReversiState& state, int depth, const ClassicEvaluator& evaluator,
                 const nb::object& poll) {
            const auto report = run_textbook(search, state.position, depth, evaluator, poll);
            return textbook_dict(report, [](int action) { return action; });
        },
        "state"_a, "depth"_a, "evaluator"_a, "poll"_a.none() = nb::none(),
        nb::sig(signature.c_str()), doc);
}

nb::dict terms_dict(const ReversiState& state) {
    const auto terms = classic_terms(state.position);
    nb::dict out;
    out["material"] = terms.material;
    out["mobility"] = terms.mobility;
    out["corners"] = terms.corners;
    out["near_corners"] = terms.near_corners;
    out["positional"] = terms.positional;
    out["edge_stability"] = terms.edge_stability;
    return out;
}

void bind_classic(nb::module_& m) {
    nb::class_<ClassicEvaluator>(m, "ReversiClassicEvaluator", nb::is_final(),
                                 "The classic evaluation of Reversi; see ReversiEvaluator.")
        .def(
            "__init__",
            [](ClassicEvaluator* self, bool material, bool mobility, bool corners, bool positional,
               double material_weight, double mobility_weight, double corner_weight,
               double near_corner_weight, double positional_weight, double edge_stability_weight) {
                new (self) ClassicEvaluator{material,          mobility,
                                            corners,           positional,
                                            material_weight,   mobility_weight,
                                            corner_weight,     near_corner_weight,
                                            positional_weight, edge_stability_weight};
            },
            nb::kw_only(), "material"_a, "mobility"_a, "corners"_a, "positional"_a,
            "material_weight"_a, "mobility_weight"_a, "corner_weight"_a, "near_corner_weight"_a,
            "positional_weight"_a, "edge_stability_weight"_a = 0.0)
        .def(
            "evaluate",
            [](const ClassicEvaluator& evaluator, const ReversiState& state) {
                const Position& p = state.position;
                return evaluator.evaluate(p.own, p.other, p.moves(), p.size) + 0.0;
            },
            "state"_a,
            "The value for the player to move; finished games are evaluated like others.");
    m.def("reversi_classic_terms", &terms_dict, "state"_a,
          nb::sig("def reversi_classic_terms(state: ReversiState) -> dict[str, int]"),
          "The unweighted terms of the classic evaluation, for the player to move.");
}

}  // namespace

void bind_reversi_textbook(nb::module_& m) {
    bind_classic(m);
    bind_search(m, "reversi_minimax", &minimax,
                "Plain minimax for the side to move; returns fields of a SearchResult. `poll` is "
                "called now and then; an exception from it ends the search.");
    bind_search(
        m, "reversi_alphabeta", &alphabeta,
        "Plain alpha-beta for the side to move; returns fields of a SearchResult. `poll` is "
        "called now and then; an exception from it ends the search.");
}

}  // namespace plyground
