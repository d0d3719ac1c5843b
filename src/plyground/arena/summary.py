"""A tournament as text and as JSON: standings, progress, and the match of two agents."""

from __future__ import annotations

import math

from plyground.arena.crosstable import Crosstable, Standing
from plyground.arena.estimate import elo_estimate, normalised_elo, superiority
from plyground.arena.forfeits import counts_json, forfeits_note
from plyground.arena.sprt import Sprt
from plyground.hints import counted
from plyground.json_types import JsonObject

BAR = 24
"""Width of the progress bar."""


def format_standings(crosstable: Crosstable) -> str:
    """The standings: Elo with 95% intervals around an average of 0, points, games and forfeits."""
    table, ratings = crosstable.standings()
    width = max(5, *(len(crosstable.title(row.agent)) for row in table))
    lines = [
        f"  # {'agent':<{width}}    Elo    95%   score  games      +      =      - forfeits  better"
    ]
    for place, row in enumerate(table, 1):
        lines.append(f"{place:>3} {crosstable.title(row.agent):<{width}} {_numbers(row)}")
    if crosstable.games:
        first = ratings.first_player
        lines.append(
            f"{format_lead('player 1', first.elo)} ±{first.error:.0f} Elo, "
            f"{ratings.draw_share:.0%} draws between equals"
        )
    if len(ratings.groups) > 1:
        lines.append("some agents are not connected by games: their ratings do not compare")
    if note := format_forfeits(crosstable):
        lines.append(note)
    return "\n".join(lines)


def format_forfeits(crosstable: Crosstable) -> str:
    """The footnote about games that were lost by forfeit; empty if there are none."""
    return forfeits_note({agent: crosstable.forfeits(agent) for agent in crosstable.agents})


def format_lead(who: str, elo: float) -> str:
    """Whether a player is ahead or behind, and by how many points of Elo.

    >>> format_lead("player 1", 52.3), format_lead("player 1", -52.3)
    ('player 1 ahead by 52', 'player 1 behind by 52')
    """
    return f"{who} {'behind' if round(elo) < 0 else 'ahead'} by {abs(round(elo))}"


def _numbers(row: Standing) -> str:
    counts = f"{row.games:>6} {row.wins:>6} {row.draws:>6} {row.losses:>6}"
    counts += f" {row.forfeits.total():>8}"
    if not row.games:
        return f"{'-':>6} {'-':>6} {'-':>7} {counts}"
    better = "" if row.better_than_next is None else f" {row.better_than_next:>6.1%}"
    mark = "*" if row.has_forfeits else " "
    elo = f"{round(row.rating.elo):>+6}{mark}{row.rating.error:>6.0f}"
    return f"{elo} {row.score:>7.1%} {counts}{better}"


def format_pair(crosstable: Crosstable, sprt: Sprt | None = None, *, note: bool = True) -> str:
    """The match of the first two agents; `note=False` leaves out the footnote about forfeits."""
    one, other = crosstable.agents[:2]
    pairs = crosstable.pair_scores(one, other)
    wins, draws, losses = crosstable.counts(one, other)
    names = f"{crosstable.title(one)} against {crosstable.title(other)}"
    games = counted(wins + draws + losses, "game")
    head = f"{names}, {games}: +{wins} ={draws} -{losses}"
    lost = [crosstable.forfeits(one, other).total(), crosstable.forfeits(other, one).total()]
    mark = ""
    if any(lost):
        mark, head = "*", f"{head}, forfeits {lost[0]} and {lost[1]}"
    footnote = [format_forfeits(crosstable)] if mark and note else []
    if not pairs:
        return "\n".join([head, *footnote])
    counts = crosstable.pentanomial(one, other)
    nelo, low, _ = normalised_elo(counts)
    lines = [
        f"{head}  {elo_estimate(pairs)}{mark}",
        f"normalised {nelo:+.0f} ±{nelo - low:.0f}, " if math.isfinite(nelo) else "",
    ]
    lines[1] += f"stronger with {superiority(counts):.1%}, pairs by points {counts}"
    if sprt is not None:
        lines.append(format_sprt(sprt, counts))
    return "\n".join([*lines, *footnote])


def format_sprt(sprt: Sprt, counts: list[int]) -> str:
    """The state of a sequential test."""
    low, high = sprt.bounds
    verdict = {"H0": ", H0 accepted", "H1": ", H1 accepted", None: ""}[sprt.decision(counts)]
    return f"SPRT {sprt}: LLR {sprt.llr(counts):.2f} ({low:.2f} to {high:.2f}){verdict}"


def format_progress(done: int, total: int, left_s: float | None) -> str:
    """A progress bar with the time left.

    >>> format_progress(1, 4, 3725)
    '[######..................] 1 of 4 games, 25%, 1:02:05 left'
    """
    filled = BAR * done // total if total else BAR
    bar = "#" * filled + "." * (BAR - filled)
    share = done / total if total else 1.0
    left = "" if left_s is None else f", {format_duration(left_s)} left"
    return f"[{bar}] {done:,} of {counted(total, 'game')}, {share:.0%}{left}"


def format_duration(seconds: float) -> str:
    """A time in hours, minutes and seconds.

    >>> format_duration(75), format_duration(3725)
    ('1:15', '1:02:05')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def summarize(crosstable: Crosstable, sprt: Sprt | None = None) -> JsonObject:
    """The standings as JSON; numbers that are unknown or not finite are None."""
    table, ratings = crosstable.standings()
    summary: JsonObject = {
        "games": crosstable.games,
        "agents": [
            {
                "agent": row.agent,
                "name": crosstable.title(row.agent),
                "elo": _finite(row.rating.elo if row.games else math.nan),
                "elo_interval": [_finite(row.rating.low), _finite(row.rating.high)],
                "score": row.score if row.games else None,
                "wins": row.wins,
                "draws": row.draws,
                "losses": row.losses,
                "better_than_next": row.better_than_next,
                "forfeits": {**counts_json(row.forfeits)},
                "has_forfeits": row.has_forfeits,
            }
            for row in table
        ],
        "first_player_elo": ratings.first_player.elo,
        "draw_share": ratings.draw_share,
    }
    if len(crosstable.agents) == 2:
        summary["pair"] = summarize_pair(crosstable, sprt)
    return summary


def summarize_pair(crosstable: Crosstable, sprt: Sprt | None = None) -> JsonObject:
    """The match of two agents as JSON; estimates are None before a pair of games is complete."""
    one, other = crosstable.agents
    counts = crosstable.pentanomial(one, other)
    has_pairs = sum(counts) > 0
    estimate = elo_estimate(crosstable.pair_scores(one, other))
    wins, draws, losses = crosstable.counts(one, other)
    summary: JsonObject = {
        "first": one,
        "second": other,
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "forfeits": {
            "first": {**counts_json(crosstable.forfeits(one, other))},
            "second": {**counts_json(crosstable.forfeits(other, one))},
        },
        "score": estimate.score if has_pairs else None,
        "elo": _finite(estimate.elo) if has_pairs else None,
        "elo_interval": [_finite(elo) if has_pairs else None for elo in estimate.elo_interval],
        "pentanomial": [*counts],
        "normalised_elo": _finite(normalised_elo(counts)[0]) if has_pairs else None,
        "superiority": superiority(counts) if has_pairs else None,
    }
    if sprt is not None:
        summary["sprt"] = {"llr": sprt.llr(counts), "decision": sprt.decision(counts)}
    return summary


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
