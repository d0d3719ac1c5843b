"""Whole tournaments: complete, continued, stopped by the SPRT, and shown as a table."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from plyground.arena.config import ArenaConfig
from plyground.arena.crosstable import Crosstable, GameKey
from plyground.arena.sprt import Sprt
from plyground.arena.store import Filter, Store
from plyground.arena.summary import format_pair, format_standings, summarize, summarize_pair
from plyground.arena.tournament import Tournament
from plyground.config import Settings
from plyground.errors import ConfigError
from tests.arena import fake_players

HERE: Settings = {"preset": "small", "games": 6, "workers": 0}
CONFIG = ArenaConfig(("minimax:depth=1", "pathfinder", "random:seed=1"), **HERE)


def test_every_game_is_played_once_and_counted_once() -> None:
    with Store(":memory:") as store:
        tournament = Tournament(CONFIG, store)
        games = list(tournament.run())
        assert len(games) == tournament.done == store.count() == tournament.crosstable.games == 18
        assert {game.task.key for game in games} == {task.key for task in tournament.tasks}
        assert list(Tournament(CONFIG, store).run()) == []


def test_openings_are_looked_for_once(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    heard: list[int] = []
    config = replace(CONFIG, preset=None, settings={"board": 5, "walls": 4})  # has no book
    with Store(path) as store:
        first = Tournament(config, store, on_found=lambda found, _: heard.append(found))
        assert heard
    with Store(path) as store:
        heard.clear()
        again = Tournament(config, store, fresh=True, on_found=lambda found, _: heard.append(found))
        assert again.tasks == first.tasks
        assert heard == []
        changes: list[Settings] = [{"seed": 2}, {"games": 4}]
        changes.append({"settings": {"board": 4, "walls": 4}})
        for change in changes:
            other = replace(config, **change)
            plain = Tournament(other, Store(":memory:"))
            assert Tournament(other, store).tasks == plain.tasks


def test_it_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    whole = _keys(Tournament(CONFIG, Store(":memory:")))
    with Store(path) as store:
        games = Tournament(CONFIG, store).run()
        first = [next(games).task.key for _ in range(7)]
        games.close()
    with Store(path) as store:
        tournament = Tournament(CONFIG, store)
        assert tournament.done == 7
        rest = [game.task.key for game in tournament.run()]
        assert sorted(first + rest) == whole
        assert tournament.crosstable.games == 18


def test_two_that_play_the_same_count_the_same_games(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with Store(path) as one, Store(path) as other:
        slow = Tournament(CONFIG, other).run()
        next(slow)
        quick = Tournament(CONFIG, one)
        list(quick.run())
        late = Tournament(CONFIG, other)
        late._done.clear()  # as if it had begun before the other one played
        assert list(late.run()) == []
        assert late.crosstable.games == late.done == one.count() == 18
        assert format_standings(late.crosstable) == format_standings(quick.crosstable)
        slow.close()


def _keys(tournament: Tournament) -> list[GameKey]:
    keys = sorted(game.task.key for game in tournament.run())
    tournament.store.close()
    return keys


def test_more_games_and_more_agents_add_to_what_is_there() -> None:
    with Store(":memory:") as store:
        list(Tournament(CONFIG, store).run())
        more = replace(CONFIG, games=8)
        assert len(list(Tournament(more, store).run())) == 6
        others = replace(more, agents=(*CONFIG.agents[:2], "random:seed=2"))
        tournament = Tournament(others, store)
        assert tournament.done == 8
        assert len(list(tournament.run())) == 16
        # The table is about these three alone.
        assert tournament.crosstable.games == 24
        fewer = Tournament(replace(CONFIG, games=2), store)
        assert list(fewer.run()) == []
        assert fewer.crosstable.games == 24


def test_other_conditions_are_another_tournament() -> None:
    with Store(":memory:") as store:
        first = Tournament(CONFIG, store)
        list(first.run())
        changes: list[Settings] = [{"seed": 2}, {"limits": {"depth": 2}}, {"clock": "9"}]
        changes.append({"settings": {"walls": 3}})
        for change in changes:
            other = Tournament(replace(CONFIG, **change), store)
            assert (other.done, other.crosstable.games) == (0, 0)
            assert other.number != first.number
        assert Tournament(CONFIG, store, fresh=True).done == 0
        assert store.count(Filter(tournament=first.number)) == 18


def test_an_agent_that_misbehaves_loses_and_the_rest_is_played() -> None:
    config = ArenaConfig(("pathfinder", "vanish", "random:seed=1"), **HERE | {"workers": 2})
    with Store(":memory:") as store:
        tournament = Tournament(config, store, make_agent=fake_players.make)
        assert len(list(tournament.run())) == 18
        assert tournament.crosstable.counts("vanish") == (0, 0, 12)
        assert store.count(Filter(reason="crash: the process ended with status 7")) == 12
        assert store.count(Filter(player="vanish")) == 12


def test_the_sprt_stops_it() -> None:
    agents = ("pathfinder", "random:seed=1")
    config = ArenaConfig(
        agents, **HERE | {"games": 2000, "sprt": Sprt(0, 100), "openings": "start"}
    )
    with Store(":memory:") as store:
        tournament = Tournament(config, store)
        played = len(list(tournament.run()))
        assert tournament.decision() == "H1"
        assert 10 < played < 200
        assert played % 2 == 0  # the last game completed a pair
        assert "H1 accepted" in format_pair(tournament.crosstable, config.sprt)
        assert list(Tournament(config, store).run()) == []


def test_a_wrong_name_is_told_before_anything_is_played() -> None:
    with Store(":memory:") as store, pytest.raises(ConfigError, match="unknown agent 'pathfindr'"):
        Tournament(ArenaConfig(("random", "pathfindr")), store)


def test_limits_that_an_agent_does_not_know_are_told_before_anything_is_played() -> None:
    agents = ("engine:hash_mb=1", "random")
    with Store(":memory:") as store:
        with pytest.raises(
            ConfigError, match=r"the agent 'engine:hash_mb=1' cannot keep .* has no simulations"
        ):
            Tournament(ArenaConfig(agents, limits={"sims": 8}, **HERE), store)
        assert store.tournaments() == {}
        for limits in ({"nodes": 8}, {"depth": 1}, {"time": 9.0}):
            Tournament(ArenaConfig(agents, limits=limits, **HERE | {"games": 2}), store)


def test_a_program_that_fails_loses_its_games_with_limits_too() -> None:
    agents = ("engine:/bin/false", "random:seed=1")
    with Store(":memory:") as store:
        config = ArenaConfig(agents, limits={"nodes": 8}, **HERE | {"games": 2})
        games = list(Tournament(config, store).run())
    assert len(games) == 2
    for game in games:
        assert game.record.result == ("0-1" if game.task.player1 == agents[0] else "1-0")


@pytest.mark.parametrize("size", [3, 4])
def test_where_every_opening_ends_the_game_it_starts_from_the_start(size: int) -> None:
    settings = {"board": size, "walls": 0}
    config = ArenaConfig(("random:seed=1", "pathfinder"), settings=settings, games=2)
    with Store(":memory:") as store:
        games = list(Tournament(config, store).run())
    assert len(games) == 2
    assert {game.task.start for game in games} == {config.start_state().text()}


def crosstable_of(*results: tuple[str, str, str], agents: str = "abc") -> Crosstable:
    crosstable = Crosstable(list(agents))
    for number, (player1, player2, result) in enumerate(results):
        crosstable.add((player1, player2, "start", number // 2), result)
    return crosstable


def test_pairs_are_scored_for_both_sides() -> None:
    crosstable = crosstable_of(
        ("a", "b", "1-0"), ("b", "a", "0-1"),  # two points for a
        ("a", "b", "0-1"), ("b", "a", "1/2-1/2"),  # half a point
        ("b", "a", "1-0"),  # not complete
    )  # fmt: skip
    assert sorted(crosstable.pair_scores("a", "b")) == [0.5, 2]
    assert crosstable.pentanomial("a", "b") == [0, 1, 0, 0, 1]
    assert crosstable.pentanomial("b", "a") == [1, 0, 0, 1, 0]
    assert crosstable.counts("a") == (2, 1, 2)
    assert crosstable.counts("b", "a") == (2, 1, 2)
    assert crosstable.counts("a", "c") == (0, 0, 0)


def test_the_table_has_the_best_first_and_the_unplayed_last() -> None:
    crosstable = crosstable_of(
        ("a", "b", "0-1"), ("b", "a", "1-0"), ("a", "b", "1-0"), ("b", "a", "1-0")
    )
    lines = format_standings(crosstable).splitlines()
    assert [line.split()[1] for line in lines[1:4]] == ["b", "a", "c"]
    assert lines[1].split()[4:8] == ["75.0%", "4", "3", "0"]
    assert lines[3].split()[2:5] == ["-", "-", "-"]
    assert lines[4].startswith("player 1 ahead by 233 ")
    second_wins = crosstable_of(("a", "b", "0-1"), ("b", "a", "0-1"))
    assert format_standings(second_wins).splitlines()[4].startswith("player 1 behind by ")
    rows = json.loads(json.dumps(summarize(crosstable)))["agents"]
    assert [row["agent"] for row in rows] == ["b", "a", "c"]
    assert rows[2]["elo"] is None
    assert 0.5 < rows[0]["better_than_next"] < 1


def test_the_table_says_who_does_not_compare() -> None:
    crosstable = crosstable_of(("a", "b", "1-0"), ("c", "d", "1-0"), agents="abcd")
    assert "some agents are not connected by games" in format_standings(crosstable)


def test_nothing_played_has_a_table_too() -> None:
    crosstable = Crosstable(["a", "b"])
    assert len(format_standings(crosstable).splitlines()) == 3
    assert format_pair(crosstable) == "a against b, 0 games: +0 =0 -0"
    one_game = crosstable_of(("a", "b", "1-0"))
    assert format_pair(one_game).startswith("a against b, 1 game: +1 =0 -0")
    summary = json.loads(json.dumps(summarize(crosstable, Sprt(0, 5))))
    assert summary["pair"]["sprt"] == {"llr": 0.0, "decision": None}


def test_a_match_without_a_complete_pair_has_no_estimates() -> None:
    crosstable = Crosstable(("a", "b"))
    for games, expected in ((1, None), (2, 0.5)):
        key: GameKey = ("a", "b", "start", 1) if games == 1 else ("b", "a", "start", 1)
        crosstable.add(key, "0-1", None)
        pair = summarize_pair(crosstable)
        assert pair["wins"] == games - 1
        assert pair["losses"] == 1
        assert (pair["score"], pair["superiority"]) == (expected, expected)
        assert (pair["elo"] is None) == (expected is None)
