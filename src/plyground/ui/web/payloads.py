"""The payloads that the server sends to a page, as plain values for JSON.

The page draws what is here and knows no rules: the board, every legal move, the player to move.
Moves and cells are in notation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import singledispatch

from plyground.errors import ConfigError
from plyground.games.base import AnyGame, Outcome, State, setting_key
from plyground.games.board import Cell, GridBoard, QuoridorBoard
from plyground.json_types import Json, JsonObject
from plyground.play.clock import control_tags
from plyground.play.history import TreeMove
from plyground.play.live_game import LiveGame
from plyground.ui.view import GameView, view_live

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def game_info(
    game: AnyGame, agents: Iterable[str], usual: Mapping[str, str] | None = None
) -> JsonObject:
    """The fixed facts about a game, with the agents that a page may choose and its usual settings.

    The usual choice of a setting comes first.
    """
    usual = usual or {}
    names = dict.fromkeys((*game.setting_choices, *game.setting_help))
    start = game.start(game.new_settings(usual))
    return {
        "title": game.title,
        "settings": [_setting_info(game, name, usual) for name in names],
        "agents": list(agents),
        "help": game.move_help,
        "rules": game.rules_text(start),
        "position": start.text(),
        "turns_board": game.turns_board,
        "has_paths": game.has_paths,
    }


def _setting_info(game: AnyGame, name: str, usual: Mapping[str, str]) -> JsonObject:
    """A setting of the form for a new game; `usual` has its values by the choice made elsewhere."""
    values: JsonObject = {"": _usual_value(game, name, usual)}
    for other, choices in game.setting_choices.items():
        for choice in choices:
            values[f"{other}={choice}"] = _usual_value(game, name, {**usual, other: choice})
    return {
        "name": name,
        "label": setting_key(name).replace("_", " ").capitalize(),
        "help": game.setting_help.get(name, ""),
        "choices": sorted(
            game.setting_choices.get(name, ()), key=lambda choice: choice != usual.get(name)
        ),
        "usual": values,
        "is_advanced": name in game.advanced_settings,
    }


def _usual_value(game: AnyGame, name: str, settings: Mapping[str, str]) -> str:
    """The value of a setting if the form leaves it empty; empty if the others do not fit."""
    try:
        state = game.start(game.new_settings(settings))
    except ConfigError:
        return ""
    return game.all_settings(state).get(name, "")


def game_payload(live: LiveGame, number: int) -> JsonObject:
    """The whole game as it stands; `number` counts the games of a session."""
    with live.locked():  # an agent may be about to move
        seats, state, game = live.seats, live.state, live.game
        people = [player for player, seat in seats.items() if seat.is_person]
        return position_payload(live) | {
            "type": "game",
            "number": number,
            "undone": live.undone,
            "tree": tree_payload(live.tree(), live.outcome_of(live.main_end) is not None),
            "main_end": live.main_end,
            "deleted": live.deleted,
            "outcome": outcome_payload(live.outcome),
            "asked": live.person_to_move(),
            "clocks": list(live.clocks().values()),
            "running": live.running,
            "control": " / ".join(control_tags(live.controls).values()) or None,
            "people": [seats[player].is_person for player in (1, 2)],
            "settings": dict(game.settings(state)),
            "task": game.task(state, people[0] if len(people) == 1 else None),
            "example": game.examples(state),
            "network": game.trusts_network(state),
        }


def position_payload(live: LiveGame, node: int | None = None) -> JsonObject:
    """The game at a position of its tree, by default the current one, with what can be played."""
    with live.locked():
        node = live.node if node is None else node
        view = view_live(live, targets=True, paths=True, node=node)
        over = live.outcome_of(node) is not None
        state, can_play = view.state, live.person_may_move(node)
    return view_payload(view) | {
        "type": "position",
        "node": node,
        "game": state.game.name,
        "legal": [] if over else [state.format_move(action) for action in state.legal_actions()],
        "spots": {} if over else _spots(state),
        "can_play": can_play,
    }


def tree_payload(tree: Iterable[TreeMove], is_over: bool) -> list[Json]:
    """All moves of a game; a move comes after the move before it.

    What an agent says about its moves is left out until the game is over.
    """
    moves: list[Json] = []
    for each in tree:
        move = each.move
        payload: JsonObject = {"node": each.node, "parent": each.parent, "move": move.text}
        if move.comment and (is_over or move.depth is None):
            payload["comment"] = move.comment
        if move.marks:
            payload["marks"] = list[Json](move.marks)
        moves.append(payload)
    return moves


def view_payload(view: GameView) -> JsonObject:
    """A view of any game."""
    to_move = [player.number for player in view.players if player.is_to_move]
    return {
        "ply": view.ply,
        "moves": list(view.moves),
        "first": view.first_player,
        "to_move": to_move[0] if to_move else None,
        "names": [player.name for player in view.players],
        "facts": [list(player.facts) for player in view.players],
        "board": board_payload(view.board),
    }


@singledispatch
def board_payload(board: object) -> JsonObject:
    """The contents of a board; `kind` says how it is drawn."""
    raise TypeError(f"expected a board, got {board!r}")


@board_payload.register
def _(board: GridBoard) -> JsonObject:
    cells = ((row, column) for row in range(board.rows) for column in range(board.columns))
    return {
        "kind": "grid",
        "rows": board.rows,
        "columns": board.columns,
        "discs": "".join(".12"[board.pieces.get(cell, 0)] for cell in cells),
        "last": None if board.last is None else _cell(board.last),
    }


@board_payload.register
def _(board: QuoridorBoard) -> JsonObject:
    walls = [f"{_cell(slot)}h" for slot in board.h_walls]
    walls += [f"{_cell(slot)}v" for slot in board.v_walls]
    suffix = {"move": "", "h_wall": "h", "v_wall": "v"}
    last = None if board.last is None else _cell(board.last[1]) + suffix[board.last[0]]
    return {
        "kind": "quoridor",
        "size": board.size,
        "pawns": [_cell(board.pawns[player]) for player in (1, 2)],
        "walls": list[Json](sorted(walls)),
        "last": last,
        "from": None if board.last_from is None else _cell(board.last_from),
        "paths": [list[Json](sorted(map(_cell, path))) for path in board.paths],
        "steps": [len(path) for path in board.paths],
        "left": list(board.walls_left),
        "hand": board.walls_each,
    }


def line_payload(state: State, actions: Iterable[int]) -> list[JsonObject]:
    """Moves in a row, each with its player, and where it is drawn if its name does not say so."""
    line: list[JsonObject] = []
    for action in actions:
        player, board = state.current_player, state.game.board(state)
        move, cell = state.format_move(action), _target(state, action)
        step: JsonObject = {"move": move, "player": player}
        if cell not in (None, move):
            step["at"] = cell
        if isinstance(board, QuoridorBoard):
            step["from"] = _cell(board.pawns[player])
        line.append(step)
        state = state.play(action)
    return line


def outcome_payload(outcome: Outcome | None) -> Json:
    """How a game ended."""
    if outcome is None:
        return None
    return {"winner": outcome.winner, "reason": outcome.reason, "text": str(outcome)}


def _spots(state: State) -> JsonObject:
    """The cells of legal moves that are not called after their cell: `{"d": "d6"}`."""
    spots: JsonObject = {}
    for action in state.legal_actions():
        cell, move = _target(state, action), state.format_move(action)
        if cell not in (None, move):
            spots[move] = cell
    return spots


def _target(state: State, action: int) -> str | None:
    """The cell of a move; None for a move between cells or without a place."""
    spot = state.game.spot_of(state, action)
    return _cell(spot[1]) if spot is not None and spot[0] == "move" else None


def _cell(cell: Cell) -> str:
    row, column = cell
    return f"{LETTERS[column]}{row + 1}"
