"""Fixtures of the end-to-end tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.terminal_process import StartTerminal, TerminalProcess


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[StartTerminal]:
    """Starts `plyground play` with some options; its data folder is the test's own."""
    started: list[TerminalProcess] = []

    def start(*options: str, columns: int = 80, rows: int = 24) -> TerminalProcess:
        started.append(TerminalProcess(tmp_path, "play", *options, columns=columns, rows=rows))
        return started[-1]

    yield start
    for process in started:
        process.close()
