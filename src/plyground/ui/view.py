"""What a display needs to know of a position, so that it needs no rules.

Cells are (row, column) from 0, as each game numbers them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plyground.games import quoridor, reversi
from plyground.play.live_game import LiveGame

Cell = tuple[int, int]


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


@dataclass(frozen=True, slots=True)
class ReversiView:
    """Reversi's board: row 0 is at the top."""

    size: int
    discs: dict[Cell, int]
    """Whose disc lies where."""
    last: Cell | None = None
    targets: frozenset[Cell] = frozenset()


@dataclass(frozen=True, slots=True)
class GameView:
    """A whole game as a screen shows it."""

    board: QuoridorView | ReversiView
    players: tuple[PlayerView, PlayerView]
    moves: tuple[str, ...]
    first_player: int
    """Who made the first of the moves."""


def view_of(live: LiveGame, targets: bool = False, paths: bool = False) -> GameView:
    """The game as it stands, with legal targets and shortest paths if they are wanted."""
    states, seats, clocks = live.states, live.seats, live.clocks()
    state = states[-1]
    before = states[-2] if len(states) > 1 else None
    moves = tuple(move.text for move in live.moves[: len(states) - 1])
    last = live.rules.parse_action(before, moves[-1]) if before is not None else None
    over = live.outcome is not None
    show = _quoridor if isinstance(state, quoridor.State) else _reversi
    players = tuple(
        PlayerView(
            number,
            seats[number].name,
            not over and state.current_player == number,
            _facts(state, number),
            clocks[number],
        )
        for number in (1, 2)
    )
    return GameView(
        board=show(state, before, last, targets and not over, paths),
        players=(players[0], players[1]),
        moves=moves,
        first_player=states[0].current_player,
    )


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
    actions = [action for action in state.legal_actions() if action != reversi.PASS]
    return ReversiView(
        size,
        discs,
        None if last in (None, reversi.PASS) else divmod(last or 0, size),
        frozenset(divmod(action, size) for action in actions) if targets else frozenset(),
    )


def _facts(state: Any, player: int) -> tuple[str, ...]:
    if isinstance(state, quoridor.State):
        walls, steps = state.walls_remaining[player], state.shortest_path_length(player)
        row = state.board_size if player == 1 else 1
        return (_count(walls, "wall"), f"{_count(steps, 'step')} to row {row}")
    return (("black", "white")[player - 1], _count(state.counts[player], "disc"))


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")
