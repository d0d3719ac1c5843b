"""The Gumbel tree search against a slow one in plain Python, and on positions that are solved."""

from __future__ import annotations

import math
import threading
import time
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from plyground import _core
from plyground.errors import ConfigError, IllegalMoveError
from plyground.quoridor import GameConfig, State, decode_action, encode_action, flip_action
from plyground.search.gumbel import GumbelSearch
from plyground.search.limits import SearchLimits
from plyground.search.quoridor_solver import solve
from plyground.search.result import SearchResult

ACTIONS = 209
TINY = GameConfig.preset("tiny")
SMALL = GameConfig.preset("small")


class Evaluator:
    """Logits and values that depend on the features alone; half floats, which the tree keeps."""

    def __init__(self, seed: int, spread: float = 2.0) -> None:
        rng = np.random.default_rng(seed)
        self.mix = rng.normal(size=(_core.QUORIDOR_FEATURE_BYTES, 8)).astype(np.float32)
        self.out = rng.normal(size=(8, ACTIONS + 1)).astype(np.float32)
        self.spread = spread
        self.calls: list[int] = []

    def __call__(self, features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        self.calls.append(len(features))
        out = np.stack([np.sin(row.astype(np.float32) @ self.mix) @ self.out for row in features])
        return (out[:, :ACTIONS] * self.spread).astype(np.float16), np.tanh(out[:, ACTIONS])


def seen_index(action: int, state: State) -> int:
    """Where the network's logits have an action: the mover's view on the 9x9 canvas."""
    size = state.board_size
    seen = action if state.current_player == 1 else flip_action(action, size)
    return encode_action(*decode_action(seen, size), 9)


@dataclass
class PlainNode:
    """A node of the search as the paper has it, with every formula written out in full."""

    state: State
    logits: dict[int, float] = field(default_factory=dict)
    value: float = 0.0
    children: dict[int, PlainNode] = field(default_factory=dict)
    visits: dict[int, int] = field(default_factory=dict)
    sums: dict[int, float] = field(default_factory=dict)


class PlainSearch:
    """One simulation at a time, no proofs; a draw is worth the penalty to both sides."""

    def __init__(
        self, evaluator: Evaluator, c_visit: float, c_scale: float, halving: bool = True
    ) -> None:
        self.evaluator = evaluator
        self.c_visit, self.c_scale, self.halving = c_visit, c_scale, halving

    def new_node(self, state: State) -> PlainNode:
        node = PlainNode(state)
        if not state.game_over:
            logits, values = self.evaluator(_core.quoridor_net_features(state)[None])
            actions = state.legal_actions()
            node.logits = {a: float(logits[0, seen_index(a, state)]) for a in actions}
            node.value = float(values[0])
            node.visits = dict.fromkeys(actions, 0)
            node.sums = dict.fromkeys(actions, 0.0)
        return node

    def completed(self, node: PlainNode) -> dict[int, float]:
        prior = softmax(node.logits)
        total = sum(node.visits.values())
        seen = [a for a in node.logits if node.visits[a] > 0]
        mixed = node.value
        if seen:
            q = sum(prior[a] * node.sums[a] / node.visits[a] for a in seen)
            q /= sum(prior[a] for a in seen)
            mixed = (node.value + total * q) / (1 + total)
        return {
            a: node.sums[a] / node.visits[a] if node.visits[a] > 0 else mixed for a in node.logits
        }

    def sigma(self, node: PlainNode) -> dict[int, float]:
        visits = self.c_visit + max(node.visits.values())
        scale = self.c_scale * (visits if self.halving else math.sqrt(visits))
        return {a: scale * q for a, q in self.completed(node).items()}

    def improved(self, node: PlainNode) -> dict[int, float]:
        sigma = self.sigma(node)
        return softmax({a: logit + sigma[a] for a, logit in node.logits.items()})

    def search(
        self, state: State, simulations: int, considered: int, noise: dict[int, float]
    ) -> PlainNode:
        root = self.new_node(state)
        if not self.halving:
            for _ in range(simulations):
                self.descend(root, self.choice(root))
            return root
        top = sorted(root.logits, key=lambda a: -(noise[a] + root.logits[a]))[:considered]
        for visits in considered_visits(len(top), simulations):
            sigma = self.sigma(root)
            ready = [a for a in top if root.visits[a] == visits]
            self.descend(root, max(ready, key=lambda a: noise[a] + root.logits[a] + sigma[a]))
        return root

    def choice(self, node: PlainNode) -> int:
        total = sum(node.visits.values())
        improved = self.improved(node)
        return max(node.logits, key=lambda a: improved[a] - node.visits[a] / (1 + total))

    def descend(self, node: PlainNode, action: int) -> tuple[float, float]:
        """One visit of a child. Its worth to the node's player, and to the other one."""
        if action not in node.children:
            child = node.children[action] = self.new_node(node.state.play(action))
            outcome = (child.value, -child.value)
        else:
            child = node.children[action]
            outcome = (0.0, 0.0)
        if child.state.game_over:
            winner = child.state.winner
            penalty = child.state.config.draw_penalty
            # Whoever is to move when the game has ended has lost, if it is not drawn.
            outcome = (penalty, penalty) if winner is None else (-1.0, 1.0)
        elif sum(child.visits.values()) > 0 or outcome == (0.0, 0.0):
            outcome = self.descend(child, self.choice(child))
        theirs, mine = outcome
        node.visits[action] += 1
        node.sums[action] += mine
        return mine, theirs


class PlainGraph(PlainSearch):
    """The search in a graph: one node a position, worth the mean of its children by visits."""

    def __init__(self, evaluator: Evaluator, c_visit: float, c_scale: float) -> None:
        super().__init__(evaluator, c_visit, c_scale, halving=False)
        self.nodes: dict[str, PlainNode] = {}
        self.means: dict[int, tuple[float, float]] = {}

    def search_graph(self, state: State, simulations: int) -> PlainNode:
        root = self.node_of(state)
        for _ in range(simulations):
            self.visit(root)
        return root

    def node_of(self, state: State) -> PlainNode:
        """The only node of a position: its text has both counters that draws depend on."""
        text = state.text()
        if text not in self.nodes:
            node = self.nodes[text] = self.new_node(state)
            penalty = state.config.draw_penalty
            over = (penalty, penalty) if state.winner is None else (-1.0, 1.0)
            self.means[id(node)] = over if state.game_over else (node.value, -node.value)
        return self.nodes[text]

    def visit(self, node: PlainNode) -> None:
        self.refresh(node)
        action = self.choice(node)
        known = len(self.nodes)
        child = self.node_of(node.state.play(action))
        node.children[action] = child
        if len(self.nodes) == known and not child.state.game_over:
            self.refresh(child)
            if node.visits[action] >= 1 + sum(child.visits.values()):
                self.visit(child)
        node.visits[action] += 1
        self.refresh(node)

    def refresh(self, node: PlainNode) -> None:
        mine, theirs = node.value, -node.value
        for action, child in node.children.items():
            worth = self.means[id(child)]
            node.sums[action] = node.visits[action] * worth[1]
            mine += node.visits[action] * worth[1]
            theirs += node.visits[action] * worth[0]
        count = 1 + sum(node.visits.values())
        self.means[id(node)] = (mine / count, theirs / count)


def softmax(scores: dict[int, float]) -> dict[int, float]:
    top = max(scores.values())
    weights = {a: math.exp(score - top) for a, score in scores.items()}
    total = sum(weights.values())
    return {a: weight / total for a, weight in weights.items()}


def considered_visits(candidates: int, simulations: int) -> list[int]:
    """Sequential halving: a phase visits those that are left equally often, then halves them."""
    if candidates == 1:
        return list(range(simulations))
    phases = math.ceil(math.log2(candidates))
    plan: list[int] = []
    visits, left = 0, candidates
    while len(plan) < simulations:
        for _ in range(max(1, simulations // (phases * left))):
            plan += [visits] * left
            visits += 1
        left = max(2, left // 2)
    return plan[:simulations]


def run(tree: _core.QuoridorTree, evaluator: Evaluator, batch: int = 1) -> None:
    while len(features := tree.select(batch)) > 0:
        tree.expand(*evaluator(features))


def random_state(config: GameConfig, rng: np.random.Generator, plies: int) -> State:
    while True:
        state = State(config)
        for _ in range(plies):
            if not state.game_over:
                state = state.play(int(rng.choice(state.legal_actions())))
        if not state.game_over:
            return state


@pytest.mark.parametrize("halving", [True, False])
@pytest.mark.parametrize("seed", range(12))
def test_agrees_with_the_plain_search(seed: int, halving: bool) -> None:
    """Same visits, same values, same policy, with noise at the root and draws in the tree."""
    rng = np.random.default_rng(seed)
    config = [TINY, SMALL, replace(TINY, no_progress_limit=4)][seed % 3]
    state = random_state(config, rng, int(rng.integers(0, 6)))
    simulations, considered = int(rng.integers(1, 80)), int(rng.integers(1, 20))
    c_visit, c_scale = float(rng.uniform(1, 60)), float(rng.uniform(0.05, 0.5))
    noise = rng.gumbel(size=len(_dense(state))).astype(np.float32)
    if not halving:  # as in play
        simulations *= 4
        noise *= 0

    plain = PlainSearch(Evaluator(seed), c_visit, c_scale, halving)
    root = plain.search(state, simulations, considered, {a: float(noise[a]) for a in _dense(state)})

    evaluator = Evaluator(seed)
    tree = _core.QuoridorTree(
        state, c_visit, c_scale, considered, halving=halving, prove=False, races=False
    )
    tree.begin(simulations, noise)
    run(tree, evaluator)
    moves = {move["action"]: move for move in tree.moves()}
    assert {a: move["visits"] for a, move in moves.items()} == root.visits, f"{seed=} {state!r}"
    completed = plain.completed(root)
    for action, move in moves.items():
        assert move["value"] == pytest.approx(completed[action], abs=1e-5)
        assert move["logit"] == root.logits[action]
    improved = plain.improved(root)
    policy = tree.policy()
    assert policy.sum() == pytest.approx(1, abs=1e-5)
    for action in range(len(policy)):
        assert policy[action] == pytest.approx(improved.get(action, 0), abs=2e-4)
    value = sum(improved[a] * completed[a] for a in improved)
    assert tree.root_value() == pytest.approx(value, abs=1e-3)
    sigma = plain.sigma(root)
    most = max(root.visits.values())
    best = max(
        (a for a in root.visits if root.visits[a] == most),
        key=lambda a: float(noise[a]) + root.logits[a] + sigma[a],
    )
    assert tree.best_action() == best
    assert tree.visits == simulations
    assert evaluator.calls == [1] * len(evaluator.calls)


@pytest.mark.parametrize("seed", range(6))
def test_graph_agrees_with_the_plain_one(seed: int) -> None:
    """Same visits, same values, as many nodes, with draws and many transpositions."""
    rng = np.random.default_rng(seed)
    config = [TINY, SMALL, replace(TINY, no_progress_limit=4)][seed % 3]
    state = random_state(config, rng, int(rng.integers(0, 4)))
    simulations = int(rng.integers(50, 300))
    c_visit, c_scale = float(rng.uniform(1, 60)), float(rng.uniform(0.05, 0.5))
    plain = PlainGraph(Evaluator(seed), c_visit, c_scale)
    root = plain.search_graph(state, simulations)

    evaluator = Evaluator(seed)
    tree = _core.QuoridorTree(
        state, c_visit, c_scale, halving=False, prove=False, races=False, graph=True
    )
    tree.begin(simulations)
    run(tree, evaluator)
    moves = {move["action"]: move for move in tree.moves()}
    assert {a: move["visits"] for a, move in moves.items()} == root.visits, f"{seed=} {state!r}"
    completed = plain.completed(root)
    for action, move in moves.items():
        assert move["value"] == pytest.approx(completed[action], abs=1e-4)
    assert tree.visits == simulations
    assert sum(not node.state.game_over for node in plain.nodes.values()) == len(evaluator.calls)


def _dense(state: State) -> range:
    size = state.board_size
    return range(size * size + 2 * (size - 1) ** 2)


@pytest.mark.parametrize("graph", [False, True])
@pytest.mark.parametrize("batch", [1, 4, 16])
def test_batches_spread_over_the_tree(batch: int, graph: bool) -> None:
    """A batch has no leaf twice, and all its visits are accounted for."""
    evaluator = Evaluator(1)
    tree = _core.QuoridorTree(State(), halving=not graph, prove=False, races=False, graph=graph)
    tree.begin(400)
    leaves = 0
    while len(features := tree.select(batch)) > 0:
        assert len({row.tobytes() for row in features}) == len(features) <= batch
        leaves += len(features)
        tree.expand(*evaluator(features))
    assert tree.visits == 400
    assert leaves <= 401
    assert sum(move["visits"] for move in tree.moves()) == 400
    if batch == 16:
        assert np.mean(evaluator.calls) > 4  # some end early, at a leaf under evaluation


def test_a_simulation_waits_for_the_leaf_that_it_chooses() -> None:
    """It does not take a worse move only because the better one is being evaluated."""
    tree = _core.QuoridorTree(State(), halving=False, graph=True)
    logits = np.zeros((1, 209), np.float32)
    logits[0, State().legal_actions()[0]] = 12
    assert len(tree.select(8)) == 1
    tree.expand(logits, np.zeros(1, np.float32))
    tree.begin(100)
    assert len(tree.select(8)) == 1


def test_without_simulations_the_policy_decides() -> None:
    evaluator = Evaluator(3)
    tree = _core.QuoridorTree(State())
    with pytest.raises(ConfigError, match="a root that has been evaluated"):
        tree.best_action()
    tree.expand(*evaluator(tree.select(8)))
    assert len(tree.select(8)) == 0
    logits = {move["action"]: move["logit"] for move in tree.moves()}
    assert tree.best_action() == max(logits, key=lambda a: logits[a])
    assert tree.policy() == pytest.approx([softmax(logits).get(a, 0) for a in range(209)], abs=1e-6)


def test_tree_is_kept_after_a_move() -> None:
    evaluator = Evaluator(5)
    state = State(SMALL)
    tree = _core.QuoridorTree(state)
    tree.begin(200)
    run(tree, evaluator, 4)
    before = {move["action"]: move["visits"] for move in tree.moves()}
    action = tree.best_action()
    size = len(tree)
    line = tree.pv()
    assert line[0] == action
    tree.advance(action)
    # A visit of the child is the child's own evaluation, or one of its moves.
    assert (tree.is_evaluated, tree.visits) == (True, before[action] - 1)
    assert len(tree) < size
    assert {move["action"] for move in tree.moves()} == set(state.play(action).legal_actions())
    done = len(evaluator.calls)
    tree.begin(50)
    run(tree, evaluator, 1)
    assert tree.visits == before[action] - 1 + 50
    assert len(evaluator.calls) <= done + 50
    unseen = next(move["action"] for move in tree.moves() if move["visits"] == 0)
    tree.advance(unseen)
    assert not tree.is_evaluated
    assert tree.visits == 0
    tree.begin(20)
    run(tree, evaluator, 8)
    assert tree.visits == 20


def test_lines_are_legal() -> None:
    state = State()
    for seed in range(5):
        tree = _core.QuoridorTree(state)
        tree.begin(300)
        run(tree, Evaluator(seed), 8)
        after = state
        for action in tree.pv():
            after = after.play(action)
        state = state.play(tree.best_action())


def test_win_on_the_move_is_played_at_once() -> None:
    """However little the network thinks of it, and without a single simulation."""
    state = State.parse("9 e8/e3 - 10/10 1 20 20")
    logits = np.zeros((1, ACTIONS), np.float32)
    logits[0, seen_index(state.play("e9").player1_pos[0] * 9 + 4, state)] = -20
    tree = _core.QuoridorTree(state)
    tree.begin(100)
    assert len(tree.select(4)) == 1
    tree.expand(logits, np.zeros(1, np.float32))
    assert tree.win_in == 1
    assert tree.simulations_left == 0
    assert len(tree.select(4)) == 0
    assert tree.best_action() == 8 * 9 + 4
    assert tree.best_value() == 1


def test_moves_that_lose_at_once_are_not_candidates() -> None:
    """Player 2 is one step from the goal: only walls in the way are worth a thought."""
    state = State.parse("9 e5/e2 - 5/5 1 20 20")
    tree = _core.QuoridorTree(state)
    tree.begin(64)
    run(tree, Evaluator(2), 4)
    for move in tree.moves():
        after = state.play(move["action"])
        lost = any(after.play(a).winner == 2 for a in after.legal_actions())
        assert (move["win_in"] == -2) == lost
        assert move["visits"] == 0 or not lost
    assert not any(
        state.play(tree.best_action()).play(a).winner
        for a in state.play(tree.best_action()).legal_actions()
    )


@pytest.mark.parametrize("graph", [False, True])
def test_forced_wins_are_proven_in_the_tree(graph: bool) -> None:
    """Proofs agree with the solver on the tiny board, for all positions of a few games."""
    config = replace(TINY, max_moves=65535, no_progress_limit=65535)
    solution = solve(config)
    rng = np.random.default_rng(1)
    proven = 0
    for seed in range(25):
        state = random_state(config, rng, int(rng.integers(0, 8)))
        tree = _core.QuoridorTree(state, halving=not graph, races=seed % 2 == 0, graph=graph)
        tree.begin(600)
        run(tree, Evaluator(seed), 1 + seed % 5)
        value = solution.value(state)
        if tree.win_in is not None:
            proven += 1
            assert np.sign(tree.win_in) == np.sign(value)
            assert tree.best_value() == np.sign(value)
            assert abs(tree.win_in) >= abs(value) or value < 0
            after = state.play(tree.best_action())
            if value > 0:
                assert after.winner is not None or solution.value(after) < 0
        for move in tree.moves():
            if move["win_in"] is not None:
                after = state.play(move["action"])
                exact = 1 if after.winner else -solution.value(after)
                assert np.sign(exact) == np.sign(move["win_in"])
    assert proven > 12


@pytest.mark.parametrize("seed", [2001, 2065])
def test_a_proof_by_way_of_a_parent_that_is_gone_ends_the_search(seed: int) -> None:
    """All moves of the root are lost, which was found in lines that the game did not follow."""
    rng = np.random.default_rng(seed)
    config = [TINY, replace(TINY, walls_per_player=3)][seed % 3]
    state = random_state(config, rng, int(rng.integers(0, 6)))
    evaluator = Evaluator(seed)
    tree = _core.QuoridorTree(
        state, c_visit=10, c_scale=1, halving=False, races=seed % 2 == 0, graph=True
    )
    for _ in range(12):
        if not tree.is_evaluated:
            tree.begin(0)
            tree.expand(*evaluator(tree.select(1)))
        tree.begin(60)
        run(tree, evaluator)
        assert tree.simulations_left == 0, state.text()
        visited = [move["action"] for move in tree.moves() if move["visits"] > 0]
        is_best = rng.random() < 0.5
        action = tree.best_action() if is_best else int(rng.choice(visited or [tree.best_action()]))
        state = state.play(action)
        if state.game_over:
            break
        tree.advance(action)


def test_races_are_exact() -> None:
    """No walls in hand: the tree needs no network to play perfectly."""
    rng = np.random.default_rng(4)
    config = replace(SMALL, walls_per_player=3, max_moves=1000, no_progress_limit=1000)
    tested = 0
    while tested < 20:
        state = random_state(config, rng, 14)
        if any(state.walls_remaining.values()):
            continue
        tested += 1
        solution = solve(state)
        value = solution.value(state)
        tree = _core.QuoridorTree(state)
        tree.begin(100)
        run(tree, Evaluator(tested), 4)
        if value != 0:
            assert tree.win_in == value, state.text()
            assert solution.action_values(state)[tree.best_action()] == value


def test_draws_are_bad_for_both() -> None:
    """One ply before the move limit every move but a win is a draw, worth the penalty."""
    config = replace(SMALL, max_moves=20, draw_penalty=-0.25)
    state = State.parse("5 c2/c4 - 5/5 1 19 5", config)
    tree = _core.QuoridorTree(state)
    tree.begin(30)
    run(tree, Evaluator(1))
    visited = [move for move in tree.moves() if move["visits"] > 0]
    assert visited
    for move in visited:
        assert move["value"] == pytest.approx(-0.25)
    # Two plies before it, the player who moves last sees the same, and so does the other.
    state = State.parse("5 c2/c4 - 5/5 2 18 5", config)
    tree = _core.QuoridorTree(state)
    tree.begin(1500)
    run(tree, Evaluator(1), 8)
    best = max((m for m in tree.moves()), key=lambda move: move["visits"])
    assert best["value"] == pytest.approx(-0.25, abs=0.1)


def test_a_ranking_looks_at_every_move() -> None:
    state = State(SMALL)
    evaluator = Evaluator(3)
    search = GumbelSearch(evaluator)
    search.search(state, SearchLimits(simulations=50))
    evaluator.calls.clear()
    ranked = search.rank(state)
    assert sorted(action for action, _ in ranked) == state.legal_actions()
    assert sum(evaluator.calls) >= 1 + len(ranked)
    assert len({score.value for _, score in ranked}) > len(ranked) / 2  # few are equal
    values = [score.value for _, score in ranked]
    assert np.mean(values[:5]) > np.mean(values[-5:])
    assert sum(move["visits"] for move in search.moves()) == 50  # the game's own tree is untouched


def test_a_ranking_puts_proven_moves_where_they_belong() -> None:
    search = GumbelSearch(Evaluator(3))
    state = State.parse("9 e8/e2 - 0/0 1 40 0")
    ranked = [action for action, _ in search.rank(state)]
    assert state.play(ranked[0]).winner == 1
    lost = State.parse("9 d8/e2 - 0/0 2 40 0")
    first, *_ = search.rank(lost)
    assert lost.play(first[0]).winner == 2


def test_misuse_is_refused() -> None:
    evaluator = Evaluator(1)
    tree = _core.QuoridorTree(State(TINY))
    tree.begin(20)
    features = tree.select(3)
    assert len(features) == 1
    for call in (lambda: tree.select(1), lambda: tree.begin(3), lambda: tree.advance(4)):
        with pytest.raises(ConfigError, match="`expand` before"):
            call()
    with pytest.raises(ConfigError, match="expected logits of shape"):
        tree.expand(np.zeros((2, ACTIONS), np.float32), np.zeros(2, np.float32))
    tree.expand(*evaluator(features))
    with pytest.raises(ConfigError, match="none"):
        tree.expand(*evaluator(features))
    with pytest.raises(IllegalMoveError):
        tree.advance(8)
    with pytest.raises(ConfigError, match="an action from 0 to 16"):
        tree.advance(17)
    with pytest.raises(ConfigError, match="17 noise"):
        tree.begin(5, np.zeros(209, np.float32))
    with pytest.raises(ConfigError, match="max_considered"):
        _core.QuoridorTree(State(), max_considered=0)
    over = State.parse("9 e9/e3 - 10/10 2 20 20")
    with pytest.raises(IllegalMoveError, match="the game is over"):
        _core.QuoridorTree(over)
    with pytest.raises(IllegalMoveError, match="the game is over"):
        _core.QuoridorTree(State.parse("9 e8/e3 - 10/10 1 20 20")).advance(8 * 9 + 4)


class CountingEvaluator(Evaluator):
    """Counts positions, and takes its time."""

    def __init__(self, seed: int, seconds: float = 0.0) -> None:
        super().__init__(seed)
        self.seconds = seconds

    def __call__(self, features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        time.sleep(self.seconds * len(features))
        return super().__call__(features)


def test_search_makes_as_many_simulations_as_asked() -> None:
    for simulations in (1, 2, 15, 64, 333):
        evaluator = CountingEvaluator(1)
        result = GumbelSearch(evaluate=evaluator).search(
            State(), SearchLimits(simulations=simulations)
        )
        assert result.nodes_searched == simulations
        assert sum(evaluator.calls) <= simulations + 1
        assert max(evaluator.calls) <= 8
        assert State().is_legal(result.best_move)
        assert result.pv[0] == result.best_move
        assert result.depth == len(result.pv)
        assert result.score is not None
        assert -1 <= result.score.value <= 1


def test_search_with_one_leaf_at_a_time_is_the_tree_s() -> None:
    evaluator = Evaluator(2)
    tree = _core.QuoridorTree(State(), c_visit=7, c_scale=0.7, halving=False, graph=True)
    tree.begin(100)
    run(tree, evaluator)
    search = GumbelSearch(evaluator, batch=1, c_visit=7, c_scale=0.7)
    result = search.search(State(), SearchLimits(simulations=100))
    assert result.best_move == tree.best_action()
    assert search.policy() == pytest.approx(tree.policy())
    assert {m["action"]: m["visits"] for m in search.moves()} == {
        m["action"]: m["visits"] for m in tree.moves()
    }


GENEROUS_S = 10.0
"""Seconds that a busy machine may add."""


def test_search_keeps_to_its_time() -> None:
    search = GumbelSearch(CountingEvaluator(1, seconds=0.001))
    state = State()
    for _ in range(3):
        started = time.perf_counter()
        result = search.search(state, SearchLimits(time_s=0.2))
        assert 0.15 < time.perf_counter() - started < GENEROUS_S
        assert result.nodes_searched > 20
        state = state.play(result.best_move)
    started = time.perf_counter()
    search.search(state, SearchLimits(clock_s=2.0))
    assert time.perf_counter() - started < GENEROUS_S


def test_with_a_clock_the_only_move_is_played_at_once() -> None:
    state = State.parse("3 a1/c3 b1h,b2h,a1v 0/1 2 5 0")
    (only,) = state.legal_actions()
    search = GumbelSearch(CountingEvaluator(1))
    limits = SearchLimits(simulations=50)
    result = search.search(state, replace(limits, clock_s=1000.0))
    assert (result.best_move, result.nodes_searched <= 1) == (only, True)


def test_search_reuses_the_tree() -> None:
    evaluator = CountingEvaluator(3)
    search = GumbelSearch(evaluator)
    limits = SearchLimits(simulations=200)
    state = State(SMALL)
    first = search.search(state, limits)
    assert len(first.pv) >= 2
    mine, reply = first.pv[:2]
    kept = state.play(mine).play(reply)
    before = sum(evaluator.calls)
    search.search(kept, SearchLimits(simulations=1))
    assert sum(evaluator.calls) <= before + 1  # the root was there already
    assert sum(move["visits"] for move in search.moves()) > 1
    search.search(kept, SearchLimits(simulations=1))  # the same position again
    assert sum(evaluator.calls) <= before + 2
    other = State(SMALL).play("c2")
    search.search(other, SearchLimits(simulations=5))
    assert sum(move["visits"] for move in search.moves()) == 5


def test_search_plays_whole_games() -> None:
    """With the tree kept from move to move, against itself and a random player."""
    rng = np.random.default_rng(2)
    for seed in range(4):
        search = GumbelSearch(Evaluator(seed))
        state = State(SMALL)
        while not state.game_over:
            if seed % 2 == 1 and state.current_player == 2:
                state = state.play(int(rng.choice(state.legal_actions())))
            else:
                result = search.search(state, SearchLimits(simulations=40))
                state = state.play(result.best_move)


def test_search_can_be_stopped() -> None:
    search = GumbelSearch(CountingEvaluator(1, seconds=0.002))
    has_begun = threading.Event()

    def stop() -> None:
        assert has_begun.wait(60)
        search.stop()

    stopper = threading.Thread(target=stop)
    stopper.start()
    result = search.search(State(), SearchLimits(simulations=100_000), lambda _: has_begun.set())
    stopper.join()
    assert 0 < result.nodes_searched < 50_000


@pytest.mark.parametrize("time_s", [1e9, 80_000.0])
def test_search_without_an_end_in_sight_can_be_stopped(time_s: float) -> None:
    """No plan for a billion seconds is made, which nothing could hold."""
    search = GumbelSearch(Evaluator(1), batch=4)

    def enough(result: SearchResult) -> None:
        if result.nodes_searched >= 200:
            search.stop()

    assert 200 <= search.search(State(), SearchLimits(time_s=time_s), enough).nodes_searched < 5000


def test_search_tells_how_far_it_is() -> None:
    search = GumbelSearch(CountingEvaluator(1, seconds=0.001))
    told: list[int] = []

    def tell(result: SearchResult) -> None:
        told.append(result.nodes_searched)
        if len(told) == 2:
            search.stop()

    search.search(State(), SearchLimits(time_s=60), tell)
    assert len(told) >= 2
    assert told == sorted(told)

    def fail(_: object) -> None:
        raise KeyError("enough")

    with pytest.raises(KeyError):
        search.search(State(), SearchLimits(time_s=5), fail)
    assert search.search(State(), SearchLimits(simulations=3)).nodes_searched == 3


def test_search_limits_that_make_no_sense() -> None:
    with pytest.raises(ConfigError, match="has no depth limit"):
        GumbelSearch(Evaluator(1)).search(State(), SearchLimits(depth=3))
    with pytest.raises(ConfigError, match="batch"):
        GumbelSearch(Evaluator(1), batch=0)
    with pytest.raises(ConfigError, match="no position"):
        GumbelSearch(Evaluator(1)).policy()
