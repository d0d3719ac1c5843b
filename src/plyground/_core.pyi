from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, overload

import numpy
import numpy.typing

import plyground.drawing
import plyground.games.base
import plyground.games.quoridor_config
import plyground.games.quoridor_game
import plyground.games.reversi_game

def build_info() -> dict[str, str]:
    """
    How the native core was built: compiler, processor it is meant for, build type.
    """

class NotationError(ValueError):
    """Text that cannot be read: a move, a position or a record."""

class IllegalMoveError(ValueError):
    """A move that the rules forbid."""

class ConfigError(ValueError):
    """A setting that cannot work."""

class QuoridorState:
    """A Quoridor position: an immutable value that prints as a small board."""

    def __init__(self, config: plyground.games.quoridor_config.GameConfig | None = None) -> None:
        """The start position; the standard game when no config is given."""

    def text(self) -> str:
        """The position in one line, which `parse` reads back."""

    @property
    def current_player(self) -> int:
        """Whose turn it is, 1 or 2; after the last move, whose turn it would be."""

    @property
    def game_over(self) -> bool:
        """Whether the game has ended."""

    def get_opponent(self, player: int) -> int:
        """The other player."""

    def __str__(self) -> str: ...
    def __copy__(self) -> QuoridorState: ...
    def __deepcopy__(self, memo: object) -> QuoridorState: ...
    def svg(
        self,
        *,
        arrows: Iterable[plyground.drawing.Arrow] = (),
        marks: plyground.drawing.Marks = (),
        paths: bool = False,
        flipped: bool = False,
        size: int = 400,
    ) -> str:
        """
        The board as an SVG picture, in the style of the page.

        Places are cells such as 'e2', walls such as 'e3h', or moves. `arrows` are pairs of places. `marks` are places, or shares by place, such as the policy of a network. `paths` adds the shortest paths, `flipped` turns the board round, and `size` is the width in pixels.
        """

    def _repr_svg_(self) -> str:
        """The board, for notebooks."""

    @staticmethod
    def parse(
        text: str, config: plyground.games.quoridor_config.GameConfig | None = None
    ) -> QuoridorState:
        """
        Read what `text()` writes. Limits come from the config, by default from the preset of that board size, else from the standard one.
        """

    @property
    def game(self) -> plyground.games.quoridor_game.QuoridorGame:
        """The game this is a position of."""

    @property
    def config(self) -> plyground.games.quoridor_config.GameConfig:
        """The rules' settings."""

    @property
    def board_size(self) -> int:
        """Rows and columns."""

    @property
    def player1_pos(self) -> tuple[int, int]:
        """(row, col) of player 1's pawn."""

    @property
    def player2_pos(self) -> tuple[int, int]:
        """(row, col) of player 2's pawn."""

    @property
    def h_walls(self) -> frozenset[tuple[int, int]]:
        """(row, col) of the horizontal walls."""

    @property
    def v_walls(self) -> frozenset[tuple[int, int]]:
        """(row, col) of the vertical walls."""

    @property
    def walls_remaining(self) -> dict[int, int]:
        """Walls left, by player."""

    @property
    def current_player_walls(self) -> int:
        """Walls left to the player to move."""

    @property
    def move_count(self) -> int:
        """Moves played."""

    @property
    def moves_since_last_wall(self) -> int:
        """Moves played since a wall was placed."""

    @property
    def winner(self) -> int | None:
        """1, 2, or None."""

    @property
    def outcome(self) -> plyground.games.base.Outcome | None:
        """Winner or draw with the reason, or None while the game goes on."""

    def reward(self, player: int) -> float:
        """
        What the game was worth to a player: 1.0 for a win, -1.0 for a loss, the config's draw_penalty for a draw; 0.0 while it goes on.
        """

    def legal_actions(self) -> list[int]:
        """
        The legal moves as action numbers, ascending; none when the game is over.
        """

    def get_legal_moves(self) -> list[tuple[Literal["move", "h_wall", "v_wall"], tuple[int, int]]]:
        """
        The legal moves as (kind, (row, col)), in the order of `legal_actions`.
        """

    def is_legal(self, move: int | str) -> bool:
        """Whether a move, given as action number or in notation, is legal."""

    def parse_move(self, text: str) -> int:
        """The action number of a move in notation, whether it is legal or not."""

    def format_move(self, action: int) -> str:
        """An action number in notation."""

    @overload
    def play(self, move: int) -> QuoridorState:
        """The position after a move, given as action number or in notation."""

    @overload
    def play(self, move: int | str) -> QuoridorState: ...
    def make_move(
        self, kind: Literal["move", "h_wall", "v_wall"], position: tuple[int, int]
    ) -> QuoridorState:
        """The position after a move, given as kind and (row, col)."""

    def legal_pawn_moves(self, player: int) -> list[tuple[int, int]]:
        """Cells the player's pawn could move to; none when the game is over."""

    def shortest_path(self, player: int) -> list[tuple[int, int]]:
        """Cells of one shortest path, the pawn's own first."""

    def shortest_path_length(self, player: int) -> int:
        """Steps of the shortest path."""

    def astar_path_length(self, player: int) -> int:
        """The same by A*, or -1 when there is no path."""

    def encode(
        self, history_length: int = 4
    ) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32]]:
        """Planes and scalars for a network, seen by the player to move."""

    def action_mask(self, flipped: bool = False) -> numpy.typing.NDArray[numpy.bool_]:
        """
        Which actions are legal; `flipped` numbers them as `encode` shows the board.
        """

    def perft(self, depth: int, hash_mb: int = 0) -> int:
        """Count the move paths of exactly this length."""

    def path_perft(self, depth: int) -> tuple[int, int, int]:
        """
        Play every path of this length; count the ends and sum up both shortest paths there.
        """

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __repr__(self) -> str: ...
    def __getstate__(self) -> tuple[object, str, bytes]: ...
    def __setstate__(self, saved: tuple[object, str, bytes]) -> None: ...

QUORIDOR_STATE_BYTES: int = 88

def quoridor_parse_action(text: str, board_size: int) -> int:
    """The action number that a move in notation stands for."""

def quoridor_format_action(action: int, board_size: int) -> str:
    """An action number in notation."""

def quoridor_flip_action(action: int, board_size: int) -> int:
    """The action seen from the other end of the board."""

def quoridor_mirror_action(action: int, board_size: int) -> int:
    """The action in the left-right mirror."""

class ReversiState:
    """A Reversi position: an immutable value that prints as a small board."""

    def __init__(self, board_size: int = 8) -> None:
        """The start position, black to move, on 8x8, 6x6 or 4x4."""

    def text(self) -> str:
        """The position in one line, which `parse` reads back."""

    @property
    def current_player(self) -> int:
        """Whose turn it is, 1 or 2; after the last move, whose turn it would be."""

    @property
    def game_over(self) -> bool:
        """Whether the game has ended."""

    def get_opponent(self, player: int) -> int:
        """The other player."""

    def __str__(self) -> str: ...
    def __copy__(self) -> ReversiState: ...
    def __deepcopy__(self, memo: object) -> ReversiState: ...
    def svg(
        self,
        *,
        arrows: Iterable[plyground.drawing.Arrow] = (),
        marks: plyground.drawing.Marks = (),
        paths: bool = False,
        flipped: bool = False,
        size: int = 400,
    ) -> str:
        """
        The board as an SVG picture, in the style of the page.

        Places are cells such as 'e2', walls such as 'e3h', or moves. `arrows` are pairs of places. `marks` are places, or shares by place, such as the policy of a network. `paths` adds the shortest paths, `flipped` turns the board round, and `size` is the width in pixels.
        """

    def _repr_svg_(self) -> str:
        """The board, for notebooks."""

    @staticmethod
    def parse(text: str) -> ReversiState:
        """
        Read 64 squares from a1 to h8 and the side to move, as `text()` writes them; 36 or 16 squares for smaller boards.
        """

    @property
    def game(self) -> plyground.games.reversi_game.ReversiGame:
        """The game this is a position of."""

    @property
    def board_size(self) -> int:
        """Rows and columns."""

    @property
    def black(self) -> int:
        """
        The squares of black's discs, as bits: a1 is bit 0, a2 bit 8, h8 bit 63.
        """

    @property
    def white(self) -> int:
        """The squares of white's discs, as bits."""

    @property
    def counts(self) -> dict[int, int]:
        """Discs on the board, by player."""

    @property
    def score(self) -> int:
        """
        Black's discs less white's, with the empty squares given to the winner: the result, if the game ends here.
        """

    @property
    def winner(self) -> int | None:
        """1, 2, or None."""

    @property
    def outcome(self) -> plyground.games.base.Outcome | None:
        """Winner or draw with the reason, or None while the game goes on."""

    def reward(self, player: int) -> float:
        """
        What the game was worth to a player: 1.0 for a win, -1.0 for a loss, 0.0 for a draw and while it goes on.
        """

    def legal_actions(self) -> list[int]:
        """
        The legal moves as action numbers, ascending; none when the game is over.
        """

    def is_legal(self, move: int | str) -> bool:
        """Whether a move, given as action number or in notation, is legal."""

    def parse_move(self, text: str) -> int:
        """The action number of a move in notation, whether it is legal or not."""

    def format_move(self, action: int) -> str:
        """An action number in notation."""

    @overload
    def play(self, move: int) -> ReversiState:
        """The position after a move, given as action number or in notation."""

    @overload
    def play(self, move: int | str) -> ReversiState: ...
    def make_move(self, move: int | str) -> ReversiState:
        """The same as `play`."""

    def perft(self, depth: int, hash_mb: int = 0) -> int:
        """
        Count the move paths of this length; a game that ends sooner counts as one.
        """

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __repr__(self) -> str: ...
    def __getstate__(self) -> str: ...
    def __setstate__(self, text: str) -> None: ...

def reversi_parse_action(text: str) -> int:
    """The action number that a move in notation stands for."""

def reversi_format_action(action: int) -> str:
    """An action number in notation."""

class QuoridorEngine:
    """The alpha-beta search for Quoridor, with its table and threads."""

    def __init__(
        self,
        hash_mb: int = 64,
        threads: int = 1,
        weights: Mapping[str, int] = {},
        switches: Mapping[str, bool] = {},
        draw_score: int = -20,
    ) -> None: ...
    def search(
        self,
        state: QuoridorState,
        time_s: float | None = None,
        start_s: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        progress: Callable[[dict[str, Any]], object] | None = None,
    ) -> dict[str, Any]:
        """
        Search until a limit is reached; `progress` is called with intermediate results.
        """

    def stop(self) -> None:
        """Stop the running search; may be called from any thread."""

    def clear(self) -> None:
        """Delete the results of earlier searches."""

    def deepest(self, most: int) -> bytes:
        """The deepest table entries of the last search, serialized for `recall`."""

    def recall(self, kept: bytes) -> None:
        """
        Load entries that `deepest` returned, from the same build of the engine.
        """

def quoridor_weights() -> dict[str, int]:
    """The evaluation's default weights, by name."""

def quoridor_switches() -> dict[str, bool]:
    """The switches of the search with their defaults."""

def quoridor_features(state: QuoridorState) -> dict[str, int]:
    """The evaluation's terms in a position, for the side to move, by name."""

class ReversiPatterns:
    """Fitted values of Reversi's patterns, in hundredths of a disc."""

    def __init__(self, values: numpy.typing.NDArray[numpy.int16]) -> None:
        """All values of the first phase, then of the second, and so on."""

    def evaluate(self, state: ReversiState) -> float:
        """Discs the side to move is likely to win by."""

REVERSI_PATTERN_PHASES: int = 15

REVERSI_DISCS_PER_PHASE: int = 4

REVERSI_PATTERN_VALUES: int = 113878

class ReversiEngine:
    """The alpha-beta search for Reversi, with its table and threads."""

    def __init__(
        self,
        hash_mb: int = 64,
        threads: int = 1,
        patterns: ReversiPatterns | None = None,
        switches: Mapping[str, bool] = {},
    ) -> None:
        """Without patterns, the evaluation is the classic one."""

    def search(
        self,
        state: ReversiState,
        time_s: float | None = None,
        start_s: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        progress: Callable[[dict[str, Any]], object] | None = None,
    ) -> dict[str, Any]:
        """
        Search until a limit is reached; `progress` is called with intermediate results.
        """

    def stop(self) -> None:
        """Stop the running search; may be called from any thread."""

    def clear(self) -> None:
        """Delete the results of earlier searches."""

    def deepest(self, most: int) -> bytes:
        """The deepest table entries of the last search, serialized for `recall`."""

    def recall(self, kept: bytes) -> None:
        """
        Load entries that `deepest` returned, from the same build of the engine.
        """

def reversi_switches() -> dict[str, bool]:
    """The switches of the search with their defaults."""

def reversi_solve(
    state: ReversiState,
    patterns: ReversiPatterns | None = None,
    win_only: bool = False,
    hash_mb: int = 64,
    threads: int = 1,
) -> dict[str, Any]:
    """
    Search a position to the end of the game; with `win_only` the score is 1, 0 or -1.
    """

def reversi_label_games(
    squares: numpy.typing.NDArray[numpy.uint8],
    played: numpy.typing.NDArray[numpy.int8],
    theoretical: numpy.typing.NDArray[numpy.int8],
    theory_empties: numpy.typing.NDArray[numpy.uint8],
    solve_from: int,
    threads: int,
    seed: int,
) -> tuple[
    numpy.typing.NDArray[numpy.uint64],
    numpy.typing.NDArray[numpy.uint64],
    numpy.typing.NDArray[numpy.int8],
    numpy.typing.NDArray[numpy.uint8],
    numpy.typing.NDArray[numpy.uint32],
]:
    """
    Positions of games, each with its score for the side to move. Returns discs of the side to move, discs of the opponent, scores, number of discs, and row of the game.
    """

def reversi_label_own_games(
    openings: numpy.typing.NDArray[numpy.uint8],
    patterns: ReversiPatterns,
    solve_from: int,
    depth: int,
    threads: int,
    seed: int,
) -> tuple[
    numpy.typing.NDArray[numpy.uint64],
    numpy.typing.NDArray[numpy.uint64],
    numpy.typing.NDArray[numpy.int8],
    numpy.typing.NDArray[numpy.uint8],
    numpy.typing.NDArray[numpy.uint32],
]:
    """
    Positions of games of the engine against itself, one from each opening; in the same form.
    """

class ReversiPatternFit:
    """The least squares fit of the pattern values of all phases."""

    def __init__(
        self,
        own: numpy.typing.NDArray[numpy.uint64],
        other: numpy.typing.NDArray[numpy.uint64],
        score: numpy.typing.NDArray[numpy.int8],
        weight: numpy.typing.NDArray[numpy.float32],
        ridge: float,
        smoothing: float,
    ) -> None: ...
    def step(self) -> float:
        """
        Take one more step; returns the root mean square error before it, in discs.
        """

    def error(
        self,
        own: numpy.typing.NDArray[numpy.uint64],
        other: numpy.typing.NDArray[numpy.uint64],
        score: numpy.typing.NDArray[numpy.int8],
    ) -> float:
        """
        The root mean square error on other positions, in discs; NaN if there are none.
        """

    def values(self) -> numpy.typing.NDArray[numpy.float32]:
        """The values so far, in discs, one phase after the other."""

class QuoridorTextbookCache:
    """Evaluations and children of positions, shared by threads."""

    def __init__(self, evaluations: int = 524288, children: int = 32768) -> None: ...
    def take_log(self) -> tuple[bytes, bytes, int, int, int]:
        """
        New evaluations and children since the last call, the number of these children, and the numbers of evaluations and children found in the cache.
        """

    def load_evaluations(self, saved: bytes) -> int:
        """Load evaluations that `take_log` returned; malformed ones are ignored."""

    def load_children(self, saved: bytes) -> int:
        """Load children that `take_log` returned; malformed ones are ignored."""

def quoridor_minimax(
    state: QuoridorState,
    depth: int,
    path_weight: float,
    progress_weight: float,
    wall_weight: float,
    max_wall_moves: int | None = None,
    wall_order: str = "nearest",
    poll: Callable[[], object] | None = None,
    cache: QuoridorTextbookCache | None = None,
) -> dict[str, Any]:
    """
    Plain minimax for the side to move; returns fields of a SearchResult. `poll` is called now and then; an exception from it ends the search.
    """

def quoridor_alphabeta(
    state: QuoridorState,
    depth: int,
    path_weight: float,
    progress_weight: float,
    wall_weight: float,
    max_wall_moves: int | None = None,
    wall_order: str = "nearest",
    poll: Callable[[], object] | None = None,
    cache: QuoridorTextbookCache | None = None,
) -> dict[str, Any]:
    """
    Plain alpha-beta for the side to move; returns fields of a SearchResult. `poll` is called now and then; an exception from it ends the search.
    """

class ReversiClassicEvaluator:
    """The classic evaluation of Reversi; see ReversiEvaluator."""

    def __init__(
        self,
        *,
        material: bool,
        mobility: bool,
        corners: bool,
        positional: bool,
        material_weight: float,
        mobility_weight: float,
        corner_weight: float,
        near_corner_weight: float,
        positional_weight: float,
        edge_stability_weight: float = 0.0,
    ) -> None: ...
    def evaluate(self, state: ReversiState) -> float:
        """
        The value for the player to move; finished games are evaluated like others.
        """

def reversi_classic_terms(state: ReversiState) -> dict[str, int]:
    """
    The unweighted terms of the classic evaluation, for the player to move.
    """

def reversi_minimax(
    state: ReversiState,
    depth: int,
    evaluator: ReversiClassicEvaluator,
    poll: Callable[[], object] | None = None,
) -> dict[str, Any]:
    """
    Plain minimax for the side to move; returns fields of a SearchResult. `poll` is called now and then; an exception from it ends the search.
    """

def reversi_alphabeta(
    state: ReversiState,
    depth: int,
    evaluator: ReversiClassicEvaluator,
    poll: Callable[[], object] | None = None,
) -> dict[str, Any]:
    """
    Plain alpha-beta for the side to move; returns fields of a SearchResult. `poll` is called now and then; an exception from it ends the search.
    """

class QuoridorSolution:
    """The exact values of all positions that can arise from a root."""

    def __init__(
        self, root: QuoridorState, max_mb: int, progress: Callable[[int, int], object] | None = None
    ) -> None:
        """
        Solve; `progress` is called with the tables solved and their total (0 while counting).
        """

    def covers(self, state: QuoridorState) -> bool:
        """Whether the state belongs to this game and is not won yet."""

    def value(self, state: QuoridorState) -> int:
        """
        Plies to the end, positive when the side to move wins, negative when it loses; 0 for a draw and for a finished game.
        """

    @property
    def positions(self) -> int:
        """The number of positions covered."""

    @property
    def bytes(self) -> int:
        """Size of the tables in bytes."""

class QuoridorVector:
    """
    Many games, stepped with one call on several threads. Output arrays have one row per game.
    """

    def __init__(
        self,
        games: int,
        start: QuoridorState,
        illegal: str = "lose",
        threads: int = 1,
        seed: int = 0,
        history_length: int = 4,
    ) -> None:
        """Every game begins at `start`; planes show `history_length` positions."""

    def reset(
        self,
        players: numpy.typing.NDArray[numpy.uint8] | None = None,
        masks: numpy.typing.NDArray[numpy.int8] | None = None,
        planes: numpy.typing.NDArray[numpy.float32]
        | numpy.typing.NDArray[numpy.uint8]
        | None = None,
        scalars: numpy.typing.NDArray[numpy.float32] | None = None,
    ) -> None:
        """
        Restart every game. Planes are float32 or uint8 [games, planes, n, n], or uint8 [games, bytes] for bits, the first in the lowest bit of the first byte.
        """

    def step(
        self,
        actions: numpy.typing.NDArray[numpy.int32],
        rewards: numpy.typing.NDArray[numpy.float32],
        terminated: numpy.typing.NDArray[numpy.bool_],
        endings: numpy.typing.NDArray[numpy.uint8],
        move_counts: numpy.typing.NDArray[numpy.int32],
        players: numpy.typing.NDArray[numpy.uint8] | None = None,
        masks: numpy.typing.NDArray[numpy.int8] | None = None,
        planes: numpy.typing.NDArray[numpy.float32]
        | numpy.typing.NDArray[numpy.uint8]
        | None = None,
        scalars: numpy.typing.NDArray[numpy.float32] | None = None,
    ) -> None:
        """Play one move in every game; games that end are restarted."""

    def random_actions(self, actions: numpy.typing.NDArray[numpy.int32]) -> None:
        """Write a legal action for every game, all equally likely."""

    def seed(self, seed: int) -> None:
        """Seed the random choices of every game."""

    def state(self, index: int) -> QuoridorState:
        """The position of one game."""

class ReversiVector:
    """
    Many games, stepped with one call on several threads. Output arrays have one row per game.
    """

    def __init__(
        self,
        games: int,
        start: ReversiState,
        illegal: str = "lose",
        threads: int = 1,
        seed: int = 0,
    ) -> None:
        """Every game begins at `start`."""

    def reset(
        self,
        players: numpy.typing.NDArray[numpy.uint8] | None = None,
        masks: numpy.typing.NDArray[numpy.int8] | None = None,
        planes: numpy.typing.NDArray[numpy.float32]
        | numpy.typing.NDArray[numpy.uint8]
        | None = None,
        scalars: numpy.typing.NDArray[numpy.float32] | None = None,
    ) -> None:
        """
        Restart every game. Planes are float32 or uint8 [games, planes, n, n], or uint8 [games, bytes] for bits, the first in the lowest bit of the first byte.
        """

    def step(
        self,
        actions: numpy.typing.NDArray[numpy.int32],
        rewards: numpy.typing.NDArray[numpy.float32],
        terminated: numpy.typing.NDArray[numpy.bool_],
        endings: numpy.typing.NDArray[numpy.uint8],
        move_counts: numpy.typing.NDArray[numpy.int32],
        players: numpy.typing.NDArray[numpy.uint8] | None = None,
        masks: numpy.typing.NDArray[numpy.int8] | None = None,
        planes: numpy.typing.NDArray[numpy.float32]
        | numpy.typing.NDArray[numpy.uint8]
        | None = None,
        scalars: numpy.typing.NDArray[numpy.float32] | None = None,
    ) -> None:
        """Play one move in every game; games that end are restarted."""

    def random_actions(self, actions: numpy.typing.NDArray[numpy.int32]) -> None:
        """Write a legal action for every game, all equally likely."""

    def seed(self, seed: int) -> None:
        """Seed the random choices of every game."""

    def state(self, index: int) -> ReversiState:
        """The position of one game."""

QUORIDOR_FEATURE_BYTES: int = 488

def quoridor_net_features(
    state: QuoridorState, history_length: int = 0
) -> numpy.typing.NDArray[numpy.uint8]:
    """
    A position packed for a network, seen by the player to move; the layout is told in cpp/games/quoridor_features.h.
    """

REVERSI_FEATURE_BYTES: int = 56

def reversi_net_features(
    state: ReversiState, history_length: int = 0
) -> numpy.typing.NDArray[numpy.uint8]:
    """
    A position packed for a network, seen by the player to move; the layout is told in cpp/games/reversi_features.h.
    """

class QuoridorTree:
    """
    A Gumbel tree search that asks for evaluations. While one thread uses it, calls from others raise a RuntimeError.
    """

    def __init__(
        self,
        state: QuoridorState,
        c_visit: float = 50.0,
        c_scale: float = 0.25,
        max_considered: int = 16,
        halving: bool = True,
        prove: bool = True,
        races: bool = True,
        history_length: int = 0,
        graph: bool = False,
    ) -> None: ...
    def begin(
        self, simulations: int, noise: numpy.typing.NDArray[numpy.float32] | None = None
    ) -> None:
        """
        Plan that many simulations more, on top of what the tree has; `noise` is added to the logits of the root, by action.
        """

    def select(self, batch: int) -> numpy.typing.NDArray[numpy.uint8]:
        """
        Features of up to that many leaves to evaluate. None when the plan is done, or now and then while no position needs an evaluation: `simulations_left` tells.
        """

    def expand(
        self, logits: numpy.typing.NDArray[Any], values: numpy.typing.NDArray[numpy.float32]
    ) -> None:
        """The evaluations of the leaves `select` returned."""

    def search(self, network: PathNetEvaluator, size: int, batch: int, seconds: float) -> None:
        """
        Run the plan on all threads of a network of the core, for at most a second.
        """

    def advance(self, action: int) -> None:
        """Play a move and keep what is known below it."""

    def best_action(self) -> int:
        """The move to play."""

    def best_value(self) -> float:
        """What that move is worth, from -1 to 1."""

    def root_value(self) -> float:
        """What the position is worth under the improved policy."""

    def policy(self) -> numpy.typing.NDArray[numpy.float32]:
        """The improved policy, by action."""

    def moves(self) -> list[dict[str, Any]]:
        """
        What is known about each legal move: action, logit, visits, value, win_in.
        """

    def pv(self) -> list[int]:
        """The line both sides are expected to follow."""

    @property
    def simulations_left(self) -> int:
        """Of the plan; 0 as soon as everything is proven."""

    @property
    def is_evaluated(self) -> bool:
        """Whether the root has its evaluation."""

    @property
    def win_in(self) -> int | None:
        """
        Plies to a proven win of the player to move, negative to a proven loss, or None.
        """

    @property
    def visits(self) -> int:
        """Simulations behind the root, kept ones included."""

    def __len__(self) -> int: ...

class ReversiTree:
    """
    A Gumbel tree search that asks for evaluations. While one thread uses it, calls from others raise a RuntimeError.
    """

    def __init__(
        self,
        state: ReversiState,
        c_visit: float = 50.0,
        c_scale: float = 0.25,
        max_considered: int = 16,
        halving: bool = True,
        prove: bool = True,
        endgames: bool = True,
        history_length: int = 0,
        graph: bool = False,
    ) -> None: ...
    def begin(
        self, simulations: int, noise: numpy.typing.NDArray[numpy.float32] | None = None
    ) -> None:
        """
        Plan that many simulations more, on top of what the tree has; `noise` is added to the logits of the root, by action.
        """

    def select(self, batch: int) -> numpy.typing.NDArray[numpy.uint8]:
        """
        Features of up to that many leaves to evaluate. None when the plan is done, or now and then while no position needs an evaluation: `simulations_left` tells.
        """

    def expand(
        self, logits: numpy.typing.NDArray[Any], values: numpy.typing.NDArray[numpy.float32]
    ) -> None:
        """The evaluations of the leaves `select` returned."""

    def search(self, network: PathNetEvaluator, size: int, batch: int, seconds: float) -> None:
        """
        Run the plan on all threads of a network of the core, for at most a second.
        """

    def advance(self, action: int) -> None:
        """Play a move and keep what is known below it."""

    def best_action(self) -> int:
        """The move to play."""

    def best_value(self) -> float:
        """What that move is worth, from -1 to 1."""

    def root_value(self) -> float:
        """What the position is worth under the improved policy."""

    def policy(self) -> numpy.typing.NDArray[numpy.float32]:
        """The improved policy, by action."""

    def moves(self) -> list[dict[str, Any]]:
        """
        What is known about each legal move: action, logit, visits, value, win_in.
        """

    def pv(self) -> list[int]:
        """The line both sides are expected to follow."""

    @property
    def simulations_left(self) -> int:
        """Of the plan; 0 as soon as everything is proven."""

    @property
    def is_evaluated(self) -> bool:
        """Whether the root has its evaluation."""

    @property
    def win_in(self) -> int | None:
        """
        Plies to a proven win of the player to move, negative to a proven loss, or None.
        """

    @property
    def visits(self) -> int:
        """Simulations behind the root, kept ones included."""

    def __len__(self) -> int: ...

class QuoridorSelfPlay:
    """
    Games that a network plays against itself, many at a time, in halves that take turns.
    """

    def __init__(
        self,
        starts: Sequence[QuoridorState],
        games: int,
        halves: int = 2,
        threads: int = 1,
        simulations: int = 64,
        max_considered: int = 16,
        c_visit: float = 50.0,
        c_scale: float = 0.25,
        random_openings: float = 0.3,
        opening_plies: int = 8,
        heuristic_weight: float = 0.0,
        draw_by_path: bool = False,
        quick_moves: float = 0.0,
        quick_simulations: int = 16,
        quick_decided: float = 0.0,
        random_starts: float = 0.0,
        close_openings: float = 0.0,
        value_lambda: float = 0.0,
        seed: int = 0,
        history_length: int = 0,
    ) -> None: ...
    @property
    def halves(self) -> int:
        """How many parts take turns."""

    def size(self, half: int) -> int:
        """Games in that half, and so leaves in each of its steps."""

    def step(
        self,
        half: int,
        logits: numpy.typing.NDArray[Any] | None,
        values: numpy.typing.NDArray[numpy.float32] | None,
        features: numpy.typing.NDArray[numpy.uint8],
    ) -> int:
        """
        Take the evaluations of the leaves this half handed out last (None the first time), run its games until each needs another one, and write those leaves' features. Returns how many there are.
        """

    def drain(self, max_rows: int) -> dict[str, numpy.typing.NDArray[Any]]:
        """
        Positions of finished games, each handed out once: features, policy (float16, mover's view), outcome, root_value, margin, surprise, game, ply, action (mover's view).
        """

    def stats(self) -> dict[str, int]:
        """
        Counts since the start: games, draws, first_player_wins, plies, evaluations, simulations; and rows waiting to be drained.
        """

    def set(self, name: str, value: float) -> None:
        """
        Change a setting of the constructor by name; moves begun before keep the old one.
        """

class ReversiSelfPlay:
    """
    Games that a network plays against itself, many at a time, in halves that take turns.
    """

    def __init__(
        self,
        starts: Sequence[ReversiState],
        games: int,
        halves: int = 2,
        threads: int = 1,
        simulations: int = 64,
        max_considered: int = 16,
        c_visit: float = 50.0,
        c_scale: float = 0.25,
        random_openings: float = 0.3,
        opening_plies: int = 8,
        heuristic_weight: float = 0.0,
        draw_by_path: bool = False,
        quick_moves: float = 0.0,
        quick_simulations: int = 16,
        quick_decided: float = 0.0,
        random_starts: float = 0.0,
        close_openings: float = 0.0,
        value_lambda: float = 0.0,
        seed: int = 0,
        history_length: int = 0,
    ) -> None: ...
    @property
    def halves(self) -> int:
        """How many parts take turns."""

    def size(self, half: int) -> int:
        """Games in that half, and so leaves in each of its steps."""

    def step(
        self,
        half: int,
        logits: numpy.typing.NDArray[Any] | None,
        values: numpy.typing.NDArray[numpy.float32] | None,
        features: numpy.typing.NDArray[numpy.uint8],
    ) -> int:
        """
        Take the evaluations of the leaves this half handed out last (None the first time), run its games until each needs another one, and write those leaves' features. Returns how many there are.
        """

    def drain(self, max_rows: int) -> dict[str, numpy.typing.NDArray[Any]]:
        """
        Positions of finished games, each handed out once: features, policy (float16, mover's view), outcome, root_value, margin, surprise, game, ply, action (mover's view).
        """

    def stats(self) -> dict[str, int]:
        """
        Counts since the start: games, draws, first_player_wins, plies, evaluations, simulations; and rows waiting to be drained.
        """

    def set(self, name: str, value: float) -> None:
        """
        Change a setting of the constructor by name; moves begun before keep the old one.
        """

class PathNetEvaluator:
    """Evaluates positions with the weights of a PathNet."""

    def __init__(
        self,
        weights: dict[str, numpy.typing.NDArray[numpy.float32]],
        canvas: int,
        feature_bytes: int,
        planes: int,
        policy: list[tuple[int, int]],
        has_pass: bool,
        piece_planes: list[int],
        threads: int = 1,
        fast: bool = False,
    ) -> None: ...
    def set_board(
        self,
        size: int,
        byte: numpy.typing.NDArray[numpy.int64],
        mask: numpy.typing.NDArray[numpy.uint8],
        clip: numpy.typing.NDArray[numpy.uint8],
        scale: numpy.typing.NDArray[numpy.float32],
    ) -> None:
        """The table that reads the planes of a board of this size."""

    def evaluate(
        self, features: numpy.typing.NDArray[numpy.uint8], size: int
    ) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32]]:
        """Logits and values of packed positions on boards of one size."""
