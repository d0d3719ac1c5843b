"""Quoridor as a `Game`: all that the other packages ask about it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from plyground import _core
from plyground.errors import ConfigError, NotationError
from plyground.games import quoridor
from plyground.games.base import Game, OnFound, Option, OptionReader
from plyground.games.board import QuoridorBoard, Spot
from plyground.games.levels import Level, Slips
from plyground.games.quoridor_config import GameConfig
from plyground.games.quoridor_moves_towards import moves_towards
from plyground.games.score import Score, Unit
from plyground.hints import counted, renamed

if TYPE_CHECKING:
    import random
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from plyground.analysis.quoridor_proof import QuoridorProver
    from plyground.analysis.remarks import Remark, Sentences
    from plyground.envs.quoridor_view import QuoridorView
    from plyground.games.lesson import Lesson, RuleDrawing
    from plyground.nets.encoding import Encoding
    from plyground.search.quoridor_solved_board import QuoridorSolvedBoard
    from plyground.search.result import SearchResult
    from plyground.search.solved_board import TableProgress
    from plyground.search.textbook import Algorithm, Poll

State = quoridor.State

# The settings by name, each with its field of GameConfig and its type.
_SETTINGS: dict[str, tuple[str, type[int] | type[float]]] = {
    "Board": ("board_size", int),
    "Walls": ("walls_per_player", int),
    "MaxMoves": ("max_moves", int),
    "NoProgress": ("no_progress_limit", int),
    "DrawPenalty": ("draw_penalty", float),
}
_HISTORY = "History"
"""A tag of older records: a setting of `encode_state`, which is ignored."""

COLUMNS = "abcdefghi"
ENGINE_SCALE = 100
"""The engine counts in hundredths of a step."""
NETWORK_BOARDS = range(6, 10)
"""Board sizes on which the network beats the engine (docs/results.md)."""

SMALLEST_NETWORK_BOARD = 5

NEW_GAME_WALLS = {"4": "3"}
"""Walls per player of new games by board, if they differ from those of records without the tag
`Walls`. 4x4 has 9 slots, and 9 walls each in records."""


class QuoridorGame(Game[State]):
    """Quoridor. Records always name the board size, and other settings if they are unusual."""

    name = "quoridor"
    title = "Quoridor"
    state_type = State
    setting_names = (*_SETTINGS, _HISTORY)
    setting_aliases: ClassVar[Mapping[str, str]] = {
        "board_size": "Board",
        "walls_per_player": "Walls",
        "no_progress_limit": "NoProgress",
        "history_length": _HISTORY,
    }
    setting_help: ClassVar[Mapping[str, str]] = {
        "Board": "rows and columns of the board, 3 to 9",
        "Walls": "walls per player",
        "MaxMoves": "moves of both players after which a game is drawn",
        "NoProgress": "moves without a new wall after which a game is drawn",
        "DrawPenalty": "reward of both players for a draw, -1 to 1",
    }
    setting_choices: ClassVar[Mapping[str, Sequence[str]]] = {
        "Board": tuple(str(size) for size in range(9, 2, -1))
    }
    advanced_settings = frozenset({"MaxMoves", "NoProgress", "DrawPenalty"})
    move_help = """\
e2     move the pawn there
e3h    place a horizontal wall, above e3 and f3
e3v    place a vertical wall, right of e3 and e4"""
    counted_moves: ClassVar[Mapping[str, Callable[[str], bool]]] = {
        "walls": lambda move: move.endswith(("h", "v"))
    }
    turns_board = True
    shows_targets = False
    has_paths = True
    engine_scale = ENGINE_SCALE
    unit = Unit("steps", 1.5)  # the scale is guessed from how games between strong agents ended
    agents: ClassVar[Mapping[str, Mapping[str, OptionReader]]] = {
        "random": {},
        "pathfinder": {"min_gain": int},
        "minimax": {
            "max_wall_moves": lambda text: None if text == "all" else int(text),
            "path_weight": float,
            "progress_weight": float,
            "wall_weight": float,
            "weights": str,
            "order": lambda text: text,  # not `str`, since it names no file
        },
        "engine": {"weights": str} | {f"{name}_weight": int for name in _core.quoridor_weights()},
        "zero": {},
        "solved": {},
        "http": {},
    }
    # Chosen by matches: each level wins 75 to 90% of its games against the one below
    # (docs/results.md). None takes more than a second a move on one core.
    levels: ClassVar[Mapping[str, Level]] = {
        "beginner": Level("pathfinder", Slips(spread=0.0, among=1, overlooks=0.25)),
        "easy": Level("engine:nodes=150,hash_mb=1", Slips(spread=0.58, among=5)),
        "casual": Level("engine:nodes=1800,hash_mb=1"),
        "normal": Level("engine:nodes=20000,hash_mb=4"),
        "skilled": Level("engine:nodes=400000,hash_mb=16", other_boards="engine:nodes=150000"),
        "hard": Level("zero:sims=24", other_boards="engine:nodes=400000"),
        "expert": Level("zero:sims=135", other_boards="engine:nodes=1000000"),
        "master": Level("zero:time=0.25", boards=NETWORK_BOARDS, other_boards="engine:time=1"),
    }
    offered_agents = ("minimax:order=dijkstra",)
    adviser = Level("zero:time=1", boards=NETWORK_BOARDS, other_boards="engine:time=1")
    textbook_options = frozenset({"weights", "max_wall_moves", "wall_order", "evaluator"})

    @property
    def presets(self) -> Mapping[str, Mapping[str, str]]:
        """The board size of each preset, which implies its other settings."""
        presets = GameConfig.presets().items()
        return {name: {"Board": str(config.board_size)} for name, config in presets}

    def start(
        self, settings: Mapping[str, str] | None = None, position: str | None = None
    ) -> State:
        """The start position, or the one that a text describes, under these settings."""
        settings = settings or {}
        for name in settings:
            if name not in self.setting_names:
                raise ConfigError(f"{self.name} has no setting {name!r}")
        values: dict[str, Any] = {  # int or float, by field
            field: _number(name, settings[name], kind)
            for name, (field, kind) in _SETTINGS.items()
            if name in settings
        }
        if position is not None and (size := re.match(r"\s*([3-9])\s", position, re.ASCII)):
            values.setdefault("board_size", int(size[1]))
        try:
            config = replace(GameConfig.for_size(values.get("board_size", 9)), **values)
        except ConfigError as error:
            names = {field: name for name, (field, _) in _SETTINGS.items()}
            raise ConfigError(renamed(error, names)) from None
        if position is None:
            return State(config)
        if not position.isascii():  # the core takes ASCII only
            raise NotationError(f"bad position {position!r}: expected plain letters and digits")
        return State.parse(position, config)

    def settings_for(self, position: str, settings: Mapping[str, str]) -> dict[str, str]:
        """Without the board and the walls, if the text is of another board."""
        if position.split(maxsplit=1)[:1] == [settings.get("Board")]:
            return dict(settings)
        return {name: text for name, text in settings.items() if name not in ("Board", "Walls")}

    def settings(self, state: State) -> dict[str, str]:
        """The settings a state is played under, except those that have their usual value."""
        config, usual = state.config, GameConfig.for_size(state.board_size)
        return {
            name: str(kind(getattr(config, field)))
            for name, (field, kind) in _SETTINGS.items()
            if name == "Board" or getattr(config, field) != getattr(usual, field)
        }

    def new_settings(self, settings: Mapping[str, str]) -> dict[str, str]:
        """A board without a preset has as many walls as its slots allow; 4x4 has fewer here."""
        walls = NEW_GAME_WALLS.get(settings.get("Board", ""))
        return dict(settings) if walls is None else {"Walls": walls, **settings}

    def all_settings(self, state: State) -> dict[str, str]:
        """Every setting of the config."""
        return {
            name: str(kind(getattr(state.config, field)))
            for name, (field, kind) in _SETTINGS.items()
        }

    def rules_key(self, state: State) -> str:
        """The draw limits and the walls per player."""
        config = state.config
        return f"{config.max_moves} {config.no_progress_limit} {config.walls_per_player}"

    def action_count(self, state: State) -> int:
        """A pawn move per cell, two walls per slot."""
        return quoridor.action_space_size(state.board_size)

    def board_size(self, state: State) -> int:
        """Rows and columns."""
        return state.board_size

    def symmetries(self, state: State) -> Sequence[Callable[[int], int]]:
        """The left-right mirror is the only symmetry that keeps the goals."""
        return (int, lambda action: quoridor.mirror_action(action, state.board_size))

    def orientations(self, state: State) -> Sequence[tuple[str, Callable[[int], int]]]:
        """The position and its left-right mirror, without the counters of moves."""
        size, pawns, walls, left, to_move = state.text().split()[:5]
        placed = [] if walls == "-" else walls.split(",")
        return tuple(
            (
                " ".join(
                    (
                        size,
                        "/".join(_mirrored(pawn, state, mirrors) for pawn in pawns.split("/")),
                        ",".join(sorted(_mirrored(wall, state, mirrors) for wall in placed)),
                        left,
                        to_move,
                    )
                ),
                turn,
            )
            for mirrors, turn in zip((False, True), self.symmetries(state), strict=True)
        )

    def move_arguments(self, state: State, action: int) -> tuple[object, ...]:
        """The kind and (row, col) of an action."""
        return quoridor.kind_and_cell(action, state.board_size)

    def is_position(self, text: str) -> bool:
        """Positions begin with the board size, moves with a column."""
        return text[:1].isdigit()

    def moves_towards(self, state: State, target: State) -> list[int]:
        """Legal moves that may lead to another position, the likeliest first."""
        return moves_towards(state, target)

    @property
    def lessons(self) -> Sequence[Lesson]:
        """The lessons, on 5x5."""
        from plyground.games.quoridor_lessons import LESSONS

        return LESSONS

    def lesson_numbers(self, before: State, after: State) -> Mapping[str, int]:
        """The steps that the move costs each player."""
        from plyground.games.quoridor_lessons import steps_added

        return steps_added(before, after)

    @property
    def rule_drawings(self) -> Sequence[RuleDrawing]:
        """Drawings of the start and of every kind of move."""
        from plyground.games.quoridor_lessons import RULE_DRAWINGS

        return RULE_DRAWINGS

    def rules_text(self, state: State) -> str:
        """The rules, with the numbers of the board."""
        from plyground.games.quoridor_rules import rules_text

        return rules_text(state)

    def task(self, state: State, player: int | None) -> str:
        """Which row to reach."""
        if player is None:
            return f"Player 1 wins on row {state.board_size}, player 2 on row 1."
        row = {1: state.board_size, 2: 1}[player]
        return f"You are player {player}: reach row {row} to win."

    def describe(self, settings: Mapping[str, str]) -> str:
        """The size of the board, and the other settings."""
        size = settings.get("Board")
        title = f"{self.title} {size}x{size}" if size else self.title
        others = (f"{name} {value}" for name, value in settings.items() if name != "Board")
        return ", ".join([title, *others])

    def examples(self, state: State) -> str:
        """A pawn move and a wall in the middle of the board."""
        column = "abcdefghi"[state.player1_pos[1]]
        return f"{column}2 or {column}2h"

    def facts(self, state: State, player: int) -> tuple[str, ...]:
        """Walls left, and steps to the goal row."""
        walls, steps = state.walls_remaining[player], state.shortest_path_length(player)
        row = state.board_size if player == 1 else 1
        return (counted(walls, "wall"), f"{counted(steps, 'step')} to row {row}")

    def board(
        self,
        state: State,
        before: State | None = None,
        last: int | None = None,
        *,
        paths: bool = False,
    ) -> QuoridorBoard:
        """Pawns, walls, legal pawn moves and, if wanted, the shortest paths."""
        spot = None if last is None else self.spot_of(state, last)
        came_from = None
        if before is not None and spot is not None and spot[0] == "move":
            came_from = before.player1_pos if before.current_player == 1 else before.player2_pos
        ways = [frozenset(state.shortest_path(player)[1:] if paths else ()) for player in (1, 2)]
        return QuoridorBoard(
            size=state.board_size,
            pawns={1: state.player1_pos, 2: state.player2_pos},
            h_walls=state.h_walls,
            v_walls=state.v_walls,
            last=spot,
            last_from=came_from,
            targets=frozenset(state.legal_pawn_moves(state.current_player)),
            paths=(ways[0], ways[1]),
            walls_left=(state.walls_remaining[1], state.walls_remaining[2]),
            walls_each=max(state.config.walls_per_player, *state.walls_remaining.values()),
        )

    def spot_of(self, state: State, action: int) -> Spot | None:
        """The kind and (row, col) of an action."""
        return quoridor.kind_and_cell(action, state.board_size)

    def action_at(self, state: State, spot: Spot) -> int:
        """The action of a kind at a (row, col)."""
        kind, (row, column) = spot
        return quoridor.encode_action(kind, row, column, state.board_size)

    def evaluate(self, state: State) -> Score:
        """The engine's evaluation of a position, in steps."""
        weights = _core.quoridor_weights()
        terms = self.evaluation_terms(state).items()
        total = sum(weights.get(name, 0) * value for name, value in terms)
        return Score(total / ENGINE_SCALE, self.unit, state.current_player)

    def evaluation_terms(self, state: State) -> dict[str, int]:
        """The terms of the engine's evaluation that count, for the player to move."""
        weights = _core.quoridor_weights()
        terms = _core.quoridor_features(state).items()
        return {name: value for name, value in terms if weights[name] and value}

    def textbook_search(
        self,
        algorithm: Algorithm,
        state: State,
        depth: int,
        *,
        poll: Poll | None = None,
        **options: Option,
    ) -> SearchResult:
        """Search to a fixed depth by minimax or alpha-beta."""
        from plyground.search.quoridor_textbook import search

        return search(algorithm, state, depth, poll=poll, **options)

    def make_engine(self, hash_mb: int, threads: int, **options: Option) -> _core.QuoridorEngine:
        """The alpha-beta engine; it takes `weights`, `switches` and `draw_score`."""
        from plyground.search.quoridor_engine import make_engine

        return make_engine(hash_mb, threads, **options)

    def solve_board(
        self, state: State, max_mb: int, progress: TableProgress | None = None
    ) -> QuoridorSolvedBoard:
        """The winner and the plies with perfect play, on a small board or with few walls left."""
        from plyground.search.quoridor_solved_board import QuoridorSolvedBoard
        from plyground.search.quoridor_solver import solve

        return QuoridorSolvedBoard(state, solve(state, max_mb=max_mb, progress=progress))

    def engine_switches(self) -> dict[str, bool]:
        """The parts of the engine's search that can be switched off, with their defaults."""
        return _core.quoridor_switches()

    def make_tree(self, state: State, **options: Option) -> _core.QuoridorTree:
        """The core's tree search from a position."""
        return _core.QuoridorTree(state, **options)

    def make_selfplay(self, *starts: State, **options: Option) -> _core.QuoridorSelfPlay:
        """The core's pool of self-play games, shared out among the start positions."""
        return _core.QuoridorSelfPlay(starts, **options)

    networks = ("path_net", "quoridor_net")

    def encoding(self, network: str = "path_net", history_length: int = 0) -> Encoding:
        """The input features and the policy layout; `quoridor_net` sees the history."""
        from plyground.nets.quoridor_encoding import QUORIDOR as ENCODING
        from plyground.nets.quoridor_encoding import QUORIDOR_NET, history_encoding

        self.check_network(network)
        return history_encoding(history_length) if network == QUORIDOR_NET else ENCODING

    def net_features(self, state: State, history_length: int = 0) -> NDArray[np.uint8]:
        """A position as it is packed for networks, with the history that they see."""
        return _core.quoridor_net_features(state, history_length)

    def planes(self, state: State) -> NDArray[np.float32]:
        """The planes that networks read; rows are flipped for player 2."""
        from plyground.nets.encoding import expand

        packed = _core.quoridor_net_features(state)[None]
        planes: NDArray[np.float32] = expand(self.encoding(), packed, state.board_size)[0]
        return planes

    def mover_action(self, state: State, action: int) -> int:
        """Flipped for player 2, as `encode_state` and `planes` show the board."""
        is_flipped = state.current_player == 2
        return quoridor.flip_action(action, state.board_size) if is_flipped else action

    def network(self, state: State) -> Path | None:  # noqa: ARG002
        """The network in the package, which serves all boards."""
        from plyground.nets.evaluator import packaged_network

        return packaged_network("quoridor.npz.xz")

    def trusts_network(self, state: State) -> bool:
        """Not on the smallest boards."""
        return state.board_size >= SMALLEST_NETWORK_BOARD

    def openings(
        self,
        start: State,
        count: int,
        rng: random.Random,
        on_found: OnFound | None = None,
    ) -> list[State]:
        """Openings of the book, and openings found by the engine if the book has too few."""
        from plyground.arena.quoridor_openings import match_openings

        return match_openings(start, count, rng, on_found)

    def opening_lines(self) -> Iterator[tuple[State, Sequence[int]]]:
        """The openings of the books, of every board with its usual walls."""
        from plyground.arena.quoridor_openings import BOOK_SIZES, book_lines

        for size in BOOK_SIZES:
            start = State(GameConfig.for_size(size))
            for line in book_lines(size):
                yield start, self.parse_line(start, " ".join(line))

    def random_opening(self, start: State, plies: int, rng: random.Random) -> list[int]:
        """Moves that mostly run ahead and now and then place a wall."""
        from plyground.arena.quoridor_openings import random_opening

        return random_opening(start, plies, rng)

    puzzle_solvers = (
        "pathfinder",
        "minimax:depth=1",
        "minimax:depth=2",
        "engine:depth=1,hash_mb=1",
        "engine:depth=2,hash_mb=1",
        "engine:depth=4,hash_mb=1",
        "engine:depth=6,hash_mb=1",
    )

    def make_prover(self, most_nodes: int | None = None) -> QuoridorProver:
        """The engine as a prover."""
        from plyground.analysis.quoridor_proof import QuoridorProver

        return QuoridorProver() if most_nodes is None else QuoridorProver(most_nodes)

    def puzzle_themes(self, states: Sequence[State], line: Sequence[int]) -> list[str]:
        """Jumps, dead ends, last walls, tempi, walls and races."""
        from plyground.analysis.quoridor_themes import themes

        return themes(states, line)

    def move_kind(self, state: State, action: int) -> str:
        """A pawn move, a horizontal wall or a vertical wall."""
        return quoridor.kind_and_cell(action, state.board_size)[0]

    @property
    def remark_texts(self) -> Sentences:
        """The sentences about moves of Quoridor."""
        from plyground.analysis.quoridor_review import TEXTS

        return TEXTS

    def explain_move(
        self, state: State, action: int, best: SearchResult, answer: SearchResult | None
    ) -> list[Remark]:
        """Walls and ways to the goal."""
        from plyground.analysis.quoridor_review import explain_move

        return explain_move(state, action, best, answer)

    def env_view(self, **options: Option) -> QuoridorView:
        """The game as the players of an environment see it."""
        from plyground.envs.quoridor_view import QuoridorView, game_config

        history_length = options.pop("history_length", quoridor.HISTORY_LENGTH)
        return QuoridorView(game_config(**options), history_length)


QUORIDOR = QuoridorGame()


def _mirrored(place: str, state: State, mirrors: bool) -> str:
    """A cell or wall in the left-right mirror, or as it is."""
    if not mirrors:
        return place
    last = state.board_size - (1 if len(place) == 2 else 2)  # walls are named after their left cell
    return f"{COLUMNS[last - COLUMNS.index(place[0])]}{place[1:]}"


def _number(name: str, text: str, kind: type[int] | type[float]) -> float:
    pattern = r"-?[0-9]{1,9}" if kind is int else r"-?[0-9]{1,9}(\.[0-9]{1,30})?(e-[0-9]{1,3})?"
    if not re.fullmatch(pattern, text):
        what = "whole number" if kind is int else "number"
        raise ConfigError(f"expected a {what} for the setting {name}, got {text!r}")
    return kind(text)
