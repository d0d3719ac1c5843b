"""What the host sends to programs and reads from them: clocks, scores, names, pondering."""

from __future__ import annotations

import shlex
import sys
import threading
from pathlib import Path

import pytest

from plyground import quoridor, reversi
from plyground.agents import make
from plyground.agents.base import Forfeit
from plyground.agents.engine_file import EngineProgram, split_keys
from plyground.agents.engine_info import info_words, read_score
from plyground.agents.engine_pool import kept_programs
from plyground.agents.external import ExternalAgent
from plyground.agents.spec import LoggedAgents, is_command, is_safe_in_files, with_files_beside
from plyground.arena import Crosstable
from plyground.arena.game import play_game, play_task
from plyground.arena.task import Conditions, Task
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.play import LiveGame, Seat, format_record, parse_record
from plyground.play.clock import Clock, TimeControl
from plyground.search import SearchLimits, SearchResult
from plyground.serve.search_job import SearchJob

SCRIPTED = Path(__file__).with_name("scripted_engine.py")
START = quoridor.State()


def scripted(*answers: str) -> str:
    """The command of a program that answers its searches so."""
    return shlex.join([sys.executable, str(SCRIPTED), *answers])


def program(*answers: str, **settings: object) -> tuple[ExternalAgent, list[str]]:
    """An agent, and the lines that it exchanges."""
    given = EngineProgram(tuple(shlex.split(scripted(*answers))), **settings)  # type: ignore[arg-type]
    agent, lines = ExternalAgent(given), list[str]()
    agent.on_line = lambda direction, line: lines.append(f"{direction} {line}")
    return agent, lines


# ---- clocks


def test_a_clocked_search_is_sent_both_clocks_and_increments() -> None:
    agent, lines = program("bestmove e8")
    limits = SearchLimits(
        clock_s=9.5, increment_s=0.1, opponent_clock_s=60, opponent_increment_s=1, moves_to_go=7
    )
    agent.search(START.play("e2"), limits)
    agent.close()
    assert "> go time1 60000 time2 9500 inc1 1000 inc2 100 movestogo 7" in lines


def test_a_game_sends_both_clocks_of_its_host() -> None:
    agent, lines = program("bestmove e2", "bestmove none")
    opponent, _ = program("bestmove e8")
    play_game(START, {1: agent, 2: opponent}, conditions=Conditions(control=TimeControl(60, 2)))
    agent.close()
    opponent.close()
    first, second = (line.split() for line in lines if line.startswith("> go"))
    assert first[2::2] == ["time1", "time2", "inc1", "inc2"]
    assert 59_000 < int(first[3]) <= 60_000
    assert first[5:] == ["60000", "inc1", "2000", "inc2", "2000"]
    assert 60_000 < int(second[3]) <= 62_000
    assert 60_000 < int(second[5]) <= 62_000


def test_moves_to_go_share_the_time_left() -> None:
    few, many = (SearchLimits(clock_s=10, moves_to_go=n).time_budget()[1] for n in (5, 50))
    whole = SearchLimits(clock_s=10).time_budget()[1]
    assert few is not None
    assert whole is not None
    assert few > 3 * whole
    assert many == whole


def test_a_clock_may_be_overstepped_by_its_margin() -> None:
    now = [0.0]
    clock = Clock(TimeControl(5, 1), now=lambda: now[0])
    clock.margins[1] = 0.5
    clock.start(1)
    now[0] = 5.25
    assert clock.flag_falls_in(1) == 0.25
    assert not clock.is_late(1)
    clock.press()
    assert clock.left(1) == 1.0
    clock.start(1)
    now[0] += 1.5
    assert clock.is_late(1)


def test_a_late_move_with_an_increment_is_late() -> None:
    now = [0.0]
    clock = Clock(TimeControl(5, 10), now=lambda: now[0])
    clock.start(1)
    now[0] = 5.1
    assert clock.is_late(1)


def test_the_margin_is_the_agents() -> None:
    assert make(f"engine:cmd={scripted()},timemargin=250").time_margin_s == 0.25


# ---- scores


@pytest.mark.parametrize(
    ("text", "value", "win_in"),
    [
        ("steps 1.5", 1.5, None),
        ("cp 35", 0.35, None),
        ("cp -120", -1.2, None),
        ("value 0.25", 0.25, None),
        ("chance 0.75", 0.5, None),
        ("win 7", 1.0, 7),
        ("loss 6", -1.0, -6),
        ("mate 3", 1.0, 5),
        ("mate -2", -1.0, -4),
    ],
)
def test_scores_have_their_units(text: str, value: float, win_in: int | None) -> None:
    score = read_score(text.split(), START)
    assert score is not None
    assert score.value == pytest.approx(value)
    assert (score.win_in, score.player) == (win_in, 1)


@pytest.mark.parametrize(
    "text",
    [
        *("35", "0.5", "points 3", "discs 4", "value 35", "chance 62", "chance -1", "mate 0"),
        *("win 0", "win -3", "loss 0", "cp", "cp nan", "steps inf", "", "win 9999999"),
    ],
)
def test_scores_in_unknown_units_are_dropped(text: str) -> None:
    assert read_score(text.split(), START) is None


def test_the_unit_of_a_game_is_its_own() -> None:
    score = read_score(["discs", "4"], reversi.State())
    assert score is not None
    assert score.unit.name == "discs"


def test_an_unknown_unit_decides_no_game() -> None:
    """The record has no score either."""
    agent, _ = program("info depth 3 score elo 900 pv e2;bestmove e2")
    result = agent.search(START)
    agent.close()
    assert (result.score, result.depth) == (None, 3)


def test_depths_and_nodes_count_without_a_score() -> None:
    command = scripted("info depth 7 nodes 1234 score elo 9 pv e2;bestmove e2", "bestmove zz")
    conditions = Conditions(SearchLimits(time_s=1))
    game = play_task(Task.of(f"engine:{command}", "random:seed=1", START, conditions=conditions))
    assert game.nodes[0] == 1234
    first = parse_record(format_record(game.record)).moves[0]
    assert (first.text, first.score, first.depth) == ("e2", None, 7)


def test_free_text_and_other_variations_are_not_read() -> None:
    assert info_words("info string score cp 900") == []
    assert info_words("info multipv 2 score cp 900") is None
    assert info_words("info multipv 1 score cp 9") == ["multipv", "1", "score", "cp", "9"]
    assert info_words("bestmove e2") is None


# ---- settings in the agent's string


def test_an_agents_string_has_the_settings_of_a_program() -> None:
    spec = f"name=A,cmd={scripted('x,y')},dir=/,option.Hash=4,time=0.5,ponder=on,restart=off"
    found = EngineProgram.of(spec)
    assert found.command[-1] == "x,y"
    assert (found.name, found.folder, found.options) == ("A", Path("/"), {"Hash": "4"})
    assert (found.ponder, found.restart, found.stays) == (True, False, True)
    assert found.limits == SearchLimits(time_s=0.5)


def test_strings_with_a_command_are_never_safe_in_files() -> None:
    for spec in ("engine:name=x,cmd=id", "engine:cmd=id", "engine:time=1,cmd=id"):
        assert is_command(spec)
        assert not is_safe_in_files(spec, registry.default())


def test_the_file_of_a_program_is_looked_up_beside_the_settings(tmp_path: Path) -> None:
    (tmp_path / "theirs.yaml").write_text("command: x")
    found = with_files_beside("engine:name=T,cmd=theirs.yaml,ponder=on", tmp_path / "arena.yaml")
    assert split_keys(found.removeprefix("engine:")) == {
        "name": "T", "cmd": str(tmp_path / "theirs.yaml"), "ponder": "on",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("keys", "error"),
    [
        ("nam=A,cmd=sh", "unknown key 'nam' of an engine; did you mean 'name'?"),
        ("cmd=sh,ponder=yes", "expected on or off for ponder, got 'yes'"),
        ("cmd=sh,timemargin=soon", "expected a number for timemargin, got 'soon'"),
        ("cmd=sh,timemargin=-1", "expected timemargin to be a number from 0 to"),
        ("cmd=sh,name=A,name=B", "the key 'name' is given twice"),
        ("cmd=sh,dir=/nowhere", "cannot find the folder '/nowhere'"),
        ("cmd=no-such-program,name=A", "cannot find the program 'no-such-program'"),
        ("cmd=", "expected a command after 'engine:', got nothing"),
    ],
)
def test_mistakes_in_the_settings_are_explained(keys: str, error: str) -> None:
    with pytest.raises(ConfigError) as caught:
        make(f"engine:{keys}")
    assert str(caught.value).startswith(error)


def test_ponder_and_restart_need_an_adapter_with_their_commands(tmp_path: Path) -> None:
    path = tmp_path / "theirs.yaml"
    path.write_text("command: sh\nrestart: off\nadapter: {new_game: null}")
    with pytest.raises(ConfigError, match="restart=off needs"):
        EngineProgram.load(path)
    path.write_text('command: sh\nponder: on\nadapter: {move: "play {move}"}')
    with pytest.raises(ConfigError, match="ponder=on needs"):
        EngineProgram.load(path)


# ---- names


def test_the_name_of_a_program_is_in_records_and_tables() -> None:
    spec = f"engine:{scripted('id Alpha 2', 'bestmove resign')}"
    task = Task.of(spec, "random:seed=1", START)
    record = play_task(task).record
    assert record.tags["Program1"] == "Alpha 2"
    assert record.tags["Player1"] == spec
    crosstable = Crosstable([spec, "random"], {spec: "Alpha 2"})
    assert crosstable.title(spec) == "Alpha 2"
    assert Crosstable(["a", "b"], {"a": "Same", "b": "Same"}).title("a") == "a"


def test_a_name_with_quotes_survives_the_record() -> None:
    command = scripted('id The "best" \\ one', "bestmove resign")
    record = play_task(Task.of(f"engine:{command}", "random:seed=1", START)).record
    read = parse_record(format_record(record))
    assert read.tags["Program1"] == 'The "best" \\ one'


def test_a_given_name_comes_before_the_programs_own() -> None:
    agent, _ = program("id Alpha 2", "bestmove e2", name="Mine")
    agent.search(START)
    agent.close()
    assert agent.title == "Mine"


# ---- programs that stay


def starts(lines: list[str]) -> int:
    return lines.count("> uci")


@pytest.mark.parametrize(("restart", "expected"), [(None, 1), (False, 1), (True, 2)])
def test_a_program_stays_between_games(restart: bool | None, expected: int) -> None:
    agent, lines = program("bestmove e2", "bestmove e2", restart=restart)
    with kept_programs():
        for _ in range(2):
            agent.search(START)
            agent.close()
    assert starts(lines) == expected
    assert lines.count("> ucinewgame") == 2


def test_a_program_that_ended_between_games_is_started_again() -> None:
    agent, lines = program("bestmove e2")
    with kept_programs():
        agent.search(START)
        assert agent._process is not None
        process = agent._process
        agent.close()
        process.send("quit")
        process._process.wait()
        agent.search(START)
        agent.close()
    assert starts(lines) == 2


def test_a_program_that_forfeited_does_not_stay() -> None:
    agent, lines = program("bestmove e9", "bestmove e9")
    with kept_programs():
        for _ in range(2):
            with pytest.raises(Forfeit, match="illegal move 'e9'"):
                agent.search(START)
            agent.close()
    assert starts(lines) == 2


# ---- pondering


def test_the_program_ponders_and_the_expected_move_hits() -> None:
    agent, lines = program(
        "bestmove e2 ponder e8", "bestmove e3 ponder e7", "bestmove a1", "bestmove e4", ponder=True
    )
    state = START
    limits = SearchLimits(clock_s=60, increment_s=1, opponent_clock_s=50, moves_to_go=3)
    for reply in ("e8", "d8"):  # as expected, and otherwise
        state = state.play(agent.search(state, limits).best_move).play(reply)
    assert state.format_move(agent.search(state, SearchLimits(time_s=0.1)).best_move) == "e4"
    agent.close()
    sent = [line for line in lines if line[:4] in ("> go", "> po", "> st")]
    assert sent[0].startswith("> position ")
    assert sent[1] == "> go time1 60000 time2 50000 inc1 1000 inc2 0 movestogo 3"
    assert sent[2] == f"> position {START.play('e2').play('e8').text()}"
    assert sent[3].startswith("> go ponder time1 ")
    assert sent[3].endswith("movestogo 2")
    assert sent[4] == "> ponderhit"
    assert [line.split()[1] for line in sent[5:]] == ["position", "go", "stop", "position", "go"]


def test_a_program_that_ends_while_it_ponders_loses_with_the_next_move() -> None:
    agent, _ = program("bestmove e2 ponder e8", ponder=True)  # has no second answer
    state = START.play(agent.search(START).best_move).play("e8")
    with pytest.raises(Forfeit, match="the program ended with status 1: IndexError"):
        agent.search(state)


# ---- the log, and stop


def test_every_line_is_logged_with_its_time(tmp_path: Path) -> None:
    log = tmp_path / "lines.log"
    agent = LoggedAgents(log)(f"engine:cmd={scripted('bestmove e2')},name=Theirs")
    agent.search(START, SearchLimits(nodes=5))
    agent.close()
    lines = log.read_text().splitlines()
    assert all(" Theirs[" in line for line in lines)
    said = [line.split("] ")[1] for line in lines]
    assert said[:3] == ["> uci", "< option name Hash type spin default 1 min 1 max 9", "< uciok"]
    assert said[-3:] == ["> go nodes 5", "< bestmove e2", "> quit"]
    assert lines[0][:4].isdecimal()


def test_a_move_that_is_late_loses_even_with_an_increment() -> None:
    now = [0.0]
    clock = Clock(TimeControl(5, 10), now=lambda: now[0])
    with LiveGame({1: Seat("Ann"), 2: Seat("Bob")}, clock=clock) as game:
        game.start()
        game.play("e2")  # starts the clocks
        now[0] = 5.1
        game.play("e8")
        assert game.outcome is not None
        assert (game.outcome.winner, game.outcome.reason) == (1, "time")


def test_a_silent_program_behind_our_engine_can_be_stopped() -> None:
    """`stop` reaches a program that reports no progress."""
    agent, lines = program("hold;bestmove e2")
    is_sent = threading.Event()

    def note(direction: str, line: str) -> None:
        lines.append(f"{direction} {line}")
        if line.startswith("go"):
            is_sent.set()

    agent.on_line = note
    ends: list[SearchResult | Exception] = []
    job = SearchJob(agent, START, None, lambda _: None, ends.append)
    assert is_sent.wait(60)
    job.stop()
    job.wait()
    agent.close()
    assert "> stop" in lines
    (found,) = ends
    assert isinstance(found, SearchResult)


def test_stop_counts_even_before_the_search_began() -> None:
    agent, lines = program("hold;bestmove e2")
    ends: list[SearchResult | Exception] = []
    original = agent.prepare

    def prepare() -> None:
        original()
        agent.stop()  # while the position is set up

    agent.prepare = prepare  # type: ignore[method-assign]
    SearchJob(agent, START, None, lambda _: None, ends.append).wait()
    agent.close()
    assert lines.index("> go") < len(lines) - lines[::-1].index("> stop")
    assert isinstance(ends[0], SearchResult)


def test_a_new_game_ends_pondering() -> None:
    agent, lines = program("bestmove e2 ponder e8", "bestmove e3", "bestmove e3", ponder=True)
    after = START.play(agent.search(START).best_move).play("e8")
    agent.new_game()
    agent.search(after)
    agent.close()
    assert "> stop" in lines
    assert "> ponderhit" not in lines
