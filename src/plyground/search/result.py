"""The result of a search."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from plyground.games.base import State
from plyground.games.score import Score
from plyground.search.native import Report


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The move, score and principal variation that a search found, and its statistics."""

    best_move: int
    """The action to play."""
    score: Score | None
    """The score of the position for the player to move; None if the searcher gives none."""
    depth: int = 0
    """Plies searched, nominally."""
    pv: list[int] = field(default_factory=list)
    """The principal variation, `best_move` first."""
    nodes_searched: int = 0
    """Positions searched."""
    time_ms: float = 0.0
    """Wall-clock milliseconds."""
    cutoffs: int = 0
    """Positions in which a beta cutoff skipped the remaining moves."""
    first_move_cutoffs: int = 0
    """Cutoffs by the first move tried."""
    table_probes: int = 0
    table_hits: int = 0
    deepest: int = 0
    """The longest line searched, in plies."""
    nodes_by_depth: list[int] = field(default_factory=list)
    """The total of positions searched at the end of each depth."""
    is_plain_alphabeta: bool = False
    """Whether plain minimax of this depth finds the same by searching the whole tree, whose size
    `Game.tree_size` counts."""
    is_from_book: bool = False
    """Whether the move is from an opening book and was not searched."""

    @classmethod
    def from_report(cls, report: Report, state: State) -> SearchResult:
        """The result in the report of a searcher of the core."""
        game, player = state.game, state.current_player
        values = dict(report)
        win_in: int | None = values.pop("win_in")
        exact: bool = values.pop("exact", False)
        score = Score(values.pop("score") / game.engine_scale, game.unit, player, exact=exact)
        return cls(score=score if win_in is None else Score.proven(win_in, player), **values)

    @classmethod
    def of_end(cls, state: State, action: int) -> SearchResult:
        """The result of an action that ends the game, for the player who plays it."""
        score = state.game.end_score(state.play(action), state.current_player)
        return cls(action, score, 1, [action], 1)

    def after(self, action: int) -> SearchResult:
        """This result as that of the action that led here, for the player who played it."""
        return replace(
            self,
            best_move=action,
            score=None if self.score is None else self.score.one_ply_earlier(),
            depth=self.depth + 1,
            pv=[action, *self.pv],
            is_plain_alphabeta=False,
        )

    @property
    def win_in(self) -> int | None:
        """Plies to a proven win for the player to move; negative for a proven loss."""
        return None if self.score is None else self.score.win_in

    @property
    def exact(self) -> bool:
        """Whether the score is exact: the result of best play to the end."""
        return self.score is not None and self.score.exact

    @property
    def nodes_per_second(self) -> float:
        """Positions searched per second."""
        return self.nodes_searched / self.time_ms * 1000 if self.time_ms > 0 else 0.0

    @property
    def first_move_cutoff_rate(self) -> float:
        """The share of cutoffs by the first move, a measure of move ordering."""
        return self.first_move_cutoffs / self.cutoffs if self.cutoffs else 0.0

    @property
    def effective_branching_factor(self) -> float:
        """The branching factor of a full tree of this depth with as many nodes."""
        if self.depth < 1 or self.nodes_searched < 1:
            return 0.0
        return float(self.nodes_searched ** (1.0 / self.depth))
