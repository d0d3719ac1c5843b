"""The alpha-beta engine of Quoridor from Python. cpp/tests has tests of its threads and table."""

from __future__ import annotations

import math
import random
import threading
from typing import Any

import pytest

from plyground.agents import EngineAgent, make
from plyground.bench.quoridor_positions import positions
from plyground.errors import ConfigError, IllegalMoveError
from plyground.games import registry
from plyground.quoridor import GameConfig, State
from plyground.search import (
    Engine,
    SearchLimits,
    TextbookWeights,
    alphabeta,
    default_switches,
    features,
)
from plyground.search.quoridor_solver import solve

GUESSING = ["reductions", "null_move", "futility", "quiescence", "exact_results"]
"""The techniques that a full-width search has to do without."""


def random_states(preset: str, rng: random.Random, count: int) -> list[State]:
    """Positions of random games that lean towards pawn moves, so that pawns meet."""
    states: list[State] = []
    while len(states) < count:
        state = State(GameConfig.preset(preset))
        while not state.game_over and state.move_count < 30:
            states.append(state)
            actions = state.legal_actions()
            pawn_moves = [action for action in actions if action < state.board_size**2]
            state = state.play(rng.choice(pawn_moves if rng.random() < 0.6 else actions))
    # Read back from text they have no past, which the engine would mind: it avoids circles.
    return [State.parse(state.text()) for state in rng.sample(states, count)]


@pytest.mark.parametrize(
    ("preset", "depth", "count"), [("tiny", 4, 40), ("small", 3, 25), ("standard", 2, 10)]
)
def test_full_width_equals_the_textbook(
    preset: str, depth: int, count: int, rng: random.Random
) -> None:
    """With the textbook's three weights and nothing left out, the scores are the same."""
    weights = dict.fromkeys(features(State()), 0) | {"path": 1000, "progress": 125, "walls": 167}
    switches = dict.fromkeys(GUESSING, False) | {"all_moves": True}
    for state in random_states(preset, rng, count):
        textbook = alphabeta(state, depth, TextbookWeights(1000, 125, 167))
        engine = Engine(hash_mb=1, weights=weights, switches=switches, draw_score=0)
        result = engine.search(state, SearchLimits(depth=depth))
        assert result.score is not None
        assert textbook.score is not None
        assert result.win_in == textbook.win_in, state
        assert result.score.unit == textbook.score.unit or result.win_in is not None
        # The textbook has 1000 points for a step, the engine 100. The textbook counts a draw as
        # draw_penalty, the engine as 0, which is nearly the same.
        if result.win_in is None:
            expected = textbook.score.value * 1000 / 100
            assert result.score.value == pytest.approx(expected, abs=0.0006), state


def test_every_term_of_the_evaluation_is_told() -> None:
    """Those without a weight as well: a tuner wants to see them.

    Player 1 on d1 can leave by the a-file or by f1-f2-e2, eleven steps each; player 2 has one way,
    down the e-file to e2 and round to f1.
    """
    terms = features(State.parse("9 d1/e9 b1h,d1h,f2h 8/9 1 4 0"))
    cuts = terms.pop("cuts")
    assert terms == {
        "path": 9 - 11,
        "walls": 8 - 9,
        "tempo": 1,
        "progress": 0,
        "narrow": 0 - 9,
        "lead": -2 * 8,
        "centre": 1 - 0,
        "routes": 2 - 1,
    }
    # Both paths can be cut in about two places a step, less where walls already stand.
    assert -10 <= cuts <= 10


@pytest.mark.parametrize("threads", [1, 2])
def test_proofs_agree_with_the_solver(threads: int, rng: random.Random) -> None:
    """With table, threads and every technique on, what the engine calls proven is true."""
    config = GameConfig(3, 2, max_moves=65535, no_progress_limit=65535)
    solution = solve(config)
    proven = 0
    for state in random_states("tiny", rng, 60):
        endless = State.parse(state.text(), config)
        value = solution.value(endless)
        engine = Engine(hash_mb=1, threads=threads)
        win_in = engine.search(endless, SearchLimits(depth=16)).win_in
        if win_in is not None:
            proven += 1
            assert (win_in > 0) == (value > 0), endless
            assert abs(win_in) >= abs(value) or win_in < 0, endless
    assert proven > 40


def test_proofs_agree_with_the_race_table(rng: random.Random) -> None:
    """Without walls in hand every score is a proof, and both sides play to it."""
    for _ in range(20):
        state = State(GameConfig(5, 0, max_moves=500, no_progress_limit=500))
        for _ in range(rng.randrange(6)):
            if not state.game_over:
                state = state.play(rng.choice(state.legal_actions()))
        if not state.legal_actions():
            continue
        engine = Engine(hash_mb=1)
        win_in = engine.search(state, SearchLimits(depth=20)).win_in
        assert win_in is not None
        winner = state.current_player if win_in > 0 else state.get_opponent(state.current_player)
        plies = 0
        while not state.game_over:
            state = state.play(engine.search(state, SearchLimits(depth=20)).best_move)
            plies += 1
        assert state.winner == winner
        assert plies <= abs(win_in)


@pytest.mark.parametrize(
    ("text", "best", "win_in"),
    [
        ("9 e8/a5 - 3/3 1 20 1", "e9", 1),
        ("9 e8/e9 - 0/0 1 20 1", "d8", None),  # the goal is next door, but someone stands there
        ("5 c4/c5 - 0/0 1 8 1", None, None),
        ("9 a5/i6 - 0/0 1 20 1", "a6", 7),
    ],
)
def test_forced_ends(text: str, best: str | None, win_in: int | None) -> None:
    state = State.parse(text)
    result = Engine(hash_mb=1).search(state, SearchLimits(depth=8))
    if best is not None and win_in is not None:
        assert state.play(result.best_move) == state.play(best)
        assert result.win_in == win_in
    assert state.is_legal(result.best_move)


def test_a_near_draw_is_no_win() -> None:
    """The race is won in seven plies, and the draw counter strikes after five."""
    state = State.parse("9 a5/i6 - 0/0 1 60 45")
    assert Engine(hash_mb=1).search(state, SearchLimits(depth=12)).win_in is None


def test_same_limits_same_nodes() -> None:
    def nodes() -> int:
        return Engine(hash_mb=2).search(State(), SearchLimits(depth=9)).nodes_searched

    assert nodes() == nodes()


@pytest.mark.parametrize(("size", "nodes"), [(3, 2876), (5, 31814), (9, 194732)])
def test_node_signature(size: int, nodes: int) -> None:
    """A change of the search shows here; tidying up must not move these counts."""
    searched = [Engine(hash_mb=1).search(s, SearchLimits(depth=8)) for s in positions(size)]
    assert sum(result.nodes_searched for result in searched) == nodes


def test_node_limit_is_kept() -> None:
    result = Engine(hash_mb=1).search(State(), SearchLimits(nodes=5000))
    assert 5000 <= result.nodes_searched < 5200
    assert result.pv[0] == result.best_move


def test_progress_is_reported_and_may_raise() -> None:
    depths: list[int] = []
    result = Engine(hash_mb=1).search(
        State(), SearchLimits(depth=6), lambda known: depths.append(known.depth)
    )
    assert depths[-1] == result.depth == 6
    assert depths == sorted(depths)

    def give_up(_: object) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        Engine(hash_mb=1).search(State(), SearchLimits(depth=6), give_up)


def test_stop_from_another_thread() -> None:
    engine = Engine(hash_mb=1)
    started = threading.Event()

    def stop_when_started() -> None:
        started.wait()
        engine.stop()

    threading.Thread(target=stop_when_started, daemon=True).start()
    result = engine.search(State(), SearchLimits(depth=90), lambda _: started.set())
    assert result.depth < 90


def test_the_lock_is_released_while_it_thinks() -> None:
    engine = Engine(hash_mb=1)
    moved = threading.Event()
    threading.Thread(target=moved.set, daemon=True).start()
    engine.search(State(), SearchLimits(depth=10))
    assert moved.is_set()


def test_finished_games_and_bad_settings_are_refused() -> None:
    over = State.parse("9 e9/e2 - 3/3 2 20 1")
    with pytest.raises(IllegalMoveError, match="the game is over"):
        Engine(hash_mb=1).search(over)
    with pytest.raises(IllegalMoveError, match="the game is over"):
        EngineAgent(depth=1).select_action(over)
    with pytest.raises(ConfigError, match="unknown evaluation weight 'pth'"):
        Engine(weights={"pth": 1}, game="quoridor")
    with pytest.raises(ConfigError, match="unknown search option"):
        Engine(switches={"tabel": False}, game="quoridor")
    with pytest.raises(ConfigError, match="unknown search option"):
        Engine(switches={"tabel": False}).search(State())
    with pytest.raises(ConfigError, match="the alpha-beta engine has no simulations"):
        Engine(hash_mb=1).search(State(), SearchLimits(simulations=5))
    with pytest.raises(ConfigError, match="hash_mb"):
        Engine(hash_mb=0)
    with pytest.raises(ConfigError, match="threads"):
        Engine(threads=0)


@pytest.mark.parametrize("seconds", [-1, math.inf, math.nan, 1e300, 1e10, "x"])
def test_times_beyond_all_bounds_are_refused(seconds: float) -> None:
    for name in ("time_s", "clock_s", "increment_s", "opponent_clock_s"):
        settings: dict[str, Any] = {name: seconds}
        with pytest.raises(ConfigError, match=f"expected {name} to be a number from 0 to 10{{9}},"):
            SearchLimits(**settings)
    for agent in ("engine", "zero"):
        with pytest.raises(ConfigError, match=r"time\b.*, got"):
            make(f"{agent}:time={seconds}")
    with pytest.raises(ConfigError, match=r"expected time to be a number from 0 to 10{9}, got"):
        SearchLimits.of({"time": seconds})
    assert SearchLimits.of({"time": 1e9, "sims": 3}) == SearchLimits(time_s=1e9, simulations=3)


def test_every_switch_can_be_turned() -> None:
    for name, on in default_switches().items():
        engine = Engine(hash_mb=1, switches={name: not on})
        state = State(GameConfig.preset("small"))
        assert state.is_legal(engine.search(state, SearchLimits(depth=4)).best_move), name


def test_clock() -> None:
    hard, soft = SearchLimits(clock_s=60, increment_s=1).time_budget()
    assert hard is not None
    assert soft is not None
    assert 1 < soft < hard < 20
    # Almost no time left: never plan to use it all.
    hard, _ = SearchLimits(clock_s=0.05, increment_s=10).time_budget()
    assert hard is not None
    assert hard < 0.03
    assert SearchLimits(time_s=2).time_budget() == (2, None)


def test_a_part_of_the_clock() -> None:
    assert SearchLimits(clock_s=60).time_budget(10)[0] == pytest.approx(6, abs=0.01)
    # At most half of the clock, the limit of the move, and a share of the moves to go.
    assert SearchLimits(clock_s=60).time_budget(1.5)[0] == pytest.approx(30, abs=0.01)
    assert SearchLimits(clock_s=60, time_s=1).time_budget(10) == (1, None)
    to_go = SearchLimits(clock_s=60, moves_to_go=4)
    assert to_go.time_budget(10)[0] == pytest.approx(15, abs=0.01)


def test_scores_are_in_steps() -> None:
    """A node count and score from before scores had a unit: 20 hundredths of a step."""
    result = Engine(hash_mb=1).search(State(), SearchLimits(depth=1))
    assert result.score is not None
    assert (result.score.unit.name, result.score.player) == ("steps", 1)
    ahead = State.parse("9 e6/e9 - 10/10 1 20 0")
    score = Engine(hash_mb=1).search(ahead, SearchLimits(depth=4)).score
    assert score is not None
    assert 3 < score.value < 12
    assert score.chance(1) > 0.9
    assert score == score.pov(2)
    assert score.pov(2).value == -score.value


def test_spec_names_the_engine() -> None:
    agent = make("engine:depth=3,hash_mb=2")
    assert isinstance(agent, EngineAgent)
    assert State().is_legal(agent.select_action(State()))


def test_a_search_starts_from_what_another_engine_kept() -> None:
    state, limits = State(), SearchLimits(depth=12)
    first, cold, warm = (Engine(hash_mb=16) for _ in range(3))
    known = first.search(state, limits)
    kept = first.deepest(1024)
    assert 0 < len(kept) <= 16 * 1024
    warm.recall(kept, registry.get("quoridor"))
    again = warm.search(state, limits)
    assert again.depth == known.depth
    assert again.nodes_searched < known.nodes_searched / 2
    deeper = SearchLimits(depth=13)
    fresh = Engine(hash_mb=16)
    fresh.recall(kept, state.game)
    assert fresh.search(state, deeper).nodes_searched < cold.search(state, deeper).nodes_searched
    with pytest.raises(ConfigError, match="expected results of 16 bytes each, got 7 bytes"):
        warm.recall(b"1234567", state.game)
