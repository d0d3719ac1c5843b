"""Standings and ratings as pandas tables."""

from __future__ import annotations

import math
import sys

import pytest

from plyground.arena import ArenaConfig, Crosstable, Store, Tally, Tournament, fit_ratings
from plyground.errors import ConfigError


def test_ratings() -> None:
    ratings = fit_ratings([Tally("a", "b", 25, 0, 75)])
    frame = ratings.to_frame()
    assert list(frame["player"]) == ["b", "a"]
    assert list(frame.columns) == ["player", "elo", "low", "high"]
    assert frame["elo"][0] == ratings.players["b"].elo


def test_standings() -> None:
    crosstable = Crosstable(["a", "b", "c"])
    crosstable.add(("a", "b", "opening", 1), "0-1")
    frame = crosstable.to_frame().set_index("agent")
    assert list(frame.index) == ["b", "a", "c"]
    assert list(frame["wins"]) == [1, 0, 0]
    assert math.isnan(frame.loc["c", "elo"])


def test_a_tournament_has_its_standings() -> None:
    with Store(":memory:") as store:
        config = ArenaConfig(("random", "pathfinder"), settings={"Board": "3"})
        frame = Tournament(config, store).to_frame()
    assert set(frame["agent"]) == {"random", "pathfinder"}
    assert list(frame["games"]) == [0, 0]


def test_missing_pandas_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ConfigError, match=r"tables need pandas: pip install 'plyground\[data\]'"):
        Crosstable(["a", "b"]).to_frame()
