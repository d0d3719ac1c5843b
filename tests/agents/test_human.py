"""A person as an agent: questions, answers and the end of the input."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from plyground import agents, quoridor, reversi
from plyground.agents import HumanAgent, RandomAgent, make
from plyground.agents.base import Forfeit
from plyground.arena.config import ArenaConfig
from plyground.errors import ConfigError, IllegalMoveError
from plyground.games.base import State


def answering(*answers: str) -> Callable[[str], str]:
    given: Iterator[str] = iter(answers)

    def ask(question: str) -> str:
        assert question.endswith(": ")
        for answer in given:
            return answer
        raise EOFError

    return ask


@pytest.mark.parametrize(
    ("state", "answer", "text"),
    [(quoridor.State(), " E2 ", "e2"), (reversi.State(), "f5", "f5")],
    ids=["quoridor", "reversi"],
)
def test_an_answer_is_the_move(state: State, answer: str, text: str) -> None:
    shown: list[str] = []
    action = HumanAgent(answering(answer), shown.append).select_action(state)
    assert (str(action), shown) == (text, [str(state)])
    assert state.play(action) == state.play(text)


def test_it_asks_again_and_says_why() -> None:
    shown: list[str] = []
    agent = HumanAgent(answering("", "zz", "e9", "e3h"), shown.append)
    assert str(agent.select_action(quoridor.State())) == "e3h"
    assert len(shown) == 4
    assert all("expected a cell" in reason for reason in shown[1:3])
    assert "no pawn move leads there" in shown[3]


def test_it_forfeits_at_the_end_of_the_input() -> None:
    with pytest.raises(Forfeit, match="the input has ended"):
        HumanAgent(answering("zz"), lambda text: None).select_action(quoridor.State())


def test_a_finished_game_has_no_question() -> None:
    with pytest.raises(IllegalMoveError, match="the game is over"):
        HumanAgent(answering()).select_action(quoridor.State.parse("3 b2/b1 - 2/2 1 2 2"))


def test_by_name_it_asks_on_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("b2\n" * 3))
    agent = make("human")
    assert isinstance(agent, HumanAgent)
    assert agent.name == "human"
    state = quoridor.State(quoridor.GameConfig.preset("tiny"))
    assert str(agent.select_action(state)) == "b2"
    printed = capsys.readouterr().out
    assert printed == f"{state}\nplayer 1, such as b2 or b2h: "


def test_a_game_with_a_person_through_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("b2\na2\nb3\na3\nc3\n" * 20))
    players = {1: make("human"), 2: RandomAgent(seed=1)}
    state = quoridor.State(quoridor.GameConfig.preset("tiny"))
    while not state.game_over and state.move_count < 3:
        state = state.play(players[state.current_player].select_action(state))
    assert state.move_count == 3 or state.game_over


def test_a_tournament_has_no_person() -> None:
    with pytest.raises(ConfigError, match="a person cannot play in a tournament"):
        ArenaConfig.of({"agents": ["human", "random"]})


def test_options_of_a_person_are_rejected() -> None:
    with pytest.raises(ConfigError, match="the agent 'human' has no options"):
        make("human:seed=1")


def test_remote_agents_are_imported_on_first_use() -> None:
    program = (
        "import sys, plyground.agents as agents; early = 'http.client' in sys.modules; "
        "agents.RemoteAgent('http://localhost:8000'); print(early, 'http.client' in sys.modules)"
    )
    done = subprocess.check_output([sys.executable, "-c", program], text=True)
    assert done == "False True\n"
    assert {"HumanAgent", "RemoteAgent"} <= set(agents.__all__)
    with pytest.raises(AttributeError, match="no attribute 'RemotAgent'"):
        _ = agents.RemotAgent  # type: ignore[attr-defined]
