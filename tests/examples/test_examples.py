"""Every program in examples/ runs, and so does the notebook."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

EXAMPLES = Path(__file__).parents[2] / "examples"
OTHERS = {"course_agent.py", "engine.py", "env_sb3.py", "my_agent.py"}  # run by other tests
PROGRAMS = sorted(path.name for path in EXAMPLES.glob("*.py") if path.name not in OTHERS)
WRITES = {
    "dataset.py": ["positions.parquet"],
    "draw_boards.py": ["best.svg", "game.svg", "legal.svg"],
    "play_a_game.py": ["game.html", "game.pgn"],
    "train_tiny.py": ["tiny", "tiny.onnx"],
    "tournament.py": ["ratings.png", "tournament.sqlite"],
}
"""The files that a program leaves behind."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_runs(name: str, tmp_path: Path) -> None:
    if name == "analyse_folder.py":
        (tmp_path / "lost.pgn").write_text('[Board "3"]\n\n1. b2 a3 2. b3 1-0\n')
    done = subprocess.run(
        [sys.executable, EXAMPLES / name], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    written = sorted(path.name for path in tmp_path.iterdir())
    assert set(WRITES.get(name, [])) <= set(written)


def test_the_notebook_runs(tmp_path: Path) -> None:
    notebook = nbformat.read(EXAMPLES / "notebook.ipynb", as_version=4)
    nbformat.validate(notebook)
    assert all(not cell.outputs for cell in notebook.cells if cell.cell_type == "code")
    context = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources=context).execute()
    kinds = [
        set(output.data)
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "data" in output
    ]
    assert sum("image/svg+xml" in kind for kind in kinds) == 3
    assert sum("text/html" in kind for kind in kinds) == 5
