"""Reversi's classic evaluation and the textbook searches, against plain Python that is here."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from plyground.agents import MinimaxAgent, make
from plyground.errors import ConfigError, IllegalMoveError
from plyground.games.reference import reversi as reference
from plyground.games.score import Score
from plyground.quoridor import State as QuoridorState
from plyground.reversi import PASS, State, parse_transcript
from plyground.search import ReversiEvaluator, TextbookWeights, alphabeta, minimax
from plyground.search.textbook import WIN, textbook_score

TABLE = [
    [25, -10, 5, 2, 2, 5, -10, 25],
    [-10, -15, -3, -1, -1, -3, -15, -10],
    [5, -3, 3, 1, 1, 3, -3, 5],
    [2, -1, 1, 0, 0, 1, -1, 2],
    [2, -1, 1, 0, 0, 1, -1, 2],
    [5, -3, 3, 1, 1, 3, -3, 5],
    [-10, -15, -3, -1, -1, -3, -15, -10],
    [25, -10, 5, 2, 2, 5, -10, 25],
]
CORNERS = {0: (1, 8, 9), 7: (6, 15, 14), 56: (57, 48, 49), 63: (62, 55, 54)}
PARTS = ("material", "mobility", "corners", "positional")


def plain_terms(state: State, player: int) -> dict[str, int]:
    """What the parts count for one player alone."""
    plain = reference.State.parse(state.text())
    disc = "XO"[player - 1]
    taken = [square for square in range(64) if plain.board[square] == disc]
    return {
        "material": len(taken),
        "mobility": len(plain.squares(player)),
        "corners": sum(corner in taken for corner in CORNERS),
        "near_corners": sum(
            square in taken
            for corner, near in CORNERS.items()
            for square in near
            if plain.board[corner] == "-"
        ),
        "positional": sum(TABLE[square // 8][square % 8] for square in taken),
        "edge_stability": sum(square in stable_on_edges(state) for square in taken),
    }


def stable_on_edges(state: State) -> set[int]:
    """Squares of discs that no moves of either player along their edge flip, in any order."""
    text, stable = state.text(), set[int]()
    for edge in (range(8), range(56, 64), range(0, 64, 8), range(7, 64, 8)):
        kept = stable_on_edge("".join(text[square] for square in edge))
        stable |= {square for square, is_kept in zip(edge, kept, strict=True) if is_kept}
    return stable


@cache
def stable_on_edge(edge: str) -> tuple[bool, ...]:
    stable = [disc != "-" for disc in edge]
    for at in range(8):
        if edge[at] != "-":
            continue
        for mover, other in ("XO", "OX"):
            after = [*edge[:at], mover, *edge[at + 1 :]]
            for step in (-1, 1):
                end = at + step
                while 0 <= end < 8 and edge[end] == other:
                    end += step
                if 0 <= end < 8 and edge[end] == mover:
                    for turned in range(at + step, end, step):
                        after[turned] = mover
                        stable[turned] = False
            later = stable_on_edge("".join(after))
            stable = [now and then for now, then in zip(stable, later, strict=True)]
            stable[at] = False
    return tuple(stable)


def random_state(rng: random.Random, most: int = 59) -> State:
    while True:
        state = State()
        for _ in range(rng.randrange(most)):
            if not state.game_over:
                state = state.play(rng.choice(state.legal_actions()))
        if not state.game_over:
            return state


def swapped(state: State) -> State:
    """The same discs in the other's colour, and the other to move."""
    return State.parse(state.text().translate(str.maketrans("XO", "OX")))


def transformed(state: State, symmetry: int) -> State:
    text = state.text()
    rows = [text[i : i + 8] for i in range(0, 64, 8)]
    if symmetry & 1:
        rows = [row[::-1] for row in rows]
    if symmetry & 2:
        rows = rows[::-1]
    if symmetry & 4:
        rows = ["".join(column) for column in zip(*rows, strict=True)]
    return State.parse("".join(rows) + text[64:])


def test_the_parts_count_what_they_say(rng: random.Random) -> None:
    for _ in range(200):
        state = random_state(rng)
        mine = plain_terms(state, state.current_player)
        theirs = plain_terms(state, 3 - state.current_player)
        terms = {name: mine[name] - theirs[name] for name in mine}
        assert ReversiEvaluator.terms(state) == terms
        assert ReversiEvaluator().evaluate(state) == (
            terms["material"]
            + 3 * terms["mobility"]
            + 25 * terms["corners"]
            - 10 * terms["near_corners"]
            + terms["positional"]
        )
        stability = ReversiEvaluator(edge_stability_weight=2.5).evaluate(state)
        assert stability == ReversiEvaluator().evaluate(state) + 2.5 * terms["edge_stability"]


def test_each_part_has_a_switch_and_a_weight(rng: random.Random) -> None:
    for _ in range(50):
        state = random_state(rng)
        alone = {
            part: ReversiEvaluator(**{other: other == part for other in PARTS}).evaluate(state)
            for part in PARTS
        }
        assert sum(alone.values()) == ReversiEvaluator().evaluate(state)
        terms = ReversiEvaluator.terms(state)
        assert alone["material"] == terms["material"]
        weighted = ReversiEvaluator(
            material_weight=2,
            mobility_weight=0.5,
            corner_weight=7,
            near_corner_weight=-1,
            positional_weight=0,
        )
        assert weighted.evaluate(state) == (
            2 * terms["material"]
            + 0.5 * terms["mobility"]
            + 7 * terms["corners"]
            - terms["near_corners"]
        )


def test_symmetric_positions_are_worth_the_same(rng: random.Random) -> None:
    for _ in range(50):
        state = random_state(rng)
        value = ReversiEvaluator().evaluate(state)
        for symmetry in range(8):
            assert ReversiEvaluator().evaluate(transformed(state, symmetry)) == value
        assert ReversiEvaluator().evaluate(swapped(state)) == value


def test_for_the_other_side_it_is_the_negative(rng: random.Random) -> None:
    for _ in range(50):
        state = random_state(rng)
        text = state.text()
        other = State.parse(text[:-1] + {"X": "O", "O": "X"}[text[-1]])
        assert ReversiEvaluator().evaluate(other) == -ReversiEvaluator().evaluate(state)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"material_weight": "1"},
            "expected material_weight to be a number from -1000 to 1000, got '1'",
        ),
        (
            {"corner_weight": 1001},
            "expected corner_weight to be a number from -1000 to 1000, got 1001",
        ),
        ({"mobility_weight": float("nan")}, "expected mobility_weight to be a number from -1000"),
        ({"corners": 1}, "expected corners to be True or False, got 1"),
    ],
)
def test_bad_settings_are_explained(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        ReversiEvaluator(**settings)  # type: ignore[arg-type]
    assert str(caught.value).startswith(message)


def plain_minimax(state: State, depth: int, evaluator: ReversiEvaluator) -> float:
    """The value for the player to move."""
    if state.game_over:
        if state.winner is None:
            return 0
        return (WIN + depth) * (1 if state.winner == state.current_player else -1)
    if depth == 0:
        return evaluator.evaluate(state)
    return max(
        -plain_minimax(state.play(action), depth - 1, evaluator) for action in state.legal_actions()
    )


def as_score(raw: float, state: State, depth: int) -> Score:
    return textbook_score(raw, depth, state.current_player, state.game.unit)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_both_searches_find_the_minimax_value(depth: int, rng: random.Random) -> None:
    evaluator = ReversiEvaluator(positional=False, mobility_weight=2.5)
    for _ in range(12):
        state = random_state(rng)
        full = minimax(state, depth, evaluator=evaluator)
        assert full.score == as_score(plain_minimax(state, depth, evaluator), state, depth)
        pruned = alphabeta(state, depth, evaluator=evaluator)
        assert (pruned.score, pruned.best_move, pruned.pv) == (
            full.score,
            full.best_move,
            full.pv,
        )
        assert pruned.nodes_searched <= full.nodes_searched
        best = -plain_minimax(state.play(full.best_move), depth - 1, evaluator)
        assert full.score == as_score(best, state, depth)


def test_it_plays_to_the_end_through_passes(rng: random.Random) -> None:
    games = passes = 0
    while games < 15 or not passes:
        state = random_state(rng)
        while sum(state.counts.values()) < 58 and not state.game_over:
            state = state.play(rng.choice(state.legal_actions()))
        if state.game_over:
            continue
        result = minimax(state, 12)
        games += 1
        passes += PASS in result.pv
        for action in result.pv:
            state = state.play(action)
        assert state.game_over
        assert result.score is not None
        if result.win_in is not None:
            assert len(result.pv) == abs(result.win_in)
        else:
            assert (result.score.value, state.winner) == (0, None)
    assert passes > 0


def test_what_is_pruned_at_depth_5() -> None:
    for moves in ("", "f5d6c3", "f5d6c3d3c4f4f6"):
        state = State()
        for action in parse_transcript(moves):
            state = state.play(action)
        nodes = minimax(state, 5).nodes_searched
        assert alphabeta(state, 5).nodes_searched < 0.325 * nodes


def test_weights_of_the_other_game_are_refused() -> None:
    with pytest.raises(ConfigError, match="textbook search of reversi has no option 'weights'"):
        alphabeta(State(), 1, TextbookWeights())
    with pytest.raises(ConfigError, match="expected a function of a state as evaluator"):
        alphabeta(QuoridorState(), 1, evaluator=ReversiEvaluator())
    wrong: Any = TextbookWeights()
    with pytest.raises(ConfigError, match="expected a function of a state as evaluator, got Textb"):
        alphabeta(State(), 1, evaluator=wrong)
    wrong = ReversiEvaluator()
    with pytest.raises(ConfigError, match="expected TextbookWeights for this game, got Reversi"):
        alphabeta(QuoridorState(), 1, wrong)


def test_a_finished_game_is_refused() -> None:
    with pytest.raises(IllegalMoveError, match="': the game is over"):
        minimax(State.parse("X" * 64 + " X"), 1)


def test_the_agent_plays_reversi() -> None:
    agent = make("minimax:depth=3", game="reversi")
    assert isinstance(agent, MinimaxAgent)
    state = State().play("f5")
    assert agent.select_action(state) == alphabeta(state, 3).best_move
    careless = MinimaxAgent(depth=1, evaluator=ReversiEvaluator(mobility=False, corners=False))
    assert careless.search(state).score == alphabeta(state, 1, evaluator=careless.evaluator).score
    with pytest.raises(IllegalMoveError, match="it is player 2's turn"):
        MinimaxAgent(1).select_action(state)
    with pytest.raises(ConfigError, match="unknown option 'wall_weight' of the agent 'minimax'"):
        make("minimax:wall_weight=1", game="reversi")


def test_the_agent_beats_random_play() -> None:
    wins = 0
    for seed in range(10):
        agents = {1 + seed % 2: make("minimax:depth=3", "reversi")}
        agents[2 - seed % 2] = make(f"random:seed={seed}", "reversi")
        state = State()
        while not state.game_over:
            state = state.play(agents[state.current_player].select_action(state))
        wins += state.winner == 1 + seed % 2
    assert wins >= 8


def test_a_corner_makes_its_edge_stable() -> None:
    state = State.parse("XXX-----" + "-" * 16 + "---OX------XO---" + "-" * 23 + "O O")
    assert ReversiEvaluator.terms(state)["edge_stability"] == 1 - 3


def test_an_evaluation_of_ones_own(rng: random.Random) -> None:
    classic = ReversiEvaluator()
    for _ in range(10):
        state = random_state(rng)
        for depth in (1, 2, 3):
            own = alphabeta(state, depth, evaluator=classic.evaluate)
            assert own.score == alphabeta(state, depth).score
            assert own.score == minimax(state, depth, evaluator=classic.evaluate).score
            assert own.nodes_searched <= minimax(state, depth).nodes_searched


def test_an_evaluation_that_is_none() -> None:
    for evaluator, message in (
        (lambda state: None, "expected an evaluation from -1000000 to 1000000, got None"),
        (lambda state: float("nan"), "got nan"),
        (lambda state: 2e6, "got 2000000.0"),
        ("material", "expected a function of a state as evaluator, got 'material'"),
    ):
        with pytest.raises(ConfigError, match=message):
            alphabeta(State(), 1, evaluator=evaluator)  # type: ignore[arg-type]


def test_the_tree_of_minimax_is_counted(rng: random.Random) -> None:
    game = State().game
    for _ in range(30):
        state = random_state(rng, most=50)
        for depth in (1, 3, 4):
            assert game.tree_size(state, depth) == minimax(state, depth).nodes_searched
    assert game.tree_size(State(), 7) == 1 + 4 + 12 + 56 + 244 + 1396 + 8200 + 55092
    assert game.tree_size(State(), 40) is None
    assert game.tree_size(random_state(rng, most=59), 60) is None
