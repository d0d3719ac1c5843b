"""External programs as agents: in matches, with adapters, and with every kind of misbehaviour."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from functools import reduce
from pathlib import Path

import pytest

from plyground import quoridor, reversi
from plyground.agents import make
from plyground.agents.base import Forfeit, ForfeitKind
from plyground.agents.engine_adapter import EngineAdapter, MoveNames
from plyground.agents.engine_file import EngineProgram
from plyground.agents.engine_option import DeclaredOption, check_options
from plyground.agents.external import ExternalAgent
from plyground.agents.move_tracker import MoveTracker, find_moves
from plyground.arena.config import ArenaConfig
from plyground.arena.quoridor_openings import book
from plyground.arena.runner import run_tasks
from plyground.arena.store import Store
from plyground.arena.task import Conditions, GameResult, Task
from plyground.arena.tournament import Tournament
from plyground.errors import ConfigError
from plyground.play import LiveGame, Record, Seat
from plyground.play.clock import TimeControl
from plyground.quoridor import GameConfig, State
from plyground.search import SearchLimits, SearchResult

FAKE = Path(__file__).with_name("fake_engine.py")
CONFIGS = Path(__file__).parents[2] / "configs" / "engines"
SMALL = State(GameConfig.preset("small"))
SOON = Conditions(SearchLimits(time_s=0.01), move_timeout_s=20)


def fake(deed: str = "", at: int = 2) -> str:
    return f"engine:{sys.executable} {FAKE} {deed or 'good'} {at}"


def engine_file(folder: Path, deed: str, more: str, name: str = "engine.yaml") -> str:
    path = folder / name
    path.write_text(f"command: {sys.executable} {FAKE} {deed}\n{more}", encoding="utf-8")
    return f"engine:{path}"


def play(*tasks: Task) -> dict[str, GameResult]:
    return {done.task.label: done for done in run_tasks(tasks, workers=2)}


def task(
    player1: str, player2: str, label: str = "", conditions: Conditions = SOON, start: State = SMALL
) -> Task:
    return Task.of(player1, player2, start, label=label, conditions=conditions)


def test_engines_that_speak_our_protocol_play_each_other_in_the_arena() -> None:
    ours = f"engine:{sys.executable} -m plyground engine --hash 1"
    done = play(
        task(ours, f"{ours} --level easy", "quoridor", Conditions(SearchLimits(nodes=200))),
        Task.of(
            ours, "random:seed=1", reversi.State(),
            label="reversi", conditions=Conditions(SearchLimits(nodes=300), TimeControl(60)),
        ),
    )  # fmt: skip
    for game in done.values():
        last = game.record.states()[-1]
        assert last.outcome is not None, game.record.termination  # it was played to its end
        assert game.nodes[0] > 0
    moves = done["quoridor"].record.moves
    assert moves[0].score is not None
    assert moves[0].depth


MISDEEDS: dict[str, tuple[str, ForfeitKind | None]] = {
    "crash": (
        "crash: the program ended with status 1: RuntimeError: out of ideas",
        ForfeitKind.CRASH,
    ),
    "exit": ("crash: the program ended with status 3", ForfeitKind.CRASH),
    "die": ("crash: the program was ended by SIGKILL", ForfeitKind.CRASH),
    "die-namelessly": (
        f"crash: the program was ended by signal {signal.SIGRTMIN + 1}",
        ForfeitKind.CRASH,
    ),
    "illegal": ("illegal move 'e9'", ForfeitKind.ILLEGAL_MOVE),
    "impossible": ("illegal move 'a5'", ForfeitKind.ILLEGAL_MOVE),
    "nonsense": ("illegal move '\\x1b[31m\u2603'", ForfeitKind.ILLEGAL_MOVE),
    "nothing": ("illegal move ''", ForfeitKind.ILLEGAL_MOVE),
    "resign": ("resignation", None),
    "refuse": (
        "nonsense: the program says: error no idea what you mean",
        ForfeitKind.NONSENSE,
    ),
    "close": ("crash: the program closed its output", ForfeitKind.CRASH),
}


def test_every_misdeed_loses_with_its_reason_and_the_others_play_on() -> None:
    tasks = [task(fake(deed), "random:seed=1", deed) for deed in MISDEEDS]
    tasks.append(task(fake(), "pathfinder", "good"))
    done = play(*tasks)
    for deed, (reason, kind) in MISDEEDS.items():
        record = done[deed].record
        assert (record.result, record.termination, len(record.moves)) == ("0-1", reason, 2)
        assert done[deed].forfeit is kind
        assert done[deed].forfeited_by == (fake(deed) if kind else None)
    assert done["crash"].last_words == "RuntimeError: out of ideas"
    assert done["illegal"].last_words == "bestmove e9"
    assert done["good"].record.termination == "goal"
    assert (done["good"].forfeit, done["good"].last_words) == (None, "")


def test_silence_and_endless_talk_lose_by_time() -> None:
    soon = Conditions(SearchLimits(time_s=0.01), move_timeout_s=1)
    clock = Conditions(control=TimeControl(1.5))
    done = play(
        task(fake("hang", 1), "random:seed=1", "hang", soon),
        task(fake("chatter", 1), "random:seed=1", "chatter", soon),
        task(fake("babble", 1), "random:seed=1", "babble", clock),
    )
    assert done["hang"].record.termination == "silence: no move in 1.01 s"
    assert done["hang"].last_words == "readyok"
    assert done["chatter"].record.termination == "silence: no move in 1.01 s"
    assert done["chatter"].last_words == "blah"
    assert done["babble"].record.termination == "time"
    assert {game.forfeit for game in done.values()} == {ForfeitKind.SILENCE, ForfeitKind.TIME}
    assert {game.record.result for game in done.values()} == {"0-1"}


def test_floods_on_both_outputs_do_not_stop_a_game() -> None:
    done = play(task(fake("flood"), "pathfinder", "flood"))
    assert done["flood"].record.termination == "goal"


def test_boasts_are_not_believed() -> None:
    record = play(task(fake("boast", 1), "pathfinder", "boast"))["boast"].record
    assert (record.moves[0].score, record.moves[0].depth) == (-1.5, 7)
    assert record.moves[2].score is None


def test_lines_are_believed_as_far_as_they_can_be_played() -> None:
    agent = make(fake("boast", 1))
    heard: list[list[int]] = []
    agent.search(quoridor.State(), None, lambda result: heard.append(result.pv))
    lines = [[quoridor.action_to_notation(action, 9) for action in pv] for pv in heard]
    assert ["e2"] in lines
    assert ["e2", "e8"] in lines
    for line in lines:
        reduce(quoridor.State.play, line, quoridor.State())


def test_an_engine_has_its_time_to_start(tmp_path: Path) -> None:
    late = engine_file(tmp_path, "late", "startup: 0.3\n", "late.yaml")
    missing = f"engine:{sys.executable} {tmp_path / 'missing.py'}"
    done = play(task(late, "random", "late"), task("random", missing, "missing"))
    assert done["late"].record.termination == "no start: not ready after 0.3 s"
    reason = done["missing"].record.termination
    assert reason.startswith("no start: the program ended with status 2: ")
    assert "missing.py" in done["missing"].last_words
    assert done["missing"].record.result == "1-0"
    assert {game.forfeit for game in done.values()} == {ForfeitKind.NO_START}


def test_an_engine_that_was_not_ready_is_started_anew(tmp_path: Path) -> None:
    late = engine_file(tmp_path, "late", "startup: 0.2\n")
    agent = make(late)
    for _ in range(2):
        with pytest.raises(Forfeit, match="not ready after"):
            agent.select_action(State())


def test_limits_are_checked_without_starting_the_program(tmp_path: Path) -> None:
    started = tmp_path / "started"
    script = tmp_path / "engine.sh"
    script.write_text(f"touch {started}\n")
    nodes = {"nodes": 8}
    with Store(":memory:") as store:
        agents = (f"engine:sh {script}", "random:seed=1")
        Tournament(ArenaConfig(agents, preset="tiny", games=2, limits=nodes), store)
        other = engine_file(tmp_path, "good", "adapter: {limits: {time: 'movetime {ms}'}}\n")
        config = ArenaConfig((other, "random:seed=1"), preset="tiny", games=2, limits=nodes)
        with pytest.raises(ConfigError, match=r"cannot keep to .* support the limit 'nodes'"):
            Tournament(config, store)
    assert not started.exists()


def hermit(folder: Path) -> tuple[str, Path]:
    """A command for an engine that only ends by force, and the file it writes its number to."""
    script, noted = folder / "hermit.py", folder / "pid"
    script.write_text(
        f"import os, sys, time\nopen({str(noted)!r}, 'w').write(str(os.getpid()))\n"
        "print('uciok', flush=True)\nprint('readyok', flush=True)\n"
        "while True: time.sleep(1)\n"
    )
    return f"{sys.executable} {script}", noted


def check_gone(pid: int) -> None:
    for _ in range(500):
        try:
            os.kill(pid, 0)
            if "(zombie)" in Path(f"/proc/{pid}/status").read_text():
                return
        except (ProcessLookupError, FileNotFoundError):
            return
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    pytest.fail("the engine is still there")


def test_no_engine_is_left_behind(tmp_path: Path) -> None:
    command, noted = hermit(tmp_path)
    conditions = Conditions(SearchLimits(time_s=0.01), move_timeout_s=0.5)
    done = play(task(f"engine:{command}", "random", "", conditions))
    assert done[""].record.result == "0-1"
    check_gone(int(noted.read_text()))


def test_an_engine_behind_a_script_is_not_left_behind_either(tmp_path: Path) -> None:
    command, noted = hermit(tmp_path)
    script = tmp_path / "start.sh"
    script.write_text(f"{command}\necho ended\n")
    agent = make(f"engine:sh {script}")
    assert isinstance(agent, ExternalAgent)
    agent.prepare()
    agent.close()
    check_gone(int(noted.read_text()))


def test_an_engine_with_a_board_of_its_own(tmp_path: Path) -> None:
    adapter = (CONFIGS / "own-board.yaml").read_text()
    adapter = adapter[adapter.index("adapter:") :]
    spec = engine_file(tmp_path, "own-board", f"limits: {{sims: 5}}\n{adapter}")
    opening = book(State())[3]
    conditions = Conditions(move_timeout_s=20)
    done = play(
        task(spec, "random:seed=2", "first", conditions, opening),
        task("random:seed=2", spec, "second", conditions, opening),
    )
    for game in done.values():
        assert game.record.states()[-1].outcome is not None, game.record.termination
    assert done["first"].record.moves[0].score == 0.25
    assert done["first"].nodes[0] >= 17


def test_an_engine_that_is_told_moves_takes_over_a_long_game(tmp_path: Path) -> None:
    adapter = (CONFIGS / "own-board.yaml").read_text()
    adapter = adapter[adapter.index("adapter:") :]
    spec = engine_file(tmp_path, "own-board", f"limits: {{sims: 5}}\n{adapter}")
    state, rng, moves = State(), random.Random(3), list[str]()
    while len(moves) < 60:
        action = rng.choice(state.legal_actions())
        if state.play(action).outcome is None:
            moves.append(state.format_move(action))
            state = state.play(action)
    seats = {1: Seat.of(spec), 2: Seat.of("human")}
    with LiveGame.resume(Record.from_moves(moves, State()), seats) as live:
        live.start()
        assert live.wait(60)
        assert live.outcome is None
        assert len(live.moves) == 61
    for seat in seats.values():
        if seat.agent is not None:
            seat.agent.close()


def test_an_engine_with_other_names_for_moves(tmp_path: Path) -> None:
    adapter = (CONFIGS / "other-notation.yaml").read_text()
    adapter = adapter[adapter.index("adapter:") :]
    spec = engine_file(tmp_path, "other-names", f"limits: {{time: 0.01}}\n{adapter}")
    done = play(task(spec, "pathfinder", "", Conditions(move_timeout_s=20), State()))
    record = done[""].record
    assert record.termination == "goal"
    assert record.moves[0].text == "h8v"


def test_a_live_game_moves_on_without_the_answer() -> None:
    """A move taken back ends the search; the program is asked again, or started again."""
    agent = make(fake("hang", 1))
    with LiveGame({1: Seat("me"), 2: Seat("them", agent)}) as game:
        game.start()
        game.play("e2")
        game.undo()
        assert game.person_to_move()
    assert isinstance(agent, ExternalAgent)
    agent.close()


def test_stop_is_sent_to_a_program_whose_answer_is_not_wanted() -> None:
    class EnoughError(Exception):
        pass

    def enough(_: SearchResult) -> None:
        raise EnoughError

    agent = make(f"engine:{sys.executable} -m plyground engine --hash 1")
    assert isinstance(agent, ExternalAgent)
    with pytest.raises(EnoughError):
        agent.search(State(), SearchLimits(time_s=500), enough)
    assert agent.search(State(), SearchLimits(nodes=50)).best_move in State().legal_actions()
    agent.close()
    agent.close()


@pytest.mark.parametrize("name", [path.name for path in sorted(CONFIGS.glob("*.yaml"))])
def test_the_examples_can_be_read(name: str) -> None:
    program = EngineProgram.load(CONFIGS / name)
    assert program.command


def test_the_notation_maps_every_move() -> None:
    names = MoveNames(
        columns="123456789", flip_rows=True, pawn="B{column}{row}", wall_columns="23456789"
    ).by_action(State())
    assert names[quoridor.encode_action("move", 0, 4)] == "B59"
    assert names[quoridor.encode_action("h_wall", 2, 4)] == "66h"
    assert len(names) == 209
    assert MoveNames(columns="ABCDEFGHI").by_action(reversi.State())[63] == "H8"


def test_clocks_become_times_for_adapters_without_clocks() -> None:
    program = EngineProgram((sys.executable,), adapter=EngineAdapter(limits={"time": "{ms}"}))
    agent = ExternalAgent(program)
    line = agent._go_line(State(), SearchLimits(clock_s=20, increment_s=1))
    assert 500 < int(line.removeprefix("go ")) < 3000
    with pytest.raises(ConfigError, match="does not support the limit 'nodes'"):
        agent._go_line(State(), SearchLimits(nodes=3))
    ours = ExternalAgent(EngineProgram((sys.executable,)))
    limits = SearchLimits(time_s=0.5, clock_s=20, increment_s=1)
    state = State().play("e2")
    clocks = "time1 20000 time2 20000 inc1 1000 inc2 1000"
    assert ours._go_line(state, limits) == f"go movetime 500 {clocks}"


def test_moves_are_found_again_from_positions() -> None:
    for opening in book(State())[:20]:
        state = State()
        for action in find_moves(State(), opening):
            state = state.play(action)
        assert state == opening
    tracker = MoveTracker()
    state = State()
    for move in ("e2", "e8", "d5h"):
        state = state.play(move)
        assert len(tracker.moves_to(state)) == state.move_count
    assert len(tracker.moves_to(State().play("e2"))) == 1
    with pytest.raises(ConfigError, match="found no moves from"):
        find_moves(State(), State.parse("9 a1/e9 - 10/10 1 2 2"))


@pytest.mark.parametrize(
    ("spec", "error"),
    [
        ("engine:no-such-program --x", "cannot find the program 'no-such-program'"),
        ("engine:'open quote", "cannot read the command"),
        ("engine:a\nb", "expected a command on one line"),
        ("engine:nowhere.yaml", "cannot read nowhere.yaml"),
        (
            "engine:cmd=sh r.sh ok,timemargn=300",
            "unknown key 'timemargn' in 'cmd=sh r.sh ok,timemargn=300'; did you mean 'timemargin'?",
        ),
        (
            "engine:cmd=sh r.sh,option.Hash=4,opton.Threads=2",
            "unknown key 'opton.Threads' in 'cmd=sh r.sh,option.Hash=4,opton.Threads=2'; "
            "did you mean 'option.Threads'?",
        ),
        ("engine:tim=1", "unknown option 'tim' of the agent 'engine'; did you mean 'time'?"),
    ],
)
def test_mistakes_in_the_string_are_explained(spec: str, error: str) -> None:
    with pytest.raises(ConfigError) as caught:
        make(spec)
    assert str(caught.value).startswith(error)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "expected a command, got None"),
        ("comand: x", "unknown key 'comand'"),
        ("command: x\nstartup: soon", "expected startup to be a number from 0.001 to 86400"),
        ("command: x\nlimits: {tim: 1}", "unknown key 'tim' of limits; did you mean 'time'?"),
        (
            "command: x\nlimits: {time: soon}",
            "expected time to be a number from 0 to 1000000000, got 'soon'",
        ),
        ("command: x\noptions: 3", "expected options by name, got 3"),
        ("command: x\nadapter: {helo: y}", "unknown key 'helo' of adapter"),
        ("command: x\nadapter: {go: 3}", "expected 'adapter.go' to be text, got 3"),
        ("command: x\nadapter: {go: ~}", "expected 'adapter.go' to be text, got None"),
        ("command: x\nadapter: {answer: ~}", "expected 'adapter.answer' to be text, got None"),
        ("command: x\nadapter: {limits: 3}", "expected 'adapter.limits' to be settings"),
        ("command: x\nadapter: {limits: {time: 3}}", "expected 'adapter.limits.time' to be text"),
        ('command: x\nadapter: {limits: {time: "{sec}"}}', "expected {n}, {s}, {ms}"),
        ("command: x\nadapter: {position: null}", "expected 'position' or 'move' in the adapter"),
        ('command: x\nadapter: {notation: {pawn: "{row}"}}', "the notation gives two moves the"),
        ("command: x\nadapter: {notation: {columns: ab}}", "expected a notation with {column}"),
        ("command: x\nadapter: {notation: {flip_rows: 3}}", "expected 'adapter.flip_rows' to be"),
    ],
)
def test_mistakes_in_a_file_are_explained(tmp_path: Path, text: str, error: str) -> None:
    path = tmp_path / "engine.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        EngineProgram.load(path)
    assert str(caught.value).startswith(error)
    assert str(path) in str(caught.value)


def test_a_program_that_does_not_start_forfeits(tmp_path: Path) -> None:
    program = tmp_path / "data"
    program.write_text("neither script nor program")
    program.chmod(0o755)
    with pytest.raises(Forfeit, match="does not start: Exec format error"):
        make(f"engine:{program}").select_action(State())


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ("option.Hahs=4", "expected an option among Hash, got 'Hahs'; did you mean 'Hash'?"),
        ("option.Nope=4", "expected an option among Hash, got 'Nope'"),
        ("option.Hash=99", "expected a whole number from 1 to 9 for the option 'Hash', got '99'"),
        (
            "option.Hash=4,Threads=2",
            "expected a whole number from 1 to 9 for the option 'Hash', got '4,Threads=2'",
        ),
    ],
)
def test_a_program_does_not_start_with_options_that_it_does_not_declare(
    options: str, reason: str
) -> None:
    scripted = FAKE.with_name("scripted_engine.py")
    agent = make(f"engine:cmd={sys.executable} {scripted} 'bestmove e2',{options}")
    with pytest.raises(Forfeit) as caught:
        agent.prepare()
    assert (caught.value.reason, caught.value.kind) == (reason, ForfeitKind.NO_START)


def test_declared_options_take_the_values_of_their_type() -> None:
    lines = (
        "Clear Hash type button",
        "Ponder type check default false",
        "Style type combo default Calm var Calm var Very Wild",
        "Size type spin default 1 min low",
        "File type string default <empty>",
    )
    declared = [DeclaredOption.parse(line.split()) for line in lines]
    good = {
        "clear hash": "", "Ponder": "True", "Style": "very wild", "Size": "-7", "File": "a,b=c"
    }  # fmt: skip
    check_options(good, declared)
    check_options({"Anything": "goes"}, [])
    for name, value, expected in (
        ("Ponder", "on", "true or false"),
        ("Style", "Mild", "one of Calm, Very Wild"),
        ("Size", "big", "a whole number"),
    ):
        with pytest.raises(ConfigError) as caught:
            check_options({name: value}, declared)
        assert str(caught.value) == f"expected {expected} for the option {name!r}, got {value!r}"
