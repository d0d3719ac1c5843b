"""What docs/rest.md promises is what is served."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from plyground.agents.base import ForfeitKind
from plyground.cli.main import main
from plyground.serve.http import RestConfig, make_app
from plyground.serve.openapi import ERRORS

GUIDE = (Path(__file__).parents[2] / "docs" / "rest.md").read_text()


def test_its_example_has_the_keys_of_a_real_answer() -> None:
    question = re.search(r"-d '(.*)'", GUIDE)
    shown = re.search(r"```json\n(.*?)```", GUIDE, re.DOTALL)
    assert question
    assert shown
    config = RestConfig("engine:nodes=100,hash_mb=1")
    with TestClient(make_app(config), base_url="http://localhost") as client:
        answer = client.post("/move", json=json.loads(question[1])).json()
        paths = set(client.get("/openapi.json").json()["paths"])
    assert list(json.loads(shown[1])) == list(answer)
    assert paths == {"/move", "/agent"}
    for status in ERRORS:
        assert status in GUIDE
    for kind in set(ForfeitKind) - {ForfeitKind.TIME}:  # a request has no clock
        assert f"`{kind}`" in GUIDE


def test_its_options_are_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "http", "--help"]) == 0
    known = capsys.readouterr().out
    for option in set(re.findall(r"(?<=[`\s])--[a-z][a-z-]+", GUIDE)):
        assert option in known
