"""A third game in plain Python, registered as an outsider would, goes through everything.

`connect_four.py` beside this is installed as a package of its own: a folder on the path with the
entry point that docs/add-a-game.md names. No file of Plyground knows it.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import numpy as np
import pytest

from plyground.agents import make
from plyground.analysis.adviser import adviser_for
from plyground.analysis.lines import best_lines
from plyground.arena import ArenaConfig, Store, Tournament
from plyground.envs import GameEnv
from plyground.errors import ConfigError
from plyground.games.base import NATIVE_ONLY
from plyground.json_types import JsonObject
from plyground.play import LiveGame, Record, Seat, format_record, parse_record
from plyground.search import Engine, alphabeta, minimax
from plyground.ui.game_host import NewGame
from plyground.ui.terminal.paint import Paint
from plyground.ui.terminal.screen import Screen
from plyground.ui.view import DisplayOptions, view_live
from plyground.ui.web.config import WebConfig
from plyground.ui.web.messages import parse_message
from plyground.ui.web.payloads import game_payload
from plyground.ui.web.players import SharedPlayers
from plyground.ui.web.session import WebSession
from plyground.ui.web.session_store import SessionStore
from tests.conformance.connect_four import COLUMNS, CONNECT_FOUR, ConnectFourState

NAME = CONNECT_FOUR.name
HERE = Path(__file__).parent
TIMEOUT_S = 120


pytestmark = pytest.mark.usefixtures("connect_four")  # registered by the documented call


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which a package with the game's entry point is installed."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copy(HERE / "connect_four.py", folder)
    metadata = folder / "connect_four-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: connect-four\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        "[plyground.games]\nconnect-four = connect_four:CONNECT_FOUR\n"
    )
    home = tmp_path_factory.mktemp("home")
    return os.environ | {"PYTHONPATH": str(folder), "XDG_DATA_HOME": str(home)}


def plyground(environment: dict[str, str], *arguments: str, text: str = "") -> str:
    """What a command prints; it must end with status 0."""
    done = subprocess.run(
        [sys.executable, "-m", "plyground", *arguments],
        env=environment,
        input=text,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# The library.


def test_positions_and_moves_read_back(rng: random.Random) -> None:
    state = CONNECT_FOUR.start()
    while state.outcome is None:
        action = rng.choice(state.legal_actions())
        assert state.parse_move(state.format_move(action)) == action
        assert CONNECT_FOUR.start({}, state.text()) == state
        state = state.play(action)
    assert state.perft(1) == 1
    assert ConnectFourState().perft(5) == COLUMNS**5


def test_records_are_written_and_read() -> None:
    record = Record.from_moves(list("dcdcdcd"), CONNECT_FOUR.start(), tags={"Player1": "Ann"})
    assert (record.game, record.result, record.termination) == (NAME, "1-0", "four in a row")
    assert parse_record(format_record(record)) == record


@pytest.mark.parametrize("spec", ["random:seed=1", "minimax:depth=3", "easy", "normal"])
def test_agents_play_live_games(spec: str) -> None:
    seats = {1: Seat.of(spec, CONNECT_FOUR), 2: Seat.of("random:seed=2", CONNECT_FOUR)}
    with LiveGame(seats, CONNECT_FOUR.start()) as live:
        live.start()
        assert live.wait(TIMEOUT_S)
        assert live.outcome is not None
        assert parse_record(format_record(live.record())) == live.record()


def test_an_answer_unpacks_for_make_move() -> None:
    state = CONNECT_FOUR.start()
    answer = make("minimax", NAME).select_action(state)
    assert str(answer) in "abcdefg"
    assert state.make_move(*answer) == state.play(answer)  # type: ignore[misc]


def test_minimax_and_alphabeta_agree_and_find_the_win() -> None:
    state = CONNECT_FOUR.start({}, "-/O/O/XXX/-/-/O")
    for depth in (1, 2, 3, 4):
        full, pruned = minimax(state, depth), alphabeta(state, depth)
        assert (full.best_move, full.score, full.pv) == (pruned.best_move, pruned.score, pruned.pv)
        assert pruned.nodes_searched <= full.nodes_searched
    found = alphabeta(state, 3)
    assert (state.format_move(found.best_move), found.win_in) == ("d", 1)


def test_the_adviser_ranks_lines() -> None:
    state = CONNECT_FOUR.start()
    lines = best_lines(adviser_for(state), state, 3)
    assert len(lines) == 3
    assert all(line.score is not None for line in lines)


def test_what_needs_a_native_game_says_so_in_one_line() -> None:
    state = CONNECT_FOUR.start()
    for ask in (
        lambda: Engine().search(state),
        lambda: CONNECT_FOUR.make_tree(state),
        lambda: CONNECT_FOUR.encoding(),
        lambda: CONNECT_FOUR.net_features(state),
        lambda: CONNECT_FOUR.make_selfplay(state),
        lambda: CONNECT_FOUR.make_prover(),
    ):
        with pytest.raises(ConfigError, match="connect-four has no") as caught:
            ask()
        assert NATIVE_ONLY in str(caught.value)
        assert "\n" not in str(caught.value)


def test_the_environment_plays_a_game(rng: random.Random) -> None:
    env = GameEnv(NAME, opponent="random")
    observation, info = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    terminated, reward = False, 0.0
    while not terminated:
        action = rng.choice(np.flatnonzero(info["action_mask"]).tolist())
        observation, reward, terminated, truncated, info = env.step(np.int64(action))
        assert env.observation_space.contains(observation)
        assert not truncated
    assert reward in (-1.0, 0.0, 1.0)
    assert info["winner"] in (0, 1, 2)


def test_a_tournament_rates_the_agents(tmp_path: Path) -> None:
    config = ArenaConfig(agents=("minimax:depth=3", "random:seed=5"), games=6, game=NAME, workers=0)
    with Store(tmp_path / "arena.sqlite") as store:
        tournament = Tournament(config, store)
        assert len(list(tournament.run())) == 6
        standings, _ = tournament.crosstable.standings()
        assert store.count() == 6
    assert standings[0].agent == "minimax:depth=3"
    assert standings[0].rating.elo > standings[1].rating.elo


# The screens.


def test_the_terminal_draws_it() -> None:
    live = LiveGame({1: Seat(), 2: Seat()}, CONNECT_FOUR.start())
    live.play("d")
    lines = Screen(Paint()).lines(view_live(live, targets=True), DisplayOptions())
    assert any("[X]" in line for line in lines)
    assert any(" + " in line for line in lines)


def test_the_page_plays_it(tmp_path: Path) -> None:
    heard: list[JsonObject] = []

    class Page:
        def send(self, payload: JsonObject) -> None:
            heard.append(payload)

        def suspend(self) -> None: ...

    async def play() -> None:
        config = WebConfig(folder=tmp_path, pace_s=0.0)
        store = SessionStore(tmp_path, 9)
        session = WebSession("a" * 22, config, SharedPlayers(config), store)
        session.listeners.add(Page())
        session.new_game(NewGame(NAME, ("human", "normal")))
        session.host.play("d", 0)
        deadline = time.monotonic() + TIMEOUT_S
        while len(session.live.moves) < 2 and time.monotonic() < deadline:
            await asyncio.sleep(0.02)
        await asyncio.sleep(0.05)
        session.suspend().close()
        store.close()

    asyncio.run(play())
    game = [payload for payload in heard if payload["type"] == "game"][-1]
    assert json.loads(json.dumps(game)) == game
    assert (game["game"], game["ply"], game["can_play"]) == (NAME, 2, True)
    board = game["board"]
    assert isinstance(board, dict)
    assert (board["kind"], board["rows"], board["columns"]) == ("grid", 6, 7)
    spots = game["spots"]
    assert isinstance(spots, dict)
    assert spots["a"] == "a6"
    message = {"type": "new_game", "game": NAME, "player1": "human", "player2": "easy"}
    parse_message(json.dumps(message))


def test_payloads_show_a_finished_game() -> None:
    live = LiveGame({1: Seat(), 2: Seat()}, CONNECT_FOUR.start())
    for move in "dcdcdcd":
        live.play(move)
    payload = game_payload(live, 1)
    assert payload["legal"] == []
    assert payload["outcome"] == {
        "winner": 1,
        "reason": "four in a row",
        "text": "player 1 won (four in a row)",
    }


def test_the_window_draws_and_plays_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pytest.importorskip("pygame")
    from plyground.ui.desktop.session import WindowSession
    from plyground.ui.desktop.theme import THEMES
    from plyground.ui.desktop.window import Window
    from plyground.ui.game_host import GameHost

    live = LiveGame({1: Seat(), 2: Seat()}, CONNECT_FOUR.start())
    session = WindowSession(GameHost(live))
    window = Window(session, THEMES["light"], (900, 700))
    try:
        session.start()
        window.frame()
        empty = window.surface.copy()
        session.play("d")
        window.frame()
        assert live.moves[0].text == "d"
        before, after = (surface.get_view("2").raw for surface in (empty, window.surface))
        assert before != after
    finally:
        window.close()
        session.leave()


# The programs, with the game installed as a package.


def test_the_command_line_plays_it(installed: dict[str, str]) -> None:
    out = plyground(installed, "play", NAME, "--p1", "normal", "--p2", "random", "--seed", "3")
    record = parse_record(out[out.index("[Game") :])
    assert (record.game, record.result != "*") == (NAME, True)
    out = plyground(installed, "play", NAME, "--p1", "human", "--p2", "easy", text="d\nz9\nquit\n")
    assert "four in a row win" in out
    assert "expected a column from a to g" in out


def test_a_match_runs_in_worker_processes(installed: dict[str, str], tmp_path: Path) -> None:
    store = str(tmp_path / "arena.sqlite")
    out = plyground(
        installed, "arena", "minimax:depth=3", "random", "--game", NAME, "--games", "4",
        "--workers", "2", "--store", store,
    )  # fmt: skip
    assert "minimax:depth=3" in out
    listed = plyground(installed, "games", store)
    assert listed.count("minimax:depth=3") == 4


def test_the_engine_protocol_serves_it(installed: dict[str, str]) -> None:
    lines = ["uci", "position startpos moves d d", "legal", "go depth 3", "isready", "quit", ""]
    with subprocess.Popen(
        [sys.executable, "-m", "plyground", "engine", "--game", NAME],
        env=installed,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line in lines[:4]:
            process.stdin.write(line + "\n")
        process.stdin.flush()
        heard: list[str] = []
        while not heard or not heard[-1].startswith(("bestmove", "error")):
            heard.append(process.stdout.readline().strip())
            assert heard[-1] or len(heard) < 1000
        process.stdin.write("quit\n")
        process.stdin.flush()
        process.wait(TIMEOUT_S)
    assert "legal a b c d e f g" in heard
    assert heard[-1].split()[1] in "abcdefg"
    assert any("score threats" in line for line in heard)


@pytest.fixture
def rest_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def test_the_rest_server_serves_it(installed: dict[str, str], rest_port: int) -> None:
    command = ["serve", "http", "normal", "--game", NAME, "--port", str(rest_port)]
    with subprocess.Popen(
        [sys.executable, "-m", "plyground", *command], env=installed, stdout=subprocess.DEVNULL
    ) as process:
        try:
            body = json.dumps({"position": CONNECT_FOUR.start().play("d").text()}).encode()
            answer = post(f"http://127.0.0.1:{rest_port}/move", body)
        finally:
            process.terminate()
    assert answer["move"] in list("abcdefg")


def post(url: str, body: bytes) -> JsonObject:
    """POST, again until the server has started."""
    deadline = time.monotonic() + TIMEOUT_S
    while True:
        request = urllib.request.Request(url, body, {"content-type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as response:
                found: JsonObject = json.load(response)
                return found
        except OSError:
            if time.monotonic() > deadline:
                raise
        time.sleep(0.1)
