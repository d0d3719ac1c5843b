"""The evaluator's settings of onnxruntime."""

from __future__ import annotations

from pathlib import Path

import pytest

from plyground.nets.evaluator import OnnxEvaluator


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_do_not_spin_while_they_wait(threads: int, reversi_network: Path) -> None:
    options = OnnxEvaluator(reversi_network, threads).session.get_session_options()
    assert options.get_session_config_entry("session.intra_op.allow_spinning") == "0"
    assert options.intra_op_num_threads == threads
