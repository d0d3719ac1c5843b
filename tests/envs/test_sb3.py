"""The steps of PettingZoo's tutorial on Stable-Baselines3 with action masks, with our games."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed")
EXAMPLE = Path(__file__).parents[2] / "examples" / "env_sb3.py"


@pytest.fixture
def settings_of_torch() -> Iterator[None]:
    """Restore the settings that the program changes."""
    threads = torch.get_num_threads()
    with torch.random.fork_rng():
        yield
    torch.set_num_threads(threads)


@pytest.mark.usefixtures("settings_of_torch")
@pytest.mark.parametrize("game", ["quoridor", "reversi"])
def test_a_masked_learner_trains_by_self_play_and_plays(
    game: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(EXAMPLE))["main"](game)
    assert (tmp_path / "model.zip").is_file()
    rewards = capsys.readouterr().out.partition("player: ")[2].strip("[]\n").split(", ")
    assert len(rewards) == 5
    assert set(rewards) <= {"1.0", "-1.0", "0.0", "-0.05"}
