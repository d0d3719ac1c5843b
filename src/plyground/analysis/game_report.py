"""The analysis of a whole game: what each move was worth, and where the game turned.

Scores become chances to win (`Score.chance`). A move loses the difference between its player's
chance before it and after it, and its accuracy is exp(-loss / TOLERANCE). Moves that lose something
come with remarks about them.

The chance in a solved position is its result: 1, 0.5 or 0. If only one of the positions before and
after a move is solved, both chances are estimates from the scores: a lead of 2 discs that turns out
to be a win by 2 discs gains nothing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

from plyground.analysis.adviser import solve
from plyground.analysis.move_class import MoveClass, classify, lost_points
from plyground.analysis.remarks import Remark
from plyground.drawing.game_html import GameOptions, MoveNote, game_fragment, game_page
from plyground.errors import ConfigError
from plyground.frames import make_frame
from plyground.games import registry
from plyground.games.base import AnyGame, State
from plyground.games.book_position import BookPosition
from plyground.games.lines import format_line, format_turn
from plyground.games.score import Score
from plyground.play.record import MoveRecord, Record
from plyground.play.seat import Seat
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult

if TYPE_CHECKING:
    import pandas

TOLERANCE = 0.25
"""A move that gives away this much of the chance to win has an accuracy of 37%."""
TURNING_POINTS = 5
SHOWN_PLIES = 6
"""Plies of the better line that a report gives."""
MOST_REMARKS = 2
"""Remarks about one move."""


@dataclass(frozen=True, slots=True)
class PlyReport:
    """The adviser's judgement of one move."""

    number: int
    """Counted from 1, the moves of both players."""
    player: int
    move: str
    best: SearchResult
    """The adviser's own choice, and what it found."""
    best_line: str
    """The first moves of the adviser's line."""
    chance: float
    """The player's chance to win before the move, from 0 to 1."""
    loss: float
    """How much of it the move gave away."""
    move_class: MoveClass
    remarks: tuple[Remark, ...] = ()
    """Why the move is worse than the best one; empty for good moves that cost nothing for sure."""

    @property
    def accuracy(self) -> float:
        """The accuracy of the move, from 0 to 1."""
        return math.exp(-self.loss / TOLERANCE)

    @property
    def turn(self) -> str:
        """The number of the move as in records, one for the moves of both players: `7.`, `7...`."""
        return format_turn(self.number, self.player)

    @property
    def mark(self) -> str:
        """`?` for a mistake, `??` for a blunder, otherwise empty."""
        return self.move_class.mark

    @property
    def verdict(self) -> str:
        """The chances before and after the move, and the better line after a mistake."""
        return verdict(self.mark, self.chance, self.loss, self.best_line)

    def explanation(self, game: AnyGame, you: bool = False) -> str:
        """The remarks in English, for the player who moved or for others."""
        return " ".join(remark.sentence(game, you) for remark in self.remarks)


@dataclass(frozen=True)
class GameReport:
    """The analysis of a game, or of its first moves if it was stopped."""

    record: Record
    plies: tuple[PlyReport, ...]
    chances: tuple[float, ...]
    """Player 1's chance to win in every position that was searched."""

    @property
    def game(self) -> AnyGame:
        """The game that was played."""
        return registry.get(self.record.game)

    @property
    def is_complete(self) -> bool:
        """Whether every move was analysed."""
        return len(self.plies) == len(self.record.moves)

    def accuracy(self, player: int) -> float | None:
        """The mean accuracy of a player's moves, from 0 to 1; None if there are none."""
        values = [ply.accuracy for ply in self.plies if ply.player == player]
        return sum(values) / len(values) if values else None

    def class_counts(self, player: int) -> dict[MoveClass, int]:
        """How many moves of each class a player made, from best to blunder."""
        found = Counter(ply.move_class for ply in self.plies if ply.player == player)
        return {move_class: found[move_class] for move_class in MoveClass}

    @property
    def exact_from(self) -> PlyReport | None:
        """The first move from which on every position was solved, if there is one."""
        solved = takewhile(lambda ply: ply.best.exact, reversed(self.plies))
        return min(solved, key=lambda ply: ply.number, default=None)

    def turning_points(self) -> list[PlyReport]:
        """The moves that lost most, in the order they were played."""
        worst = sorted(self.plies, key=lambda ply: ply.loss, reverse=True)[:TURNING_POINTS]
        return sorted((ply for ply in worst if ply.mark), key=lambda ply: ply.number)

    def annotated(self) -> Record:
        """The record with a comment on every mistake."""
        moves = list(self.record.moves)
        for ply in self.plies:
            if ply.mark:
                remark = mistake_comment(ply.verdict, ply.explanation(self.game))
                moves[ply.number - 1] = with_remark(moves[ply.number - 1], remark)
        return replace(self.record, moves=tuple(moves))

    def html(self, *, paths: bool = False, flipped: bool = False, size: int = 400) -> str:
        """The report as a web page with a slider, which needs no network; see `State.svg`."""
        return game_page(self.record.title, self._fragment(GameOptions(paths, flipped, size)))

    def _repr_html_(self) -> str:
        """The report with a slider, for notebooks."""
        return self._fragment(GameOptions())

    def _fragment(self, options: GameOptions) -> str:
        record = self.record
        notes = [MoveNote(move.text, text=move.remarks) for move in record.moves]
        for ply in self.plies:
            given = notes[ply.number - 1]
            why = ply.explanation(self.game)
            texts = filter(None, [given.text, f"chance to win: {ply.verdict}", why])
            notes[ply.number - 1] = replace(given, mark=ply.mark, text="; ".join(texts))
        shares = [(record.player_name(player), self.accuracy(player)) for player in (1, 2)]
        told = [f"{name} {share:.0%}" for name, share in shares if share is not None]
        subtitle = "; ".join(filter(None, [record.subtitle, f"accuracy {', '.join(told)}"]))
        if not told:
            subtitle = record.subtitle
        if (first := self.exact_from) is not None:
            subtitle += f"; exact results from {first.turn} {first.move} on"
        states = record.states()
        return game_fragment(record.title, subtitle, states, notes, options, self.chances)

    def to_frame(self) -> pandas.DataFrame:
        """A pandas table with a row per analysed move (extra `data`)."""
        return make_frame(
            {
                "number": ply.number,
                "player": ply.player,
                "move": ply.move,
                "chance": ply.chance,
                "loss": ply.loss,
                "accuracy": ply.accuracy,
                "mark": ply.mark,
                "class": str(ply.move_class),
                "best_line": ply.best_line,
                "exact": ply.best.exact,
            }
            for ply in self.plies
        )


def analyse_game(
    record: Record,
    adviser: Seat,
    limits: SearchLimits,
    on_progress: Callable[[int, int], object] = lambda done, of: None,  # noqa: ARG005
) -> GameReport:
    """Analyse every position of a game; Ctrl-C ends it early, with a report on what is done.

    Positions that the adviser can solve are solved, unless a depth is given. With a cached adviser,
    the same analysis continues later where it was stopped.
    """
    states = record.states()
    found: list[SearchResult | None] = []
    chances: list[float] = []
    try:
        for done, state in enumerate(states):
            on_progress(done, len(states))
            result, chance = _judge(adviser, state, limits)
            found.append(result)
            chances.append(chance)
    except KeyboardInterrupt:
        pass
    plies = []
    for number, (before, after) in enumerate(pairwise(chances), 1):
        best, answer = found[number - 1 : number + 1]
        if best is None:
            raise ConfigError("a move cannot follow the end of a game")
        state = states[number - 1]
        action = state.parse_move(record.moves[number - 1].text)
        plies.append(_ply_report(number, state, action, (best, answer), (before, after)))
    return GameReport(record, tuple(plies), tuple(chances))


def judge_move(adviser: Seat, state: State, action: int, limits: SearchLimits) -> PlyReport:
    """The adviser's judgement of one legal move, as in the report of a game."""
    best, before = _judge(adviser, state, limits)
    if best is None:
        raise ConfigError("a move cannot follow the end of a game")
    answer, after = _judge(adviser, state.play(action), limits)
    return _ply_report(1, state, action, (best, answer), (before, after))


def _judge(adviser: Seat, state: State, limits: SearchLimits) -> tuple[SearchResult | None, float]:
    """What a search found, None in a finished game, and player 1's chance to win."""
    if state.outcome is not None:
        return None, {1: 1.0, 2: 0.0, None: 0.5}[state.outcome.winner]
    solution = None if limits.depth is not None else solve(adviser, state)
    result = solution or adviser.search(state, limits)
    return result, score_of(result, adviser).chance(1)


def score_of(result: SearchResult, adviser: Seat) -> Score:
    """The score of a result; a ConfigError if the adviser gave none."""
    if result.score is None:
        raise ConfigError(f"expected an agent that evaluates positions, got {adviser.name!r}")
    return result.score


def _ply_report(
    number: int,
    state: State,
    action: int,
    found: tuple[SearchResult, SearchResult | None],
    chances: tuple[float, float],
) -> PlyReport:
    """The report on a move, from the searches and player 1's chances before and after it."""
    player, (best, answer) = state.current_player, found
    before, after = chances if player == 1 else (1 - chances[0], 1 - chances[1])
    if answer is not None and best.exact != answer.exact:
        before, after = _estimates(best, answer) or (before, after)
    # The best move and its mirror images lose nothing, whatever the next search says about them.
    position = BookPosition(state)
    is_best = position.move(best.best_move) == position.move(action)
    loss = 0.0 if is_best else max(0.0, before - after)
    lowers_score = lost_points(state, action, best, answer) > 0
    move_class = classify(loss, is_best, lowers_score)
    is_good = move_class.is_near_best or (move_class is MoveClass.GOOD and not lowers_score)
    return PlyReport(
        number,
        player,
        state.format_move(action),
        best,
        format_line(state, best.pv[:SHOWN_PLIES]),
        before,
        loss,
        move_class,
        () if is_good else tuple(_remarks(state, action, best, answer)),
    )


def _estimates(best: SearchResult, answer: SearchResult) -> tuple[float, float] | None:
    """The player's chances before and after a move by estimates, if the scores have one unit."""
    if best.score is None or answer.score is None or best.score.unit != answer.score.unit:
        return None
    player = best.score.player
    return best.score.estimated_chance(player), answer.score.estimated_chance(player)


def _remarks(
    state: State, action: int, best: SearchResult, answer: SearchResult | None
) -> list[Remark]:
    """Proven results first, then what the game says about the move."""
    own = state.game.explain_move(state, action, best, answer)
    if best.win_in is not None and best.win_in > 0:
        move = state.format_move(best.best_move)
        own.insert(0, Remark("missed_win", {"move": move, "win_moves": (best.win_in + 1) // 2}))
    elif answer is not None and answer.win_in is not None and answer.win_in > 0:
        reply = state.play(action).format_move(answer.best_move)
        moves = (answer.win_in + 1) // 2
        own.insert(1, Remark("allows_win", {"reply": reply, "win_moves": moves}))
    return own[:MOST_REMARKS]


def verdict(mark: str, chance: float, loss: float, best_line: str) -> str:
    """The chances before and after a move, and the better line if it has a mark."""
    chances = f"{chance:.0%} to {chance - loss:.0%}"
    return f"{mark} {chances}; better {best_line}" if mark else chances


def mistake_comment(judgement: str, explanation: str) -> str:
    """The comment on a mistake in a record: the verdict, and why."""
    return f"{judgement}. {explanation}" if explanation else judgement


def with_remark(move: MoveRecord, remark: str) -> MoveRecord:
    """The move with a remark after its comment."""
    return replace(move, comment=f"{move.comment}; {remark}" if move.comment else remark)
