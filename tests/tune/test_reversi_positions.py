"""The tools that label positions of Reversi and correct the pattern values by them."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from numpy.typing import NDArray

from plyground import reversi
from plyground.search.reversi_patterns import read_values, shipped_patterns

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "src/plyground/data/reversi_patterns.bin"


def tool(name: str) -> ModuleType:
    """A program of the folder `tools`."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    return tool("make_reversi_positions")


@pytest.fixture(scope="module")
def corrector() -> ModuleType:
    return tool("correct_reversi_patterns")


@pytest.fixture(scope="module")
def rows(maker: ModuleType) -> list[tuple[int, int, int]]:
    """The labelled positions of a game."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(maker, "SOLVED", 10)
        return list(maker.Labeller(shipped_patterns(), 3, "a seed").game())


def test_labels_of_a_game(rows: list[tuple[int, int, int]], corrector: ModuleType) -> None:
    assert len(rows) > 5
    solved = 0
    for own, other, score in rows:
        assert own & other == 0
        assert abs(score) <= 6400
        state = corrector.state_of(own, other)
        assert state.legal_actions() != [reversi.PASS]
        if 64 - sum(state.counts.values()) <= 10:
            exact = reversi.solve(state).score
            assert exact is not None
            assert score == 100 * exact.value
            solved += 1
    assert solved > 0


def test_corrections_follow_the_labels(
    rows: list[tuple[int, int, int]],
    maker: ModuleType,
    corrector: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    evaluate = shipped_patterns().evaluate
    # Labels ten discs above the values: only the corrected phases move.
    labelled = [
        (own, other, round(100 * evaluate(corrector.state_of(own, other))) + 1000)
        for own, other, _ in 30 * rows
        if (own | other).bit_count() in range(20, 41)
    ]
    maker.write(tmp_path / "1-0-0.npz", labelled)
    written: list[NDArray[np.int16]] = []
    monkeypatch.setattr(corrector, "write_patterns", lambda _path, values: written.append(values))
    monkeypatch.setattr(sys, "argv", ["", str(SHIPPED), str(tmp_path), str(SHIPPED), "--ridge=1"])
    corrector.main()
    printed = capsys.readouterr().out
    assert re.search(r"discs: (9.9|10.0)\d before, [01]\.\d\d after", printed), printed
    after = written[0].reshape(15, -1)
    changed = after != read_values(SHIPPED).reshape(15, -1)
    assert changed[4:9].any(axis=1).all()
    assert not changed[9:].any()
    assert np.all(after[1:9] % corrector.ROUNDING == 0)
