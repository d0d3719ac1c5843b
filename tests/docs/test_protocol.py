"""Every line of docs/protocol.md, from both ends: our engine answers so, and our host sends so.

The tables of the page are read, and each row needs a test here: a row that is added to the page
without one fails, and so does a line of the host that the page does not have.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from plyground import quoridor, reversi
from plyground.agents.base import Forfeit
from plyground.agents.engine_file import EngineProgram
from plyground.agents.engine_info import UNITS, read_score
from plyground.agents.external import ExternalAgent
from plyground.games import registry
from plyground.games.base import State
from plyground.search import SearchLimits
from tests.serve.engine_pipe import EnginePipe

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "protocol.md").read_text(encoding="utf-8")
SCRIPTED = Path(__file__).parents[1] / "serve" / "scripted_engine.py"


def table(title: str) -> list[list[str]]:
    """The rows of the table whose first column has this title."""
    (rows,) = re.findall(rf"^\| {title} \|.*\n\|[- |]+\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows.splitlines()]


def named(title: str) -> dict[str, list[str]]:
    """The rows of a table by the code in their first column; several codes are several rows."""
    return {
        name: cells[1:] for cells in table(title) for name in re.findall(r"`([^`]+)`", cells[0])
    }


COMMANDS, ANSWERS = named("line"), named("answer")
LIMITS, SCORES = named("word"), named("score")


def session() -> list[str]:
    match = re.search(r"## A session.*?```\n(.*?)```", PAGE, re.DOTALL)
    assert match
    return match[1].splitlines()


def matches(expected: str, line: str) -> bool:
    return bool(re.fullmatch(re.escape(expected).replace(r"\.\.\.", ".*"), line))


def test_the_session_is_what_comes_back() -> None:
    lines = session()
    process = subprocess.Popen(
        [sys.executable, "-m", "plyground", "engine"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    assert process.stdin
    assert process.stdout
    with process, process.stdin as sent, process.stdout as answers:
        anything = False
        for expected in lines:
            if expected.startswith("> "):
                sent.write(expected.removeprefix("> ") + "\n")
            elif expected == "...":
                anything = True
            else:
                line = answers.readline().rstrip("\n")
                while anything and line.split()[:1] != expected.split()[:1]:
                    assert line, f"the engine ended before {expected!r}"
                    line = answers.readline().rstrip("\n")
                assert matches(expected, line), f"expected {expected!r}, got {line!r}"
                anything = False
        assert process.wait(timeout=60) == 0


# ---- our engine, as a server


@pytest.fixture(scope="module")
def engine() -> Iterator[EnginePipe]:
    with EnginePipe("--hash", "1") as pipe:
        yield pipe


SENT = {
    "uci": ("uci", "uciok"),
    "isready": ("isready", "readyok"),
    "setoption name NAME value VALUE": ("setoption name Hash value 2", None),
    "ucinewgame": ("ucinewgame", None),
    "position startpos [moves MOVE ...]": ("position startpos moves e2 e8", None),
    "position TEXT [moves MOVE ...]": ("position 3 a2/c3 - 0/0 1 4 4 moves a3", None),
    "go [LIMIT ...]": ("go nodes 50", r"bestmove \S+.*"),
    "stop": ("stop", None),
    "ponderhit": ("ponderhit", "error expected 'ponderhit' after 'go ponder', .*"),
    "legal": ("legal", "legal .*"),
    "eval": ("eval", "eval steps .*"),
    "perft DEPTH": ("perft 1", r"perft 1 nodes \d+ time \d+"),
    "show": ("show", "position 9 .*"),
    "help": ("help", "commands: .*"),
    "quit": ("quit", None),
}
"""For each line of the page an example, and what the last line of the answer looks like."""


@pytest.mark.parametrize("line", [line for line in COMMANDS if line != "quit"])
def test_our_engine_understands_every_line(engine: EnginePipe, line: str) -> None:
    sent, answer = SENT[line]
    assert pattern(line).fullmatch(sent)
    engine.answers("ucinewgame")
    if answer is None:
        assert engine.answers(sent) == []
    else:
        last = engine.ask(sent, answer.split()[0])[-1]
        assert re.fullmatch(answer, last)


def test_every_line_of_the_page_has_a_test() -> None:
    assert set(SENT) == set(COMMANDS)
    assert set(GIVEN) == set(LIMITS)
    assert set(SCORED) == set(SCORES)
    assert set(ANSWERED) == set(ANSWERS)


def test_quit_ends_our_engine_at_once() -> None:
    with EnginePipe() as pipe:
        pipe.send("go infinite", "quit")
        assert pipe.process.wait(timeout=60) == 0


@pytest.mark.parametrize("limit", LIMITS)
def test_our_engine_keeps_to_every_limit(engine: EnginePipe, limit: str) -> None:
    engine.answers("position startpos")
    words = re.sub(r"MS|N", "40", limit)
    if limit in ("infinite", "ponder"):
        lines = engine.answers(f"go {words}", "go")
        (error,) = (line for line in lines if not line.startswith("info "))
        assert error.startswith("error 'go' is not possible during a search")
        engine.send("stop" if limit == "infinite" else "ponderhit", "stop")
        engine.until("bestmove ")
    elif limit == "simulations N":
        engine.ask(f"go {words}", "error the alpha-beta engine has no simulations")
    else:
        more = " time1 40 time2 40" if limit == "movestogo N" else ""
        more = " movetime 40" if limit == "depth N" else more
        quoridor.State().play(engine.ask(f"go {words}{more}", "bestmove ")[-1].split()[1])


def test_our_engine_has_every_option_of_the_page(engine: EnginePipe) -> None:
    declared = {line.split()[2] for line in engine.ask("uci", "uciok") if "option name" in line}
    assert {name for name in named("name") if name[0].isupper()} <= declared


def test_our_engine_sends_no_other_units(engine: EnginePipe) -> None:
    units = {row.split()[0] for row, cells in SCORES.items() if cells[-1] != "no"}
    assert units == {game.unit.name for game in registry.games().values()} | {
        "value", "win", "loss",
    }  # fmt: skip


# ---- our host, as a client


def pattern(line: str) -> re.Pattern[str]:
    """What a line of the page matches: MS and N are numbers, MOVE a word, TEXT anything."""
    text = re.escape(line)
    for word, means in {
        "MS": r"\d+", "DEPTH": r"\d+", "N": r"\d+", "D": r"\d+", "S": r"[a-z]+ [-\d.]+",
        "MOVE": r"\S+", "LIMIT": r"\S+", "NAME": r"\S+", "VALUE": ".+", "TEXT": ".+", "WORDS": ".+",
    }.items():  # fmt: skip
        text = re.sub(rf"\b{word}\b", lambda _, means=means: means, text)  # type: ignore[misc]
    text = text.replace(r"\ \.\.\.", r"(\ \S+)*")
    return re.compile(re.sub(r"\\ \\\[(.*?)\\\]", r"(\\ \1)?", text))


GIVEN = {
    "movetime MS": SearchLimits(time_s=0.04),
    "time1 MS time2 MS inc1 MS inc2 MS": SearchLimits(clock_s=5, increment_s=1),
    "movestogo N": SearchLimits(clock_s=5, moves_to_go=3),
    "depth N": SearchLimits(depth=4),
    "nodes N": SearchLimits(nodes=40),
    "simulations N": SearchLimits(simulations=4),
    "infinite": None,
    "ponder": SearchLimits(time_s=0.04),
}
"""For each limit of the page the limits of a search; None if the host does not send it."""


def host_session() -> list[str]:
    """The lines that the host sends in a game with every limit."""
    answers = ["bestmove e2 ponder e8", "bestmove e3 ponder e7", *["bestmove e2 ponder e8"] * 20]
    command = (sys.executable, str(SCRIPTED), *answers)
    program = EngineProgram(command, options={"Hash": "3"}, ponder=True)
    agent = ExternalAgent(program)
    sent: list[str] = []
    agent.on_line = lambda direction, line: sent.append(line) if direction == ">" else None
    after = quoridor.State().play("e2").play("e8")
    agent.search(quoridor.State(), GIVEN["ponder"])
    agent.search(after, GIVEN["ponder"])
    for limits in GIVEN.values():
        if limits is not None:
            agent.search(quoridor.State(), limits)
    agent.close()
    return sent


@pytest.fixture(scope="module")
def sent() -> list[str]:
    return host_session()


def test_our_host_sends_no_line_that_is_not_on_the_page(sent: list[str]) -> None:
    lines = [pattern(line) for line, cells in COMMANDS.items() if cells[-1] != "no"]
    for line in sent:
        assert any(known.fullmatch(line) for known in lines), line
    limits = "|".join(pattern(limit).pattern for limit in LIMITS)
    for line in sent:
        if line.startswith("go"):
            assert re.fullmatch(rf"go( ({limits}))*", line), line


@pytest.mark.parametrize("line", [line for line, cells in COMMANDS.items() if cells[-1] != "no"])
def test_our_host_sends_every_line_that_the_page_promises(sent: list[str], line: str) -> None:
    assert any(pattern(line).fullmatch(one) for one in sent), line


@pytest.mark.parametrize("limit", LIMITS)
def test_our_host_sends_every_limit_that_the_page_promises(sent: list[str], limit: str) -> None:
    known = re.compile(rf"go( .+)? {pattern(limit).pattern}( .+)?")
    is_sent = any(known.fullmatch(line) for line in sent)
    assert is_sent == (LIMITS[limit][-1] != "no")
    assert is_sent == (GIVEN[limit] is not None)


SCORED: dict[str, tuple[State, str]] = {
    "steps X": (quoridor.State(), "+0.5"),
    "discs X": (reversi.State(), "+0.5"),
    "cp X": (quoridor.State(), "+0.0"),
    "value X": (quoridor.State(), "75% to win"),
    "chance X": (quoridor.State(), "50% to win"),
    "win N": (quoridor.State(), "wins in 3"),
    "loss N": (quoridor.State(), "loses in 3"),
    "mate N": (quoridor.State(), "wins in 5"),
}
"""For each score of the page a position, and how the score prints with X = 0.5 and N = 3."""


@pytest.mark.parametrize("score", SCORES)
def test_our_host_reads_every_score(score: str) -> None:
    state, expected = SCORED[score]
    words = score.replace("X", "0.5").replace("N", "3").split()
    assert str(read_score(words, state)) == expected
    assert words[0] in (*UNITS, state.game.unit.name)


ANSWERED = {
    "info depth D score S nodes N nps N time MS pv MOVE ...": "go nodes 50",
    "bestmove MOVE [ponder MOVE]": "go nodes 50",
    "error WORDS": "go fast",
    "legal MOVE ...": "legal",
    "eval S ...": "eval",
    "perft D nodes N time MS": "perft 1",
}
"""For each answer of the page a command that is answered so."""


@pytest.mark.parametrize("answer", ANSWERS)
def test_our_engine_answers_as_the_page_says(engine: EnginePipe, answer: str) -> None:
    engine.answers("position startpos moves e2 e8")
    line = engine.ask(ANSWERED[answer], answer.split()[0])[-1]
    assert pattern(answer).fullmatch(line), line


def test_our_host_reads_every_answer_to_a_search() -> None:
    info = "info depth 7 score steps -1.5 nodes 99 nps 10 time 4 pv e2 e8"
    assert pattern(next(iter(ANSWERS))).fullmatch(info)
    answers = f"{info};bestmove e2 ponder e8", "error no idea"
    agent = ExternalAgent(EngineProgram((sys.executable, str(SCRIPTED), *answers)))
    result = agent.search(quoridor.State())
    assert (result.depth, result.nodes_searched, str(result.score)) == (7, 99, "-1.5")
    assert [str(move) for move in map(quoridor.State().format_move, result.pv[:1])] == ["e2"]
    assert len(result.pv) == 2
    with pytest.raises(Forfeit, match="the program says: error no idea"):
        agent.search(quoridor.State())
