// Quoridor's state as Python holds it; every binding that takes a state includes this.
#pragma once

#include <nanobind/nanobind.h>

#include "games/quoridor.h"

namespace plyground {

// An immutable value: the position, how it came about, and the GameConfig it is played under.
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
