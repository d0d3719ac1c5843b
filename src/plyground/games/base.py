"""The types that all games share: `State`, `Action`, `Outcome` and `Game`.

`State` is a position, an immutable value. `Game` is everything else that Plyground knows about a
game: its start, its notation, its displays, its unit of scores, its searchers, networks and
openings. `state.game` is that object, so no other package needs to ask which game it handles.

Searchers, networks and agents live in higher packages. The hooks of a game import them when they
are called. This is the only place where imports point upwards; a table in each package would
scatter the definition of a game over all of them.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, TypeAlias, TypeVar

from plyground.config import read_section
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games.board import Board, GridBoard, Spot
from plyground.games.levels import PLAIN_LEVELS, Level
from plyground.games.score import Score, Unit
from plyground.hints import suggest

if TYPE_CHECKING:
    import random
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from plyground.analysis.proof import Prover
    from plyground.analysis.remarks import Remark, Sentences
    from plyground.drawing import Arrow, Marks
    from plyground.envs.common import EnvView
    from plyground.games.lesson import Lesson, RuleDrawing
    from plyground.nets.encoding import Encoding
    from plyground.play.record import Record
    from plyground.search.native import NativeEngine, NativeSelfPlay, NativeTree
    from plyground.search.result import SearchResult
    from plyground.search.scored_book import ScoredMove
    from plyground.search.solved_board import SolvedBoard, TableProgress
    from plyground.search.textbook import Algorithm, Poll

Move: TypeAlias = int | str
"""A move as callers give it: an action number, or notation."""
OptionReader: TypeAlias = Callable[[str], object]
"""Parses an option of an agent's string; raises a ValueError for an invalid one. The reader `str`
means any text, such as a file name, which a game record may not give to an agent."""
OnFound: TypeAlias = Callable[[int, int], object]
"""Called with the number of openings found and wanted, if finding them takes time."""
Option: TypeAlias = Any  # the type of an option depends on the game, which checks it
"""An option of a searcher, self-play or environment."""


def read_switch(text: str) -> bool:
    """An `OptionReader`: `true` or `false`."""
    if text not in ("true", "false"):
        raise ValueError(f"expected true or false, got {text!r}")
    return text == "true"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winner (None for a draw) and a short reason."""

    winner: int | None
    reason: str

    @property
    def result(self) -> str:
        """The result as game records write it."""
        return {1: "1-0", 2: "0-1", None: "1/2-1/2"}[self.winner]

    def __str__(self) -> str:
        who = "draw" if self.winner is None else f"player {self.winner} won"
        return f"{who} ({self.reason})"


class State(Protocol):
    """A position of a game: an immutable, hashable value. Print it to see the board.

    Players 1 and 2 take turns; a pass is a move too. A move is an action, an integer from 0 to
    `Game.action_count`; methods that take a move also take its notation.

    The state of a game in Python derives from this class and inherits the methods with a body.
    """

    @property
    def game(self) -> AnyGame:
        """The game this is a position of."""

    @property
    def current_player(self) -> int:
        """The player to move, 1 or 2, also after the last move."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    def legal_actions(self) -> list[int]:
        """The legal moves as action numbers, ascending; [] when the game is over."""

    def play(self, move: Move, /) -> Self:
        """The position after a move; an IllegalMoveError if it is illegal."""

    def parse_move(self, text: str, /) -> int:
        """The action number of a move in notation, whether it is legal or not."""

    def format_move(self, action: int, /) -> str:
        """An action number in notation."""

    def text(self) -> str:
        """The position as one line of text, which `Game.start` parses."""

    @property
    def game_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    @property
    def winner(self) -> int | None:
        """The winner, 1 or 2; None while the game goes on and after a draw."""
        return None if self.outcome is None else self.outcome.winner

    def is_legal(self, move: Move, /) -> bool:
        """Whether a move is legal."""
        action = self.parse_move(move) if isinstance(move, str) else move
        return action in self.legal_actions()

    def make_move(self, *arguments: Option, **named: Option) -> Self:
        """The position after a move, given by arguments into which an `Action` unpacks."""
        return self.play(*arguments, **named)

    def get_opponent(self, player: int, /) -> int:
        """The other player."""
        return 3 - player

    def reward(self, player: int, /) -> float:
        """The reward of a player: 1.0 for a win, -1.0 for a loss, else 0.0."""
        return 0.0 if self.winner is None else 1.0 if self.winner == player else -1.0

    def perft(self, depth: int, hash_mb: int = 0) -> int:
        """Count the move paths of this length; a game that ends earlier counts as one."""
        if depth == 0 or self.outcome is not None:
            return 1
        return sum(self.play(action).perft(depth - 1, hash_mb) for action in self.legal_actions())

    def svg(
        self,
        *,
        arrows: Iterable[Arrow] = (),
        marks: Marks = (),
        paths: bool = False,
        flipped: bool = False,
        size: int = 400,
    ) -> str:
        """The board as an SVG picture, in the style of the page.

        Places are cells such as 'e2', walls such as 'e3h', or moves. `arrows` are pairs of places.
        `marks` are places, or shares by place, such as the policy of a network. `paths` adds the
        shortest paths, `flipped` turns the board round, and `size` is the width in pixels.
        """
        from plyground.drawing import svg

        return svg(self, arrows=arrows, marks=marks, paths=paths, flipped=flipped, size=size)

    def _repr_svg_(self) -> str:
        """The board, for notebooks."""
        return self.svg()


class Action(int):
    """A chosen move: an action number that prints as notation.

    It unpacks into the arguments of the state's `make_move`.

    >>> from plyground.quoridor import State
    >>> answer = Action.of(State(), 101)
    >>> str(answer), answer == 101, State().make_move(*answer) == State().play(101)
    ('e3h', True, True)
    """

    text: str
    arguments: tuple[object, ...]

    @classmethod
    def of(cls, state: State, action: int) -> Action:
        """The move with that action number in a position."""
        answer = cls(action)
        answer.text = state.format_move(action)
        answer.arguments = state.game.move_arguments(state, action)
        return answer

    def __iter__(self) -> Iterator[object]:
        return iter(self.arguments)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Action {int(self)} {self.text}>"


S = TypeVar("S", bound=State)


class Game(ABC, Generic[S]):
    """A game. To add one, subclass this class and pass an instance to `registry.register`.

    Only the abstract members are required. The defaults of the others work for any game: with them
    it has random and minimax agents, matches, records, screens and servers. A native engine, tree
    search, networks and self-play need code in the core; their hooks raise a ConfigError here.

    Settings are text by name, like the tags of a record: `{"Board": "5", "Walls": "3"}`.
    """

    # The rules.

    name: ClassVar[str]
    """The name in the registry, in records and on the command line."""
    title: ClassVar[str]
    """The name that people see."""
    state_type: ClassVar[type[State]]
    """The class of its positions."""
    setting_names: ClassVar[tuple[str, ...]] = ()
    """Names of all settings, in the order in which they are written."""
    setting_aliases: ClassVar[Mapping[str, str]] = {}
    """Other spellings of settings in files and options, each with the setting's name."""
    setting_choices: ClassVar[Mapping[str, Sequence[str]]] = {}
    """Settings in the new-game form, with their choices, the usual one first."""
    setting_help: ClassVar[Mapping[str, str]] = {}
    """Settings that are options on the command line, with their help texts."""
    advanced_settings: ClassVar[frozenset[str]] = frozenset()
    """Settings that forms hide until a person asks for them."""

    @property
    def presets(self) -> Mapping[str, Mapping[str, str]]:
        """Ready-made settings by name, the usual ones first."""
        return {}

    @abstractmethod
    def start(self, settings: Mapping[str, str] | None = None, position: str | None = None) -> S:
        """The start position, or the position that a text describes, under these settings."""

    def start_from(
        self,
        preset: str | None = None,
        settings: Mapping[str, object] | None = None,
        position: str | None = None,
        rules: str | Path | None = None,
    ) -> S:
        """The start position from a preset or settings, as command lines and files give them.

        Settings may be spelled like `setting_key` spells them, `max_moves` for `MaxMoves`. Settings
        that are None are ignored. With `rules`, a file for `read_settings`, the preset is the name
        of a section of that file.
        """
        given = {
            self.find_setting(name): str(value)
            for name, value in (settings or {}).items()
            if value is not None
        }
        if rules is not None:
            return self.start({**self.read_settings(rules, preset), **given}, position)
        if preset is None:
            return self.start(given, position)
        known = self._find_preset(preset)
        for name in map(setting_key, known.keys() & given.keys()):
            raise ConfigError(
                f"expected a preset or a {name}, got both; a preset has its own {name}"
            )
        return self.start({**known, **given}, position)

    def _find_preset(self, name: str) -> Mapping[str, str]:
        if not self.presets:
            raise ConfigError(f"{self.name} has no presets")
        if name not in self.presets:
            raise ConfigError(f"{self.name} has no preset {name!r}; {suggest(name, self.presets)}")
        return self.presets[name]

    def read_settings(self, path: str | Path, section: str | None = None) -> dict[str, str]:
        """The settings in a YAML file, or in one of its sections, in any spelling.

        `preset: NAME` stands for the settings of that preset, which other keys override.
        """
        keys = map(setting_key, self.setting_names)
        found = read_section(path, section, ("preset", *keys, *self.setting_aliases))
        preset = found.pop("preset", None)
        try:
            settings = {} if preset is None else self.all_settings(self.start_from(str(preset)))
            settings |= {self.find_setting(key): str(value) for key, value in found.items()}
            self.start(settings)
        except ConfigError as error:
            raise ConfigError(f"{error} in {path}") from error
        return settings

    def find_setting(self, name: str) -> str:
        """The setting of a name in any spelling: `MaxMoves` for `max_moves`."""
        known = {setting_key(setting): setting for setting in self.setting_names}
        known |= self.setting_aliases
        key = setting_key(name)
        if key not in known:
            hint = f"; {suggest(key, known)}" if known else ""
            raise ConfigError(f"{self.name} has no setting {name!r}{hint}")
        return known[key]

    def settings_for(self, position: str, settings: Mapping[str, str]) -> dict[str, str]:  # noqa: ARG002
        """The settings that apply to a position: without those that its text overrides."""
        return dict(settings)

    def settings(self, state: S) -> dict[str, str]:  # noqa: ARG002
        """The settings of a state, except those that have their usual value."""
        return {}

    def new_settings(self, settings: Mapping[str, str]) -> dict[str, str]:
        """The settings of a new game on a screen: those given, with defaults for people.

        Records and positions keep the defaults of `start`, so that earlier ones read as they did.
        """
        return dict(settings)

    def all_settings(self, state: S) -> dict[str, str]:
        """All settings of a state, also those that have their usual value."""
        return self.settings(state)

    def rules_key(self, state: S) -> str:  # noqa: ARG002
        """The settings that affect scores, for the key of the analysis cache."""
        return ""

    @abstractmethod
    def action_count(self, state: S) -> int:
        """The number of actions, legal or not; they are numbered from 0."""

    def board_size(self, state: S) -> int:  # noqa: ARG002
        """Rows and columns if levels or networks depend on them, else 0."""
        return 0

    def symmetries(self, state: S) -> Sequence[Callable[[int], int]]:  # noqa: ARG002
        """Maps of actions that leave the rules unchanged, the identity first."""
        return (int,)

    def orientations(self, state: S) -> Sequence[tuple[str, Callable[[int], int]]]:
        """A position in every way it can be turned: its text without its history, and the map of
        actions that turns it. Equal texts are the same position."""
        return ((state.text(), int),)

    def move_arguments(self, state: S, action: int) -> tuple[object, ...]:
        """The arguments of the state's `make_move` for an action."""
        return (state.format_move(action),)

    def parse_line(self, start: S, text: str) -> list[int]:
        """Parse a line of moves, as books of openings have it."""
        actions, state = [], start
        for word in text.split():
            actions.append(state.parse_move(word))
            state = state.play(actions[-1])
        return actions

    def is_position(self, text: str) -> bool:
        """Whether a line of an opening book is a position, rather than moves."""
        try:
            self.start(None, text)
        except (ConfigError, NotationError):
            return False
        return True

    def parse_foreign_game(self, text: str) -> Record | None:  # noqa: ARG002
        """A game in a format that other programs write; None if the text is not one."""
        return None

    def moves_towards(self, state: S, target: S) -> list[int]:  # noqa: ARG002
        """Legal moves that may lead to another position, the likeliest first."""
        return state.legal_actions()

    # Lessons.

    @property
    def lessons(self) -> Sequence[Lesson]:
        """The lessons for people who do not know the game, in order."""
        return ()

    def lesson_numbers(self, before: S, after: S) -> Mapping[str, int]:  # noqa: ARG002
        """What the move between two positions did, in the numbers that the lessons mention."""
        return {}

    @property
    def rule_drawings(self) -> Sequence[RuleDrawing]:
        """Drawings for `rules_text`, in the order of its sections."""
        return ()

    # Displays.

    @property
    @abstractmethod
    def move_help(self) -> str:
        """How moves are typed: a line for each kind of move, which begins with an example."""

    def rules_text(self, state: S) -> str:
        """The rules for players, under the settings of a state.

        Sections are separated by empty lines. The first line of a section is its heading, every
        other line a paragraph, which screens wrap. By default there are the task and how moves are
        typed.
        """
        return f"The aim\n{self.task(state, None)}\n\nWriting moves\n{self.move_help}"

    @abstractmethod
    def task(self, state: S, player: int | None) -> str:
        """A sentence about how a player wins; None stands for both players."""

    def describe(self, settings: Mapping[str, str]) -> str:
        """The game and its settings, as a headline: `Quoridor 5x5, Walls 3`."""
        return ", ".join([self.title, *(f"{name} {value}" for name, value in settings.items())])

    def examples(self, state: S) -> str:
        """Examples of moves to type, such as 'e2 or e2h'."""
        return state.format_move(next(iter(state.legal_actions()), 0))

    def facts(self, state: S, player: int) -> tuple[str, ...]:  # noqa: ARG002
        """Facts shown beside a player's name, such as walls left or discs."""
        return ()

    @abstractmethod
    def board(
        self, state: S, before: S | None = None, last: int | None = None, *, paths: bool = False
    ) -> Board:
        """The contents of the board; `last` is the action that led here from `before`."""

    def spot_of(self, state: S, action: int) -> Spot | None:  # noqa: ARG002
        """The place of a move on the board; None for a move without one, such as a pass."""
        return None

    def action_at(self, state: S, spot: Spot) -> int:
        """The action at a place on the board, legal or not."""
        for action in state.legal_actions():
            if self.spot_of(state, action) == spot:
                return action
        row, column = spot[1]
        raise IllegalMoveError(f"no move leads to row {row + 1}, column {column + 1}")

    counted_moves: ClassVar[Mapping[str, Callable[[str], bool]]] = {}
    """Kinds of moves that reports count, by their plural: whether a move in notation is one."""

    turns_board: ClassVar[bool] = False
    """Whether the board is rotated for a person who plays as player 2 against an agent."""
    shows_targets: ClassVar[bool] = True
    """Whether screens mark the legal targets by default."""
    has_paths: ClassVar[bool] = False
    """Whether screens can show shortest paths."""

    # Scores.

    unit: ClassVar[Unit] = Unit("points", 1.0)
    """The unit of the static evaluation and of the engine's scores."""

    engine_scale: ClassVar[float] = 1.0
    """The engine's internal score of one point."""

    def evaluate(self, state: S) -> Score:
        """The static evaluation of an unfinished position, for the player to move."""
        return Score(0.0, self.unit, state.current_player)

    def end_score(self, end: S, player: int) -> Score:
        """The score of a finished game for the player who made its last move."""
        winner = None if end.outcome is None else end.outcome.winner
        if winner is None:
            return Score.expected(0.0, player)
        return Score.proven(1 if winner == player else -1, player)

    def evaluation_terms(self, state: S) -> dict[str, int]:  # noqa: ARG002
        """The terms of the static evaluation by name, if it has any."""
        return {}

    # Agents.

    agents: ClassVar[Mapping[str, Mapping[str, OptionReader]]] = {"random": {}, "minimax": {}}
    """Names of the agents that play the game, besides the levels, each with its options for this
    game only."""
    levels: ClassVar[Mapping[str, Level]] = PLAIN_LEVELS
    """The levels by name."""
    offered_agents: ClassVar[tuple[str, ...]] = ()
    """Agents that every list of players offers beside the levels."""
    adviser: ClassVar[Level] = Level("minimax:depth=3")
    """The agent for hints, evaluations and analyses."""

    # Searchers, networks, openings, puzzles and environments.

    textbook_options: ClassVar[frozenset[str]] = frozenset({"evaluator"})
    """The options of `textbook_search`."""

    def textbook_search(
        self,
        algorithm: Algorithm,
        state: S,
        depth: int,
        *,
        poll: Poll | None = None,
        **options: Option,
    ) -> SearchResult:
        """Search to a fixed depth by minimax or alpha-beta; the default is plain Python."""
        from plyground.search.plain_textbook import search

        return search(algorithm, state, depth, poll=poll, **options)

    def tree_size(self, state: S, depth: int) -> int | None:  # noqa: ARG002
        """Positions that minimax visits to a depth; None if they cannot be counted quickly."""
        return None

    def make_engine(self, hash_mb: int, threads: int, **options: Option) -> NativeEngine[S]:  # noqa: ARG002
        """The alpha-beta engine of the core for this game."""
        raise self._missing("alpha-beta engine")

    def engine_solves(self, state: S) -> bool:  # noqa: ARG002
        """Whether the engine finds the exact result of a position in a few seconds."""
        return False

    def clock_parts(self, state: S, clock_s: float) -> float | None:  # noqa: ARG002
        """Parts of the time left of which the engine spends one on this move.

        For a game whose end it solves in a moment, so that the moves before share the clock. None:
        the usual plan (`SearchLimits.time_budget`).
        """
        return None

    def solve_board(
        self,
        state: S,  # noqa: ARG002
        max_mb: int,  # noqa: ARG002
        progress: TableProgress | None = None,  # noqa: ARG002
    ) -> SolvedBoard:
        """The result of a position with perfect play; tables take up to `max_mb` megabytes."""
        raise self._missing("exact solver")

    def engine_switches(self) -> dict[str, bool]:
        """The parts of the engine's search that can be switched off, with their defaults."""
        raise self._missing("alpha-beta engine")

    def make_tree(self, state: S, **options: Option) -> NativeTree:  # noqa: ARG002
        """The core's tree search from a position."""
        raise self._missing("tree search")

    networks: ClassVar[tuple[str, ...]] = ("path_net",)
    """The kinds of networks that can be trained for the game, by name."""

    @property
    def network_settings(self) -> tuple[str, ...]:
        """Settings that networks can be trained for; the others keep their usual values."""
        return self.setting_names

    def encoding(self, network: str = "path_net", history_length: int = 0) -> Encoding:  # noqa: ARG002
        """The input features and the policy layout of a kind of network.

        `history_length` is the number of positions that a network with history sees.
        """
        raise self._missing("encoding for networks")

    def check_network(self, network: str) -> None:
        """Raise a ConfigError unless the game has networks of this kind."""
        if network not in self.networks:
            raise ConfigError(
                f"unknown network {network!r} for {self.name} ({suggest(network, self.networks)})"
            )

    def net_features(self, state: S, history_length: int = 0) -> NDArray[np.uint8]:  # noqa: ARG002
        """A position as it is packed for networks, with the history that they see."""
        raise self._missing("encoding for networks")

    def network(self, state: S) -> Path | None:  # noqa: ARG002
        """The network in the package for this board, if there is one."""
        return None

    def planes(self, state: S) -> NDArray[np.float32]:
        """The position as the player to move sees it, [planes, rows, columns].

        The default shows the player's own pieces and the opponent's.
        """
        from plyground.nets.encoding import piece_planes

        board = self.board(state)
        if not isinstance(board, GridBoard):
            raise ConfigError(f"{self.name} needs a `planes` method of its own for this board")
        return piece_planes(board, state.current_player)

    def mover_action(self, state: S, action: int) -> int:  # noqa: ARG002
        """The number of an action as the player to move sees the board, which `planes` shows.

        Applied to that number, it gives the state's own number again.
        """
        return action

    def trusts_network(self, state: S) -> bool:
        """Whether the network in the package plays this board well."""
        return self.network(state) is not None

    def make_selfplay(self, *starts: S, **options: Option) -> NativeSelfPlay:  # noqa: ARG002
        """The core's pool of self-play games, shared out among the start positions."""
        raise self._missing("self-play")

    def openings(
        self,
        start: S,
        count: int,
        rng: random.Random,
        on_found: OnFound | None = None,  # noqa: ARG002
    ) -> list[S]:
        """Up to `count` different openings after which neither side is clearly ahead.

        By default they are positions after two to four random plies.
        """
        found: dict[str, S] = {}
        for _ in range(20 * count):
            state = start
            for action in self.random_opening(start, rng.randint(2, 4), rng):
                state = state.play(action)
            if state.outcome is None:
                found.setdefault(state.text(), state)
            if len(found) == count:
                break
        return list(found.values()) or [start]

    def opening_lines(self) -> Iterable[tuple[S, Sequence[int]]]:
        """The openings in the package, each as a start and the moves from there."""
        return ()

    def book_moves(self, state: S) -> Sequence[ScoredMove]:  # noqa: ARG002
        """The moves of a position in the game's book of scored openings, best first."""
        return ()

    book_levels: ClassVar[frozenset[str]] = frozenset()
    """The levels that play from that book."""

    def random_opening(self, start: S, plies: int, rng: random.Random) -> list[int]:
        """Random moves from a position; fewer if the game ends earlier."""
        state, line = start, list[int]()
        while len(line) < plies and (actions := state.legal_actions()):
            line.append(rng.choice(actions))
            state = state.play(line[-1])
        return line

    def make_prover(self, most_nodes: int | None = None) -> Prover[S]:  # noqa: ARG002
        """Proves results for puzzles; `most_nodes` limits one search, if the prover searches."""
        raise self._missing("proofs for puzzles")

    @property
    def remark_texts(self) -> Sentences:
        """The English sentences of the game's own remarks, by kind."""
        return {}

    def explain_move(
        self,
        state: S,  # noqa: ARG002
        action: int,  # noqa: ARG002
        best: SearchResult,  # noqa: ARG002
        answer: SearchResult | None,  # noqa: ARG002
    ) -> list[Remark]:
        """Why a move is worse than the best one, the most important fact first.

        `answer` is the search of the position after the move; None if the game is over there.
        """
        return []

    puzzle_solvers: ClassVar[tuple[str, ...]] = ()
    """Simple agents, the weakest first, whose mistakes measure the difficulty of a puzzle."""

    def puzzle_themes(self, states: Sequence[S], line: Sequence[int]) -> list[str]:  # noqa: ARG002
        """The themes of a puzzle, given its line and the positions before and after each move."""
        return []

    def move_kind(self, state: S, action: int) -> str:  # noqa: ARG002
        """The kind of a move, as a hint: by default `move`; a game may tell more."""
        return "move"

    def env_view(self, **options: Option) -> EnvView[S]:
        """The game as the players of an environment see it."""
        from plyground.envs.plain_view import PlainView

        return PlainView(self, **options)

    def __repr__(self) -> str:
        return f"<Game {self.name}>"

    def __reduce__(self) -> tuple[Callable[[str, str], AnyGame], tuple[str, str]]:
        """Pickle by name: another process uses its own object, and imports the module if needed."""
        return _load_game, (type(self).__module__, self.name)

    def _missing(self, what: str) -> ConfigError:
        return ConfigError(f"{self.name} has no {what}: {NATIVE_ONLY}")


def _load_game(module: str, name: str) -> AnyGame:
    from plyground.games import registry

    return registry.load(module, name)


def setting_key(name: str) -> str:
    """The name of a setting in the spelling of files and options.

    >>> setting_key("MaxMoves"), setting_key("max-moves"), setting_key("board")
    ('max_moves', 'max_moves', 'board')
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace("-", "_").lower()


AnyGame: TypeAlias = Game[Any]  # a registry holds games with different states
"""A game, whatever its states."""
NATIVE_ONLY = "that takes a native game, written in C++ (docs/add-a-game.md)"

__all__ = [
    "Action",
    "AnyGame",
    "Game",
    "GridBoard",
    "Move",
    "OnFound",
    "Option",
    "OptionReader",
    "Outcome",
    "State",
    "read_switch",
    "setting_key",
]
