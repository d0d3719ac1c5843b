"""`plyground tune` as it is installed: killed or stopped, it goes on to the same result."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from plyground.tune.quoridor_td import TdConfig, tune_td

COMMAND = str(Path(sys.executable).parent / "plyground")
SETTINGS = "board: 3\nwalls: 1\nseeds: [1]\nlog_games: 100\nlearning_rate: 0.01\ndepth: 2\n"
ENDLESS = ("--match", "0", "--set", f"games={10**8}")


@pytest.fixture
def endless(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A run of very many games that has saved some of them."""
    (tmp_path / "td.yaml").write_text(SETTINGS)
    process = subprocess.Popen(
        [COMMAND, "tune", "td", tmp_path / "td.yaml", "--out", tmp_path / "run", *ENDLESS],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        until = time.monotonic() + 60
        while not (tmp_path / "run" / "state.json").exists():
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < until, "waited too long"
            time.sleep(0.02)
        yield process
    finally:
        process.kill()
        process.communicate()


def continued(folder: Path) -> None:
    """The run goes on from what it has saved, to what it would have come to undisturbed."""
    done = json.loads((folder / "run" / "state.json").read_text())["state"]["games"]["1"]
    assert done >= 100
    config = TdConfig.load(folder / "td.yaml", [f"games={done + 200}"])
    assert tune_td(config, folder / "run") == tune_td(config, folder / "whole")
    logs = {(folder / out / "log.csv").read_bytes() for out in ("run", "whole")}
    assert len(logs) == 1


def test_a_run_that_is_killed_goes_on(endless: subprocess.Popen[str], tmp_path: Path) -> None:
    endless.kill()
    endless.wait(60)
    continued(tmp_path)


def test_ctrl_c_stops_cleanly(endless: subprocess.Popen[str], tmp_path: Path) -> None:
    endless.send_signal(signal.SIGINT)
    _, told = endless.communicate(timeout=60)
    assert endless.returncode == 130
    assert told == "stopped; the same command continues\n"
    continued(tmp_path)
