"""Games that others register, and what the smallest of them can do."""

from __future__ import annotations

import importlib.metadata
import pickle
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from plyground.agents import LevelAgent, make
from plyground.errors import ConfigError, IllegalMoveError
from plyground.games import registry
from plyground.games.base import NATIVE_ONLY, Action, Game, State
from plyground.games.levels import LEVEL_NAMES
from plyground.play import LiveGame, Record, Seat, format_record, parse_record
from plyground.search import Engine, SearchLimits, alphabeta, minimax

from ..minimal_game import COUNTDOWN, STONES, Countdown, CountdownState


@pytest.fixture
def games(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A registry that the test may change."""
    monkeypatch.setattr(registry, "_games", registry.games())
    yield
    registry._load_entry_points.cache_clear()


@pytest.fixture
def registered(games: None) -> Countdown:
    registry.register(COUNTDOWN)
    return COUNTDOWN


@dataclass
class FakeEntryPoint:
    """What an installed package declares: `countdown = "countdown:GAME"`."""

    load: Callable[[], object]
    value: str = "countdown:GAME"


def install(monkeypatch: pytest.MonkeyPatch, *points: FakeEntryPoint) -> None:
    """Let the entry points of the group be these alone."""

    def entry_points(*, group: str) -> list[FakeEntryPoint]:
        assert group == "plyground.games"
        return list(points)

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    registry._load_entry_points.cache_clear()


# ---- the registry


def test_the_games_of_the_package() -> None:
    assert list(registry.games())[:2] == ["quoridor", "reversi"]
    assert registry.default() is registry.find(None) is registry.get("quoridor")


@pytest.mark.usefixtures("games")
def test_a_registered_game_is_found() -> None:
    with pytest.raises(ConfigError, match="unknown game 'countdown'; known are quoridor, reversi"):
        registry.get("countdown")
    registry.register(COUNTDOWN)
    registry.register(COUNTDOWN)  # registering the same object again is allowed
    assert registry.get("countdown") is registry.find("countdown") is COUNTDOWN
    assert list(registry.games()) == ["quoridor", "reversi", "countdown"]
    with pytest.raises(ConfigError, match=r"unknown game 'countdwn'; did you mean 'countdown'\?"):
        registry.get("countdwn")


@pytest.mark.usefixtures("games")
def test_a_name_is_taken_once() -> None:
    class Other(Countdown):
        name = "reversi"

    with pytest.raises(ConfigError, match="there is already a game named 'reversi'"):
        registry.register(Other())


@pytest.mark.usefixtures("games")
def test_an_installed_package_registers_its_game(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []

    def load() -> Countdown:
        loaded.append("countdown")
        return COUNTDOWN

    install(monkeypatch, FakeEntryPoint(load))
    assert registry.get("quoridor").name == "quoridor"
    assert loaded == []  # a game that is known needs no search for others
    assert registry.get("countdown") is COUNTDOWN
    assert registry.games()["countdown"] is COUNTDOWN
    assert loaded == ["countdown"]


@pytest.mark.usefixtures("games")
def test_a_package_that_cannot_be_loaded_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> object:
        raise ImportError("no module named 'stones'")

    install(monkeypatch, FakeEntryPoint(broken))
    with pytest.raises(ConfigError, match="cannot load the game 'countdown:GAME': no module"):
        registry.games()
    install(monkeypatch, FakeEntryPoint(lambda: "countdown"))
    with pytest.raises(ConfigError, match="expected a Game in the entry point 'countdown:GAME'"):
        registry.games()


def test_a_game_is_pickled_by_its_name(registered: Countdown) -> None:
    assert pickle.loads(pickle.dumps(registered)) is registered
    for name in ("quoridor", "reversi"):
        assert pickle.loads(pickle.dumps(registry.get(name))) is registry.get(name)


# ---- what a state inherits


def test_a_state_inherits_the_rest() -> None:
    state = CountdownState(3)
    assert (state.game_over, state.winner) == (False, None)
    assert state.is_legal("take3")
    assert state.is_legal(2)
    assert not CountdownState(2).is_legal("take3")
    assert state.make_move("take3") == state.play(2)
    won = state.play("take3")
    assert (won.game_over, won.winner) == (True, 1)
    assert [won.reward(player) for player in (1, 2)] == [1.0, -1.0]
    assert [state.reward(player) for player in (1, 2)] == [0.0, 0.0]
    assert [state.get_opponent(player) for player in (1, 2)] == [2, 1]
    assert [state.perft(depth) for depth in range(5)] == [1, 3, 4, 4, 4]


# ---- what a game inherits


def test_the_defaults_of_a_game(registered: Countdown) -> None:
    state = registered.start()
    assert registered.settings(state) == {}
    assert registered.rules_key(state) == ""
    assert registered.board_size(state) == 0
    assert [symmetry(2) for symmetry in registered.symmetries(state)] == [2]
    assert registered.move_arguments(state, 2) == ("take3",)
    assert registered.parse_line(state, "take1 take3") == [0, 2]
    assert registered.moves_towards(state, state) == [0, 1, 2]
    assert registered.examples(state) == "take1"
    assert registered.facts(state, 1) == ()
    assert registered.spot_of(state, 0) is None
    with pytest.raises(IllegalMoveError, match="no move leads to"):
        registered.action_at(state, ("move", (0, 0)))
    assert registered.evaluation_terms(state) == {}
    score = registered.evaluate(state)
    assert (score.value, score.unit, score.player) == (0.0, registered.unit, 1)
    assert registered.network(state) is None
    assert not registered.trusts_network(state)
    assert tuple(registered.levels) == LEVEL_NAMES
    assert (registered.turns_board, registered.has_paths) == (False, False)
    assert repr(registered) == "<Game countdown>"


def test_openings_are_random_by_default(registered: Countdown, rng: random.Random) -> None:
    openings = registered.openings(registered.start(), 8, rng)
    assert len({opening.text() for opening in openings}) == len(openings) == 8
    assert all(opening.outcome is None for opening in openings)
    assert registered.openings(CountdownState(0), 8, rng) == [CountdownState(0)]


@pytest.mark.parametrize(
    "ask",
    [
        lambda game, state: game.make_engine(1, 1),
        lambda game, state: game.engine_switches(),
        lambda game, state: game.make_tree(state),
        lambda game, state: game.encoding(),
        lambda game, state: game.net_features(state),
        lambda game, state: game.make_selfplay(state),
        lambda game, state: game.make_prover(),
        lambda game, state: Engine().search(state),
    ],
)
def test_what_takes_a_native_game_says_so(
    ask: Callable[[Game[CountdownState], State], object], registered: Countdown
) -> None:
    with pytest.raises(ConfigError) as caught:
        ask(registered, registered.start())
    assert str(caught.value).startswith("countdown has no ")
    assert str(caught.value).endswith(NATIVE_ONLY)


def test_minimax_and_alphabeta_in_plain_python() -> None:
    """A multiple of four stones is lost; otherwise the move leaves such a number."""
    for stones in range(1, 13):
        full, pruned = (search(CountdownState(stones), 12) for search in (minimax, alphabeta))
        assert (full.score, full.best_move, full.pv) == (
            pruned.score,
            pruned.best_move,
            pruned.pv,
        )
        assert pruned.nodes_searched <= full.nodes_searched
        assert full.win_in is not None
        assert (full.win_in > 0) == (stones % 4 != 0)
        if stones % 4:
            assert full.best_move == stones % 4 - 1
        assert len(full.pv) == abs(full.win_in)
    shallow = alphabeta(CountdownState(12), 2, evaluator=lambda state: -state.current_player)
    assert shallow.score is not None
    assert (shallow.score.value, shallow.score.unit) == (-1, COUNTDOWN.unit)
    with pytest.raises(ConfigError, match="textbook search of countdown has no option 'max_wall"):
        alphabeta(CountdownState(12), 2, max_wall_moves=3)
    with pytest.raises(IllegalMoveError, match="the game is over"):
        minimax(CountdownState(0), 2)


def test_agents_play_it(registered: Countdown) -> None:
    for spec in ("random:seed=1", "minimax:depth=4", *LEVEL_NAMES):
        state, agent = registered.start(), make(spec, registered)
        while state.outcome is None:
            answer = agent.select_action(state, SearchLimits(time_s=0.1))
            assert isinstance(answer, Action)
            assert state.make_move(*answer) == state.play(str(answer))
            state = state.play(answer)
    assert isinstance(make("hard", "countdown"), LevelAgent)
    for name in ("engine", "zero", "pathfinder", "solved"):
        with pytest.raises(ConfigError, match=f"the agent '{name}' does not play countdown"):
            make(name, registered)


def test_it_is_played_live_and_recorded(registered: Countdown) -> None:
    seats = {player: Seat.of("minimax:depth=3", registered) for player in (1, 2)}
    with LiveGame(seats, registered.start()) as live:
        live.start()
        assert live.wait(60)
        record = live.record()
    assert (record.game, record.result, record.termination) == ("countdown", "1-0", "last stone")
    assert record.start is None
    text = format_record(record)
    assert text.startswith('[Game "countdown"]\n')
    assert parse_record(text) == record
    again = Record.from_moves(record.moves, CountdownState(STONES), record.tags)
    assert (again, again.actions("board")) == (record, live.actions)
