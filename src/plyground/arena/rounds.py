"""Swiss and knockout tournaments, whose pairings depend on the results of earlier rounds.

Everything here is a pure function of the agents and the results, so a tournament that was killed
is paired again as before. The order of the agents is their seeding.

*Swiss*: a round pairs agents of equal points, the better half of a group with the other half. The
points are those of meetings: 1 for a win, 1/2 for a draw, 1 for a bye. No two agents meet again,
and none has a second bye, as long as that can be avoided.

*Knockout*: the bracket keeps the first seeds apart, and gives them the byes. A tied meeting goes on
with up to TIE_BREAK_PAIRS more pairs of games, one at a time; then the higher seed goes through.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from plyground.arena.task import Task
from plyground.play.record import points_of

TIE_BREAK_PAIRS = 4
"""The most pairs of games that a tied meeting of a knockout adds."""
_PRIME = 2**61 - 1

Pairing: TypeAlias = tuple[str, str | None]
"""Two agents that meet, or an agent with a bye."""
Results: TypeAlias = Mapping[tuple[str, str, str, int], str]
"""Results such as 1-0, by the keys of their tasks."""
MakePair: TypeAlias = Callable[[str, str, int, int], tuple[Task, Task]]
"""Makes the two games of one opening, from two agents, a round and the number of the pair."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """The games of two agents in a round; without the other one, a bye."""

    one: str
    other: str | None
    tasks: tuple[Task, ...] = ()
    points: tuple[float, float] = (0.0, 0.0)
    """Points so far."""
    is_over: bool = True
    winner: str | None = None
    """The agent with more points, or that goes through; None for a draw or before the end."""

    def match_points(self, agent: str) -> float:
        """Points for the whole meeting: 1, 1/2 or 0."""
        return 0.5 if self.winner is None else float(self.winner == agent)

    def points_for(self, agent: str) -> float:
        """Points in its games; a bye has none."""
        return self.points[0] if agent == self.one else self.points[1]


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a tournament."""

    number: int
    meetings: tuple[Meeting, ...]

    @property
    def is_over(self) -> bool:
        """Whether all games are played."""
        return all(meeting.is_over for meeting in self.meetings)

    @property
    def tasks(self) -> list[Task]:
        """Its games, in turn from each meeting, as far as they are known."""
        longest = max((len(meeting.tasks) for meeting in self.meetings), default=0)
        return [
            task
            for first in range(0, longest, 2)
            for meeting in self.meetings
            for task in meeting.tasks[first : first + 2]
        ]


@dataclass(frozen=True, slots=True)
class SwissStanding:
    """The points of an agent in a Swiss tournament."""

    agent: str
    match_points: float
    """Points for meetings: 1 for a win or a bye, 1/2 for a draw."""
    game_points: float
    """Points in games; a bye counts as half of its games."""
    byes: int


def count_rounds(form: str, agents: int, rounds: int | None) -> int:
    """The number of rounds: those of a bracket, and by default also of a Swiss tournament.

    >>> count_rounds("knockout", 9, None), count_rounds("swiss", 9, 7)
    (4, 7)
    """
    return math.ceil(math.log2(agents)) if form == "knockout" or rounds is None else rounds


def pairs_of_round(form: str, games: int) -> int:
    """The most pairs of games in a meeting, each from an opening of its own."""
    return games // 2 + (TIE_BREAK_PAIRS if form == "knockout" else 0)


def play_rounds(
    form: str, agents: Sequence[str], rounds: int, games: int, make_pair: MakePair, results: Results
) -> list[Round]:
    """The rounds up to the first that is not over, with their results so far."""
    found: list[Round] = []
    for number in range(1, rounds + 1):
        if form == "knockout":
            pairings = knockout_pairings(agents, found)
        else:
            pairings = swiss_pairings(swiss_standings(agents, found, games), found)
        meetings = [
            _meeting(form, agents, number, games, pairing, make_pair, results)
            for pairing in pairings
        ]
        found.append(Round(number, tuple(meetings)))
        if not found[-1].is_over:
            break
    return found


def _meeting(
    form: str,
    agents: Sequence[str],
    number: int,
    games: int,
    pairing: Pairing,
    make_pair: MakePair,
    results: Results,
) -> Meeting:
    one, other = pairing
    if other is None:
        return Meeting(one, None, winner=one)
    tasks: list[Task] = []
    points = {one: 0.0, other: 0.0}
    is_over = True
    for pair in range(pairs_of_round(form, games)):
        if pair >= games // 2 and (not is_over or points[one] != points[other]):
            break
        for task in make_pair(one, other, number, pair):
            tasks.append(task)
            if (result := results.get(task.key)) is None:
                is_over = False
                continue
            points[task.player1] += points_of(result, 1)
            points[task.player2] += points_of(result, 2)
    winner = None
    if is_over and points[one] != points[other]:
        winner = max(points, key=lambda agent: points[agent])
    elif is_over and form == "knockout":
        winner = min(pairing, key=lambda agent: agents.index(str(agent)))
    return Meeting(one, other, tuple(tasks), (points[one], points[other]), is_over, winner)


def swiss_standings(
    agents: Sequence[str], rounds: Iterable[Round], games: int
) -> list[SwissStanding]:
    """The agents of a Swiss tournament, best first, by the meetings that are over.

    Equal points of meetings are decided by the points of games, then by the seeding.
    """
    byes = Counter[str]()
    match_points = dict.fromkeys(agents, 0.0)
    game_points = dict.fromkeys(agents, 0.0)
    for meeting in (meeting for one in rounds for meeting in one.meetings if meeting.is_over):
        for agent in filter(None, (meeting.one, meeting.other)):
            own = games / 2 if meeting.other is None else meeting.points_for(agent)
            match_points[agent] += meeting.match_points(agent)
            game_points[agent] += own
        byes[meeting.one] += meeting.other is None
    table = [
        SwissStanding(agent, match_points[agent], game_points[agent], byes[agent])
        for agent in agents
    ]
    return sorted(table, key=lambda row: (-row.match_points, -row.game_points))


def swiss_pairings(standings: Sequence[SwissStanding], rounds: Iterable[Round]) -> list[Pairing]:
    """The next round: equal points meet, and no two agents twice while that can be avoided."""
    ranking: list[str | None] = [row.agent for row in standings]
    points = {row.agent: row.match_points for row in standings}
    if len(ranking) % 2:
        ranking.append(None)  # the bye, which an agent meets at most once like any other
    met = Counter(
        frozenset((meeting.one, meeting.other)) for one in rounds for meeting in one.meetings
    )
    most = 0

    def may_meet(one: str | None, other: str | None) -> bool:
        return met[frozenset((one, other))] <= most

    while not _can_pair(ranking, may_meet):
        most += 1
    pairings: list[Pairing] = []
    left = list(ranking)
    if None in left:
        left.remove(None)
        agent = next(
            agent
            for agent in reversed(left)
            if may_meet(agent, None) and _can_pair([x for x in left if x != agent], may_meet)
        )
        left.remove(agent)
        pairings.append((str(agent), None))
    while left:
        one = left.pop(0)
        other = next(
            other
            for other in _opponents(str(one), left, points)
            if may_meet(one, other) and _can_pair([x for x in left if x != other], may_meet)
        )
        left.remove(other)
        pairings.append((str(one), other))
    return pairings[1:] + pairings[:1] if None in ranking else pairings


def _opponents(
    one: str, left: Sequence[str | None], points: Mapping[str, float]
) -> list[str | None]:
    """The opponents of the first agent of a group, best first: the middle of its group."""
    group = [other for other in left if points[str(other)] == points[one]]
    half = (len(group) + 1) // 2 - 1 if group else 0
    others = [other for other in left if other not in group]
    return [*group[half:], *reversed(group[:half]), *others]


def _can_pair(
    agents: Collection[str | None], may_meet: Callable[[str | None, str | None], bool]
) -> bool:
    """Whether all agents can be paired: whether a graph has a perfect matching.

    That is so if and only if the determinant of its Tutte matrix is not zero, which random numbers
    modulo a prime decide (L. Lovász, "On determinants, matchings, and random algorithms", 1979).
    They are always the same, and wrong with a probability below 10^-15.
    """
    nodes = list(agents)
    size = len(nodes)
    neighbours = [sum(may_meet(one, other) for other in nodes if other != one) for one in nodes]
    if all(2 * count >= size for count in neighbours):  # enough by Dirac's theorem
        return True
    rng = random.Random(size)
    rows = [[0] * size for _ in nodes]
    for i in range(size):
        for j in range(i):
            if may_meet(nodes[i], nodes[j]):
                rows[i][j] = rng.randrange(1, _PRIME)
                rows[j][i] = _PRIME - rows[i][j]
    return _is_regular(rows)


def _is_regular(rows: list[list[int]]) -> bool:
    """Whether a matrix has a determinant other than zero, modulo the prime."""
    for column in range(len(rows)):
        pivot = next((row for row in range(column, len(rows)) if rows[row][column]), None)
        if pivot is None:
            return False
        rows[column], rows[pivot] = rows[pivot], rows[column]
        inverse = pow(rows[column][column], -1, _PRIME)
        for row in range(column + 1, len(rows)):
            if factor := rows[row][column] * inverse % _PRIME:
                rows[row] = [
                    (value - factor * above) % _PRIME
                    for value, above in zip(rows[row], rows[column], strict=True)
                ]
    return True


def knockout_pairings(agents: Sequence[str], rounds: Sequence[Round]) -> list[Pairing]:
    """The next round of a bracket.

    >>> knockout_pairings("abcde", [])
    [('a', None), ('d', 'e'), ('b', None), ('c', None)]
    """
    if rounds:
        through = [meeting.winner for meeting in rounds[-1].meetings]
        return [(str(one), other) for one, other in zip(through[::2], through[1::2], strict=True)]
    order = [0]
    while len(order) < len(agents):
        last = 2 * len(order) - 1
        order = [seed for one in order for seed in (one, last - one)]
    seats = [agents[seed] if seed < len(agents) else None for seed in order]
    pairs = zip(seats[::2], seats[1::2], strict=True)
    return [(one, other) if one is not None else (str(other), None) for one, other in pairs]
