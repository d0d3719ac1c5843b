"""What the tests of the environments share."""

from __future__ import annotations

from importlib import import_module

import pytest


@pytest.fixture
def listed_by_pettingzoo(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have PettingZoo's checker treat our games as it treats its own board games.

    It warns about every observation with a mask, except those of the games on its two lists.
    """
    checker = import_module("pettingzoo.test.api_test")
    for name in ("env_obs_dicts", "env_obs_space"):
        monkeypatch.setattr(checker, name, [*getattr(checker, name), "quoridor_v0", "reversi_v0"])
