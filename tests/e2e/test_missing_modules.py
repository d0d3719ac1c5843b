"""What a system may lack: plyground works without fcntl, resource, mmap and core affinity."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import os, sys
for name in ("fcntl", "mmap", "readline", "resource"):
    sys.modules[name] = None
del os.sched_getaffinity

from pathlib import Path
import numpy as np
from plyground import files, folders, machine, reversi
from plyground.agents import engine_process
from plyground.arena import cluster, live_board, runner
from plyground.arena.task import Task
from plyground.cli import arena, serve, web
from plyground.data import replay
from plyground.http_connection import allow_many_connections

assert machine.available_cores() >= 1
allow_many_connections()
folders.make_folder(Path("private"), private=True)

path = Path("file")
for content in (b"one", b"two"):
    with files.atomic_write(path) as file:
        file.write(content)
assert path.read_bytes() == b"two"
with files.try_lock(path), files.try_lock(path):
    pass
with path.open("rb") as file:
    assert files.has_writer(file)
files.remove_temporary_files(Path())
assert sorted(os.listdir()) == ["file", "private"]

task = Task.of("random", "random", reversi.State())
with live_board.live_board("store.sqlite", 1) as shown:
    shown.show([(task, [])])
    assert len(live_board.games_in_flight("store.sqlite", 1)) == 1

np.save("part.npy", np.arange(3))
assert list(replay._load(Path("part.npy"))) == [0, 1, 2]
print("done")
"""


def test_optional_modules_of_the_system_can_be_missing(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout == "done\n", done.stderr
