// The functions that module.cpp calls, one for each binding file.
#pragma once

#include <nanobind/nanobind.h>

namespace plyground {

void bind_quoridor(nanobind::module_& m);
void bind_reversi(nanobind::module_& m);
void bind_quoridor_engine(nanobind::module_& m);
void bind_reversi_engine(nanobind::module_& m);
void bind_reversi_tune(nanobind::module_& m);
void bind_quoridor_textbook(nanobind::module_& m);
void bind_reversi_textbook(nanobind::module_& m);
void bind_quoridor_solver(nanobind::module_& m);
void bind_quoridor_vector(nanobind::module_& m);
void bind_reversi_vector(nanobind::module_& m);
void bind_zero(nanobind::module_& m);
void bind_selfplay(nanobind::module_& m);
void bind_path_net(nanobind::module_& m);

}  // namespace plyground
