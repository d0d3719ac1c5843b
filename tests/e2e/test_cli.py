"""The installed `plyground` command: what it prints, and what it says to mistakes."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from plyground import __version__
from plyground.cli import info
from plyground.cli.main import COMMANDS, main

COMMAND = str(Path(sys.executable).parent / "plyground")


REVERSI_START = "---------------------------OX------XO--------------------------- X"
REVERSI_PASS = "OX" + "-" * 62 + " X"


def plyground(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [COMMAND, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60
    )


def output(*arguments: str) -> str:
    done = plyground(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_version_from_the_command_and_the_module() -> None:
    module = [sys.executable, "-m", "plyground", "--version"]
    assert output("--version") == f"plyground {__version__}\n"
    assert subprocess.check_output(module, text=True) == f"plyground {__version__}\n"


def test_rules_are_those_of_the_board() -> None:
    assert "Each player has 10 walls." in output("rules")
    assert "Each player has 3 walls." in output("rules", "quoridor", "--board", "4")
    assert "Each player has 5 walls." in output("rules", "--preset", "small")
    assert "eight directions" in output("rules", "reversi")


def test_help_lists_the_commands_and_each_shows_an_example() -> None:
    text = output("--help")
    assert output() == text
    for command in COMMANDS:
        assert command in text
        assert f"Example: plyground {command}" in output(command, "--help")


def test_perft_counts() -> None:
    lines = output("perft", "3").splitlines()
    assert lines[0] == "9 e1/e9 - 10/10 1 0 0"
    assert [line.split()[:2] for line in lines[3:]] == [
        ["1", "131"],
        ["2", "16,677"],
        ["3", "2,062,264"],
    ]


@pytest.mark.parametrize(
    ("options", "position", "leaves"),
    [
        (["--preset", "tiny"], "3 b1/b3 - 2/2 1 0 0", [11, 77]),
        (["--board", "5", "--walls", "3"], "5 c1/c5 - 3/3 1 0 0", [35, 1109]),
        (["--preset", "small", "--walls", "0"], "5 c1/c5 - 0/0 1 0 0", [3, 9]),
        (["--preset", "standard", "--walls", "64"], "9 e1/e9 - 64/64 1 0 0", [131, 16677]),
        (["--position", "9 e4/e5 - 0/0 1 8 8"], "9 e4/e5 - 0/0 1 8 8", [4, 16]),
        (["--preset", "tiny", "--hash-mb", "1"], "3 b1/b3 - 2/2 1 0 0", [11, 77]),
        (["--game", "reversi"], REVERSI_START, [4, 12]),
        (["--game", "reversi", "--position", REVERSI_PASS], REVERSI_PASS, [1, 1]),
    ],
)
def test_perft_starts_where_it_is_told(
    options: list[str], position: str, leaves: list[int]
) -> None:
    report = json.loads(output("perft", "2", "--json", *options))
    assert report["position"] == position
    assert [depth["leaves"] for depth in report["depths"]] == leaves


def test_perft_divide_adds_up() -> None:
    report = json.loads(output("perft", "2", "--preset", "tiny", "--divide", "--json"))
    assert sum(report["divide"].values()) == report["depths"][-1]["leaves"] == 77
    assert report["divide"]["b2"] == 11
    table = output("perft", "2", "--preset", "tiny", "--divide").split("\n\n")[-1]
    assert ["b2", "11"] in [line.split() for line in table.splitlines()]


def test_perft_divides_in_the_notation_of_the_game() -> None:
    report = json.loads(output("perft", "3", "--game", "reversi", "--divide", "--json"))
    assert report["divide"] == {"d3": 14, "c4": 14, "f5": 14, "e6": 14}


def test_perft_of_depth_0_is_the_position_itself() -> None:
    assert [d["leaves"] for d in json.loads(output("perft", "0", "--json"))["depths"]] == [1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["perf"], "unknown command 'perf'; did you mean 'perft'?"),
        (["zzz"], "unknown command 'zzz'; see plyground --help"),
        (["--frob"], "unrecognized arguments: --frob"),
        (["perft"], "the following arguments are required: depth"),
        (["book"], "expected one of add, show, info after 'plyground book', got nothing"),
        (["serve"], "expected one of course, http after 'plyground serve', got nothing"),
        (["perft", "x"], "argument depth: expected a whole number from 0 to 99, got 'x'"),
        (["perft", "1", "--hash", "4"], "unknown option '--hash'; did you mean '--hash-mb'?"),
        (["play", "--levl", "hard"], "unknown option '--levl'; did you mean '--level'?"),
        (["play", "--zz=1"], "unknown option '--zz'; --help lists the options"),
        (["tune", "td", "--outt", "x"], "unknown option '--outt'; did you mean '--out'?"),
        (["tutorial"], "unknown command 'tutorial'; 'plyground learn' teaches a game"),
        (["learn", "--lesson", "99"], "expected a lesson from 1 to 12, got 99"),
        (["learn", "reversi", "--lesson", "2"], "lesson 2 is about quoridor, not about reversi"),
        (["puzzle"], "unknown command 'puzzle'; did you mean 'puzzles'?"),
        (["rules", "chess"], "argument game: invalid choice: 'chess'"),
        (
            ["perft", "1", "--hash-mb", "-1"],
            "argument --hash-mb: expected a whole number from 0 to 1048576, got",
        ),
        (["perft", "1", "--board", "two\nlines"], "expected a whole number for the setting Board"),
        (["perft", "1", "--board", "10"], "expected Board to be"),
        (["perft", "1", "--preset", "huge"], "quoridor has no preset 'huge'; known are small"),
        (["perft", "1", "--position", "9 e1"], "bad position '9 e1': expected 7 fields"),
        (["perft", "1", "--position", "\udcff"], "bad position '\\udcff'"),
        (["bench", "rules", "--seconds", "0"], "argument --seconds: expected a number above 0"),
        (["bench", "all"], "argument what: invalid choice: 'all'"),
        (["play", "--p2", "randm"], "unknown player 'randm'; did you mean 'random'?"),
        (["play", "--p1", "Human"], "unknown player 'Human'; did you mean 'human'?"),
        (["play", "--p1", "me"], "unknown player 'me'; known are beginner, casual, easy, engine, "),
        (["play", "--seed", "1"], "--seed is for a random player, such as --p2 random; there is"),
        (["perft", "1", "--preset", "tiny", "--board", "9"], "expected a preset or a board, got"),
        (
            ["perft", "1", "--game", "reversi", "--board", "5"],
            "expected Board 8, 6 or 4 for reversi",
        ),
        (["perft", "1", "--game", "chess"], "argument --game: invalid choice: 'chess'"),
        (["perft", "1", "--game", "reversi", "--position", "X"], "bad position 'X': expected 64"),
        (["play", "reversi", "--preset", "tiny"], "reversi has no presets"),
        (["play", "reversi", "--p2", "pathfinder"], "the agent 'pathfinder' does not play reversi"),
        (["play", "--p2", "random:seed=x"], "expected a whole number for 'seed' in the agent"),
        (["play", "--level", "brutal"], "argument --level: invalid choice: 'brutal'"),
        (
            ["play", "--time", "5m"],
            "expected a time such as '300', '300+5', '40/300+5' or '2/move' in seconds",
        ),
        (["play", "--speed", "-1"], "argument --speed: expected seconds from 0 to 3600, got '-1'"),
        (
            ["match", "random", "easy", "--games", "-2"],
            "argument --games: expected a whole number from 2 to 1000000, got '-2'",
        ),
        (
            ["check-engine", "x", "--timeout", "0"],
            "argument --timeout: expected seconds from 0.001 to 3600, got '0'",
        ),
        (["games", "x", "--plies", "5-2"], "argument --plies: expected a range from low to high"),
        (["play", "--load", "no.pgn"], "cannot read no.pgn: No such file or directory"),
        (["play", "--load", "x", "--resume"], "expected --resume or --load, got both"),
        (["play", "--load", "x", "--preset", "tiny"], "--load takes the game as it was; leave out"),
        (["play", "--position", "9 e1"], "bad position '9 e1': expected 7 fields"),
        (["play", "--preset", "large"], "quoridor has no preset 'large'; known are small"),
    ],
)
def test_a_mistake_gets_one_line_and_exit_status_2(arguments: list[str], message: str) -> None:
    done = plyground(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"plyground: {message}")
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith("\n")


def test_a_bug_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise ValueError("not a user's mistake")

    monkeypatch.setattr(info, "collect", broken)
    with pytest.raises(ValueError, match="not a user's mistake"):
        main(["info"])


def test_info_tells_versions_build_and_machine() -> None:
    facts = json.loads(output("info", "--json"))
    assert facts["plyground"] == __version__
    assert facts["cores"] >= 1
    assert set(facts) == {"plyground", "core", "python", "numpy", "system", "cpu", "cores"}
    lines = output("info").splitlines()
    assert [line.split(":")[0] for line in lines] == list(facts)


def test_bench_measures_everything_once() -> None:
    options = ["--seconds", "0.01", "--repeats", "1", "--no-openspiel", "--json"]
    report = json.loads(output("bench", "rules", *options))
    measured = report["measurements"]
    assert all(len(m["values"]) == 1 and m["best"] > 0 for m in measured.values())
    assert set(measured) == {
        "perft",
        "perft_table",
        "play_and_paths",
        "shortest_path_call",
        "shortest_path",
        "import",
        "playouts",
        "reference_playouts",
        "reversi_perft",
        "reversi_playouts",
    }
    assert report["ratios"]["reference"] > 10
    assert report["core_bytes"] < report["state_bytes"] <= 200


def test_a_reader_who_leaves_early_causes_no_noise() -> None:
    process = subprocess.Popen(
        [COMMAND, "perft", "2", "--divide"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=60) == 1


@pytest.mark.parametrize(
    ("redirection", "reason"),
    [(">&-", "it is closed"), (">/dev/full", "No space left on device")],
)
@pytest.mark.parametrize("arguments", ["info", "perft 2 --divide"])
def test_output_that_cannot_be_written_is_one_line(
    arguments: str, redirection: str, reason: str
) -> None:
    done = subprocess.run(
        ["sh", "-c", f'"$0" {arguments} {redirection}', COMMAND],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert done.stderr == f"plyground: cannot write the output: {reason}\n"


def test_ctrl_c_ends_a_long_count() -> None:
    process = subprocess.Popen(
        [COMMAND, "perft", "9"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "9 e1/e9 - 10/10 1 0 0\n"  # printed with the first counts
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert errors == ""
    assert process.returncode == 130


def test_start_up_imports_only_what_it_needs() -> None:
    heavy = "{'numpy', 'yaml', 'argparse', 'hypothesis'}"
    program = f"import sys, plyground; print({heavy} & set(sys.modules))"
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "set()\n"
    program = (
        "import sys; from plyground.cli.main import main; main(['info']); "
        "print([m for m in sys.modules if m.startswith(('plyground.cli', 'plyground.bench'))])"
    )
    last = subprocess.check_output([sys.executable, "-c", program], text=True).splitlines()[-1]
    assert last == "['plyground.cli', 'plyground.cli.main', 'plyground.cli.info']"
