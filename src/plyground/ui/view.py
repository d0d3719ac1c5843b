"""A game as screens show it, so that they need no rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from plyground.games.base import State
from plyground.games.board import Board, GridBoard, Spot
from plyground.play.live_game import LiveGame
from plyground.play.record import Record


@dataclass(slots=True)
class DisplayOptions:
    """What a person chose to see."""

    flipped: bool = False
    targets: bool = False
    paths: bool = False
    indices: bool = False
    """Row 0 at the top, and rows and columns also numbered from 0, as the course does."""

    def first_is_lower(self, state: State) -> bool:
        """Whether the first player's side of the board is at the bottom."""
        return state.game.turns_board and self.flipped == self.indices


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player as shown beside the board."""

    number: int
    name: str
    is_to_move: bool
    facts: tuple[str, ...]
    """Facts such as walls left, steps to go or discs."""
    clock_s: float | None = None


@dataclass(frozen=True, slots=True)
class GameView:
    """A game at one of its positions."""

    state: State
    """The position that is shown."""
    board: Board
    players: tuple[PlayerView, PlayerView]
    moves: tuple[str, ...]
    first_player: int
    """Who made the first of the moves."""
    ply: int
    """The number of moves on the board: all, unless an earlier position is shown."""

    @property
    def must_pass(self) -> bool:
        """Whether passing is the only move."""
        return isinstance(self.board, GridBoard) and self.board.must_pass

    def move_at(self, spot: Spot) -> str:
        """The move at a spot of the board, in notation."""
        return self.state.format_move(self.state.game.action_at(self.state, spot))

    def spot_of(self, move: str) -> Spot | None:
        """The spot of a move in notation; None for a move without one, such as a pass."""
        return self.state.game.spot_of(self.state, self.state.parse_move(move))


def view_live(
    live: LiveGame,
    targets: bool = False,
    paths: bool = False,
    ply: int | None = None,
    node: int | None = None,
) -> GameView:
    """A live game at a ply of the line on the board, or at a node of its tree; by default now.

    `targets` and `paths` say whether to show legal targets and shortest paths.
    """
    with live.locked():
        if node is None:
            node = live.node if ply is None else live.node_at(ply)
        states, plies, shown = live.line_through(node)
        clocks, over = live.clocks(), live.outcome_of(node) is not None
        names = {player: seat.name for player, seat in live.seats.items()}
    moves, actions = [ply.move.text for ply in plies], [ply.action for ply in plies]
    return _view(states, actions, moves, names, shown, targets, paths, clocks, over)


def view_record(
    record: Record,
    states: Sequence[State],
    actions: Sequence[int],
    ply: int,
    paths: bool = False,
) -> GameView:
    """A recorded game at a ply, given its states and actions."""
    names = {player: record.player_name(player) for player in (1, 2)}
    moves = [move.text for move in record.moves]
    over = ply == len(moves) and record.outcome is not None
    return _view(states, actions, moves, names, ply, False, paths, None, over)


def _view(
    states: Sequence[State],
    actions: Sequence[int],
    moves: Sequence[str],
    names: Mapping[int, str],
    ply: int,
    targets: bool,
    paths: bool,
    clocks: Mapping[int, float | None] | None,
    over: bool,
) -> GameView:
    state = states[ply]
    game = state.game
    over = over or state.outcome is not None
    before, last = (states[ply - 1], actions[ply - 1]) if ply else (None, None)
    board = game.board(state, before, last, paths=paths)
    if over or not targets:
        board = replace(board, targets=frozenset())
    players = tuple(
        PlayerView(
            number,
            names[number],
            not over and state.current_player == number,
            game.facts(state, number),
            None if clocks is None else clocks[number],
        )
        for number in (1, 2)
    )
    return GameView(
        state=state,
        board=board,
        players=(players[0], players[1]),
        moves=tuple(moves),
        first_player=states[0].current_player,
        ply=ply,
    )
