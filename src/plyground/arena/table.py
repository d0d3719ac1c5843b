"""A tournament in words: the table, the progress, and what a match of two says."""

from __future__ import annotations

import math
from typing import Any

from plyground.arena.estimate import elo_estimate, normalised_elo, superiority
from plyground.arena.scores import Scores, Standing
from plyground.arena.sprt import Sprt

BAR = 24
"""Width of the progress bar."""


def format_table(scores: Scores) -> str:
    """Who is how strong: Elo with 95% intervals, the average being 0; points and games."""
    table, ratings = scores.standings()
    width = max(5, *(len(row.agent) for row in table))
    lines = [f"  # {'agent':<{width}}    Elo    95%   score  games      +      =      -  better"]
    for place, row in enumerate(table, 1):
        lines.append(f"{place:>3} {row.agent:<{width}} {_numbers(row)}")
    if scores.games:
        first = ratings.first_player
        lines.append(
            f"player 1 ahead by {round(first.elo):+} ±{first.error:.0f} Elo, "
            f"{ratings.draw_share:.0%} draws between equals"
        )
    if len(ratings.groups) > 1:
        lines.append("not all have met, even through others: their numbers do not compare")
    return "\n".join(lines)


def _numbers(row: Standing) -> str:
    counts = f"{row.games:>6} {row.wins:>6} {row.draws:>6} {row.losses:>6}"
    if not row.games:
        return f"{'-':>6} {'-':>6} {'-':>7} {counts}"
    better = "" if row.better_than_next is None else f" {row.better_than_next:>6.1%}"
    return (
        f"{round(row.rating.elo):>+6} {row.rating.error:>6.0f} {row.score:>7.1%} {counts}{better}"
    )


def format_pair(scores: Scores, sprt: Sprt | None = None) -> str:
    """What the games of the first two agents say about them."""
    one, other = scores.agents[:2]
    pairs = scores.pair_scores(one, other)
    wins, draws, losses = scores.counts(one, other)
    head = f"{one} against {other}, {wins + draws + losses} games: +{wins} ={draws} -{losses}"
    if not pairs:
        return head
    counts = scores.pentanomial(one, other)
    nelo, low, _ = normalised_elo(counts)
    lines = [
        f"{head}  {elo_estimate(pairs)}",
        f"normalised {nelo:+.0f} ±{nelo - low:.0f}, " if math.isfinite(nelo) else "",
    ]
    lines[1] += f"stronger with {superiority(counts):.1%}, pairs by points {counts}"
    if sprt is not None:
        lines.append(format_sprt(sprt, counts))
    return "\n".join(lines)


def format_sprt(sprt: Sprt, counts: list[int]) -> str:
    """How far a test has come."""
    low, high = sprt.bounds
    verdict = {"H0": ", H0 accepted", "H1": ", H1 accepted", None: ""}[sprt.decision(counts)]
    return f"SPRT {sprt}: LLR {sprt.llr(counts):.2f} ({low:.2f} to {high:.2f}){verdict}"


def format_progress(done: int, total: int, left_s: float | None) -> str:
    """How far a tournament has come.

    >>> format_progress(1, 4, 3725)
    '[######..................] 1 of 4 games, 25%, 1:02:05 left'
    """
    filled = BAR * done // total if total else BAR
    bar = "#" * filled + "." * (BAR - filled)
    share = done / total if total else 1.0
    left = "" if left_s is None else f", {format_duration(left_s)} left"
    return f"[{bar}] {done:,} of {total:,} games, {share:.0%}{left}"


def format_duration(seconds: float) -> str:
    """Time as people say it.

    >>> format_duration(75), format_duration(3725)
    ('1:15', '1:02:05')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def as_dict(scores: Scores, sprt: Sprt | None = None) -> dict[str, Any]:
    """All that the table says, as plain values; what is not known, or not finite, is None."""
    table, ratings = scores.standings()
    found: dict[str, Any] = {
        "games": scores.games,
        "agents": [
            {
                "agent": row.agent,
                "elo": _finite(row.rating.elo if row.games else math.nan),
                "elo_interval": [_finite(row.rating.low), _finite(row.rating.high)],
                "score": row.score if row.games else None,
                "wins": row.wins,
                "draws": row.draws,
                "losses": row.losses,
                "better_than_next": row.better_than_next,
            }
            for row in table
        ],
        "first_player_elo": ratings.first_player.elo,
        "draw_share": ratings.draw_share,
    }
    if len(scores.agents) == 2:
        found["pair"] = _pair_as_dict(scores, sprt)
    return found


def _pair_as_dict(scores: Scores, sprt: Sprt | None) -> dict[str, Any]:
    one, other = scores.agents
    counts = scores.pentanomial(one, other)
    estimate = elo_estimate(scores.pair_scores(one, other))
    wins, draws, losses = scores.counts(one, other)
    found: dict[str, Any] = {
        "first": one,
        "second": other,
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "score": estimate.score,
        "elo": _finite(estimate.elo),
        "elo_interval": [_finite(elo) for elo in estimate.elo_interval],
        "pentanomial": counts,
        "normalised_elo": _finite(normalised_elo(counts)[0]) if sum(counts) else None,
        "superiority": superiority(counts),
    }
    if sprt is not None:
        found["sprt"] = {"llr": sprt.llr(counts), "decision": sprt.decision(counts)}
    return found


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
