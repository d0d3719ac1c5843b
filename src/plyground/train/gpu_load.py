"""The load of the GPU while a run trains, as `nvidia-smi` counts it."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import threading
from collections.abc import Sequence

SAMPLE_MS = 500


def nvidia_smi() -> list[str] | None:
    """The command that prints the load of the first GPU in percent, again and again."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return None
    visible = os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")[0].strip() or "0"
    return [
        *(program, f"--id={visible}", f"--loop-ms={SAMPLE_MS}"),
        *("--query-gpu=utilization.gpu", "--format=csv,noheader,nounits"),
    ]


class GpuLoad:
    """Reads a command that prints one percentage a line; without a command it knows nothing."""

    def __init__(self, command: Sequence[str] | None) -> None:
        self._lock = threading.Lock()
        self._samples: list[float] = []
        self._process: subprocess.Popen[str] | None = None
        if command is None:
            return
        try:
            self._process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )
        except OSError:
            return
        self._reader = threading.Thread(target=self._read, args=(self._process,), daemon=True)
        self._reader.start()

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout as lines:
            for line in lines:
                if line.strip().isdecimal():
                    with self._lock:
                        self._samples.append(int(line) / 100)

    def take(self) -> float:
        """The mean load from 0 to 1 since the last call; nan if nothing was read."""
        with self._lock:
            samples, self._samples = self._samples, []
        return sum(samples) / len(samples) if samples else math.nan

    def close(self) -> None:
        """End the command; all that it printed has been read then."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._reader.join()
            self._process = None
