"""Boards solved exactly: known results, a brute-force solver that is here, and perfect play."""

from __future__ import annotations

import json
import random
import signal
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plyground.agents import make
from plyground.agents.quoridor_solved import SolvedAgent
from plyground.cli.main import main
from plyground.errors import ConfigError, IllegalMoveError
from plyground.games.reference import quoridor as reference
from plyground.quoridor import GameConfig, State, action_to_notation, mirror_action
from plyground.search.quoridor_solver import MAX_MB, Solution, count_reachable, solve

KNOWN = json.loads((Path(__file__).parents[1] / "data" / "quoridor_solved.json").read_text())

# With these limits no game here is drawn by its counters.
ENDLESS = {"max_moves": 65535, "no_progress_limit": 65535}

# Nobody wins this one: player 2, to move, has two walls left and must not use them.
DRAWN = "4 c1/c3 b1h,a2v,c2v,b3v 0/2 2 0 0"


def without_counters(state: Any) -> str:
    return str(state.text().rsplit(" ", 2)[0])


def brute_force(start: reference.State) -> dict[str, int]:
    """The value of each position that play can reach, by the plain rules and from the end back.

    Won are positions from which a lost one can be reached, lost those that lead to won ones alone.
    Looking ply by ply finds each at its right length, and what is left over is drawn.
    """
    following: dict[str, set[str]] = {}
    todo = [start]
    while todo:
        state = todo.pop()
        if without_counters(state) in following:
            continue
        later = [state.play(action) for action in state.legal_actions()]
        following[without_counters(state)] = {without_counters(state) for state in later}
        todo += later
    values = {position: 0 for position, moves in following.items() if not moves}  # finished
    rest = following.keys() - values.keys()
    plies = quiet = 0
    while quiet < 2:
        plies += 1
        if plies % 2:
            lost = {position for position, value in values.items() if value == 1 - plies}
            fresh = {position for position in rest if following[position] & lost}
        else:
            won = {position for position, value in values.items() if value > 0}
            fresh = {position for position in rest if following[position] <= won}
        values |= dict.fromkeys(fresh, plies if plies % 2 else -plies)
        rest -= fresh
        quiet = 0 if fresh else quiet + 1
    return values | dict.fromkeys(rest, 0)


@pytest.mark.parametrize("board", KNOWN["boards"], ids=str)
def test_known_results(board: dict[str, int]) -> None:
    solution = solve(board["board_size"], board["walls_per_player"])
    assert (solution.winner, solution.plies) == (board["winner"], board["plies"])


def test_reachable_positions() -> None:
    assert count_reachable(3, 2) == KNOWN["states_reachable_3x3_2_walls"]


@pytest.mark.parametrize("walls", [0, 1, 2])
def test_every_position_of_3x3_against_brute_force(walls: int) -> None:
    config = GameConfig(board_size=3, walls_per_player=walls, **ENDLESS)
    solution = solve(config)
    values = brute_force(reference.State.start(config))
    assert len(values) > 90
    for position, value in values.items():
        assert solution.value(State.parse(f"{position} 0 0", config)) == value, position


@pytest.mark.parametrize(
    ("position", "drawn"),
    [(DRAWN, True), ("5 c1/c5 a1h,a3h,d3h,a4h,b1v,d1v,c2v,c4v,d4v 0/1 2 0 0", False)],
)
def test_later_positions_against_brute_force(position: str, drawn: bool) -> None:
    config = GameConfig(board_size=int(position[0]), walls_per_player=5, **ENDLESS)
    solution = solve(State.parse(position, config))
    values = brute_force(reference.State.parse(position, config))
    for later, value in values.items():
        assert solution.value(State.parse(f"{later} 0 0", config)) == value, later
    assert (solution.winner is None) == drawn
    assert solution.plies == abs(values[position.rsplit(" ", 2)[0]])


def test_what_a_solution_tells() -> None:
    solution = solve(3, 1)
    assert solution.start.text() == "3 b1/b3 - 1/1 1 0 0"
    # 96 positions without walls and 66 of them not finished, which are all there can be; with walls
    # some unreachable positions are solved, too.
    assert solve(3, 0).positions == 66 < count_reachable(3, 0) == 96
    assert solution.positions == 2082
    assert 0 < solution.memory_bytes < 10_000
    assert 0 < solution.time_s < 1
    assert solution.covers(solution.start.play("b2"))


def test_the_line_is_a_perfect_game() -> None:
    for size, walls in [(3, 2), (4, 3), (5, 2)]:
        solution = solve(size, walls)
        state = solution.start
        for left in range(solution.plies, 0, -1):
            value = solution.value(state)
            assert value == (left if state.current_player == solution.winner else -left)
            assert max(map(abs, solution.action_values(state).values())) >= left
            state = state.play(solution.line[solution.plies - left])
        assert state.winner == solution.winner
        assert len(solution.line) == solution.plies


def test_a_drawn_game_has_no_line() -> None:
    solution = solve(State.parse(DRAWN))
    assert (solution.winner, solution.plies, solution.line) == (None, 0, [])


def test_any_number_of_walls_on_3x3() -> None:
    # The board has four slots: from three walls a player on, more make no difference.
    assert [solve(3, walls).plies for walls in range(5)] == [4, 8, 12, 12, 12]


def test_values_are_the_same_in_the_mirror(rng: random.Random) -> None:
    solution = solve(5, 2)
    for _ in range(20):
        state = mirrored = solution.start
        while not state.game_over:
            assert solution.value(state) == solution.value(mirrored)
            action = rng.choice(state.legal_actions())
            state, mirrored = state.play(action), mirrored.play(mirror_action(action, 5))


def test_values_follow_from_one_another(rng: random.Random) -> None:
    """The best of a position's moves is its own value, on a board too large for brute force."""
    solution = solve(5, 2)
    for _ in range(20):
        state = solution.start
        while not state.game_over:
            values = solution.action_values(state)
            assert values[solution.best_action(state)] == solution.value(state)
            state = state.play(rng.choice(list(values)))


def test_counters_are_left_out_until_they_end_the_game() -> None:
    solution = solve(3, 2)
    late = State.parse("3 b1/b3 - 2/2 1 49 19")
    assert solution.value(late) == -12
    assert set(solution.action_values(late).values()) == {0}
    assert solution.value(late.play("b2")) == 0


def test_a_finished_game_has_no_plies_left() -> None:
    solution = solve(3, 2)
    won = State.parse("3 b3/b2 - 2/2 2 3 3")
    assert solution.value(won) == 0
    assert not solution.covers(won)
    for call in (solution.best_action, solve):
        with pytest.raises(IllegalMoveError, match=r"in '3 b3/b2 - 2/2 2 .*': the game is over"):
            call(won)


def test_mistakes_are_explained() -> None:
    with pytest.raises(ConfigError, match=r"^solving '9 e1/e9 .*' takes more than 50 MB$"):
        solve(9, 10, max_mb=50)
    with pytest.raises(ConfigError, match="expected 1 MB or more for the solver, got 0"):
        solve(3, 2, max_mb=0)
    with pytest.raises(ConfigError, match=r"expected walls_per_player .* from 0 to 4, got 5"):
        solve(3, 5)
    for foreign in ("3 b1/b3 - 1/2 1 0 0", "5 c1/c5 - 2/2 1 0 0", "3 b1/b3 a1h 2/2 1 0 0"):
        with pytest.raises(ConfigError, match="does not belong to the game that was solved"):
            solve(3, 2).value(State.parse(foreign))


def test_progress_is_told_and_may_stop_the_work() -> None:
    seen: list[tuple[int, int]] = []
    solve(5, 3, progress=lambda done, tables: seen.append((done, tables)))
    assert seen == sorted(seen)
    assert 0 < seen[-1][0] <= seen[-1][1] == 113_953

    def stop(done: int, _: int) -> None:
        if done:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        solve(5, 3, progress=stop)


def test_ctrl_c_stops_the_work() -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    usual = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    started = time.perf_counter()
    try:
        with pytest.raises(KeyboardInterrupt):
            solve(5, 5)
    finally:
        signal.signal(signal.SIGALRM, usual)
    assert time.perf_counter() - started < 5  # the whole work takes longer


@pytest.fixture(scope="module")
def tiny() -> Solution:
    return solve(GameConfig.preset("tiny"))


@pytest.mark.parametrize("opponent", ["random:seed={}", "pathfinder", "minimax:depth=3", "solved"])
def test_the_agent_never_gives_anything_away(
    tiny: Solution, opponent: str, rng: random.Random
) -> None:
    for game in range(30):
        agent, other = SolvedAgent(tiny), make(opponent.format(rng.randrange(1000)))
        # The counters only end games in which a winning opponent idles.
        state = State(replace(tiny.start.config, max_moves=400))
        for _ in range(rng.randrange(4)):  # into the game, where either side may win
            later = [state.play(action) for action in state.legal_actions()]
            state = rng.choice([state for state in later if not state.game_over])
        player = 1 + game % 2
        can_win = (tiny.value(state) > 0) == (state.current_player == player)
        while not state.game_over:
            if state.current_player == player:
                action = agent.select_action(state)
                brings, value = tiny.action_values(state)[action], tiny.value(state)
                saved = brings == 0 > value and state.move_count == 399
                assert brings == value or saved, state.text()
            else:
                action = other.select_action(state)
            state = state.play(action)
        assert state.winner == player or not can_win


def test_the_agent_wins_what_is_won() -> None:
    agent = SolvedAgent()
    for seed in range(20):
        state, other = State(GameConfig.preset("tiny")), make(f"random:seed={seed}")
        while not state.game_over:
            mover = agent if state.current_player == 2 else other
            state = state.play(mover.select_action(state))
        assert state.winner == 2
        assert state.move_count <= 12


def test_the_agent_solves_what_it_needs() -> None:
    agent = SolvedAgent()
    agent.select_action(State(GameConfig.preset("tiny")).play("b2"))
    tiny = agent.solution
    assert tiny is not None
    assert tiny.start.text() == "3 b1/b3 - 2/2 1 0 0"
    agent.select_action(State(GameConfig.preset("tiny")))
    assert agent.solution is tiny
    other = SolvedAgent()
    other.select_action(State(GameConfig.preset("tiny")).play("a1h"))
    assert other.solution is tiny  # shared
    # A position that does not come of its config's start is solved by itself, and so are the last
    # walls of a large board.
    for text in ("3 b1/b3 - 1/2 1 0 0", "9 e4/e6 c3h,e3h,d7h 1/0 2 9 1"):
        state = State.parse(text)
        assert agent.select_action(state) in state.legal_actions()
        assert agent.solution.start.text().split()[1:4] == text.split()[1:4]
    with pytest.raises(ConfigError, match=f"takes more than {MAX_MB} MB"):
        agent.select_action(State())


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "--board", "3", "--walls", "1", "--moves"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["3 b1/b3 - 1/1 1", "player 2 wins in 8 plies with perfect play"]
    assert lines[2].startswith("2,082 positions in 0.")
    assert lines[4] == "1. a1 b2 2. b1h a2h 3. b1 a2 4. a1 b1"
    assert lines[6:9] == ["a1   -8", "c1   -8", "b2   -2"]
    assert main(["solve", "--position", "3 b1/b3 a1h 1/1 2 5 0"]) == 0
    assert capsys.readouterr().out.splitlines()[4].startswith("1... ")
    assert main(["solve", "--position", DRAWN]) == 0
    assert "a draw with perfect play" in capsys.readouterr().out


def test_the_command_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "--preset", "tiny", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    solution = solve(3, 2)
    assert (told["winner"], told["plies"], told["positions"]) == (2, 12, 4550)
    assert told["line"] == [action_to_notation(action, 3) for action in solution.line]
    assert told["moves"]["b2"] == -2


def test_the_command_refuses_what_is_too_large(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "--board", "9", "--walls", "10", "--max-mb", "50"]) == 2
    assert capsys.readouterr().err.endswith("takes more than 50 MB\n")
