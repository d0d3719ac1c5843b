"""Swiss and knockout tournaments: their pairings, and how they go on after a stop."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from plyground.agents.base import Forfeit, ForfeitKind
from plyground.arena.config import ArenaConfig
from plyground.arena.game import PlayerTotals, forfeited_game
from plyground.arena.rounds import (
    TIE_BREAK_PAIRS,
    Meeting,
    Pairing,
    Round,
    knockout_pairings,
    swiss_pairings,
    swiss_standings,
)
from plyground.arena.rounds_summary import format_rounds, knockout_winner, summarize_rounds
from plyground.arena.store import Store
from plyground.arena.task import GameResult, Task
from plyground.arena.tournament import Tournament
from plyground.cli.main import main
from plyground.config import Settings
from plyground.errors import ConfigError
from plyground.play import Record
from tests.arena import fake_players


def names(count: int) -> list[str]:
    return [f"random:seed={number}" for number in range(count)]


def all_pairings(agents: Sequence[str | None]) -> Iterator[list[frozenset[str | None]]]:
    """Every way to pair an even number of agents."""
    if not agents:
        yield []
        return
    one, *rest = agents
    for other in rest:
        for more in all_pairings([x for x in rest if x != other]):
            yield [frozenset((one, other)), *more]


def play_pairings(pairings: Sequence[Pairing], number: int, rng: random.Random) -> Round:
    """A round of two games a meeting, with random results."""
    meetings = []
    for one, other in pairings:
        if other is None:
            meetings.append(Meeting(one, None, winner=one))
            continue
        points = rng.choice([0.0, 0.5, 1.0, 1.5, 2.0])
        winner = one if points > 1 else other if points < 1 else None
        meetings.append(Meeting(one, other, (), (points, 2 - points), True, winner))
    return Round(number, tuple(meetings))


@pytest.mark.parametrize("count", range(2, 9))
@pytest.mark.parametrize("seed", range(4))
def test_swiss_pairs_everyone_once_and_repeats_only_what_it_must(count: int, seed: int) -> None:
    agents, rng, rounds = names(count), random.Random(seed), list[Round]()
    met = Counter[frozenset[str | None]]()
    for number in range(1, count + 3):
        pairings = swiss_pairings(swiss_standings(agents, rounds, 2), rounds)
        assert sorted(agent for pair in pairings for agent in pair if agent) == sorted(agents)
        chosen = [frozenset(pair) for pair in pairings]
        everyone: list[str | None] = [*agents, *([None] if count % 2 else [])]
        fewest = min(max(met[pair] for pair in pairs) for pairs in all_pairings(everyone))
        assert max(met[pair] for pair in chosen) == fewest
        met.update(chosen)
        rounds.append(play_pairings(pairings, number, rng))


def test_swiss_pairs_equal_points_and_seeds_the_first_round() -> None:
    agents = names(8)
    first = swiss_pairings(swiss_standings(agents, [], 2), [])
    assert first == list(zip(agents[:4], agents[4:], strict=True))
    won = [Meeting(one, other, (), (2.0, 0.0), True, one) for one, other in first]
    rounds = [Round(1, tuple(won))]
    assert swiss_pairings(swiss_standings(agents, rounds, 2), rounds) == [
        (agents[0], agents[2]),
        (agents[1], agents[3]),
        (agents[4], agents[6]),
        (agents[5], agents[7]),
    ]


def test_the_bye_goes_to_the_last_without_one() -> None:
    agents, rounds, rng = names(5), list[Round](), random.Random(1)
    for number in range(1, 6):
        standings = swiss_standings(agents, rounds, 2)
        pairings = swiss_pairings(standings, rounds)
        assert pairings[-1][1] is None
        rounds.append(play_pairings(pairings, number, rng))
    assert sorted(one.meetings[-1].one for one in rounds) == agents
    assert rounds[0].meetings[-1].one == agents[-1]
    assert {row.byes for row in swiss_standings(agents, rounds, 2)} == {1}


def test_a_large_field_is_paired_quickly() -> None:
    agents, rounds, rng = names(61), list[Round](), random.Random(1)
    for number in range(1, 7):
        pairings = swiss_pairings(swiss_standings(agents, rounds, 2), rounds)
        rounds.append(play_pairings(pairings, number, rng))
    met = Counter(frozenset((x.one, x.other)) for one in rounds for x in one.meetings)
    assert set(met.values()) == {1}


def test_the_bracket_of_a_knockout() -> None:
    assert knockout_pairings("abcdefgh", []) == [("a", "h"), ("d", "e"), ("b", "g"), ("c", "f")]
    assert knockout_pairings("abc", []) == [("a", None), ("b", "c")]
    assert knockout_pairings("ab", []) == [("a", "b")]
    first = Round(1, (Meeting("a", None, winner="a"), Meeting("b", "c", winner="c")))
    assert knockout_pairings("abc", [first]) == [("a", "c")]


# ---- whole tournaments, with results by a rule instead of games


class Judge:
    """A backend that decides games by the numbers of the agents: the lower one wins."""

    def __init__(self, draws: frozenset[str] = frozenset(), stop_after: int = 10**9) -> None:
        self.draws = draws
        self.left = stop_after
        self.played: list[Task] = []

    def __call__(self, tasks: Iterator[Task]) -> Iterator[GameResult]:
        for task in tasks:
            if not self.left:
                return
            self.left -= 1
            self.played.append(task)
            result = "1-0" if task.player1 < task.player2 else "0-1"
            if self.draws >= {task.player1, task.player2}:
                result = "1/2-1/2"
            record = Record.from_moves([], task.start_state(), task.tags, result=result)
            yield GameResult(task, record)


HERE: Settings = {"preset": "tiny", "games": 4, "openings": "start"}


def play(config: ArenaConfig, store: Store, judge: Judge) -> Tournament:
    tournament = Tournament(config, store, backend=judge)  # type: ignore[arg-type]
    list(tournament.run())
    return tournament


@pytest.mark.parametrize("form", ["swiss", "knockout"])
@pytest.mark.parametrize("count", [2, 3, 5, 8])
def test_a_stopped_tournament_goes_on_with_the_same_pairings(form: str, count: int) -> None:
    config = ArenaConfig(tuple(names(count)), form, **HERE)
    drawn = frozenset(names(2))
    with Store(":memory:") as store:
        whole = Judge(drawn)
        tournament = play(config, store, whole)
        assert tournament.done == tournament.total == len(whole.played)
    with Store(":memory:") as store:
        played: list[Task] = []
        while True:
            judge = Judge(drawn, stop_after=3)
            again = play(config, store, judge)
            played += judge.played
            if judge.left:
                break
        assert played == whole.played
        assert again.rounds == tournament.rounds
        assert again.crosstable.tallies() == tournament.crosstable.tallies()


@pytest.mark.parametrize("form", ["swiss", "knockout"])
def test_both_colours_are_played_equally_often(form: str) -> None:
    with Store(":memory:") as store:
        judge = Judge()
        play(ArenaConfig(tuple(names(7)), form, **HERE), store, judge)
    for agent in names(7):
        first = sum(task.player1 == agent for task in judge.played)
        assert first == sum(task.player2 == agent for task in judge.played)
    assert len({task.key for task in judge.played}) == len(judge.played)


def test_the_best_wins_a_swiss_tournament() -> None:
    config = ArenaConfig(tuple(names(8)), "swiss", **HERE)
    with Store(":memory:") as store:
        tournament = play(config, store, Judge())
    assert [found.number for found in tournament.rounds] == [1, 2, 3]
    places = swiss_standings(config.agents, tournament.rounds, 4)
    assert (places[0].agent, places[0].match_points, places[0].game_points) == (names(1)[0], 3, 12)
    text = format_rounds(tournament.rounds, config)
    assert "round 3 of 3\n" in text
    assert text.splitlines()[-8].split() == ["1", names(1)[0], "3", "12", "0"]
    summary = json.dumps(summarize_rounds(tournament.rounds, config))
    assert json.loads(summary)["places"][0]["points"] == 3


def test_ties_of_a_knockout_are_broken_by_more_games_and_then_by_the_seeding() -> None:
    agents = tuple(names(4))
    config = ArenaConfig(agents, "knockout", **HERE)
    with Store(":memory:") as store:
        tournament = play(config, store, Judge(frozenset(agents[:2])))
    final = tournament.rounds[-1].meetings[0]
    assert len(final.tasks) == 4 + 2 * TIE_BREAK_PAIRS
    assert (final.points, final.winner) == ((6, 6), agents[0])
    assert knockout_winner(tournament.rounds, config) == agents[0]
    lines = format_rounds(tournament.rounds, config).splitlines()
    assert lines[-2:] == [
        f"  {agents[0]} 6 - 6 {agents[1]}, {agents[0]} goes through as the higher seed",
        f"winner: {agents[0]}",
    ]


def test_a_tie_is_broken_as_soon_as_one_leads() -> None:
    class Late(Judge):
        def __call__(self, tasks: Iterator[Task]) -> Iterator[GameResult]:
            for task in tasks:
                self.draws = frozenset(names(2)) if len(self.played) < 6 else frozenset()
                yield from super().__call__(iter([task]))

    with Store(":memory:") as store:
        tournament = play(ArenaConfig(tuple(names(2)), "knockout", **HERE), store, Late())
    (final,) = tournament.rounds[0].meetings
    assert (final.points, len(final.tasks)) == ((5, 3), 8)


def test_other_agents_games_or_rounds_are_another_tournament() -> None:
    config = ArenaConfig(tuple(names(4)), "swiss", **HERE)
    changes: list[Settings] = [
        {"agents": tuple(names(3))},
        {"agents": tuple(names(4)[::-1])},
        {"games": 6},
        {"rounds": 3},
        {"format": "knockout"},
    ]
    assert replace(config, rounds=2).identity() == config.identity()
    for change in changes:
        assert replace(config, **change).identity() != config.identity()
    assert "format" not in replace(config, format="round-robin").identity()


class FailingStart(Judge):
    """A backend with an agent that does not start."""

    def __call__(self, tasks: Iterator[Task]) -> Iterator[GameResult]:
        broken = names(4)[1]
        for task in tasks:
            self.played.append(task)
            if broken in (task.player1, task.player2):
                loser = 1 if task.player1 == broken else 2
                failure = Forfeit("no such file", ForfeitKind.NO_START)
                yield forfeited_game(task, [], PlayerTotals(), loser, failure)
            else:
                yield from super().__call__(iter([task]))


def test_an_agent_that_is_out_forfeits_the_rest_of_its_games() -> None:
    config = ArenaConfig(tuple(names(4)), "swiss", rounds=3, **HERE)
    with Store(":memory:") as store:
        judge = FailingStart()
        tournament = Tournament(config, store, backend=judge)  # type: ignore[arg-type]
        games = list(tournament.run())
        assert len(games) == tournament.done == tournament.total == 24
        assert sum(names(4)[1] in (x.player1, x.player2) for x in judge.played) == 3
        lost = tournament.crosstable.forfeits(names(4)[1])
        assert lost == {ForfeitKind.NO_START: 12}
        reasons = Counter(game.record.termination for game in games)
        assert reasons["no start: out after failed starts"] == 9
        (sentence,) = tournament.failures()
        assert sentence == f"{names(4)[1]} is out: it failed to start 3 times in a row"
        again = Tournament(config, store, backend=FailingStart())  # type: ignore[arg-type]
        assert list(again.run()) == []
        assert again.rounds == tournament.rounds


def test_a_worker_plays_the_rounds_of_a_tournament() -> None:
    agents = ("random:seed=1", "random:seed=2", "pathfinder")
    config = ArenaConfig(agents, "swiss", preset="tiny", games=2, workers=1, openings="start")
    with Store(":memory:") as store:
        tournament = Tournament(config, store, make_agent=fake_players.make)
        assert len(list(tournament.run())) == tournament.total == 4
        assert [len(found.meetings) for found in tournament.rounds] == [2, 2]


def test_rounds_in_the_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["arena", "random:seed=1", "random:seed=2", "pathfinder", "--preset", "tiny"]
    command += ["--format", "knockout", "--games", "2", "--store", str(tmp_path / "games.sqlite")]
    assert main(command) == 0
    text = capsys.readouterr().out
    assert "round 1 of 2\n  random:seed=1: bye\n" in text
    assert main([*command, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["format"] == "knockout"
    assert f"winner: {found['winner']}\n" in text
    assert [len(meetings) for meetings in found["rounds"]] == [2, 1]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rounds": 3}, "rounds need the format swiss, got round-robin"),
        ({"format": "knockout", "rounds": 3}, "rounds need the format swiss, got knockout"),
        (
            {"format": "swiss", "rounds": 0},
            "expected rounds to be a whole number from 1 to 1000, got 0",
        ),
        ({"format": "swiss", "games": 3}, "expected an even number of games, got 3"),
        (
            {"format": "swiss", "agents": ["random", "pathfinder"], "sprt": {"elo0": 0, "elo1": 5}},
            "an SPRT cannot end a tournament of the format swiss",
        ),
    ],
)
def test_mistakes(settings: Settings, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        ArenaConfig.of({"agents": ["random", "pathfinder", "minimax"]} | settings)
    assert str(caught.value).startswith(message)
