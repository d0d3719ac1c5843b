"""What a display needs to know of a position, so that it needs no rules.

Cells are (row, column) from 0, as each game numbers them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plyground.errors import IllegalMoveError, NotationError
from plyground.games import quoridor, reversi
from plyground.games.base import Game
from plyground.play.live_game import LiveGame
from plyground.ui.words import reason

Cell = tuple[int, int]
Spot = quoridor.Action
"""What can be pointed at: a cell, or the place of a wall. `move_at` and `spot_of` name it."""


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player as shown beside the board."""

    number: int
    name: str
    is_to_move: bool
    facts: tuple[str, ...]
    """What they have: walls, steps to go, discs."""
    clock_s: float | None = None


@dataclass(frozen=True, slots=True)
class QuoridorView:
    """Quoridor's board: row 0 is player 1's."""

    size: int
    pawns: dict[int, Cell]
    h_walls: frozenset[Cell]
    v_walls: frozenset[Cell]
    last: quoridor.Action | None = None
    """The last move."""
    last_from: Cell | None = None
    """Where the pawn came from, if that was a pawn's."""
    targets: frozenset[Cell] = frozenset()
    """Where the pawn may go."""
    paths: tuple[frozenset[Cell], frozenset[Cell]] = (frozenset(), frozenset())
    """The shortest paths of players 1 and 2."""
    walls_left: tuple[int, int] = (0, 0)
    walls_each: int = 0
    """What both began with."""


@dataclass(frozen=True, slots=True)
class ReversiView:
    """Reversi's board: row 0 is at the top."""

    size: int
    discs: dict[Cell, int]
    """Whose disc lies where."""
    last: Cell | None = None
    targets: frozenset[Cell] = frozenset()
    must_pass: bool = False
    """Whether passing is the only move."""


@dataclass(frozen=True, slots=True)
class GameView:
    """A whole game as a screen shows it."""

    board: QuoridorView | ReversiView
    players: tuple[PlayerView, PlayerView]
    moves: tuple[str, ...]
    first_player: int
    """Who made the first of the moves."""
    ply: int
    """How many of the moves are on the board: all, unless an earlier position is looked at."""


def view_of(
    live: LiveGame, targets: bool = False, paths: bool = False, ply: int | None = None
) -> GameView:
    """The game as it stands, with legal targets and shortest paths if they are wanted.

    With a ply, it is the game as it stood after so many moves.
    """
    with live.held():
        states, clocks, outcome = live.states, live.clocks(), live.outcome
        moves = [move.text for move in live.moves]
        names = {player: seat.name for player, seat in live.seats.items()}
    shown = len(moves) if ply is None else min(ply, len(moves))
    over = outcome is not None and shown == len(moves)
    return view_at(live.rules, states, moves, names, shown, targets, paths, clocks, over)


def view_at(
    rules: Game[Any],
    states: Sequence[Any],
    moves: Sequence[str],
    names: Mapping[int, str],
    ply: int,
    targets: bool = False,
    paths: bool = False,
    clocks: Mapping[int, float | None] | None = None,
    over: bool = False,
) -> GameView:
    """A game after so many of its moves, given every position of it."""
    state = states[ply]
    over = over or state.outcome is not None
    before = states[ply - 1] if ply else None
    last = rules.parse_action(before, moves[ply - 1]) if before is not None else None
    show = _quoridor if isinstance(state, quoridor.State) else _reversi
    players = tuple(
        PlayerView(
            number,
            names[number],
            not over and state.current_player == number,
            _facts(state, number),
            None if clocks is None else clocks[number],
        )
        for number in (1, 2)
    )
    return GameView(
        board=show(state, before, last, targets and not over, paths),
        players=(players[0], players[1]),
        moves=tuple(moves),
        first_player=states[0].current_player,
        ply=ply,
    )


def move_at(board: QuoridorView | ReversiView, spot: Spot) -> str:
    """The move that pointing there means, in notation."""
    if isinstance(board, QuoridorView):
        return quoridor.action_to_notation(spot, board.size)
    row, column = spot[1]
    return reversi.action_to_notation(row * board.size + column)


def spot_of(board: QuoridorView | ReversiView, move: str) -> Spot | None:
    """Where a move in notation is on the board; None for a pass."""
    if isinstance(board, QuoridorView):
        return quoridor.notation_to_action(move, board.size)
    action = reversi.notation_to_action(move)
    return None if action == reversi.PASS else ("move", divmod(action, board.size))


def why_not(state: Any, move: str) -> str | None:
    """Why a move cannot be played, in the words of the rules; None where it can."""
    try:
        state.play(move)
    except (IllegalMoveError, NotationError) as error:
        return reason(error)
    return None


def _quoridor(
    state: quoridor.State,
    before: quoridor.State | None,
    last: int | None,
    targets: bool,
    paths: bool,
) -> QuoridorView:
    last_action = None if last is None else quoridor.decode_action(last, state.board_size)
    came_from = None
    if before is not None and last_action is not None and last_action[0] == "move":
        came_from = before.player1_pos if before.current_player == 1 else before.player2_pos
    ways = [frozenset(state.shortest_path(player)[1:] if paths else ()) for player in (1, 2)]
    return QuoridorView(
        size=state.board_size,
        pawns={1: state.player1_pos, 2: state.player2_pos},
        h_walls=state.h_walls,
        v_walls=state.v_walls,
        last=last_action,
        last_from=came_from,
        targets=frozenset(state.legal_pawn_moves(state.current_player) if targets else ()),
        paths=(ways[0], ways[1]),
        walls_left=(state.walls_remaining[1], state.walls_remaining[2]),
        walls_each=max(state.config.walls_per_player, *state.walls_remaining.values()),
    )


def _reversi(
    state: reversi.State,
    before: Any,  # noqa: ARG001
    last: int | None,
    targets: bool,
    paths: bool,  # noqa: ARG001
) -> ReversiView:
    size = state.board_size
    discs = {
        divmod(square, size): player
        for player, squares in ((1, state.black), (2, state.white))
        for square in range(size * size)
        if squares >> square & 1
    }
    legal = state.legal_actions()
    actions = [action for action in legal if action != reversi.PASS]
    return ReversiView(
        size,
        discs,
        None if last in (None, reversi.PASS) else divmod(last or 0, size),
        frozenset(divmod(action, size) for action in actions) if targets else frozenset(),
        must_pass=legal == [reversi.PASS],
    )


def _facts(state: Any, player: int) -> tuple[str, ...]:
    if isinstance(state, quoridor.State):
        walls, steps = state.walls_remaining[player], state.shortest_path_length(player)
        row = state.board_size if player == 1 else 1
        return (_count(walls, "wall"), f"{_count(steps, 'step')} to row {row}")
    return (("black", "white")[player - 1], _count(state.counts[player], "disc"))


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")
