// Quoridor for Python: check, convert, call. The public functions are in games/quoridor.py.
#include "games/quoridor.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "bind/bind.h"
#include "bind/convert.h"
#include "bind/interpreter_lock.h"
#include "bind/quoridor_state.h"
#include "bind/state_methods.h"
#include "games/quoridor_encoding.h"
#include "games/quoridor_paths.h"
#include "games/quoridor_perft.h"
#include "games/quoridor_text.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace plyground {
namespace {

using namespace quoridor;
using Cell = std::tuple<int, int>;

using State = QuoridorState;
static_assert(sizeof(Position) + sizeof(History) <= 200);

// GameConfig is a Python dataclass, so that it can be read from YAML and compared like any other:
// the one place where the core asks Python for a type.
nb::object config_type() {
    return nb::module_::import_("plyground.games.quoridor_config").attr("GameConfig");
}

nb::object config_or_default(nb::object config, int size) {
    const nb::object type = config_type();
    if (config.is_none()) return type.attr("for_size")(size);
    if (!nb::isinstance(config, type)) {
        throw ConfigError("expected a GameConfig, got " +
                          std::string(nb::str(nb::repr(config)).c_str()));
    }
    return config;
}

// A field of a GameConfig. Its constructor checks them, but Python lets anyone change them after.
int field_of(const nb::object& config, const char* name, int lowest, int highest) {
    int value = 0;
    if (!nb::try_cast(config.attr(name), value) || value < lowest || value > highest) {
        throw ConfigError("the fields of a GameConfig were changed after it was checked");
    }
    return value;
}

Rules rules_of(const nb::object& config) {
    Rules rules;
    rules.size = static_cast<uint8_t>(field_of(config, "board_size", kMinSize, kMaxSize));
    rules.walls = static_cast<uint8_t>(field_of(config, "walls_per_player", 0, kSlots));
    rules.max_moves = static_cast<uint16_t>(field_of(config, "max_moves", 1, UINT16_MAX));
    rules.no_progress_limit =
        static_cast<uint16_t>(field_of(config, "no_progress_limit", 1, UINT16_MAX));
    return rules;
}

Cell cell_tuple(int cell) { return {row_of(cell), col_of(cell)}; }

int checked_size(int size) {
    if (size < kMinSize || size > kMaxSize) {
        throw ConfigError("expected a board size from 3 to 9, got " + std::to_string(size));
    }
    return size;
}

Action action_from(std::optional<int64_t> index, int size) {
    const int count = action_count(checked_size(size));
    if (!index || *index < 0 || *index >= count) {
        throw IllegalMoveError("expected an action from 0 to " + std::to_string(count - 1) +
                               " on a board of size " + std::to_string(size) + ", got " +
                               format_integer(index));
    }
    return from_dense(static_cast<int>(*index), size);
}

const char* kind_of(Action action) {
    return !is_wall(action) ? "move" : is_vertical(action) ? "v_wall" : "h_wall";
}

nb::object action_tuple(Action action) {
    const int slot = is_wall(action) ? slot_of(action) : 0;
    const Cell cell = is_wall(action) ? Cell{slot / 8, slot % 8} : cell_tuple(action);
    return nb::make_tuple(kind_of(action), cell);
}

State play(const State& state, Action action) {
    require_legal(state.position, action);
    return state.after(action);
}

// A move as Python has it: its text, or any kind of integer.
Action move_from(const State& state, nb::handle move) {
    if (!nb::isinstance<nb::str>(move)) return action_from(integer_from(move), state.size());
    return parse_move(text_of(nb::borrow<nb::str>(move)), state.position);
}

bool is_legal(const State& state, nb::handle move) {
    if (nb::isinstance<nb::str>(move)) return state.position.is_legal(move_from(state, move));
    const std::optional<int64_t> index = integer_from(move);
    return index && *index >= 0 && *index < action_count(state.size()) &&
           state.position.is_legal(from_dense(static_cast<int>(*index), state.size()));
}

State make_move(const State& state, const nb::str& kind_text,
                const std::tuple<nb::object, nb::object>& cell) {
    const std::string_view kind = text_of(kind_text);
    const bool pawn = kind == "move";
    if (!pawn && kind != "h_wall" && kind != "v_wall") {
        throw NotationError("expected a move of kind 'move', 'h_wall' or 'v_wall', got " +
                            quoted(kind));
    }
    const auto any_row = integer_from(std::get<0>(cell));
    const auto any_col = integer_from(std::get<1>(cell));
    const int limit = pawn ? state.size() : state.size() - 1;
    const auto fits = [&](std::optional<int64_t> i) { return i && *i >= 0 && *i < limit; };
    if (!fits(any_row) || !fits(any_col)) {
        const std::string move = std::string(kind) + " (" + format_integer(any_row) + ", " +
                                 format_integer(any_col) + ")";
        illegal_move(state.position, move, why_off_board(state.position, !pawn));
    }
    const int row = static_cast<int>(*any_row);
    const int col = static_cast<int>(*any_col);
    if (pawn) return play(state, static_cast<Action>(cell_at(row, col)));
    return play(state,
                static_cast<Action>((kind == "h_wall" ? kHWall : kVWall) + slot_at(row, col)));
}

nb::object wall_set(uint64_t slots) {
    nb::set cells;
    for (; slots; slots &= slots - 1) {
        const int slot = std::countr_zero(slots);
        cells.add(nb::make_tuple(slot / 8, slot % 8));
    }
    return nb::steal(PyFrozenSet_New(cells.ptr()));
}

nb::list legal_actions(const State& state) {
    const LegalMoves moves = state.position.legal_moves();
    // Straight through the C API: this is what a random playout spends most of its time on.
    nb::list list = nb::steal<nb::list>(PyList_New(moves.count()));
    const bool dense = state.size() == kMaxSize;
    Py_ssize_t i = 0;
    moves.for_each([&](Action action) {
        const int index = dense ? action : to_dense(action, state.size());
        PyList_SetItem(list.ptr(), i++, PyLong_FromLong(index));
    });
    return list;
}

nb::list get_legal_moves(const State& state) {
    nb::list list;
    state.position.legal_moves().for_each(
        [&](Action action) { list.append(action_tuple(action)); });
    return list;
}

nb::object outcome_of(const State& state) {
    const Outcome outcome = state.position.outcome();
    if (outcome == Outcome::kOngoing) return nb::none();
    const nb::object type = nb::module_::import_("plyground.games.base").attr("Outcome");
    switch (outcome) {
        case Outcome::kPlayer1:
            return type(1, "goal");
        case Outcome::kPlayer2:
            return type(2, "goal");
        case Outcome::kMoveLimit:
            return type(nb::none(), "move limit");
        default:
            return type(nb::none(), "no progress");
    }
}

nb::object winner_of(const State& state) {
    if (state.position.has_won(0)) return nb::int_(1);
    if (state.position.has_won(1)) return nb::int_(2);
    return nb::none();
}

double reward(const State& state, int player) {
    const int index = player_index(player);
    switch (state.position.outcome()) {
        case Outcome::kOngoing:
            return 0.0;
        case Outcome::kPlayer1:
            return index == 0 ? 1.0 : -1.0;
        case Outcome::kPlayer2:
            return index == 1 ? 1.0 : -1.0;
        default:
            return nb::cast<double>(state.config.attr("draw_penalty"));
    }
}

std::vector<Cell> legal_pawn_moves(const State& state, int player) {
    const Bitboard moves = state.position.pawn_moves(player_index(player));
    std::vector<Cell> cells;
    if (state.position.is_over()) return cells;
    moves.for_each([&](int cell) { cells.push_back(cell_tuple(cell)); });
    return cells;
}

std::vector<Cell> shortest_path(const State& state, int player) {
    Route route;
    find_route(state.position, player_index(player), route);
    std::vector<Cell> cells;
    for (int i = 0; i <= route.length; ++i)
        cells.push_back(cell_tuple(route.cells[i]));
    return cells;
}

// A new numpy array of this shape, all zero.
template <class T, class... Shape>
std::pair<nb::ndarray<nb::numpy, T>, T*> new_array(Shape... shape) {
    auto data = std::make_unique<T[]>((static_cast<size_t>(shape) * ...));
    T* const first = data.get();
    nb::capsule owner(data.release(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return {nb::ndarray<nb::numpy, T>(first, {static_cast<size_t>(shape)...}, owner), first};
}

nb::object encode_state(const State& state, int frames) {
    constexpr int most = History::kCapacity + 1;
    if (frames < 1 || frames > most) {
        throw ConfigError("expected history_length from 1 to " + std::to_string(most) + ", got " +
                          std::to_string(frames));
    }
    auto [planes, plane_data] =
        new_array<float>(kPlanesPerFrame * frames, state.size(), state.size());
    auto [scalars, scalar_data] = new_array<float>(kScalars);
    encode(state.position, state.history, frames, plane_data, scalar_data);
    return nb::make_tuple(planes, scalars);
}

nb::object action_mask(const State& state, bool flipped) {
    auto [mask, data] = new_array<bool>(action_count(state.size()));
    const bool turn = flipped && state.position.to_move == 1;
    state.position.legal_moves().for_each([&, data = data](Action action) {
        data[to_dense(turn ? flip(action, state.size()) : action, state.size())] = true;
    });
    return nb::cast(mask);
}

uint64_t perft_checked(const State& state, int depth, int hash_mb) {
    check_perft(depth, hash_mb);
    const InterpreterRelease release;
    return perft(state.position, depth, hash_mb, SignalCheck());
}

std::tuple<uint64_t, uint64_t, uint64_t> path_perft_checked(const State& state, int depth) {
    check_perft(depth, 0);
    const InterpreterRelease release;
    const PathSums sums = path_perft(state.position, depth, SignalCheck());
    return {sums.leaves, sums.lengths[0], sums.lengths[1]};
}

State parse_state(const nb::str& line, nb::object config) {
    const std::string_view text = text_of(line);
    State state;
    state.config = config_or_default(std::move(config), parse_position_size(text));
    state.position = parse_position(text, rules_of(state.config));
    return state;
}

// The config is only left out where `parse` would choose the same.
std::string repr(const State& state) {
    const nb::object usual = config_type().attr("for_size")(state.size());
    const std::string text = "State.parse('" + format_position(state.position) + "'";
    if (state.config.equal(usual)) return text + ")";
    return text + ", " + nb::repr(state.config).c_str() + ")";
}

// Pickled as (config, text, the moves behind it as the history keeps them).
nb::tuple get_pickle(const State& state) {
    const auto* undo = reinterpret_cast<const char*>(state.history.undo.data());
    return nb::make_tuple(state.config, format_position(state.position),
                          nb::bytes(undo, state.history.length));
}

void set_pickle(State& state, const nb::tuple& saved) {
    if (saved.size() != 3 || !nb::isinstance<nb::str>(saved[1]) ||
        !nb::isinstance<nb::bytes>(saved[2])) {
        throw NotationError("expected a pickled state of (config, text, history)");
    }
    State restored = parse_state(nb::borrow<nb::str>(saved[1]), nb::borrow(saved[0]));
    const auto undo = nb::borrow<nb::bytes>(saved[2]);
    if (undo.size() > History::kCapacity) throw NotationError("a pickled history is too long");
    restored.history.length = static_cast<uint8_t>(undo.size());
    std::copy_n(undo.c_str(), undo.size(), restored.history.undo.begin());
    for (int i = 0; i < restored.history.length; ++i) {
        const Action action = restored.history.undo[i];
        if (action >= kActions || !is_on_board(action, restored.size())) {
            throw NotationError("a pickled history has a move off the board");
        }
    }
    new (&state) State(std::move(restored));
}

void bind_state(nb::module_& m) {
    nb::class_<State> state(
        m, "QuoridorState", nb::is_final(),
        "A Quoridor position: an immutable value that prints as a small board.");
    bind_state_methods(state);
    state
        .def(
            "__init__",
            [](State* self, nb::object config) {
                config = config_or_default(std::move(config), kMaxSize);
                new (self) State{Position::start(rules_of(config)), {}, config};
            },
            "config"_a = nb::none(),
            nb::sig("def __init__(self, config: plyground.games.quoridor_config.GameConfig | None "
                    "= None) -> None"),
            "The start position; the standard game when no config is given.")
        .def_static(
            "parse", &parse_state, "text"_a, "config"_a = nb::none(),
            nb::sig("def parse(text: str, config: plyground.games.quoridor_config.GameConfig | "
                    "None = None) -> QuoridorState"),
            "Read what `text()` writes. Limits come from the config, by default from the preset "
            "of that board size, else from the standard one.")

        .def_prop_ro(
            "game",
            [](const State&) {
                return nb::module_::import_("plyground.games.quoridor_game").attr("QUORIDOR");
            },
            nb::sig("def game(self) -> plyground.games.quoridor_game.QuoridorGame"),
            "The game this is a position of.")
        .def_prop_ro(
            "config", [](const State& s) { return s.config; },
            nb::sig("def config(self) -> plyground.games.quoridor_config.GameConfig"),
            "The rules' settings.")
        .def_prop_ro("board_size", &State::size, "Rows and columns.")
        .def_prop_ro(
            "player1_pos", [](const State& s) { return cell_tuple(s.position.pawn[0]); },
            "(row, col) of player 1's pawn.")
        .def_prop_ro(
            "player2_pos", [](const State& s) { return cell_tuple(s.position.pawn[1]); },
            "(row, col) of player 2's pawn.")
        .def_prop_ro(
            "h_walls", [](const State& s) { return wall_set(s.position.walls.h); },
            nb::sig("def h_walls(self) -> frozenset[tuple[int, int]]"),
            "(row, col) of the horizontal walls.")
        .def_prop_ro(
            "v_walls", [](const State& s) { return wall_set(s.position.walls.v); },
            nb::sig("def v_walls(self) -> frozenset[tuple[int, int]]"),
            "(row, col) of the vertical walls.")
        .def_prop_ro(
            "walls_remaining",
            [](const State& s) {
                nb::dict left;
                for (int player = 0; player < 2; ++player)
                    left[nb::int_(player + 1)] = s.position.hand[player];
                return left;
            },
            nb::sig("def walls_remaining(self) -> dict[int, int]"), "Walls left, by player.")
        .def_prop_ro(
            "current_player_walls",
            [](const State& s) { return s.position.hand[s.position.to_move]; },
            "Walls left to the player to move.")
        .def_prop_ro(
            "move_count", [](const State& s) { return s.position.move_count; }, "Moves played.")
        .def_prop_ro(
            "moves_since_last_wall", [](const State& s) { return s.position.moves_since_wall; },
            "Moves played since a wall was placed.")
        .def_prop_ro("winner", &winner_of, nb::sig("def winner(self) -> int | None"),
                     "1, 2, or None.")
        .def_prop_ro("outcome", &outcome_of,
                     nb::sig("def outcome(self) -> plyground.games.base.Outcome | None"),
                     "Winner or draw with the reason, or None while the game goes on.")
        .def("reward", &reward, "player"_a,
             "What the game was worth to a player: 1.0 for a win, -1.0 for a loss, the config's "
             "draw_penalty for a draw; 0.0 while it goes on.")

        .def("legal_actions", &legal_actions, nb::sig("def legal_actions(self) -> list[int]"),
             "The legal moves as action numbers, ascending; none when the game is over.")
        .def("get_legal_moves", &get_legal_moves,
             nb::sig("def get_legal_moves(self) -> list[tuple[typing.Literal['move', 'h_wall', "
                     "'v_wall'], tuple[int, int]]]"),
             "The legal moves as (kind, (row, col)), in the order of `legal_actions`.")
        .def("is_legal", &is_legal, "move"_a,
             nb::sig("def is_legal(self, move: int | str) -> bool"),
             "Whether a move, given as action number or in notation, is legal.")
        .def(
            "parse_move",
            [](const State& s, const nb::str& text) {
                return to_dense(parse_move(text_of(text), s.position), s.size());
            },
            "text"_a, nb::sig("def parse_move(self, text: str) -> int"),
            "The action number of a move in notation, whether it is legal or not.")
        .def(
            "format_move",
            [](const State& s, nb::handle action) {
                return format_action(action_from(integer_from(action), s.size()));
            },
            "action"_a, nb::sig("def format_move(self, action: int) -> str"),
            "An action number in notation.")
        // Plain numbers first, on nanobind's own quick way: playouts call nothing more often.
        .def(
            "play",
            [](const State& s, int64_t action) { return play(s, action_from(action, s.size())); },
            "move"_a, nb::sig("def play(self, move: int) -> QuoridorState"),
            "The position after a move, given as action number or in notation.")
        .def(
            "play", [](const State& s, nb::handle move) { return play(s, move_from(s, move)); },
            "move"_a, nb::sig("def play(self, move: int | str) -> QuoridorState"))
        .def("make_move", &make_move, "kind"_a, "position"_a,
             nb::sig("def make_move(self, kind: typing.Literal['move', 'h_wall', 'v_wall'], "
                     "position: tuple[int, int]) -> QuoridorState"),
             "The position after a move, given as kind and (row, col).")

        .def("legal_pawn_moves", &legal_pawn_moves, "player"_a,
             "Cells the player's pawn could move to; none when the game is over.")
        .def("shortest_path", &shortest_path, "player"_a,
             "Cells of one shortest path, the pawn's own first.")
        .def(
            "shortest_path_length",
            [](const State& s, int player) { return distance(s.position, player_index(player)); },
            "player"_a, "Steps of the shortest path.")
        .def(
            "astar_path_length",
            [](const State& s, int player) {
                return astar_distance(s.position, player_index(player));
            },
            "player"_a, "The same by A*, or -1 when there is no path.")
        .def("encode", &encode_state, "history_length"_a = 4,
             nb::sig("def encode(self, history_length: int = 4) -> "
                     "tuple[numpy.typing.NDArray[numpy.float32], "
                     "numpy.typing.NDArray[numpy.float32]]"),
             "Planes and scalars for a network, seen by the player to move.")
        .def("action_mask", &action_mask, "flipped"_a = false,
             nb::sig("def action_mask(self, flipped: bool = False) -> "
                     "numpy.typing.NDArray[numpy.bool_]"),
             "Which actions are legal; `flipped` numbers them as `encode` shows the board.")
        .def("perft", &perft_checked, "depth"_a, "hash_mb"_a = 0,
             "Count the move paths of exactly this length.")
        .def("path_perft", &path_perft_checked, "depth"_a,
             nb::sig("def path_perft(self, depth: int) -> tuple[int, int, int]"),
             "Play every path of this length; count the ends and sum up both shortest paths there.")

        .def(
            "__eq__",
            [](const State& a, nb::handle other) {
                if (!nb::isinstance<State>(other)) return nb::borrow(Py_NotImplemented);
                const State& b = nb::cast<const State&>(other);
                return nb::object(nb::bool_(a.position == b.position && a.config.equal(b.config)));
            },
            nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__",
             [](const State& s) {
                 return static_cast<int64_t>(mix64(s.position.key ^ s.position.move_count << 16 ^
                                                   s.position.moves_since_wall) >>
                                             1);
             })
        .def("__repr__", &repr)
        .def("__getstate__", &get_pickle,
             nb::sig("def __getstate__(self) -> tuple[object, str, bytes]"))
        .def("__setstate__", &set_pickle,
             nb::sig("def __setstate__(self, saved: tuple[object, str, bytes]) -> None"));
}

}  // namespace

void bind_quoridor(nb::module_& m) {
    bind_state(m);
    m.attr("QUORIDOR_STATE_BYTES") = sizeof(Position) + sizeof(History);
    m.def(
        "quoridor_parse_action",
        [](const nb::str& text, int size) {
            return to_dense(parse_action(text_of(text), checked_size(size)), size);
        },
        "text"_a, "board_size"_a, "The action number that a move in notation stands for.");
    m.def(
        "quoridor_format_action",
        [](nb::handle action, int size) {
            return format_action(action_from(integer_from(action), size));
        },
        "action"_a, "board_size"_a,
        nb::sig("def quoridor_format_action(action: int, board_size: int) -> str"),
        "An action number in notation.");
    m.def(
        "quoridor_flip_action",
        [](nb::handle action, int size) {
            return to_dense(flip(action_from(integer_from(action), size), size), size);
        },
        "action"_a, "board_size"_a,
        nb::sig("def quoridor_flip_action(action: int, board_size: int) -> int"),
        "The action seen from the other end of the board.");
    m.def(
        "quoridor_mirror_action",
        [](nb::handle action, int size) {
            return to_dense(mirror(action_from(integer_from(action), size), size), size);
        },
        "action"_a, "board_size"_a,
        nb::sig("def quoridor_mirror_action(action: int, board_size: int) -> int"),
        "The action in the left-right mirror.");
}

}  // namespace plyground
