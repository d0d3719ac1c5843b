"""The load of the GPU in the metrics."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import pytest

from plyground.train.gpu_load import GpuLoad, nvidia_smi


def test_the_mean_of_what_the_command_printed_is_taken_once() -> None:
    load = GpuLoad([sys.executable, "-c", "print('90\\n[N/A]\\n100')"])
    load._reader.join()
    assert load.take() == pytest.approx(0.95)
    assert math.isnan(load.take())
    load.close()
    load.close()


def test_a_command_that_goes_on_is_ended() -> None:
    endless = "import time\nwhile True: print(50, flush=True); time.sleep(0.01)"
    load = GpuLoad([sys.executable, "-c", endless])
    process = load._process
    assert process is not None
    load.close()
    assert process.poll() is not None


@pytest.mark.parametrize("command", [None, ["no-such-program-anywhere"]])
def test_without_the_command_nothing_is_known(command: list[str] | None) -> None:
    load = GpuLoad(command)
    assert math.isnan(load.take())
    load.close()


def test_the_command_asks_for_the_gpu_that_the_run_sees(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert nvidia_smi() is None
    monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}")
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    assert "--id=0" in (nvidia_smi() or [])
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "2,3")
    assert (nvidia_smi() or [])[:2] == ["/bin/nvidia-smi", "--id=2"]
