"""The rounds of a Swiss or knockout tournament as text and as JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from plyground.arena.config import ArenaConfig
from plyground.arena.rounds import Meeting, Round, count_rounds, swiss_standings
from plyground.arena.store import StoredGame
from plyground.json_types import Json, JsonObject
from plyground.play.record import points_of

Title: TypeAlias = Callable[[str], str]
"""The name that a table shows for an agent."""


def format_rounds(rounds: Sequence[Round], config: ArenaConfig, title: Title = str) -> str:
    """The meetings of each round, and the places of a Swiss tournament or a knockout's winner."""
    total = count_rounds(config.format, len(config.agents), config.rounds)
    lines = []
    for found in rounds:
        lines.append(f"round {found.number} of {total}")
        lines += [f"  {_format_meeting(meeting, title)}" for meeting in found.meetings]
    if config.format == "swiss":
        return "\n".join([*lines, *_format_places(rounds, config, title)])
    if (winner := knockout_winner(rounds, config)) is not None:
        lines.append(f"winner: {title(winner)}")
    return "\n".join(lines)


def _format_meeting(meeting: Meeting, title: Title) -> str:
    if meeting.other is None:
        return f"{title(meeting.one)}: bye"
    one, other = meeting.points
    text = f"{title(meeting.one)} {one:g} - {other:g} {title(meeting.other)}"
    if not meeting.is_over:
        return f"{text}, not finished"
    if one == other and meeting.winner is not None:
        return f"{text}, {title(meeting.winner)} goes through as the higher seed"
    return text


def _format_places(rounds: Sequence[Round], config: ArenaConfig, title: Title) -> list[str]:
    table = swiss_standings(config.agents, rounds, config.games)
    width = max(len("agent"), *(len(title(row.agent)) for row in table))
    lines = [f"place {'agent':<{width}}  points  game points  byes"]
    for place, row in enumerate(table, 1):
        points = f"{row.match_points:>6g}  {row.game_points:>11g}  {row.byes:>4}"
        lines.append(f"{place:>5} {title(row.agent):<{width}}  {points}")
    return lines


def knockout_winner(rounds: Sequence[Round], config: ArenaConfig) -> str | None:
    """The winner of a knockout, once its last round is over."""
    total = count_rounds(config.format, len(config.agents), config.rounds)
    if config.format != "knockout" or len(rounds) < total:
        return None
    (final,) = rounds[-1].meetings
    return final.winner


def summarize_rounds(rounds: Sequence[Round], config: ArenaConfig) -> JsonObject:
    """The rounds as JSON; {} for a tournament without rounds."""
    if not config.has_rounds:
        return {}
    summary: JsonObject = {
        "format": config.format,
        "rounds": [[_summarize_meeting(one) for one in found.meetings] for found in rounds],
    }
    if config.format == "knockout":
        return summary | {"winner": knockout_winner(rounds, config)}
    places: list[Json] = [
        {
            "agent": row.agent,
            "points": row.match_points,
            "game_points": row.game_points,
            "byes": row.byes,
        }
        for row in swiss_standings(config.agents, rounds, config.games)
    ]
    return summary | {"places": places}


def _summarize_meeting(meeting: Meeting) -> JsonObject:
    return {
        "first": meeting.one,
        "second": meeting.other,
        "points": [*meeting.points],
        "is_over": meeting.is_over,
        "winner": meeting.winner,
    }


_LABEL = re.compile(r"([0-9]+)\.[0-9]+\.[12]")
"""The label of a game in a round: the round, the pair of games and the game of the pair."""
_ROUND_TAG = re.compile(rf'^\[Round "({_LABEL.pattern})"\]$', re.MULTILINE)


class PlayedRounds:
    """The meetings of a tournament in rounds, counted from its games alone, without byes.

    >>> rounds = PlayedRounds()
    >>> rounds.add("a", "b", "1-0", "1.1.1")
    >>> rounds.add("b", "a", "1/2-1/2", "1.1.2")
    >>> rounds.add("a", "b", "1-0", "1.1")  # the label of a game without rounds
    >>> rounds.points
    {1: {('a', 'b'): [1.5, 0.5]}}
    """

    def __init__(self) -> None:
        self.points: dict[int, dict[tuple[str, str], list[float]]] = {}
        """Points of both agents, by round and meeting."""

    def add(self, player1: str, player2: str, result: str, label: str) -> None:
        """Count a game, if its label names a round."""
        if not (match := _LABEL.fullmatch(label)):
            return
        meetings = self.points.setdefault(int(match[1]), {})
        if (player2, player1) in meetings:
            points, first = meetings[player2, player1], 2
        else:
            points, first = meetings.setdefault((player1, player2), [0.0, 0.0]), 1
        points[0] += points_of(result, first)
        points[1] += points_of(result, 3 - first)

    def add_stored(self, game: StoredGame) -> None:
        """Count a game of a store."""
        if match := _ROUND_TAG.search(game.text):
            self.add(game.player1, game.player2, game.result, match[1])

    def lines(self) -> list[tuple[int, str]]:
        """The meetings in words, each with its round."""
        return [
            (number, f"{one} {points[0]:g} - {points[1]:g} {other}")
            for number, meetings in sorted(self.points.items())
            for (one, other), points in meetings.items()
        ]
