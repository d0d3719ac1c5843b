"""The window through real events: whole games, walls, looking back, forms, files, slow agents."""

from __future__ import annotations

import threading
from pathlib import Path

import pygame
import pytest

from plyground import reversi
from plyground.agents import Agent
from plyground.agents.base import Progress
from plyground.errors import ConfigError
from plyground.games.base import State as AnyState
from plyground.games.board import GridBoard
from plyground.games.score import Score
from plyground.play import LiveGame, Record, Seat, TimeControl, format_records
from plyground.play.game_file import read_games
from plyground.quoridor import GameConfig, State
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult
from plyground.ui.desktop import show, show_games
from plyground.ui.desktop.widgets import ScrolledText, TextLines
from plyground.ui.desktop.window import Window
from tests.conformance.connect_four import ConnectFour
from tests.ui.window_user import OpenWindow

SMALL = GameConfig.preset("small")


def friends(start: AnyState | None = None) -> LiveGame:
    state = State(SMALL) if start is None else start
    return LiveGame({1: Seat("Ann"), 2: Seat("Bob")}, state)


def against_agent() -> LiveGame:
    return LiveGame({1: Seat(), 2: Seat.of("pathfinder")}, State(SMALL))


def path_length(state: State, move: str) -> int:
    """Player 1's shortest path after a move."""
    return state.play(move).shortest_path_length(1)


def test_a_whole_game_of_quoridor_by_mouse(open_window: OpenWindow) -> None:
    user = open_window(against_agent(), paths=True)
    user.click("b2h")
    user.wait_for(user.live.person_to_move)
    for _ in range(40):
        if user.live.outcome is not None:
            break
        state = user.live.state
        assert isinstance(state, State)
        moves = [f"{'abcde'[column]}{row + 1}" for row, column in state.legal_pawn_moves(1)]
        user.click(min(moves, key=lambda move: path_length(state, move)))
        user.wait_for(lambda: user.live.outcome is not None or user.live.person_to_move())
    user.post()
    assert user.live.outcome is not None
    assert user.live.moves[0].text == "b2h"
    assert user.message == str(user.live.outcome)


def test_a_whole_game_of_reversi_by_mouse(open_window: OpenWindow) -> None:
    user = open_window(friends(reversi.State()))
    for _ in range(70):
        if user.live.outcome is not None:
            break
        (action, *_) = user.live.state.legal_actions()
        if action == reversi.PASS:
            user.press("run")
        else:
            user.click(reversi.action_to_notation(action))
    assert user.live.outcome is not None, user.message
    assert len(user.live.moves) > 8


def test_a_pass_by_button_key_or_notation(open_window: OpenWindow) -> None:
    stuck = reversi.State.parse("-XOOOOOO" + "-" * 56 + " X")
    for way in ("button", "key", "notation"):
        user = open_window(friends(stuck))
        board = user.session.view().board
        assert isinstance(board, GridBoard)
        assert board.must_pass
        if way == "button":
            user.press("run")
        elif way == "key":
            user.key(pygame.K_SPACE)
        else:
            user.type("pass")
            user.key(pygame.K_RETURN)
        assert user.moves == ["pass"]
        user.click("a1")
        assert user.live.outcome is not None


def test_a_wall_appears_under_the_pointer_and_an_illegal_one_is_explained(
    open_window: OpenWindow,
) -> None:
    user = open_window(friends())
    before = user.image
    user.hover(user.point_of("c3h"))
    legal = user.image
    assert legal != before
    user.click("c3h")
    standing = user.image
    user.hover((1, 1))
    assert user.image == standing  # nothing is said about the wall that was just placed
    user.hover(user.point_of("d3h"))
    view = user.session.view()
    reason = user.session.why_illegal_at(view, ("h_wall", (2, 3)))
    assert reason == "d3h is not possible: it overlaps the wall at c3h"
    illegal = user.image
    user.click("d3h")
    assert user.moves == ["c3h"]
    assert user.session.messages.is_error
    assert "it overlaps" in user.message
    user.post(pygame.Event(pygame.WINDOWLEAVE))
    assert user.image != illegal


def test_moves_are_typed_too(open_window: OpenWindow) -> None:
    user = open_window(friends())
    user.type("C2x")
    user.key(pygame.K_BACKSPACE)
    user.key(pygame.K_RETURN)
    assert user.moves == ["c2"]
    user.type("zz")
    user.key(pygame.K_RETURN)
    assert user.session.messages.is_error
    assert "expected" in user.message
    user.type("c4")
    user.key(pygame.K_ESCAPE)
    user.key(pygame.K_RETURN)
    assert len(user.live.moves) == 1


def test_looking_back_plays_nothing_and_undo_takes_back_to_there(open_window: OpenWindow) -> None:
    user = open_window(friends())
    for move in ("c2", "c4", "b2h"):
        user.click(move)
    user.key(pygame.K_HOME)
    assert user.session.view().ply == 0
    user.key(pygame.K_RIGHT)
    assert user.session.view().ply == 1
    user.click("d2h")
    assert "earlier position" in user.message
    assert len(user.live.moves) == 3
    user.key(pygame.K_END)
    assert (user.session.ply, user.session.can_move) == (None, True)
    user.key(pygame.K_LEFT)
    assert user.session.view().ply == 2
    user.key(pygame.K_ESCAPE)
    user.press("move 1")
    assert user.session.view().ply == 1
    user.press("undo")
    assert (len(user.live.moves), user.live.undone) == (1, 2)
    user.press("redo")
    user.key(pygame.K_y, ctrl=True)
    user.key(pygame.K_z, ctrl=True)
    assert len(user.live.moves) == 2
    assert user.session.view().ply == 2


def test_a_hint_is_shown_and_gone_with_the_next_move(open_window: OpenWindow) -> None:
    user = open_window(friends(State.parse("5 c4/a3 - 0/0 1 4 0")))
    user.press("hint")
    user.wait_for(lambda: user.hint() is not None)
    assert user.hint() == "c5"
    assert "hint: c5 (wins in 1" in user.message
    user.click("c5")
    assert user.hint() is None
    user.key(pygame.K_i, ctrl=True)
    assert user.session.messages.is_error


def test_messages_stay_with_their_position(open_window: OpenWindow) -> None:
    user = open_window(friends(State.parse("5 c3/a3 - 0/0 1 4 0")))
    user.click("c4")
    user.click("a4")
    user.press("hint")
    user.wait_for(lambda: user.hint() is not None)
    user.key(pygame.K_LEFT)
    assert user.message == ""
    user.click("c5")
    assert user.message == "this is an earlier position; End goes to the newest"
    user.key(pygame.K_LEFT)
    assert user.message == ""
    user.key(pygame.K_ESCAPE)
    assert "hint: c5" in user.message


def test_the_rules_are_shown_and_scroll(open_window: OpenWindow) -> None:
    user = open_window(friends())
    user.press("rules")
    form = user.window.form
    assert form is not None
    assert form.title == "Rules: Quoridor 5x5"
    (page,) = form._focusable()
    assert isinstance(page, ScrolledText)
    user.key(pygame.K_END)
    last = page.first
    assert last > 0
    user.post(pygame.Event(pygame.MOUSEWHEEL, x=0, y=1))
    assert page.first == last - 1
    user.key(pygame.K_HOME)
    assert page.first == 0
    user.key(pygame.K_ESCAPE)
    assert user.window.form is None


def test_a_game_is_reviewed(open_window: OpenWindow) -> None:
    live = LiveGame({1: Seat("Ann"), 2: Seat("Bob")}, State.parse("3 b2/a3 - 0/0 1 6 4"))
    user = open_window(live)
    user.key(pygame.K_F3)
    assert user.message == "there is no move to review yet"
    live.play("b1")  # b3 wins at once
    user.window.frame()
    user.press("review")
    form = user.window.form
    assert form is not None
    (page,) = form._focusable()
    assert isinstance(page, ScrolledText)
    user.wait_for(lambda: page.text.startswith("Players\n"))
    assert "player 1 (Ann): accuracy " in page.text
    assert "1. b1?? 100% to " in page.text
    assert "b3 would have won in 1 move." in page.text
    user.key(pygame.K_ESCAPE)
    assert user.window.form is None


class Slow(Agent):
    """Plays its first legal move when the test allows it."""

    def __init__(self) -> None:
        self.may_answer = threading.Event()

    def select_action(self, state: AnyState, limits: SearchLimits | None = None) -> int:
        self.may_answer.wait(60)
        return state.legal_actions()[0]


def test_the_window_responds_while_an_agent_thinks(open_window: OpenWindow) -> None:
    slow = Slow()
    user = open_window(LiveGame({1: Seat(), 2: Seat("slow", slow)}, State(SMALL)))
    user.click("c2")
    user.wait_for(lambda: user.session.messages.progress == "slow is thinking")
    user.click("c3")
    assert "it is the turn of slow" in user.message
    before = user.image
    user.press("flip")
    assert user.image != before
    user.key(pygame.K_LEFT)
    assert user.session.view().ply == 0
    user.key(pygame.K_END)
    slow.may_answer.set()
    user.wait_for(user.live.person_to_move)
    user.post()
    assert "slow played " in user.message
    slow.may_answer.clear()
    user.click("c3")
    user.press("undo")
    assert user.live.person_to_move()
    slow.may_answer.set()


class Reporting(Slow):
    """Reports its progress, and plays when the test allows it."""

    def search(
        self,
        state: AnyState,
        limits: SearchLimits | None = None,
        on_progress: Progress | None = None,
    ) -> SearchResult:
        score = Score(1.5, state.game.unit, state.current_player)
        result = SearchResult(state.legal_actions()[0], score, 3, [], 2_300_000, 1000.0)
        assert on_progress is not None
        on_progress(result)
        self.select_action(state, limits)
        return result


def test_progress_is_shown(open_window: OpenWindow) -> None:
    agent = Reporting()
    user = open_window(LiveGame({1: Seat(), 2: Seat("deep", agent)}, State(SMALL)))
    user.click("c2")
    user.wait_for(lambda: "depth" in user.session.messages.progress)
    assert user.session.messages.progress.startswith("deep: depth 3, +1.5, 2.3 M nodes")
    agent.may_answer.set()
    user.wait_for(lambda: "deep played c4 in" in user.message)
    assert user.session.messages.progress == ""


def test_a_new_game_by_form(open_window: OpenWindow) -> None:
    user = open_window(friends())
    user.press("new")
    user.press("Game: reversi")
    user.press("Player 2: easy")
    user.press("Clock: 5 min + 3 s")
    user.press("Start")
    assert user.window.form is None
    assert (user.live.game.name, user.live.seats[1].name) == ("reversi", "Ann")
    assert (user.live.seats[2].name, str(user.live.controls[2])) == ("easy", "300+3")
    user.key(pygame.K_n, ctrl=True)
    for key in (pygame.K_LEFT, pygame.K_DOWN):  # quoridor; its board
        user.key(key)
    user.type("7")
    user.key(pygame.K_RETURN)
    assert (user.live.game.name, user.live.game.settings(user.live.state)) == (
        "quoridor",
        {"Board": "7"},
    )
    user.press("new")
    user.key(pygame.K_ESCAPE)
    assert user.window.form is None


def test_a_new_game_on_the_same_board_keeps_the_rules(open_window: OpenWindow) -> None:
    config = GameConfig(5, 3, max_moves=40, no_progress_limit=30)
    user = open_window(LiveGame({1: Seat("Ann"), 2: Seat("Bob")}, State(config)))
    user.click("c2")
    user.press("new")
    user.press("Start")
    assert user.live.state == State(config)
    user.press("new")
    user.key(pygame.K_DOWN)  # to the board
    user.type("7")
    user.key(pygame.K_RETURN)
    assert user.live.game.settings(user.live.state) == {"Board": "7"}


def test_games_are_saved_and_opened(open_window: OpenWindow, tmp_path: Path) -> None:
    user = open_window(friends())
    user.click("c2")
    user.press("save")
    user.type("2")  # after the name that is offered
    user.key(pygame.K_BACKSPACE)
    user.key(pygame.K_RETURN)
    assert "saved as game 1 of game.pgn" in user.message
    (record,) = read_games(tmp_path / "game.pgn")
    assert [move.text for move in record.moves] == ["c2"]

    user.press("open")
    user.type("nothing.pgn")
    user.key(pygame.K_RETURN)
    assert "cannot read nothing.pgn: No such file" in user.form_error()
    user.press("game.pgn")  # in the list of the folder
    assert user.window.form is None
    assert user.replay.number == 0
    user.press("play on")
    user.press("Player 1: human")
    user.press("Player 2: human")
    user.press("Start")
    assert user.session.replay is None
    assert (len(user.live.moves), user.live.person_to_move()) == (1, True)


def test_a_file_dropped_on_the_window_is_replayed(open_window: OpenWindow, tmp_path: Path) -> None:
    games = [
        Record.from_moves(["c2", "c4", "c3"], State(SMALL), result="0-1", termination="time"),
        Record.from_moves(["f5", "d6"], reversi.State(), {"Player1": "Eve"}),
    ]
    file = tmp_path / "two.pgn"
    file.write_text(format_records(games))
    clock = [0.0]
    user = open_window(friends(), now=lambda: clock[0])
    user.post(pygame.Event(pygame.DROPFILE, file=str(file)))
    replay = user.replay
    assert (user.session.game.name, replay.ply, replay.number) == ("reversi", 2, 1)
    user.key(pygame.K_PAGEUP)
    assert (user.session.game.name, replay.ply) == ("quoridor", 0)
    user.key(pygame.K_SPACE)
    for now_s in (0.5, 1.0, 2.0, 3.0):
        clock[0] = now_s
        user.post()
    assert (replay.ply, replay.is_running) == (3, True)
    clock[0] = 20.0
    user.post()
    assert not replay.is_running
    user.key(pygame.K_HOME)
    user.key(pygame.K_RIGHT)
    user.key(pygame.K_RIGHT)
    user.key(pygame.K_LEFT)
    assert replay.ply == 1
    user.click("b2h")
    assert "Play on" in user.message
    user.press("games")
    user.key(pygame.K_DOWN)
    user.key(pygame.K_RETURN)
    assert replay.number == 1
    user.key(pygame.K_ESCAPE)
    assert user.session.replay is None
    user.post(pygame.Event(pygame.DROPFILE, file=str(tmp_path)))
    assert "cannot read" in user.message


def test_moves_taken_back_stay_as_a_line(open_window: OpenWindow) -> None:
    user = open_window(friends())
    for move in ("c2", "c4", "b2h"):
        user.click(move)
    assert all(hit.name != "lines" for hit in user.window.renderer.hits)
    user.key(pygame.K_b, ctrl=True)
    assert "no variations" in user.message
    user.press("move 1")
    user.press("undo")
    user.click("b5")
    assert user.moves == ["c2", "b5"]
    user.press("lines")
    user.key(pygame.K_DOWN)
    user.key(pygame.K_RETURN)
    assert user.moves == ["c2", "c4", "b2h"]
    user.press("lines")
    user.key(pygame.K_UP)
    user.key(pygame.K_RETURN)
    assert user.moves == ["c2", "b5"]


def test_the_window_works_at_every_size(open_window: OpenWindow) -> None:
    user = open_window(friends())
    for size in ((480, 400), (500, 900), (1600, 900)):
        user.window.resize(size)
        user.post()
        assert user.window.surface.get_size() == size
        user.click("c3h")
        assert user.moves == ["c3h"]
        user.press("undo")
    for command in ("theme", "paths", "targets", "flip", "help"):
        before = user.image
        user.press(command)
        assert user.image != before, command


def test_a_dense_screen_has_more_pixels_than_points(
    open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = open_window(friends(), size=(480, 400))
    dense = pygame.Surface((960, 800))
    monkeypatch.setattr(Window, "surface", property(lambda window: dense))
    user.post(pygame.Event(pygame.WINDOWSIZECHANGED, x=480, y=400))
    x, y = user.point_of("c3h")
    user.click_at((x // 2, y // 2))
    assert user.moves == ["c3h"]


def test_clocks_run_and_a_flag_that_falls_is_shown(open_window: OpenWindow) -> None:
    live = LiveGame({1: Seat(), 2: Seat()}, State(SMALL), control=TimeControl(0.05))
    user = open_window(live)
    user.click("c2")
    user.wait_for(lambda: "player 1 won (time)" in user.message)
    user.click("c4")
    assert "time" in user.message
    turn = live.turn
    user.press("undo")
    assert live.turn > turn


def test_escape_twice_leaves(open_window: OpenWindow) -> None:
    clock = [0.0]
    user = open_window(friends(), now=lambda: clock[0])
    for now_s in (10.0, 20.0):
        clock[0] = now_s
        user.key(pygame.K_ESCAPE)
        assert ("again" in user.message, user.session.is_leaving) == (True, False)
    clock[0] = 21.0
    user.key(pygame.K_ESCAPE)
    assert user.session.is_leaving


def test_a_locked_game_can_only_be_looked_at(open_window: OpenWindow) -> None:
    user = open_window(friends(), is_locked=True)
    user.click("c2")
    for key in (pygame.K_z, pygame.K_r):
        user.key(key, ctrl=True)
        assert "run by another program" in user.message
    user.session.leave()
    assert user.live.play("c4")


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


def test_a_game_in_plain_python_gets_a_board(
    open_window: OpenWindow, connect_four: ConnectFour
) -> None:
    user = open_window(friends(connect_four.start()))
    for move in "dcdcd":
        before = user.image
        user.click(move)
        assert user.image != before
    (x, _), (_, y) = user.point_of("c"), user.point_of("d")
    user.click_at((x, y))
    assert user.moves == [*"dcdcd"]
    assert user.session.messages.is_error
    assert user.message == "no move leads to row 3, column 3"
    user.press("hint")
    user.wait_for(lambda: user.hint() is not None)
    assert user.hint() == "d"
    user.click("c")
    user.click("d")
    assert user.message == "player 1 won (four in a row)"
    assert "paths" not in [hit.name for hit in user.window.renderer.hits]
    user.press("flip")
    user.key(pygame.K_F1)
    user.key(pygame.K_ESCAPE)
    user.press("save")
    user.key(pygame.K_RETURN)
    user.press("open")
    user.press("game.pgn")
    assert user.session.game is connect_four


def test_agents_that_a_game_offers_can_be_chosen(open_window: OpenWindow) -> None:
    user = open_window(friends())
    user.press("new")
    user.press("Player 2: minimax:order=dijkstra")
    user.press("Start")
    assert user.live.seats[2].name == "minimax:order=dijkstra"
    user.press("new")
    user.press("Game: reversi")  # which does not offer it
    names = [hit.name for hit in user.window.renderer.hits]
    assert "Player 2: normal" in names
    assert "Player 2: minimax:order=dijkstra" not in names
    user.press("Start")
    assert (user.live.seats[1].name, user.live.seats[2].name) == ("Ann", "normal")


def test_a_chosen_player_stays_when_the_game_changes(open_window: OpenWindow) -> None:
    user = open_window(friends())
    user.press("new")
    user.press("Player 2: hard")
    user.press("Game: reversi")
    user.press("Start")
    assert (user.live.game.name, user.live.seats[2].name) == ("reversi", "hard")


def test_any_registered_game_can_be_chosen(
    open_window: OpenWindow, connect_four: ConnectFour, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = open_window(friends())
    user.press("new")
    assert "Board: 5" in [hit.name for hit in user.window.renderer.hits]
    user.press(f"Game: {connect_four.name}")
    assert "Board: 5" not in [hit.name for hit in user.window.renderer.hits]
    user.press("Player 2: easy")
    user.press("Start")
    assert user.live.game is connect_four
    user.click("d")
    user.wait_for(lambda: len(user.moves) == 2)
    monkeypatch.setattr(ConnectFour, "setting_choices", {"Gravity": ("on", "off")})
    user.press("new")
    user.press("Gravity: off")
    user.press("Start")
    assert user.form_error() == "connect-four has no setting 'Gravity'"


def test_the_form_shows_how_many_walls_a_board_has(open_window: OpenWindow) -> None:
    user = open_window(friends())
    user.press("new")
    user.press("Board: 4")
    assert user.window.form is not None
    lines = [row.lines for row in user.window.form._rows() if isinstance(row, TextLines)]
    assert lines == [[("Walls", "3")]]


def test_only_people_resign(open_window: OpenWindow) -> None:
    slow = Slow()
    user = open_window(LiveGame({1: Seat("slow", slow), 2: Seat()}, State(SMALL)))
    user.key(pygame.K_r, ctrl=True)
    assert user.message == "press Resign again to give up"
    assert user.live.outcome is None
    user.key(pygame.K_r, ctrl=True)
    assert str(user.live.outcome) == "player 1 won (resignation)"
    user.click("c2")
    assert "no move can be played" in user.message
    watched = open_window(LiveGame({n: Seat("slow", slow) for n in (1, 2)}, State(SMALL)))
    assert "resign" not in [hit.name for hit in watched.window.renderer.hits]
    watched.key(pygame.K_r, ctrl=True)
    assert watched.message == "no person plays in this game"
    slow.may_answer.set()
