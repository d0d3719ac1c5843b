// The value behind Python's QuoridorState; included by every binding that takes a state.
#pragma once

#include <nanobind/nanobind.h>

#include "games/quoridor.h"

namespace plyground {

// An immutable value: a position, its latest moves, and its GameConfig.
struct QuoridorState {
    quoridor::Position position;
    quoridor::History history;
    nanobind::object config;

    int size() const { return position.rules.size; }
    QuoridorState after(quoridor::Action action) const {
        QuoridorState next = *this;
        next.history.push(position, action);
        next.position.play(action);
        return next;
    }
};

}  // namespace plyground
