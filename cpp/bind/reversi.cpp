// Reversi for Python: check, convert, call. The public functions are in games/reversi.py.
#include "games/reversi.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <array>

#include "bind/bind.h"
#include "bind/convert.h"
#include "bind/interpreter_lock.h"
#include "bind/reversi_state.h"
#include "bind/state_methods.h"
#include "games/reversi_text.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace plyground {
namespace {

using namespace reversi;
using State = ReversiState;

Action action_from(std::optional<int64_t> index) {
    if (!index || *index < 0 || *index >= kActions) {
        throw IllegalMoveError("expected an action from 0 to " + std::to_string(kActions - 1) +
                               ", got " + format_integer(index));
    }
    return static_cast<Action>(*index);
}

State play(const State& state, Action action) {
    require_legal(state.position, action);
    return {state.position.after(action)};
}

// A move as Python has it: its text, or any kind of integer.
Action move_from(const State& state, nb::handle move) {
    if (!nb::isinstance<nb::str>(move)) return action_from(integer_from(move));
    return parse_action(text_of(nb::borrow<nb::str>(move)), state.position.size);
}

State play_any(const State& state, nb::handle move) { return play(state, move_from(state, move)); }

bool is_legal(const State& state, nb::handle move) {
    if (nb::isinstance<nb::str>(move)) return state.position.is_legal(move_from(state, move));
    const std::optional<int64_t> index = integer_from(move);
    return index && *index >= 0 && *index < kActions &&
           state.position.is_legal(static_cast<int>(*index));
}

nb::list legal_actions(const State& state) {
    // Straight through the C API: this is what a random playout spends most of its time on.
    std::array<Action, kActions> actions;
    Py_ssize_t count = 0;
    state.position.for_each_action([&](Action action) { actions[count++] = action; });
    nb::list list = nb::steal<nb::list>(PyList_New(count));
    for (Py_ssize_t i = 0; i < count; ++i)
        PyList_SetItem(list.ptr(), i, PyLong_FromLong(actions[i]));
    return list;
}

// 1, 2, or 0 for neither.
int winner_index(const State& state) {
    const int score = state.position.score();
    if (score == 0 || !state.position.is_over()) return 0;
    return score > 0 ? state.position.to_move + 1 : 2 - state.position.to_move;
}

nb::object winner_of(const State& state) {
    const int winner = winner_index(state);
    return winner ? nb::object(nb::int_(winner)) : nb::none();
}

nb::object outcome_of(const State& state) {
    const EndReason reason = state.position.end_reason();
    if (reason == EndReason::kNone) return nb::none();
    const nb::object type = nb::module_::import_("plyground.games.base").attr("Outcome");
    const char* const words[] = {"", "full board", "wipe-out", "no moves"};
    return type(winner_of(state), words[static_cast<int>(reason)]);
}

double reward(const State& state, int player) {
    const int index = player_index(player);
    const int winner = winner_index(state);
    return winner == 0 ? 0.0 : winner == index + 1 ? 1.0 : -1.0;
}

uint64_t perft_checked(const State& state, int depth, int hash_mb) {
    check_perft(depth, hash_mb);
    const InterpreterRelease release;
    return perft(state.position, depth, hash_mb, SignalCheck());
}

State start_state(int board_size) {
    if (!is_board_size(board_size))
        throw ConfigError("expected a board of 8, 6 or 4 rows, got " + std::to_string(board_size));
    return {Position::start(board_size)};
}

State parse_state(const nb::str& text) { return {parse_position(text_of(text))}; }

void bind_state(nb::module_& m) {
    nb::class_<State> state(m, "ReversiState", nb::is_final(),
                            "A Reversi position: an immutable value that prints as a small board.");
    bind_state_methods(state);
    state
        .def(
            "__init__",
            [](State* self, int board_size) { new (self) State(start_state(board_size)); },
            "board_size"_a = kSize, "The start position, black to move, on 8x8, 6x6 or 4x4.")
        .def_static("parse", &parse_state, "text"_a,
                    nb::sig("def parse(text: str) -> ReversiState"),
                    "Read 64 squares from a1 to h8 and the side to move, as `text()` writes them; "
                    "36 or 16 squares for smaller boards.")

        .def_prop_ro(
            "game",
            [](const State&) {
                return nb::module_::import_("plyground.games.reversi_game").attr("REVERSI");
            },
            nb::sig("def game(self) -> plyground.games.reversi_game.ReversiGame"),
            "The game this is a position of.")
        .def_prop_ro(
            "board_size", [](const State& s) { return int{s.position.size}; }, "Rows and columns.")
        .def_prop_ro(
            "black", [](const State& s) { return s.position.discs(0); },
            "The squares of black's discs, as bits: a1 is bit 0, a2 bit 8, h8 bit 63.")
        .def_prop_ro(
            "white", [](const State& s) { return s.position.discs(1); },
            "The squares of white's discs, as bits.")
        .def_prop_ro(
            "counts",
            [](const State& s) {
                nb::dict counts;
                for (int player = 0; player < 2; ++player)
                    counts[nb::int_(player + 1)] = std::popcount(s.position.discs(player));
                return counts;
            },
            nb::sig("def counts(self) -> dict[int, int]"), "Discs on the board, by player.")
        .def_prop_ro(
            "score",
            [](const State& s) {
                const int score = s.position.score();
                return s.position.to_move == 0 ? score : -score;
            },
            "Black's discs less white's, with the empty squares given to the winner: the result, "
            "if the game ends here.")
        .def_prop_ro("winner", &winner_of, nb::sig("def winner(self) -> int | None"),
                     "1, 2, or None.")
        .def_prop_ro("outcome", &outcome_of,
                     nb::sig("def outcome(self) -> plyground.games.base.Outcome | None"),
                     "Winner or draw with the reason, or None while the game goes on.")
        .def("reward", &reward, "player"_a,
             "What the game was worth to a player: 1.0 for a win, -1.0 for a loss, 0.0 for a draw "
             "and while it goes on.")

        .def("legal_actions", &legal_actions, nb::sig("def legal_actions(self) -> list[int]"),
             "The legal moves as action numbers, ascending; none when the game is over.")
        .def("is_legal", &is_legal, "move"_a,
             nb::sig("def is_legal(self, move: int | str) -> bool"),
             "Whether a move, given as action number or in notation, is legal.")
        .def(
            "parse_move",
            [](const State& s, const nb::str& text) {
                return parse_action(text_of(text), s.position.size);
            },
            "text"_a, nb::sig("def parse_move(self, text: str) -> int"),
            "The action number of a move in notation, whether it is legal or not.")
        .def(
            "format_move",
            [](const State&, nb::handle action) {
                return format_action(action_from(integer_from(action)));
            },
            "action"_a, nb::sig("def format_move(self, action: int) -> str"),
            "An action number in notation.")
        // Plain numbers first, on nanobind's own quick way: playouts call nothing more often.
        .def(
            "play", [](const State& s, int64_t action) { return play(s, action_from(action)); },
            "move"_a, nb::sig("def play(self, move: int) -> ReversiState"),
            "The position after a move, given as action number or in notation.")
        .def("play", &play_any, "move"_a,
             nb::sig("def play(self, move: int | str) -> ReversiState"))
        .def("make_move", &play_any, "move"_a,
             nb::sig("def make_move(self, move: int | str) -> ReversiState"), "The same as `play`.")
        .def("perft", &perft_checked, "depth"_a, "hash_mb"_a = 0,
             "Count the move paths of this length; a game that ends sooner counts as one.")

        .def(
            "__eq__",
            [](const State& a, nb::handle other) {
                if (!nb::isinstance<State>(other)) return nb::borrow(Py_NotImplemented);
                return nb::object(nb::bool_(a.position == nb::cast<const State&>(other).position));
            },
            nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", [](const State& s) { return static_cast<int64_t>(s.position.key() >> 1); })
        .def("__repr__",
             [](const State& s) { return "State.parse('" + format_position(s.position) + "')"; })
        .def(
            "__getstate__", [](const State& s) { return format_position(s.position); },
            nb::sig("def __getstate__(self) -> str"))
        .def(
            "__setstate__",
            [](State& s, const nb::str& text) { new (&s) State(parse_state(text)); },
            nb::sig("def __setstate__(self, text: str) -> None"));
}

}  // namespace

void bind_reversi(nb::module_& m) {
    bind_state(m);
    m.def(
        "reversi_parse_action", [](const nb::str& text) { return parse_action(text_of(text)); },
        "text"_a, "The action number that a move in notation stands for.");
    m.def(
        "reversi_format_action",
        [](nb::handle action) { return format_action(action_from(integer_from(action))); },
        "action"_a, nb::sig("def reversi_format_action(action: int) -> str"),
        "An action number in notation.");
}

}  // namespace plyground
