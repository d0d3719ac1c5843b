// The methods that are the same in every game's state: what needs no rule, and how it is a value.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

#include "bind/convert.h"

namespace plyground {

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
            nb::sig(deep_copy.c_str()));
}

}  // namespace plyground
