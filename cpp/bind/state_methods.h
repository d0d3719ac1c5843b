// The methods that are the same in every game's state: what needs no rule, and how it is a value.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

#include "bind/convert.h"

namespace plyground {

inline constexpr const char* kSvgSignature =
    "def svg(self, *, arrows: collections.abc.Iterable[plyground.drawing.Arrow] = (), "
    "marks: plyground.drawing.Marks = (), paths: bool = False, flipped: bool = False, "
    "size: int = 400) -> str";
inline constexpr const char* kSvgText =
    "The board as an SVG picture, in the style of the page.\n\n"
    "Places are cells such as 'e2', walls such as 'e3h', or moves. `arrows` are pairs of places. "
    "`marks` are places, or shares by place, such as the policy of a network. `paths` adds the "
    "shortest paths, `flipped` turns the board round, and `size` is the width in pixels.";

// Boards are drawn in Python, which is imported when the first one is.
inline nanobind::object draw_svg(nanobind::handle state, const nanobind::kwargs& options) {
    return nanobind::module_::import_("plyground.drawing").attr("svg")(state, **options);
}

// `State` has a `position`; the functions for its text are found beside that position's type.
template <class State>
void bind_state_methods(nanobind::class_<State>& state) {
    namespace nb = nanobind;
    using namespace nb::literals;
    const std::string name = nb::cast<std::string>(state.attr("__name__"));
    const std::string copy = "def __copy__(self) -> " + name;
    const std::string deep_copy = "def __deepcopy__(self, memo: object) -> " + name;
    state
        .def(
            "text", [](const State& s) { return format_position(s.position); },
            "The position in one line, which `parse` reads back.")
        .def_prop_ro(
            "current_player", [](const State& s) { return s.position.to_move + 1; },
            "Whose turn it is, 1 or 2; after the last move, whose turn it would be.")
        .def_prop_ro(
            "game_over", [](const State& s) { return s.position.is_over(); },
            "Whether the game has ended.")
        .def(
            "get_opponent", [](const State&, int player) { return 2 - player_index(player); },
            "player"_a, "The other player.")
        .def("__str__", [](const State& s) { return draw(s.position); })
        .def(
            "__copy__", [](nb::object self) { return self; }, nb::sig(copy.c_str()))
        .def(
            "__deepcopy__", [](nb::object self, nb::handle) { return self; }, "memo"_a,
            nb::sig(deep_copy.c_str()))
        .def("svg", &draw_svg, nb::sig(kSvgSignature), kSvgText)
        .def(
            "_repr_svg_", [](nb::handle self) { return draw_svg(self, nb::kwargs()); },
            nb::sig("def _repr_svg_(self) -> str"), "The board, for notebooks.");
}

}  // namespace plyground
