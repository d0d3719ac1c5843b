"""SPSA: an optimum that is known, runs that are stopped, bad settings, and the command."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import replace
from pathlib import Path

import pytest

from plyground.agents import PathfinderAgent, RandomAgent
from plyground.agents import make as make_real
from plyground.agents.base import Agent
from plyground.cli import tournament_screen
from plyground.cli.main import main
from plyground.errors import ConfigError
from plyground.games.base import AnyGame
from plyground.tune import spsa_run
from plyground.tune.spsa import Parameter, Spsa
from plyground.tune.spsa_run import SpsaConfig, tune_spsa

CONFIGS = Path(__file__).parents[2] / "configs" / "tune"
QUICK = SpsaConfig(
    (Parameter("wall_weight", 2.0, 0.0, 6.0, 0.5), Parameter("path_weight", 12, 1, 30, 3)),
    "minimax:depth=1",
    iterations=6,
    opening_count=4,
    log_iterations=2,
    arena={"preset": "tiny", "workers": 0},
)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_top_of_a_noisy_hill_is_found(seed: int) -> None:
    best = {"a": 30.0, "b": -4.0, "c": 7.0}
    scale = {"a": 20.0, "b": 2.0, "c": 5.0}
    parameters = [
        Parameter("a", 0, -100, 100, 4.0),
        Parameter("b", 0.0, -10, 10, 0.4),
        Parameter("c", 0.0, -50, 50, 1.0),
    ]
    rng = random.Random(seed)
    optimiser = Spsa(parameters, 3000, rate=0.05)

    def height(theta: list[float]) -> float:
        return -sum(
            ((value - best[p.name]) / scale[p.name]) ** 2
            for value, p in zip(theta, parameters, strict=True)
        )

    theta: list[float] = [0.0, 0.0, 0.0]
    last: deque[list[float]] = deque(maxlen=750)
    for k in range(3000):
        trial = optimiser.trial(theta, k, rng)
        noisy = height(trial.plus) - height(trial.minus) + rng.gauss(0, 1)
        theta = optimiser.step(theta, k, trial, noisy)
        last.append(theta)
    for index, parameter in enumerate(parameters):
        mean = sum(found[index] for found in last) / len(last)
        assert abs(mean - best[parameter.name]) < 0.2 * scale[parameter.name]


def test_the_gains_end_as_they_were_set() -> None:
    parameter = Parameter("a", 0.0, -100, 100, 4.0)
    optimiser = Spsa([parameter], 500, rate=0.02)
    rng = random.Random(1)
    trial = optimiser.trial([0.0], 499, rng)
    assert abs(trial.plus[0]) == pytest.approx(4)  # c_end
    moved = optimiser.step([0.0], 499, trial, 1.0)[0]
    assert moved == pytest.approx(trial.signs[0] * 0.02 * 4)  # a_end / c_end
    first = optimiser.trial([0.0], 0, rng)
    assert abs(first.plus[0]) == pytest.approx(4 * 500**0.101)


def test_values_stay_in_range_and_whole_numbers_whole() -> None:
    parameter = Parameter("a", 9, 0, 10, 3.0)
    optimiser = Spsa([parameter], 10, rate=100)
    rng = random.Random(1)
    trial = optimiser.trial([9.4], 9, rng)
    assert sorted([*trial.plus, *trial.minus]) == [6, 10]
    assert optimiser.step([9.4], 9, trial, 2.0 * trial.signs[0]) == [10]


# ---- games


def make_by_skill(spec: str, game: AnyGame | str | None = None) -> Agent:
    """An agent that runs to its goal in that many of ten games, and otherwise moves at random."""
    name, _, options = spec.partition(":")
    if name != "skilled":
        return make_real(spec, game)
    skill = float(options.partition("=")[2])
    return PathfinderAgent() if hash_of(spec) % 10 < skill else RandomAgent(seed=1)


def hash_of(text: str) -> int:
    return random.Random(text).randrange(10**6)


def test_games_push_the_numbers_towards_the_better(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spsa_run, "make", make_by_skill)
    config = SpsaConfig(
        (Parameter("skill", 5.0, 0.0, 10.0, 1.5),),
        "skilled",
        iterations=60,
        rate=0.05,
        opening_count=20,
        log_iterations=5,
        arena={"preset": "tiny", "workers": 0},
    )
    result = tune_spsa(config, tmp_path, make_agent=make_by_skill)
    assert result.values["skill"] > 6


def test_a_run_that_is_stopped_goes_on_to_the_same_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spsa_run, "SAVE_S", 0.0)
    whole = tune_spsa(QUICK, tmp_path / "whole")
    assert [row["iterations"] for row in whole.log] == [2, 4, 6]

    def interrupt(done: int, _total: int) -> None:
        if done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune_spsa(QUICK, tmp_path / "stopped", interrupt)
    assert tune_spsa(QUICK, tmp_path / "stopped") == whole
    read = (tmp_path / name / "state.json" for name in ("whole", "stopped"))
    assert len({path.read_bytes() for path in read}) == 1


def test_the_result_does_not_depend_on_how_many_play(tmp_path: Path) -> None:
    one = tune_spsa(replace(QUICK, pairs=2), tmp_path / "one")
    two = tune_spsa(
        replace(QUICK, pairs=2, arena={"preset": "tiny", "workers": 2}), tmp_path / "two"
    )
    assert one == two


# ---- settings and the command


def test_the_ready_made_settings_are_read() -> None:
    config = SpsaConfig.load(CONFIGS / "spsa-engine.yaml", [])
    assert config.parameters[0].name == "walls_weight"


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("iteration=1", "unknown setting 'iteration'; did you mean 'iterations'?"),
        ("agent=3", "expected agent to be the string of an agent, got 3"),
        ("iterations=0", "expected iterations to be a whole number"),
        ("parameters={}", "expected at least one of the parameters"),
        ("parameters=[a]", "expected parameters to be names with values, got ['a']"),
        ("parameters={depth: 3}", "expected parameter depth to be names with values, got 3"),
        ("parameters={depth: {start: 3}}", "expected 'low' for depth, found none"),
        ("parameters={depth: {stop: 3}}", "unknown key 'stop' of depth"),
        (
            "parameters={depth: {start: 9, low: 1, high: 5, step: 1}}",
            "expected low <= start <= high for depth, got 1, 9, 5",
        ),
        (
            "parameters={depth: {start: 3, low: 1, high: 5, step: 0}}",
            "expected the step of depth to be above 0 and up to 4, got 0",
        ),
        (
            "parameters={dept: {start: 3, low: 1, high: 5, step: 1}}",
            "unknown option 'dept' of the agent 'minimax'; did you mean 'depth'?",
        ),
        ("preset=huge", "preset"),
    ],
)
def test_mistakes_are_told_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], word: str, message: str
) -> None:
    path = tmp_path / "spsa.yaml"
    path.write_text(
        "agent: minimax\nparameters: {wall_weight: {start: 2, low: 0, high: 9, step: 1}}\n"
    )
    assert main(["tune", "spsa", str(path), "--out", str(tmp_path / "run"), "--set", word]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1
    assert not (tmp_path / "run").exists()


def test_other_settings_need_another_folder(tmp_path: Path) -> None:
    tune_spsa(QUICK, tmp_path)
    with pytest.raises(ConfigError, match="began with rate"):
        tune_spsa(replace(QUICK, rate=0.5), tmp_path)


def test_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament_screen, "SILENT_S", 0)
    path, out = tmp_path / "spsa.yaml", tmp_path / "run"
    path.write_text(
        "agent: minimax:depth=1\niterations: 4\nopening_count: 4\npreset: tiny\nrate: 1\n"
        "parameters: {wall_weight: {start: 2.0, low: 0, high: 9, step: 1}}\n"
    )
    arguments = ["tune", "spsa", str(path), "--out", str(out), "--match", "4"]
    assert main(arguments) == 0
    text, told = capsys.readouterr()
    assert told.startswith("finding openings: ")
    assert text.startswith("4 iterations, 8 games\n")
    assert (out / "agent.txt").read_text().startswith("minimax:depth=1,wall_weight=")
    assert (out / "weights.yaml").read_text().splitlines()[-1].startswith("wall_weight: ")
    assert (out / "spsa.png").read_bytes()[:4] == b"\x89PNG"
    assert main(arguments) == 0
    assert capsys.readouterr() == (text, "")  # neither games nor openings are asked for again
