"""The window through real events: whole games, walls, looking back, forms, files, slow agents."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygame
import pytest

from plyground import reversi
from plyground.errors import ConfigError
from plyground.play import LiveGame, Record, Seat, TimeControl, format_records
from plyground.play.game_file import read_games
from plyground.quoridor import GameConfig, State
from plyground.search.result import SearchResult
from plyground.ui.desktop import show, show_games
from plyground.ui.desktop.window import Window

Sit = Callable[..., Any]  # the fixture of conftest.py
SMALL = GameConfig.preset("small")


def friends(start: Any = None) -> LiveGame:
    state = State(SMALL) if start is None else start
    game = "quoridor" if isinstance(state, State) else "reversi"
    return LiveGame({1: Seat("Ann"), 2: Seat("Bob")}, state, game)


def against_agent() -> LiveGame:
    return LiveGame({1: Seat(), 2: Seat.of("pathfinder")}, State(SMALL))


def is_shown(person: Any, words: str) -> bool:
    return words in person.session.news.note


def test_a_whole_game_of_quoridor_by_mouse(sit: Sit) -> None:
    person = sit(against_agent(), paths=True)
    person.click("b2h")
    person.wait_for(person.live.person_to_move)
    for _ in range(40):
        if person.live.outcome is not None:
            break
        state, targets = person.live.state, person.session.view().board.targets
        moves = [f"{'abcde'[column]}{row + 1}" for row, column in targets]
        person.click(min(moves, key=lambda move: state.play(move).shortest_path_length(1)))
        person.wait_for(lambda: person.live.outcome is not None or person.live.person_to_move())
    person.post()
    assert person.live.outcome is not None
    assert person.live.moves[0].text == "b2h"
    assert person.session.news.note == str(person.live.outcome)


def test_a_whole_game_of_reversi_by_mouse(sit: Sit) -> None:
    person = sit(friends(reversi.State()))
    for _ in range(70):
        if person.live.outcome is not None:
            break
        (action, *_) = person.live.state.legal_actions()
        if action == reversi.PASS:
            person.press("run")
        else:
            person.click(reversi.action_to_notation(action))
    assert person.live.outcome is not None, person.session.news.note
    assert len(person.live.moves) > 8


def test_who_has_no_move_passes_by_button_key_or_word(sit: Sit) -> None:
    board = "-XOOOOOO" + "-" * 56
    for way in ("button", "key", "word"):
        person = sit(friends(reversi.State.parse(f"{board} X")))
        assert person.session.view().board.must_pass
        if way == "button":
            person.press("run")
        elif way == "key":
            person.key(pygame.K_SPACE)
        else:
            person.type("pass")
            person.key(pygame.K_RETURN)
        assert [move.text for move in person.live.moves] == ["pass"]
        person.click("a1")
        assert person.live.outcome is not None


def test_a_wall_appears_where_it_would_go_and_says_why_it_cannot(sit: Sit) -> None:
    person = sit(friends())
    before = person.image
    person.hover(person.point_of("c3h"))
    legal = person.image
    assert legal != before
    person.click("c3h")
    standing = person.image
    person.hover((1, 1))
    assert person.image == standing  # nothing is said about the wall that was just placed
    person.hover(person.point_of("d3h"))
    assert person.session.refusal("d3h") == "d3h is not possible: it overlaps the wall at c3h"
    refused = person.image
    person.click("d3h")
    assert [move.text for move in person.live.moves] == ["c3h"]
    assert (person.session.news.is_complaint, is_shown(person, "it overlaps")) == (True, True)
    person.post(pygame.Event(pygame.WINDOWLEAVE))
    assert person.image != refused


def test_moves_are_typed_too(sit: Sit) -> None:
    person = sit(friends())
    person.type("C2x")
    person.key(pygame.K_BACKSPACE)
    person.key(pygame.K_RETURN)
    assert [move.text for move in person.live.moves] == ["c2"]
    person.type("zz")
    person.key(pygame.K_RETURN)
    assert (is_shown(person, "expected"), person.session.news.is_complaint) == (True, True)
    person.type("c4")
    person.key(pygame.K_ESCAPE)
    person.key(pygame.K_RETURN)
    assert len(person.live.moves) == 1


def test_looking_back_plays_nothing_and_undo_takes_back_to_there(sit: Sit) -> None:
    person = sit(friends())
    for move in ("c2", "c4", "b2h"):
        person.click(move)
    person.key(pygame.K_HOME)
    assert person.session.view().ply == 0
    person.key(pygame.K_RIGHT)
    assert person.session.view().ply == 1
    person.click("d2h")
    assert is_shown(person, "earlier position")
    assert len(person.live.moves) == 3
    person.key(pygame.K_END)
    assert (person.session.ply, person.session.can_move) == (None, True)
    person.key(pygame.K_LEFT)
    assert person.session.view().ply == 2
    person.key(pygame.K_ESCAPE)
    person.press("move 1")
    assert person.session.view().ply == 1
    person.press("undo")
    assert (len(person.live.moves), person.live.undone) == (1, 2)
    person.press("redo")
    person.key(pygame.K_y, ctrl=True)
    person.key(pygame.K_z, ctrl=True)
    assert len(person.live.moves) == 2
    assert person.session.view().ply == 2


def test_a_hint_is_shown_and_gone_with_the_next_move(sit: Sit) -> None:
    person = sit(friends(State.parse("5 c4/a3 - 0/0 1 4 0")))
    person.press("hint")
    person.wait_for(lambda: person.session.news.hint is not None)
    assert person.session.news.hint == "c5"
    assert is_shown(person, "hint: c5 (wins in 1")
    person.click("c5")
    assert person.session.news.hint is None
    person.key(pygame.K_i, ctrl=True)
    assert person.session.news.is_complaint


class Slow:
    """Plays its first legal move once it is told to."""

    def __init__(self) -> None:
        self.may_answer = threading.Event()

    def select_action(self, state: Any, limits: Any = None) -> int:  # noqa: ARG002
        self.may_answer.wait(60)
        return int(state.legal_actions()[0])


def test_the_window_is_awake_while_an_agent_thinks(sit: Sit) -> None:
    slow = Slow()
    person = sit(LiveGame({1: Seat(), 2: Seat("slow", slow)}, State(SMALL)))
    person.click("c2")
    person.wait_for(lambda: person.session.news.thinking == "slow is thinking")
    person.click("c3")
    assert is_shown(person, "not your turn: slow is to move")
    before = person.image
    person.press("flip")
    assert person.image != before
    person.key(pygame.K_LEFT)
    assert person.session.view().ply == 0
    person.key(pygame.K_END)
    slow.may_answer.set()
    person.wait_for(person.live.person_to_move)
    person.post()
    assert is_shown(person, "slow played ")
    slow.may_answer.clear()
    person.click("c3")
    person.press("undo")
    assert person.live.person_to_move()
    slow.may_answer.set()


class Thoughtful(Slow):
    """Tells what it thinks, and plays that once it is told to."""

    def points(self, state: Any) -> float | None:  # noqa: ARG002
        return 1.0

    def search(self, state: Any, limits: Any = None, on_progress: Any = None) -> SearchResult:
        result = SearchResult(state.legal_actions()[0], 1.5, 3, [], 2_300_000, 1000.0)
        on_progress(result)
        self.select_action(state, limits)
        return result


def test_thinking_is_told(sit: Sit) -> None:
    agent = Thoughtful()
    person = sit(LiveGame({1: Seat(), 2: Seat("deep", agent)}, State(SMALL)))
    person.click("c2")
    person.wait_for(lambda: "depth" in person.session.news.thinking)
    assert person.session.news.thinking.startswith("deep: depth 3, +1.5, 2.3 M nodes")
    agent.may_answer.set()
    person.wait_for(lambda: is_shown(person, "deep played c4 in"))
    assert person.session.news.thinking == ""


def test_a_new_game_by_form(sit: Sit) -> None:
    person = sit(friends())
    person.press("new")
    person.press("Game: reversi")
    person.press("Player 2: easy")
    person.press("Clock: 5 min + 3 s")
    person.press("Start")
    assert person.window.form is None
    assert (person.live.rules.name, person.live.seats[1].name) == ("reversi", "Ann")
    assert (person.live.seats[2].name, str(person.live.control)) == ("easy", "300+3")
    person.key(pygame.K_n, ctrl=True)
    for key in (pygame.K_LEFT, pygame.K_DOWN):  # quoridor; its board
        person.key(key)
    person.type("7")
    person.key(pygame.K_RETURN)
    assert (person.live.rules.name, person.live.state.board_size) == ("quoridor", 7)
    person.press("new")
    person.key(pygame.K_ESCAPE)
    assert person.window.form is None


def test_games_are_saved_and_opened(sit: Sit, tmp_path: Path) -> None:
    person = sit(friends())
    person.click("c2")
    person.press("save")
    person.type("2")  # after the name that is offered
    person.key(pygame.K_BACKSPACE)
    person.key(pygame.K_RETURN)
    assert is_shown(person, "saved as game 1 of game.pgn")
    (record,) = read_games(tmp_path / "game.pgn")
    assert [move.text for move in record.moves] == ["c2"]

    person.press("open")
    person.type("nothing.pgn")
    person.key(pygame.K_RETURN)
    assert "cannot read nothing.pgn: No such file" in person.window.form.complaint
    person.press("game.pgn")  # in the list of the folder
    assert person.window.form is None
    assert person.session.replay is not None
    person.press("play on")
    person.press("Player 1: human")
    person.press("Player 2: human")
    person.press("Start")
    assert person.session.replay is None
    assert (len(person.live.moves), person.live.person_to_move()) == (1, True)


def test_a_file_dropped_on_the_window_is_replayed(sit: Sit, tmp_path: Path) -> None:
    games = [
        Record.from_moves(["c2", "c4", "c3"], State(SMALL), result="0-1", termination="time"),
        Record.from_moves(["f5", "d6"], None, "reversi", {"Player1": "Eve"}),
    ]
    file = tmp_path / "two.pgn"
    file.write_text(format_records(games))
    clock = [0.0]
    person = sit(friends(), now=lambda: clock[0])
    person.post(pygame.Event(pygame.DROPFILE, file=str(file)))
    replay = person.session.replay
    assert (person.session.game, replay.ply, replay.number) == ("reversi", 2, 1)
    person.key(pygame.K_PAGEUP)
    assert (person.session.game, replay.ply) == ("quoridor", 0)
    person.key(pygame.K_SPACE)
    for now_s in (0.5, 1.0, 2.0, 3.0):
        clock[0] = now_s
        person.post()
    assert (replay.ply, replay.is_running) == (3, True)
    clock[0] = 20.0
    person.post()
    assert not replay.is_running
    person.key(pygame.K_HOME)
    person.key(pygame.K_RIGHT)
    person.key(pygame.K_RIGHT)
    person.key(pygame.K_LEFT)
    assert replay.ply == 1
    person.click("b2h")
    assert is_shown(person, "Play on")
    person.press("games")
    person.key(pygame.K_DOWN)
    person.key(pygame.K_RETURN)
    assert replay.number == 1
    person.key(pygame.K_ESCAPE)
    assert person.session.replay is None
    person.post(pygame.Event(pygame.DROPFILE, file=str(tmp_path)))
    assert is_shown(person, "cannot read")


def test_it_is_as_sharp_and_right_at_every_size(sit: Sit) -> None:
    person = sit(friends())
    for size in ((480, 400), (500, 900), (1600, 900)):
        person.window.resize(size)
        person.post()
        assert person.window.surface.get_size() == size
        person.click("c3h")
        assert [move.text for move in person.live.moves] == ["c3h"]
        person.press("undo")
    for command in ("theme", "paths", "targets", "flip", "help"):
        before = person.image
        person.press(command)
        assert person.image != before, command


def test_a_dense_screen_has_more_pixels_than_points(
    sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = sit(friends(), size=(480, 400))
    dense = pygame.Surface((960, 800))
    monkeypatch.setattr(Window, "surface", property(lambda window: dense))  # noqa: ARG005
    person.post(pygame.Event(pygame.WINDOWSIZECHANGED, x=480, y=400))
    x, y = person.point_of("c3h")
    person.click_at((x // 2, y // 2))
    assert [move.text for move in person.live.moves] == ["c3h"]


def test_clocks_run_and_a_flag_that_falls_is_told(sit: Sit) -> None:
    live = LiveGame({1: Seat(), 2: Seat()}, State(SMALL), control=TimeControl(0.05))
    person = sit(live)
    person.wait_for(lambda: is_shown(person, "player 2 won (time)"))
    person.click("c2")
    assert is_shown(person, "time")
    turn = live.turn
    person.press("undo")
    assert live.turn > turn


def test_escape_twice_leaves(sit: Sit) -> None:
    clock = [0.0]
    person = sit(friends(), now=lambda: clock[0])
    for now_s in (10.0, 20.0):
        clock[0] = now_s
        person.key(pygame.K_ESCAPE)
        assert (is_shown(person, "again"), person.session.is_leaving) == (True, False)
    clock[0] = 21.0
    person.key(pygame.K_ESCAPE)
    assert person.session.is_leaving


def test_a_locked_game_can_only_be_looked_at(sit: Sit) -> None:
    person = sit(friends(), is_locked=True)
    person.click("c2")
    for key in (pygame.K_z, pygame.K_r):
        person.key(key, ctrl=True)
        assert is_shown(person, "run by another program")
    person.session.leave()
    assert person.live.play("c4")


def test_programs_show_games_until_the_window_is_closed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    frames = []

    def frame(window: Window, wait_s: float) -> None:
        replay = window.session.replay
        frames.append(None if replay is None else (len(replay.games), replay.pace_s))
        pygame.event.post(pygame.Event(pygame.QUIT))
        real_frame(window, wait_s)

    real_frame = Window.frame
    monkeypatch.setattr(Window, "frame", frame)
    with friends() as live:
        show(live, theme="dark", size=(480, 400))
        assert frames == [None]
        assert live.play("c2")
    (tmp_path / "one.pgn").write_text(format_records([live.record()]))
    show_games(tmp_path / "one.pgn", pace_s=0.3, size=(480, 400))
    assert frames[1:] == [(1, 0.3)]
    with pytest.raises(ConfigError, match="cannot read"):
        show_games(tmp_path / "none.pgn")
