"""A game in plain Python, without an engine or networks, in the engine protocol and over REST."""

from __future__ import annotations

from io import BytesIO

import pytest
from starlette.testclient import TestClient

from plyground.serve.engine import EngineServer
from plyground.serve.engine_options import EngineOptions
from plyground.serve.http import RestConfig, make_app
from tests.conformance.connect_four import CONNECT_FOUR


def answers(*lines: str) -> list[str]:
    """The answers of an engine to some lines; it finishes a search before it ends."""
    output = BytesIO()
    EngineServer(BytesIO("\n".join(lines).encode()), output, EngineOptions(CONNECT_FOUR)).run()
    return output.getvalue().decode().splitlines()


def test_the_adviser_answers_in_place_of_an_engine() -> None:
    info, best = answers("position startpos moves d d", "go")
    assert info.startswith("info depth 3 score threats ")
    CONNECT_FOUR.start().play("d").play("d").play(best.split()[1])
    assert answers("setoption name Level value easy", "go")[-1].startswith("bestmove ")


def test_a_limit_of_depth_applies() -> None:
    assert answers("go depth 2")[0].startswith("info depth 2 score threats ")


def test_positions_evaluation_and_counts() -> None:
    lines = answers("position -/-/-/XO/-/-/- moves a", "legal", "eval", "show")
    assert lines[0] == "legal a b c d e f g"
    assert lines[1].startswith("eval threats ")
    assert lines[-1] == "position X/-/-/XO/-/-/-"
    assert answers("perft 4")[0].startswith("perft 4 nodes 2401 time ")


def test_a_proven_end_and_a_finished_game() -> None:
    info, best = answers("position -/-/-/XXX/OOO/-/-", "go")
    assert " score win 1 " in info
    assert best == "bestmove d"
    assert answers("position startpos moves d e d e d e d", "go") == ["bestmove none"]


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("Hash", "8", None),
        ("Threads", "2", None),
        ("Network", "builtin", "connect-four has no networks; set Network to 'none'"),
        ("Board", "5", "connect-four has no setting 'Board'"),
    ],
)
def test_options_of_an_engine_have_no_effect_or_are_refused(
    name: str, value: str, error: str | None
) -> None:
    lines = answers(f"setoption name {name} value {value}", "isready")
    assert lines == [*([] if error is None else [f"error {error}"]), "readyok"]


@pytest.mark.parametrize("agent", ["random", "minimax:depth=3", "easy", "master"])
def test_rest(agent: str) -> None:
    app = make_app(RestConfig(agent, CONNECT_FOUR))
    with TestClient(app, base_url="http://localhost") as client:
        answer = client.post("/move", json={"moves": ["d", "d"]}).json()
        schemas = client.get("/openapi.json").json()["components"]["schemas"]
        assert client.get("/agent").json()["game"] == "connect-four"
    after = CONNECT_FOUR.start().play("d").play("d").play(answer["move"])
    assert answer["position"] == after.text()
    assert answer["unit"] == (None if agent == "random" else "threats")
    assert answer["unit"] in schemas["MoveResponse"]["properties"]["unit"]["enum"]
