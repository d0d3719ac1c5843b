"""The study of the first move: fair, different games, each played once."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import pytest

from plyground.arena import GameResult, Store, run_tasks
from plyground.cli.main import main
from plyground.errors import ConfigError
from plyground.play import Record
from plyground.quoridor import GameConfig, State
from plyground.study.first_player import FirstPlayerStudy, random_openings

TINY = State(GameConfig.preset("tiny"))
HERE = partial(run_tasks, workers=0)


def study(store: Store, games: int = 6) -> FirstPlayerStudy:
    return FirstPlayerStudy("tiny", TINY, "minimax:depth=1", games, 2, seed=1, store=store)


def test_openings_differ_and_leave_player_1_to_move(rng: random.Random) -> None:
    openings = random_openings(State(GameConfig.preset("small")), 50, 4, rng)
    assert len({state.text() for state in openings}) == 50
    assert {(state.current_player, state.text().split()[5]) for state in openings} == {(1, "4")}
    assert not any(state.game_over for state in openings)


def test_there_are_only_so_many_openings(rng: random.Random) -> None:
    start = State(GameConfig(board_size=3, walls_per_player=1))
    openings = random_openings(start, 200, 2, rng)
    # Eleven moves, and then eight to eleven; in some orders the same.
    assert 40 < len({state.text() for state in openings}) == len(openings) < 121
    assert {state.text().split()[5] for state in openings} == {"2"}
    assert not any(state.game_over for state in openings)


def test_a_study_without_openings_is_an_error() -> None:
    start = State(GameConfig(board_size=3, max_moves=4))
    with (
        Store(":memory:") as store,
        pytest.raises(ConfigError, match="every game of mine is over after 4 random plies"),
    ):
        FirstPlayerStudy("mine", start, "random", 2, 4, seed=1, store=store)


def test_each_game_is_played_once() -> None:
    with Store(":memory:") as store:
        first = study(store).run(HERE)
        for _ in range(2):
            next(first)
        first.close()
        assert len(study(store).played()) == 2
        assert len(list(study(store).run(HERE))) == 4
        assert list(study(store).run(HERE)) == []
        row = study(store).row()
        assert row.games == store.count() == 6
        assert len(list(study(store, games=8).run(HERE))) == 2
        assert study(store).row() == row  # six of the eight are its own


def test_the_share_is_counted_by_hand() -> None:
    with Store(":memory:") as store:
        found = study(store, games=4)
        results = ["1-0", "1-0", "1/2-1/2", "0-1"]
        for task, result in zip(found.tasks, results, strict=True):
            record = Record.from_moves([], task.start_state(), task.tags, result=result)
            store.add(found.number, GameResult(task, record))
        row = found.row()
    assert (row.wins, row.draws, row.losses) == (2, 1, 1)
    assert row.share.score == pytest.approx(2.5 / 4)
    assert row.share.score_low < 0.5 < row.share.score_high
    assert row.mean_plies == 2


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["study", "first-player", "--agent", "minimax:depth=1", "--games", "6"]
    arguments += ["--presets", "tiny", "small", "--out", str(tmp_path)]
    assert main(arguments) == 0
    text = capsys.readouterr().out
    assert text == (tmp_path / "first-player.md").read_text()
    assert "minimax:depth=1 against itself from openings of 4 random plies" in text
    assert [line.split()[1:4] for line in text.splitlines()[-2:]] == [
        ["tiny", "|", "6"],
        ["small", "|", "6"],
    ]
    assert (tmp_path / "first-player.png").read_bytes()[:4] == b"\x89PNG"
    assert main(arguments) == 0  # all there; nothing is played again
    assert capsys.readouterr().out == text
