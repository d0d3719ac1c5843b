"""Reversi as a `Game`: all that the other packages ask about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from operator import itemgetter
from typing import TYPE_CHECKING, ClassVar

from plyground import _core
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games import reversi
from plyground.games.base import Game, OnFound, Option, OptionReader, read_switch
from plyground.games.board import Cell, GridBoard, Spot
from plyground.games.levels import Level, Slips
from plyground.games.score import Score, Unit
from plyground.hints import counted

if TYPE_CHECKING:
    import random
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from plyground.analysis.remarks import Remark, Sentences
    from plyground.analysis.reversi_proof import ReversiProver
    from plyground.envs.reversi_view import ReversiView
    from plyground.games.lesson import Lesson, RuleDrawing
    from plyground.nets.encoding import Encoding
    from plyground.play.record import Record
    from plyground.search.result import SearchResult
    from plyground.search.reversi_solved_board import ReversiSolvedBoard
    from plyground.search.scored_book import ScoredBook, ScoredMove
    from plyground.search.solved_board import TableProgress
    from plyground.search.textbook import Algorithm, Poll

State = reversi.State
SIZE = 8
"""Rows and columns of the usual board. Squares have the same numbers on all boards."""
BOARDS = ("8", "6", "4")
"""Rows and columns as settings; patterns, networks, the book and puzzles are for 8x8 only."""
DISCS_PER_POINT = 0.25
"""A point of the classic evaluation in discs, as the engine counts it."""
MOST_SOLVED_SQUARES = 24
"""Empty squares up to which the engine solves nearly every position in a few seconds."""
SOLVING_S, SOLVING_GROWTH = 0.2, 2.3
"""Seconds to solve a position with 20 empty squares, and the factor for each further square."""
PARTS_FOR_SOLVING = 1.5
"""Parts of the clock that are left for the first position that is solved."""
MOST_COUNTED = 20_000_000
"""Most positions of one level of a tree that are counted, so that a screen need not wait long."""


def _evaluator_name(text: str) -> str:
    """The name of an evaluator, which the engine checks."""
    return text


class ReversiGame(Game[State]):
    """Reversi, also on 6x6 and 4x4. Records name the board size unless it is 8."""

    name = "reversi"
    title = "Reversi"
    state_type = State
    setting_names = ("Board",)
    setting_aliases: ClassVar[Mapping[str, str]] = {"board_size": "Board"}
    setting_help: ClassVar[Mapping[str, str]] = {
        "Board": "rows and columns of the board: 8, 6 or 4"
    }
    setting_choices: ClassVar[Mapping[str, Sequence[str]]] = {"Board": BOARDS}
    move_help = """\
f5     put a disc there
pass   skip the turn, if there is no other move"""
    unit = Unit("discs", 6.0)  # the scale is guessed from how games between strong agents ended
    agents: ClassVar[Mapping[str, Mapping[str, OptionReader]]] = {
        "random": {},
        "minimax": {},
        "engine": {"evaluator": _evaluator_name, "book": read_switch, "seed": int},
        "expert": {"book": read_switch},
        "master": {"book": read_switch},
        "zero": {},
    }
    # Chosen by matches: each level wins 75 to 90% of its games against the one below
    # (docs/results.md). Without slips the levels would be further apart.
    levels: ClassVar[Mapping[str, Level]] = {
        "beginner": Level("engine:depth=1,hash_mb=1", Slips(spread=8.0, among=8, overlooks=0.3)),
        "easy": Level("engine:depth=1,hash_mb=1", Slips(spread=5.7, among=6, overlooks=0.02)),
        "casual": Level("engine:depth=4,hash_mb=1", Slips(spread=3.9, among=5, overlooks=0.095)),
        "normal": Level("engine:depth=6,hash_mb=1", Slips(spread=2.5, among=5, overlooks=0.05)),
        "skilled": Level("engine:depth=8,hash_mb=4", Slips(spread=1.3, among=5, overlooks=0.022)),
        "hard": Level("engine:depth=13,hash_mb=4", Slips(spread=1.0, among=4, overlooks=0.015)),
        "expert": Level("engine:depth=17,hash_mb=16"),
        "master": Level("engine:time=0.4"),
    }
    adviser = Level("engine:time=1")

    def start(
        self, settings: Mapping[str, str] | None = None, position: str | None = None
    ) -> State:
        """The start position, or the one that a text describes."""
        size = None
        for name, value in (settings or {}).items():
            if name != "Board":
                raise ConfigError(f"{self.name} has no setting {name!r}")
            if value not in BOARDS:
                raise ConfigError(f"expected Board 8, 6 or 4 for {self.name}, got {value!r}")
            size = int(value)
        if position is None:
            return State(size or SIZE)
        if not position.isascii():  # the core takes ASCII only
            raise NotationError(f"bad position {position!r}: expected plain letters")
        state = State.parse(position)
        if size not in (None, state.board_size):
            raise ConfigError(f"expected a position of Board {size}, got {position!r}")
        return state

    def settings_for(self, position: str, settings: Mapping[str, str]) -> dict[str, str]:  # noqa: ARG002
        """None: a position has its own board."""
        return {}

    def settings(self, state: State) -> dict[str, str]:
        """The board, unless it is the usual one."""
        return {} if state.board_size == SIZE else self.all_settings(state)

    def all_settings(self, state: State) -> dict[str, str]:
        """The board."""
        return {"Board": str(state.board_size)}

    def describe(self, settings: Mapping[str, str]) -> str:
        """`Reversi`, or `Reversi 6x6`."""
        size = settings.get("Board", str(SIZE))
        return self.title if size == str(SIZE) else f"{self.title} {size}x{size}"

    def action_count(self, state: State) -> int:  # noqa: ARG002
        """The squares, and the pass."""
        return reversi.ACTION_SPACE_SIZE

    def board_size(self, state: State) -> int:
        """Rows and columns."""
        return state.board_size

    def symmetries(self, state: State) -> Sequence[Callable[[int], int]]:
        """The eight ways to turn and mirror the board."""
        return [_turned(state.board_size, flip_rows, flip_columns, swap) for swap in (False, True)
                for flip_rows in (False, True) for flip_columns in (False, True)]  # fmt: skip

    def orientations(self, state: State) -> Sequence[tuple[str, Callable[[int], int]]]:
        """The eight ways to turn and mirror the board."""
        squares, to_move = state.text().split()
        turns = _turns(state.board_size)
        return tuple((f"{''.join(turned(squares))} {to_move}", turn) for turned, turn in turns)

    def parse_line(self, start: State, text: str) -> list[int]:
        """A transcript such as `f5d6c3`, in which passes may be left out."""
        return reversi.parse_transcript(text, start)

    def is_position(self, text: str) -> bool:
        """Positions begin with a square's content, moves with a column."""
        return text[:1] in tuple("-XO")

    def parse_foreign_game(self, text: str) -> Record | None:
        """A game as GGF, or as a transcript of squares alone."""
        from plyground.play.record import Record
        from plyground.play.reversi_ggf import parse_ggf

        if text.startswith("(;"):
            return parse_ggf(text)[0]
        try:
            return Record.from_moves(reversi.parse_transcript(text), State())
        except (IllegalMoveError, NotationError):
            return None

    def moves_towards(self, state: State, target: State) -> list[int]:
        """Legal moves on squares that are taken in the other position."""
        taken = target.black | target.white
        return [
            action
            for action in state.legal_actions()
            if action == reversi.PASS or taken >> action & 1
        ]

    @property
    def lessons(self) -> Sequence[Lesson]:
        """The lessons, three of them."""
        from plyground.games.reversi_lessons import LESSONS

        return LESSONS

    def lesson_numbers(self, before: State, after: State) -> Mapping[str, int]:
        """The number of discs turned over."""
        from plyground.games.reversi_lessons import discs_turned

        return discs_turned(before, after)

    @property
    def rule_drawings(self) -> Sequence[RuleDrawing]:
        """Drawings of the start and of every kind of move."""
        from plyground.games.reversi_lessons import RULE_DRAWINGS

        return RULE_DRAWINGS

    def rules_text(self, state: State) -> str:
        """The rules on the state's board."""
        from plyground.games.reversi_rules import rules_for

        return rules_for(state.board_size)

    def task(self, state: State, player: int | None) -> str:  # noqa: ARG002
        """The colours, and how to win."""
        if player is None:
            return "Player 1 is black (X), player 2 white (O); more discs in the end win."
        colour = {1: "black (X)", 2: "white (O)"}[player]
        return f"You are player {player}, {colour}: have more discs in the end to win."

    def facts(self, state: State, player: int) -> tuple[str, ...]:
        """The colour, and the discs on the board."""
        discs = state.counts[player]
        return (("black", "white")[player - 1], counted(discs, "disc"))

    def board(
        self,
        state: State,
        before: State | None = None,  # noqa: ARG002
        last: int | None = None,
        *,
        paths: bool = False,  # noqa: ARG002
    ) -> GridBoard:
        """The discs, and where the next one can go."""
        pieces = {
            divmod(square, SIZE): player
            for player, squares in ((1, state.black), (2, state.white))
            for square in range(SIZE * SIZE)
            if squares >> square & 1
        }
        legal = state.legal_actions()
        return GridBoard(
            state.board_size,
            state.board_size,
            pieces,
            last=None if last in (None, reversi.PASS) else divmod(last or 0, SIZE),
            targets=frozenset(divmod(action, SIZE) for action in legal if action != reversi.PASS),
            must_pass=legal == [reversi.PASS],
        )

    def spot_of(self, state: State, action: int) -> Spot | None:  # noqa: ARG002
        """The square of an action; a pass has none."""
        return None if action == reversi.PASS else ("move", divmod(action, SIZE))

    def action_at(self, state: State, spot: Spot) -> int:  # noqa: ARG002
        """The action of a square."""
        row, column = spot[1]
        return row * SIZE + column

    def evaluate(self, state: State) -> Score:
        """The evaluation of the patterns, on small boards the classic one, in discs."""
        from plyground.search.reversi_evaluator import ReversiEvaluator
        from plyground.search.reversi_patterns import shipped_patterns

        if state.board_size == SIZE:
            discs = shipped_patterns().evaluate(state)
        else:
            discs = DISCS_PER_POINT * ReversiEvaluator().evaluate(state)
        return Score(discs, self.unit, state.current_player)

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
        from plyground.search.reversi_textbook import search

        return search(algorithm, state, depth, poll=poll, **options)

    def tree_size(self, state: State, depth: int) -> int | None:
        """Positions that minimax visits to a depth; None if they cannot be counted quickly."""
        if sum(state.counts.values()) + depth >= state.board_size**2:
            return None  # lines that end sooner would be counted more than once
        levels = [1, len(state.legal_actions())]
        while len(levels) <= depth:
            if levels[-1] ** 2 > MOST_COUNTED * levels[-2]:  # the next level, if it grows as before
                return None
            levels.append(state.perft(len(levels)))
        return sum(levels[: depth + 1])

    def make_engine(self, hash_mb: int, threads: int, **options: Option) -> _core.ReversiEngine:
        """The alpha-beta engine; it takes `evaluator` and `switches`."""
        from plyground.search.reversi_engine import make_engine

        return make_engine(hash_mb, threads, **options)

    def solve_board(
        self,
        state: State,
        max_mb: int,
        progress: TableProgress | None = None,  # noqa: ARG002
    ) -> ReversiSolvedBoard:
        """The score with perfect play; it fills no tables, so it reports no progress."""
        from plyground.search.reversi_solved_board import ReversiSolvedBoard

        return ReversiSolvedBoard(state, max_mb)

    def engine_solves(self, state: State) -> bool:
        """Whether the engine finds the exact result of a position in a few seconds."""
        return state.board_size**2 - sum(state.counts.values()) <= MOST_SOLVED_SQUARES

    def clock_parts(self, state: State, clock_s: float) -> float:
        """One part for each move before a position that the rest of the clock suffices to solve."""
        empties = state.board_size**2 - sum(state.counts.values())
        parts = PARTS_FOR_SOLVING
        while empties > 0:
            solving_s = SOLVING_S * SOLVING_GROWTH ** (empties - 20)
            if solving_s <= clock_s * PARTS_FOR_SOLVING / parts:
                break
            parts += 1
            empties -= 2
        return parts

    def end_score(self, end: State, player: int) -> Score:
        """The difference in discs, with empty squares counted for the winner."""
        return Score(float(end.score), self.unit, 1, exact=True).pov(player)

    def engine_switches(self) -> dict[str, bool]:
        """The parts of the engine's search that can be switched off, with their defaults."""
        return _core.reversi_switches()

    def make_tree(self, state: State, **options: Option) -> _core.ReversiTree:
        """The core's tree search from a position."""
        return _core.ReversiTree(state, **options)

    def make_selfplay(self, *starts: State, **options: Option) -> _core.ReversiSelfPlay:
        """The core's pool of self-play games, shared out among the start positions."""
        return _core.ReversiSelfPlay(starts, **options)

    @property
    def network_settings(self) -> tuple[str, ...]:
        """None: networks see 8x8."""
        return ()

    def encoding(self, network: str = "path_net", history_length: int = 0) -> Encoding:  # noqa: ARG002
        """The input features and the policy layout of networks; none sees the history."""
        from plyground.nets.reversi_encoding import REVERSI as ENCODING

        self.check_network(network)
        return ENCODING

    def net_features(self, state: State, history_length: int = 0) -> NDArray[np.uint8]:
        """A position as it is packed for networks."""
        return _core.reversi_net_features(state, history_length)

    def planes(self, state: State) -> NDArray[np.float32]:
        """The planes that networks read; the player's own discs come first."""
        from plyground.nets.encoding import expand

        if state.board_size != SIZE:
            return super().planes(state)
        packed = _core.reversi_net_features(state)[None]
        planes: NDArray[np.float32] = expand(self.encoding(), packed, SIZE)[0]
        return planes

    def network(self, state: State) -> Path | None:
        """The network in the package, if there is one for the board."""
        from plyground.nets.evaluator import packaged_network

        return packaged_network("reversi.npz.xz") if state.board_size == SIZE else None

    def openings(
        self,
        start: State,
        count: int,
        rng: random.Random,
        on_found: OnFound | None = None,
    ) -> list[State]:
        """Openings of the XOT list; on small boards, positions after a few random plies."""
        from plyground.arena.reversi_openings import xot_openings

        if start.board_size != SIZE:
            return super().openings(start, count, rng, on_found)
        return xot_openings(count, rng)

    def opening_lines(self) -> Iterator[tuple[State, Sequence[int]]]:
        """The lines of the XOT list."""
        from plyground.arena.reversi_openings import xot_lines

        start = State()
        for line in xot_lines():
            yield start, self.parse_line(start, line)

    def book_moves(self, state: State) -> Sequence[ScoredMove]:
        """The moves of a position in the book of the package."""
        return _book().moves(state) if state.board_size == SIZE else ()

    book_levels = frozenset({"expert", "master"})

    puzzle_solvers = (
        "minimax:depth=1",
        "minimax:depth=2",
        "minimax:depth=3",
        "engine:depth=1,hash_mb=1",
        "engine:depth=2,hash_mb=1",
        "engine:depth=4,hash_mb=1",
    )

    def make_prover(self, most_nodes: int | None = None) -> ReversiProver:  # noqa: ARG002
        """The exact solver as a prover."""
        from plyground.analysis.reversi_proof import ReversiProver

        return ReversiProver()

    def puzzle_themes(self, states: Sequence[State], line: Sequence[int]) -> list[str]:
        """Corners, parity, tempi and sacrifices."""
        from plyground.analysis.reversi_themes import themes

        return themes(states, line)

    def move_kind(self, state: State, action: int) -> str:
        """A corner, a square of the edge, or another square."""
        if action == reversi.PASS:
            return "pass"
        ends = [place in (0, state.board_size - 1) for place in divmod(action, SIZE)]
        return "corner" if all(ends) else "edge" if any(ends) else "inside"

    @property
    def remark_texts(self) -> Sentences:
        """The sentences about moves of Reversi."""
        from plyground.analysis.reversi_review import TEXTS

        return TEXTS

    def explain_move(
        self, state: State, action: int, best: SearchResult, answer: SearchResult | None
    ) -> list[Remark]:
        """Corners, moves left and discs."""
        from plyground.analysis.reversi_review import explain_move

        return explain_move(state, action, best, answer)

    def env_view(self, **options: Option) -> ReversiView:
        """The game as the players of an environment see it."""
        from plyground.envs.reversi_view import ReversiView

        return ReversiView(**options)


def _turned(size: int, flip_rows: bool, flip_columns: bool, swap: bool) -> Callable[[int], int]:
    def turn(action: int) -> int:
        if action == reversi.PASS:
            return action
        cell: Cell = divmod(action, SIZE)
        row = size - 1 - cell[0] if flip_rows else cell[0]
        column = size - 1 - cell[1] if flip_columns else cell[1]
        return column * SIZE + row if swap else row * SIZE + column

    return turn


REVERSI = ReversiGame()


@cache
def _turns(size: int) -> list[tuple[Callable[[str], tuple[str, ...]], Callable[[int], int]]]:
    """For each symmetry, a function that turns the squares, and one that turns actions."""
    squares = [row * SIZE + column for row in range(size) for column in range(size)]
    places = {square: place for place, square in enumerate(squares)}
    return [
        (itemgetter(*(places[square] for square in sorted(squares, key=turn))), turn)
        for turn in REVERSI.symmetries(State(size))
    ]


@cache
def _book() -> ScoredBook:
    """The opening book in the package, which tools/make_reversi_book.py makes."""
    from plyground.search.scored_book import ScoredBook

    return ScoredBook.unpack((files("plyground") / "data" / "reversi-book.bin.xz").read_bytes())
