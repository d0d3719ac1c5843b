"""TD(lambda): the published formula, a problem whose answer is known, and runs that are stopped."""

from __future__ import annotations

import csv
import random
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

from plyground.agents import make
from plyground.cli.main import main
from plyground.errors import ConfigError
from plyground.quoridor import GameConfig, State
from plyground.search import features
from plyground.tune import quoridor_td
from plyground.tune.quoridor_td import TdConfig, tune_td
from plyground.tune.quoridor_td_play import TdSelfPlay, outcome_of
from plyground.tune.run_folder import RunFolder
from plyground.tune.td_lambda import Trajectory, learn

CONFIGS = Path(__file__).parents[2] / "configs" / "tune"
QUICK = TdConfig(board=3, walls=2, games=60, seeds=(1, 2), log_games=10, learning_rate=0.01)


# ---- the algorithm


def walk(rng: random.Random) -> Trajectory:
    """Sutton's bounded random walk: five states in a row, from the middle, 1 at the right end."""
    at, rows = 2, []
    while 0 <= at <= 4:
        rows.append(np.eye(5)[at])
        at += rng.choice((-1, 1))
    return Trajectory(np.array(rows), outcome=float(at > 4))


@pytest.mark.parametrize("trace", [0.0, 0.3, 0.8, 1.0])
def test_the_random_walk_is_learned(trace: float) -> None:
    rng = random.Random(5)
    weights, mean = np.full(5, 0.5), np.zeros(5)
    for number in range(4000):
        weights = weights + 0.03 * learn(walk(rng), weights, trace, is_squashed=False).step
        if number >= 2000:
            mean += weights / 2000
    assert np.abs(mean - np.arange(1, 6) / 6).max() < 0.05  # the chances to end at the right


def test_the_steps_are_those_of_the_formula() -> None:
    rng = np.random.default_rng(3)
    seen = Trajectory(rng.normal(size=(7, 3)), outcome=-1.0)
    weights, trace = rng.normal(size=3), 0.6
    predictions = np.tanh(seen.features @ weights)
    gradients = seen.features * (1 - predictions**2)[:, None]
    following = [*predictions[1:], -1.0]
    wanted = np.zeros(3)
    for t in range(7):  # equation (4) as it is printed
        eligible = sum(trace ** (t - k) * gradients[k] for k in range(t + 1))
        wanted += (following[t] - predictions[t]) * eligible
    assert np.allclose(learn(seen, weights, trace).step, wanted)


def test_with_lambda_1_it_is_the_rule_of_least_mean_squares() -> None:
    rng = np.random.default_rng(4)
    seen = Trajectory(rng.normal(size=(9, 2)), outcome=0.5)
    weights = rng.normal(size=2)
    lesson = learn(seen, weights, 1.0, is_squashed=False)
    misses = 0.5 - seen.features @ weights
    assert np.allclose(lesson.step, misses @ seen.features)
    assert lesson.outcome_error == pytest.approx((misses**2).mean())


def test_nothing_is_learned_across_a_random_move() -> None:
    rows = np.eye(4)
    weights = np.array([0.1, 0.2, 0.9, 0.4])
    cut = np.array([False, True, False, False])
    step = learn(Trajectory(rows, 1.0, cut), weights, 0.5, is_squashed=False).step
    assert step.tolist() == pytest.approx([0.1, 0, -0.5 + 0.5 * 0.6, 0.6])


# ---- the games


def test_games_are_seen_from_player_1(rng: random.Random) -> None:
    play = TdSelfPlay(GameConfig.preset("small"), ("path", "tempo"), 0.2, (0, 4))
    seen, _ = play.play([1.0, 0.0], rng)
    tempo = seen.features[:, 1]
    assert set(tempo.tolist()) <= {-1.0, 1.0}
    assert (tempo[1:] == -tempo[:-1]).all()
    assert seen.outcome in (-1.0, 1.0)
    assert seen.is_cut is not None
    assert seen.features.shape == (len(seen.is_cut), 2)


def test_the_best_move_is_taken_and_a_win_at_once() -> None:
    play = TdSelfPlay(GameConfig(board_size=5, walls_per_player=0), ("path",), 0.0, (0, 0))
    seen, is_drawn = play.play([1.0], random.Random(1))
    assert not is_drawn
    assert (seen.outcome, len(seen.features)) == (
        -1.0,
        6,
    )  # player 2 is the one to jump
    start = features(State(GameConfig(board_size=5, walls_per_player=0)))
    assert seen.features[0].tolist() == [start["path"]]


@pytest.mark.parametrize("depth", [1, 2])
def test_equal_seeds_play_equal_games(depth: int) -> None:
    play = TdSelfPlay(GameConfig.preset("small"), ("path", "walls"), 0.1, (0, 4), depth)
    one, other = (play.play([0.3, 0.1], random.Random(7))[0] for _ in range(2))
    assert np.array_equal(one.features, other.features)


def test_a_drawn_game_goes_to_the_player_who_was_nearer() -> None:
    config = GameConfig(board_size=5, walls_per_player=0, max_moves=3)
    for text, outcome in (("5 c3/d3 - 0/0 2 3 3", 0), ("5 c3/d5 - 0/0 2 3 3", 1)):
        state = State.parse(text, config)
        assert state.winner is None
        assert outcome_of(state) == outcome
    assert outcome_of(State.parse("5 c2/d3 - 0/0 2 3 3", config)) == -1


# ---- runs


def test_it_learns_that_short_paths_win(tmp_path: Path) -> None:
    config = replace(QUICK, board=5, walls=5, games=200, depth=2, seeds=(1,), start={"path": 0.01})
    result = tune_td(config, tmp_path)
    assert result.mean["path"] > 0.1
    assert result.mean["path"] > abs(result.mean["progress"])
    errors = [row["outcome_error"] for row in result.log]
    assert np.mean(errors[-5:]) < np.mean(errors[:2])


def test_a_run_that_is_stopped_goes_on_to_the_same_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quoridor_td, "SAVE_S", 0.0)
    whole = tune_td(QUICK, tmp_path / "whole")
    for stop in (30, 70, 110):

        def interrupt(done: int, _total: int, stop: int = stop) -> None:
            if done == stop:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            tune_td(QUICK, tmp_path / "stopped", interrupt)
    assert tune_td(QUICK, tmp_path / "stopped") == whole
    for name in ("log.csv", "state.json"):
        assert (tmp_path / "stopped" / name).read_bytes() == (
            tmp_path / "whole" / name
        ).read_bytes()
    with (tmp_path / "whole" / "log.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["games"] for row in rows if row["seed"] == "2"] == [
        "10",
        "20",
        "30",
        "40",
        "50",
        "60",
    ]


def test_more_games_continue_a_run(tmp_path: Path) -> None:
    longer = replace(QUICK, games=80)
    whole = tune_td(longer, tmp_path / "whole")
    tune_td(QUICK, tmp_path / "parts")
    assert tune_td(longer, tmp_path / "parts").by_seed == whole.by_seed


def test_a_folder_belongs_to_one_run(tmp_path: Path) -> None:
    tune_td(QUICK, tmp_path)
    with pytest.raises(ConfigError, match=r"began with trace 0\.7, not 0\.5; use another folder"):
        tune_td(replace(QUICK, trace=0.5), tmp_path)
    with RunFolder(tmp_path, {}), pytest.raises(ConfigError, match="another process is tuning in"):
        tune_td(QUICK, tmp_path)
    (tmp_path / "state.json").write_text("{}")
    with pytest.raises(ConfigError, match="not the state of a tuning run"):
        tune_td(QUICK, tmp_path)


# ---- settings and the command


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("td-*.yaml")), ids=lambda path: path.stem)
def test_the_ready_made_settings_are_read(path: Path) -> None:
    assert TdConfig.load(path, []).features[0] == "path"


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("trase=1", "unknown setting 'trase'; did you mean 'trace'?"),
        ("trace", "expected 'setting=value', got 'trace'"),
        ("trace=2", "expected trace to be a number from 0 to 1, got 2"),
        ("games=many", "expected games to be a whole number"),
        ("features=[path, paths]", "unknown feature 'paths'; did you mean 'path'?"),
        ("features=[walls]", "expected different features with path"),
        ("features=path", "expected a list for features, got 'path'"),
        ("start={tempo: 1}", "unknown feature 'tempo' of start; known are path, progress, walls"),
        ("seeds=[]", "expected different seeds"),
        ("board=12", "expected Board to be a whole number from 3 to 9, got 12"),
        ("opening_plies=[3]", "expected two opening_plies"),
        ("learning_rate=.nan", "expected learning_rate to be a number"),
    ],
)
def test_mistakes_are_told_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], word: str, message: str
) -> None:
    path = tmp_path / "td.yaml"
    path.write_text("walls: 3\n")
    assert main(["tune", "td", str(path), "--out", str(tmp_path / "run"), "--set", word]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1
    assert not (tmp_path / "run").exists()


def test_a_match_has_pairs_of_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["tune", "td", str(CONFIGS / "td-small.yaml"), "--out", str(tmp_path / "run")]
    assert main([*arguments, "--match", "5"]) == 2
    assert "expected an even number, got 5" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_deep_self_play_has_only_the_textbooks_features() -> None:
    with pytest.raises(ConfigError, match="expected a depth of 1 for the feature 'narrow'"):
        TdConfig(features=("path", "narrow"), depth=2)


def test_the_command_writes_weights_that_agents_load(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "td.yaml", tmp_path / "run"
    path.write_text("board: 4\nwalls: 2\ngames: 40\nseeds: [1]\nlog_games: 10\ndepth: 2\n")
    arguments = ["tune", "td", str(path), "--out", str(out), "--match", "4"]
    assert main(arguments) == 0
    text = capsys.readouterr().out
    assert "40 games per seed: 1\n" in text
    assert "against minimax:depth=2, 4 games" in text
    found = make(f"minimax:weights={out / 'minimax.yaml'}")
    assert found.weights.path_weight == 12  # type: ignore[attr-defined]
    make(f"engine:weights={out / 'engine.yaml'}")
    assert (out / "weights.png").read_bytes()[:4] == b"\x89PNG"
    before = (out / "minimax.yaml").read_bytes()
    assert main(arguments) == 0  # all there; nothing is played again
    assert (out / "minimax.yaml").read_bytes() == before
    assert capsys.readouterr().out == text


def test_openings_that_end_every_game_are_told() -> None:
    config = TdConfig(preset="tiny", opening_plies=(20, 30), games=1, seeds=(1,))
    games = TdSelfPlay(
        config.game_config(), config.features, config.exploration, config.opening_plies
    )
    with pytest.raises(ConfigError, match="expected games longer than 20 to 30 plies"):
        games.play([1.0, 0.0, 0.0], random.Random(1))


def test_ctrl_c_at_any_moment_keeps_state_and_log_together(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with RunFolder(folder, {}) as run:
        run.add({"games": 1}, {"games": 1.0})

    def interrupt_after(opcodes: int) -> bool:
        """Add a row, with Ctrl-C after a number of opcodes; whether that was before the end."""
        left = opcodes

        def trace(frame: FrameType, event: str, _: object) -> Callable[..., Any]:
            nonlocal left
            frame.f_trace_opcodes = frame.f_code is RunFolder.add.__code__
            if event == "opcode":
                left -= 1
                if left < 0:
                    raise KeyboardInterrupt
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            run.add({"games": opcodes + 2}, {"games": opcodes + 2.0})
        except KeyboardInterrupt:
            return True
        finally:
            sys.settrace(before)
        return False

    opcodes = 0
    while interrupt_after(opcodes):
        assert run.state is not None
        assert run.state["games"] == run.log[-1]["games"]
        opcodes += 1
    assert opcodes > 5


def test_a_full_disk_is_told(tmp_path: Path) -> None:
    (tmp_path / "log.csv").symlink_to("/dev/full")
    with RunFolder(tmp_path, {}) as run:
        run.add({"games": 1}, {"games": 1.0})
        with pytest.raises(ConfigError, match=r"cannot write to the folder .*: No space left"):
            run.save()
