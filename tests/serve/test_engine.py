"""The engine protocol over a real pipe."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from unittest.mock import ANY

import pytest

from plyground import quoridor, reversi
from plyground.cli.main import main
from plyground.errors import ConfigError
from plyground.serve.engine import EngineServer, GoCommand, parse_go
from plyground.serve.engine_options import EngineOptions
from tests.serve.engine_pipe import EnginePipe


@pytest.fixture(scope="module")
def shared() -> Iterator[EnginePipe]:
    with EnginePipe("--hash", "1") as pipe:
        yield pipe


@pytest.fixture
def engine(shared: EnginePipe) -> EnginePipe:
    """An engine of Quoridor at its start; a failed test may have left a search running."""
    shared.send("stop", "setoption name Level value full", "setoption name Game value quoridor")
    shared.answers("ucinewgame")
    return shared


@pytest.fixture
def othello(engine: EnginePipe) -> EnginePipe:
    assert engine.answers("setoption name Game value reversi") == []
    return engine


INFO = re.compile(
    r"info depth \d+ score (?:steps|discs|value|win|loss) -?[\d.]+ nodes (\d+) nps \d+ time \d+ "
    r"pv (.+)"
)


def test_the_handshake_names_every_option(engine: EnginePipe) -> None:
    lines = engine.ask("uci", "uciok")
    assert lines[0].startswith("id name Plyground")
    names = [line.split()[2] for line in lines if line.startswith("option ")]
    assert names[:5] == ["Game", "Hash", "Threads", "Level", "Network"]
    assert {"Board", "Walls"} < set(names)


def test_a_search_tells_what_it_finds_and_answers_with_a_legal_move(engine: EnginePipe) -> None:
    engine.send("position startpos moves e2 e8")
    *infos, answer = engine.ask("go depth 5", "bestmove")
    assert infos[-1].startswith("info depth 5 score steps ")
    found = [INFO.fullmatch(line) for line in infos]
    assert None not in found
    nodes = [int(match[1]) for match in found if match]
    assert nodes == sorted(nodes)
    state = quoridor.State().play("e2").play("e8")
    best, _, reply = answer.split()[1:]
    state.play(best).play(reply)
    assert infos[-1].split(" pv ")[1].split()[:2] == [best, reply]


@pytest.mark.parametrize(
    "limit", ["movetime 40", "nodes 500", "depth 1", "time1 2000 time2 9000 inc1 10"]
)
def test_every_limit_ends_the_search(engine: EnginePipe, limit: str) -> None:
    answer = engine.ask(f"go {limit}", "bestmove")[-1]
    quoridor.State().play(answer.split()[1])


def test_clocks_are_those_of_who_is_to_move() -> None:
    words = ["time1", "60000", "time2", "500", "inc1", "1000", "inc2", "0"]
    first, second = parse_go(words, 1).limits, parse_go(words, 2).limits
    assert first is not None
    assert second is not None
    assert (first.clock_s, first.increment_s) == (60, 1)
    assert (second.clock_s, second.increment_s) == (0.5, 0)
    late = parse_go(["time1", "-20"], 1).limits
    assert late is not None
    assert late.clock_s == 0
    assert parse_go(["time2", "500"], 1) == GoCommand(None, False, False)


def test_an_endless_search_is_awake_and_ends_when_told(engine: EnginePipe) -> None:
    engine.send("go infinite")
    engine.until("info depth 8 ")
    engine.send("isready")
    assert engine.until("readyok")
    refused = engine.ask("go depth 3", "error")[-1]
    assert refused == "error 'go' is not possible during a search; send 'stop' first"
    assert engine.ask("legal", "legal")[-1].split()[1] == "d1"
    assert engine.ask("position startpos moves e2", "error")[-1].startswith("error 'position'")
    answer = engine.ask("stop", "bestmove")[-1]
    quoridor.State().play(answer.split()[1])
    assert engine.answers("stop") == []  # which is nothing to complain about


def test_commands_may_follow_stop_at_once(engine: EnginePipe) -> None:
    for _ in range(5):
        engine.send("go infinite", "stop", "position startpos moves e2", "go depth 2")
        lines = engine.until("bestmove") + engine.until("bestmove")
        assert not [line for line in lines if line.startswith("error")]
        assert lines[-1].startswith("bestmove e8")
        engine.send("perft 8", "stop", "perft 1")
        assert engine.until("perft 1") == ["perft 8 stopped", ANY]


def test_an_endless_search_with_nothing_left_to_find_waits_for_stop(engine: EnginePipe) -> None:
    engine.send("position 3 a2/c3 - 0/0 1 4 4", "go infinite")
    engine.until("info ")
    assert not any(line.startswith("bestmove") for line in engine.answers())
    assert engine.ask("stop", "bestmove")[-1].startswith("bestmove a3")


def test_pondering_becomes_a_search_when_the_move_comes(engine: EnginePipe) -> None:
    engine.send("position startpos moves e2 e8", "go ponder time1 300 time2 300")
    engine.until("info depth 6 ")
    assert not any(line.startswith("bestmove") for line in engine.answers())
    assert engine.ask("ponderhit", "bestmove")[-1].startswith("bestmove ")
    error = "error expected 'ponderhit' after 'go ponder', and before 'stop'"
    assert engine.answers("ponderhit") == [error]


def test_pondering_ends_when_another_move_comes(engine: EnginePipe) -> None:
    engine.send("go ponder movetime 50")
    engine.until("info depth 4 ")
    assert engine.ask("stop", "bestmove")
    assert engine.ask("go depth 2", "bestmove")


def test_a_finished_game_has_no_best_move(engine: EnginePipe) -> None:
    engine.send("position 3 b3/b2 - 2/2 2 3 3")
    assert engine.ask("go", "bestmove") == ["bestmove none"]
    assert engine.answers("legal") == ["legal"]
    [answer] = engine.answers("eval")
    assert answer.startswith("error nothing to evaluate")


def test_legal_perft_eval_and_show(engine: EnginePipe) -> None:
    [legal] = engine.answers("legal")
    assert len(legal.split()) == 132
    assert engine.ask("perft 2", "perft")[0].startswith("perft 2 nodes 16677 ")
    assert engine.answers("eval") == ["eval steps 0.50 tempo 1"]
    assert engine.answers("show")[-1] == f"position {quoridor.State().text()}"


def test_a_count_can_be_stopped(engine: EnginePipe) -> None:
    engine.send("perft 12")
    assert engine.answers() == []
    assert engine.ask("stop", "perft") == ["perft 12 stopped"]


def test_reversi(othello: EnginePipe) -> None:
    othello.send("position startpos moves f5 d6")
    *infos, answer = othello.ask("go depth 6", "bestmove")
    assert " score discs " in infos[-1]
    state = reversi.State().play("f5").play("d6").play(answer.split()[1])
    assert othello.answers(f"position {state.text()}") == []
    assert othello.answers("legal")[0].split()[1:] == [
        reversi.action_to_notation(action) for action in state.legal_actions()
    ]
    assert othello.ask("perft 5", "perft")[0].split()[3].isdecimal()
    assert othello.answers("eval")[0].startswith("eval discs ")


def test_other_boards_by_option_and_by_position(engine: EnginePipe) -> None:
    assert engine.answers("setoption name Board value 5", "setoption name Walls value 2") == []
    assert engine.answers("show")[-1] == "position 5 c1/c5 - 2/2 1 0 0"
    engine.send("position 3 b1/b3 - 2/2 1 0 0")
    assert engine.ask("go depth 2", "bestmove")
    assert engine.answers("ucinewgame", "show")[-1] == "position 5 c1/c5 - 2/2 1 0 0"


def test_levels_and_a_network_play(engine: EnginePipe) -> None:
    engine.send("setoption name Level value easy")
    assert engine.ask("go movetime 1000", "bestmove")
    engine.send("setoption name Level value full", "setoption name Network value builtin")
    *infos, _ = engine.ask("go simulations 8", "bestmove")
    assert " score value " in infos[-1]
    assert engine.answers("eval")[0].startswith("eval value ")
    engine.ask("go infinite", "info")
    assert engine.ask("stop", "bestmove")
    engine.send("go depth 3")
    assert engine.until("error") == [
        "error a tree search has no depth limit; limit its simulations instead"
    ]
    assert engine.answers("setoption name Network value none") == []


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("", None),
        ("fly", "unknown command 'fly'; see 'help'"),
        ("isredy", "unknown command 'isredy'; did you mean 'isready'?"),
        ("position", "expected 'position startpos' or 'position TEXT', got nothing"),
        ("position startpos moves e3", "illegal move 'e3'"),
        ("position startpos moves e2 z9", "expected a cell from a1 to i9 or a wall"),
        ("position 9 e1", "bad position '9 e1'"),
        ("position startpos e2", "bad position 'startpos e2'"),
        ("go fast", "expected movetime, time1"),
        (
            "go depth",
            "expected a whole number of up to 15 digits after 'depth', got 'nothing'",
        ),
        ("go depth 0", "expected depth to be a whole number from 1 to 2147483647, got 0"),
        (
            "go nodes 9999999999999999999",
            "expected a whole number of up to 15 digits after 'nodes'",
        ),
        ("go movetime -1", "expected time_s to be a number from 0 to 1000000000, got -0.001"),
        ("perft", "expected a depth from 0 to 12 for perft, got ''"),
        ("perft 99", "expected a depth from 0 to 12 for perft, got '99'"),
        ("setoption", "expected 'setoption name NAME value VALUE', got ''"),
        ("setoption name Hash value much", "expected a whole number for Hash, got 'much'"),
        ("go depth 99999999999", "expected depth to be a whole number from 1 to 2147483647"),
        ("setoption name Hash value 0", "expected Hash from 1 to 65536, got 0"),
        ("setoption name Hsh value 1", "unknown option 'Hsh'; did you mean 'Hash'?"),
        ("setoption name Level value god", "expected a level among full, beginner, easy"),
        ("setoption name Network value /no/such.onnx", "cannot read the network"),
        ("setoption name Game value chess", "unknown game 'chess'"),
        ("setoption name Board value 12", "expected Board to be a whole number"),
        (b"\xff\xfe\x00", "unknown command"),
        (b"position " + b"9" * 2_000_000, "expected a shorter line"),
    ],
)
def test_bad_lines_are_answered_and_change_nothing(
    engine: EnginePipe, line: str | bytes, answer: str | None
) -> None:
    before = engine.answers("position startpos moves e2", "show")
    answers = engine.answers(line)
    if answer is None:
        assert answers == []
    else:
        assert len(answers) == 1
        assert answers[0].startswith(f"error {answer}")
        assert len(answers[0]) < 600
    assert engine.answers("show") == before


WORDS = [
    *("uci", "isready", "setoption", "name", "value", "Hash", "Board", "Game", "Level", "easy"),
    *("ucinewgame", "position", "startpos", "moves", "e2", "e8", "d3h", "f5", "reversi", "5", "-"),
    *("go", "depth", "nodes", "movetime", "1", "3", "-1", "infinite", "ponder", "stop"),
    *("ponderhit", "legal", "eval", "perft", "show", "help", "\x00", "\ud83d", "9 e1/e9 -", ""),
]


def test_whatever_is_sent_the_engine_stays_awake(rng: random.Random) -> None:
    lines = [
        " ".join(rng.choices(WORDS, k=rng.randint(0, 7))).encode(errors="surrogatepass")
        if rng.random() < 0.9
        else rng.randbytes(rng.randint(0, 40)).replace(b"\n", b"")
        for _ in range(400)
    ]
    output = BytesIO()
    options = EngineOptions(hash_mb=1)
    EngineServer(BytesIO(b"\n".join([*lines, b"stop", b"isready", b"quit"])), output, options).run()
    answers = output.getvalue().decode().splitlines()
    assert answers.count("readyok") == 1 + sum(line.split()[:1] == [b"isready"] for line in lines)
    first_words = {line.split()[0] for line in answers if line[:1].isalpha()}
    assert first_words <= {
        *(
            "id",
            "option",
            "uciok",
            "readyok",
            "info",
            "bestmove",
            "error",
            "legal",
            "eval",
            "perft",
        ),
        *("position", "commands:", "player", "a", "X", "O", "black", "white"),
    }


def test_the_end_of_the_pipe_lets_a_search_end_first() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "plyground", "engine", "--hash", "1"],
        input=b"position startpos moves e2\ngo depth 4\n",
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1].startswith(b"bestmove ")
    assert done.stderr == b""


def test_a_search_that_was_stopped_answers_after_the_end_of_the_pipe() -> None:
    command = [sys.executable, "-m", "plyground", "engine"]
    done = subprocess.run(command, input=b"go infinite\nstop\n", capture_output=True, timeout=60)
    assert done.stdout.splitlines()[-1].startswith(b"bestmove ")


def test_quit_and_a_closed_pipe_end_an_endless_search() -> None:
    with EnginePipe("--hash", "1") as pipe:
        pipe.ask("go infinite", "info depth 3 ")
        pipe.send("quit")
        assert pipe.process.wait(timeout=60) == 0
    with EnginePipe("--hash", "1") as pipe:
        pipe.ask("go infinite", "info depth 3 ")
        assert pipe.process.stdin is not None
        pipe.process.stdin.close()
        assert pipe.process.wait(timeout=60) == 0


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--hash", "0"], "expected Hash from 1 to 65536, got 0"),
        (["--level", "god"], "expected a level among"),
        (["--network", "missing.onnx"], "cannot read the network"),
    ],
)
def test_options_that_cannot_work_are_one_line(options: list[str], error: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "plyground", "engine", *options],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(f"plyground: {error}")
    assert done.stderr.count("\n") == 1


def test_any_agent_can_be_offered() -> None:
    with EnginePipe("minimax:depth=1") as pipe:
        lines = pipe.ask("uci", "uciok")
        assert lines[0].startswith("id name Plyground ")
        assert lines[0].endswith(" minimax:depth=1")
        names = [line.split()[2] for line in lines if line.startswith("option ")]
        assert "Game" in names
        assert not {"Hash", "Threads", "Level", "Network"} & set(names)
        assert pipe.answers("setoption name Hash value 3") == [
            "error Hash is an option of the agent: write it into 'minimax:depth=1'"
        ]
        assert pipe.answers("setoption name Game value reversi") == []
        assert pipe.ask("go", "bestmove")[-1].split()[1] in ("d3", "c4", "f5", "e6")


def test_an_agent_that_does_not_play_the_game_is_an_error() -> None:
    options = EngineOptions(agent="pathfinder")
    with pytest.raises(ConfigError, match="the agent 'pathfinder' does not play reversi"):
        options.with_option("Game", "reversi").make_agent()


@pytest.mark.parametrize(
    ("command", "error"),
    [
        (["human"], "expected an agent to offer, got 'human'"),
        (["hard", "--hash", "8"], "hash is an option of the agent: write it into 'hard'"),
        (["nobody"], "unknown agent 'nobody'"),
    ],
)
def test_mistakes_in_the_agent_are_explained(
    command: list[str], error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["engine", *command]) == 2
    assert error in capsys.readouterr().err


def test_go_takes_moves_to_go_and_both_clocks() -> None:
    words = ["time1", "60000", "time2", "500", "inc1", "1000", "inc2", "20", "movestogo", "7"]
    limits = parse_go(words, 2).limits
    assert limits is not None
    assert (limits.clock_s, limits.increment_s, limits.moves_to_go) == (0.5, 0.02, 7)
    assert (limits.opponent_clock_s, limits.opponent_increment_s) == (60.0, 1.0)
