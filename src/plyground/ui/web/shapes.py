"""What the server tells a page, as plain values for JSON. Moves and cells are in notation.

The page draws what is here and knows no rules: the board, every legal move, who is to move.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from plyground.analysis.policy import has_network
from plyground.games import quoridor, reversi
from plyground.games.base import Outcome
from plyground.play.live_game import LiveGame
from plyground.ui.view import GameView, QuoridorView, ReversiView, view_of

Shape = dict[str, Any]


def game_shape(live: LiveGame, number: int) -> Shape:
    """The whole game as it stands; `number` counts the games of a session."""
    with live.held():  # an agent may be about to move
        seats = live.seats
        return position_shape(live) | {
            "type": "game",
            "number": number,
            "undone": live.undone,
            "outcome": outcome_shape(live.outcome),
            "asked": live.person_to_move(),
            "clocks": list(live.clocks().values()),
            "running": live.state.current_player if live.outcome is None else None,
            "control": None if live.control is None else str(live.control),
            "people": [seats[player].is_person for player in (1, 2)],
            "settings": live.rules.settings(live.state),
            "task": live.rules.task(live.state, _only_person(live)),
            "example": live.rules.examples(live.state),
            "network": has_network(live.state),
        }


def position_shape(live: LiveGame, ply: int | None = None) -> Shape:
    """The game after so many moves, by default all, and what could be played there."""
    with live.held():
        view = view_of(live, targets=True, paths=True, ply=ply)
        over = live.outcome is not None and view.ply == len(view.moves)
        state, seats = live.states[view.ply], live.seats
    return view_shape(view) | {
        "type": "position",
        "game": live.rules.name,
        "legal": [] if over else legal_moves(live.rules, state),
        "can_play": not over and seats[state.current_player].is_person,
    }


def view_shape(view: GameView) -> Shape:
    """A view of either game."""
    to_move = [player.number for player in view.players if player.is_to_move]
    return {
        "ply": view.ply,
        "moves": list(view.moves),
        "first": view.first_player,
        "to_move": to_move[0] if to_move else None,
        "names": [player.name for player in view.players],
        "facts": [list(player.facts) for player in view.players],
        "board": board_shape(view.board),
    }


def board_shape(board: QuoridorView | ReversiView) -> Shape:
    """What lies where."""
    if isinstance(board, ReversiView):
        cells = ((divmod(square, board.size)) for square in range(board.size**2))
        return {
            "size": board.size,
            "discs": "".join(".12"[board.discs.get(cell, 0)] for cell in cells),
            "last": None if board.last is None else _square(board, board.last),
        }
    walls: list[quoridor.Action] = [("h_wall", slot) for slot in board.h_walls]
    walls += [("v_wall", slot) for slot in board.v_walls]
    return {
        "size": board.size,
        "pawns": [_cell(board.pawns[player]) for player in (1, 2)],
        "walls": sorted(quoridor.action_to_notation(wall, board.size) for wall in walls),
        "last": None if board.last is None else quoridor.action_to_notation(board.last, board.size),
        "from": None if board.last_from is None else _cell(board.last_from),
        "paths": [sorted(map(_cell, path)) for path in board.paths],
        "steps": [len(path) for path in board.paths],
        "left": list(board.walls_left),
        "hand": board.walls_each,
    }


def legal_moves(rules: Any, state: Any) -> list[str]:
    """Every legal move, walls and passes included."""
    return [rules.format_action(state, action) for action in state.legal_actions()]


def line_shape(rules: Any, state: Any, actions: Iterable[int]) -> list[Shape]:
    """Moves in a row, each with who plays it and where a pawn comes from, to be drawn."""
    line = []
    for action in actions:
        player = state.current_player
        step = {"move": rules.format_action(state, action), "player": player}
        if isinstance(state, quoridor.State):
            step["from"] = _cell(state.player1_pos if player == 1 else state.player2_pos)
        line.append(step)
        state = state.play(action)
    return line


def outcome_shape(outcome: Outcome | None) -> Shape | None:
    """How a game ended."""
    if outcome is None:
        return None
    return {"winner": outcome.winner, "reason": outcome.reason, "text": str(outcome)}


def _only_person(live: LiveGame) -> int | None:
    people = [player for player, seat in live.seats.items() if seat.is_person]
    return people[0] if len(people) == 1 else None


def _cell(cell: tuple[int, int]) -> str:
    return quoridor.position_to_notation(cell)


def _square(board: ReversiView, cell: tuple[int, int]) -> str:
    return reversi.action_to_notation(cell[0] * board.size + cell[1])
