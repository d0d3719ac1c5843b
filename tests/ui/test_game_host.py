"""The host of games: beginning, resuming, replacing, saving, and what people may do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from plyground import reversi
from plyground.errors import ConfigError, IllegalMoveError
from plyground.games.base import State as AnyState
from plyground.play import LiveGame, Record, Seat, format_record, parse_record
from plyground.play.autosave import find_game
from plyground.play.events import Event, MovePlayed, PositionChanged
from plyground.play.game_file import save_game
from plyground.quoridor import GameConfig, State
from plyground.ui.game_host import AutosaveStorage, GameHost, NewGame, Pace

SMALL = State(GameConfig.preset("small"))


def people(start: AnyState | None = None) -> LiveGame:
    return LiveGame({1: Seat("Ann"), 2: Seat("Bob")}, start)


@pytest.fixture
def host(tmp_path: Path) -> Iterator[GameHost]:
    host = GameHost(people(SMALL), storage=AutosaveStorage(tmp_path))
    yield host
    host.leave()


def moves_of(host: GameHost) -> list[str]:
    return [move.text for move in host.live.moves]


def test_a_new_game_keeps_the_people_and_the_game_before(host: GameHost, tmp_path: Path) -> None:
    host.play("c2")
    host.new_game(NewGame("reversi", ("Ann", "easy"), time="60+1"))
    assert (host.game.name, host.number, host.people) == ("reversi", 2, [1])
    assert str(host.live.controls[1]) == "60+1"
    kept = find_game(tmp_path)
    assert [move.text for move in kept.record.moves] == ["c2"]
    kept.release()


@pytest.mark.parametrize(
    "new",
    [
        NewGame("chess", ("human", "human")),
        NewGame("quoridor", ("human", "unheard-of")),
        NewGame("quoridor", ("human", "human"), {"Board": "99"}),
        NewGame("reversi", ("human", "human"), {"Board": "5"}),
        NewGame("reversi", ("human", "human"), position="nonsense"),
        NewGame("reversi", ("human", "human"), time="soon"),
    ],
)
def test_a_mistake_in_a_new_game_changes_nothing(host: GameHost, new: NewGame) -> None:
    live = host.live
    with pytest.raises(ValueError, match=r"expected|unknown|has no"):
        host.new_game(new)
    assert host.live is live
    host.play("c2")


def test_settings_and_positions_of_a_new_game(host: GameHost) -> None:
    host.new_game(NewGame("quoridor", ("human", "human"), {"Board": "7", "Walls": "2"}))
    assert host.game.settings(host.live.state) == {"Board": "7", "Walls": "2"}
    position = "5 c4/a3 - 0/0 1 4 0"
    host.new_game(NewGame("quoridor", ("human", "human"), position=position))
    assert host.live.state.text() == position


def test_the_pace_depends_on_who_plays() -> None:
    host = GameHost(people(SMALL), pace=Pace(0.25, 2.0))
    host.new_game(NewGame("quoridor", ("human", "random"), {"Board": "3"}))
    assert host.live.pace_s == 0.25
    host.take_seat(1, "random")
    assert host.live.pace_s == 2.0
    host.leave()


def test_events_of_the_current_game_only(host: GameHost) -> None:
    first = host.live
    host.play("c2")
    assert isinstance(host.events.get(), MovePlayed)
    host.restart()
    first.play("c4")
    assert host.events.empty()
    host.play("b1")
    assert moves_of(host) == ["b1"]


def test_events_go_to_a_callback() -> None:
    seen: list[tuple[LiveGame, Event]] = []
    host = GameHost(people(SMALL), on_event=lambda live, event: seen.append((live, event)))
    host.play("c2")
    host.live.undo()
    assert [type(event) for _, event in seen] == [MovePlayed, PositionChanged]
    assert all(live is host.live for live, _ in seen)
    assert host.events.empty()
    host.leave()


def test_a_move_at_an_earlier_position_takes_the_later_ones_back(host: GameHost) -> None:
    for move in ("c2", "c4", "b2h"):
        host.play(move)
    with pytest.raises(IllegalMoveError):
        host.play("e5", 1)
    assert moves_of(host) == ["c2", "c4", "b2h"]
    host.play("b5", 1)
    assert moves_of(host) == ["c2", "b5"]
    with pytest.raises(IllegalMoveError, match="expected a position from 0 to 2, got 3"):
        host.play("c3", 3)


def test_people_move_and_resign_for_themselves() -> None:
    host = GameHost(LiveGame({1: Seat.of("pathfinder"), 2: Seat()}, SMALL))
    with pytest.raises(IllegalMoveError, match="it is the turn of pathfinder"):
        host.play("c2")
    host.resign()
    assert str(host.live.outcome) == "player 1 won (resignation)"
    with pytest.raises(IllegalMoveError, match="no move can be played: player 1 won"):
        host.play("c2")
    host.leave()


def test_agents_do_not_resign() -> None:
    host = GameHost(people(SMALL))
    for player in (1, 2):
        host.take_seat(player, "random")
    with pytest.raises(IllegalMoveError, match="no person plays in this game"):
        host.resign()
    with pytest.raises(ConfigError, match="expected player 1 or 2, got 3"):
        host.take_seat(3, "random")
    host.leave()


def test_a_record_is_opened_for_people_and_resumed_between_others(host: GameHost) -> None:
    record = Record.from_moves(["f5", "d6"], reversi.State(), {"Player1": "Eve"})
    host.open(record)
    assert [seat.name for seat in host.live.seats.values()] == ["Eve", "player 2"]
    assert (host.people, moves_of(host)) == ([1, 2], ["f5", "d6"])
    host.resume(record, host.seats(("Eve", "easy"), host.game))
    assert (host.people, host.live.seats[2].name) == ([1], "easy")


def test_the_board_faces_a_lone_player_2() -> None:
    seats = {1: Seat.of("random"), 2: Seat()}
    assert GameHost(LiveGame(seats, SMALL)).faces_player_2
    assert not GameHost(LiveGame(seats, reversi.State())).faces_player_2
    assert not GameHost(people(SMALL)).faces_player_2


def test_the_adviser_is_the_one_for_the_board() -> None:
    host = GameHost(people())
    assert host.adviser.name == "zero"
    host.replace(people(SMALL))
    assert host.adviser.name == "engine"
    first = host.adviser
    host.restart()
    assert host.adviser is first
    host.replace(people(reversi.State()))
    assert host.adviser.name == "engine"
    assert host.adviser is not first


def test_games_are_saved_over_themselves_and_loaded(host: GameHost, tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    with pytest.raises(ConfigError, match="expected a file to save to"):
        host.save()
    host.play("c2")
    assert host.save(path) == (path, 1)
    host.play("c4")
    assert host.save() == (path, 1)
    host.restart()
    host.play("b1")
    assert host.save(path) == (path, 2)
    host.load(path, 1)
    assert (moves_of(host), host.saved) == (["c2", "c4"], (path, 1))
    host.replace(people(reversi.State()))
    with pytest.raises(ConfigError, match="expected a game of reversi, got one of quoridor"):
        host.load(path)


def test_a_move_while_the_game_is_saved_is_not_taken_for_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = GameHost(people(), storage=AutosaveStorage(tmp_path))
    host.live.play("e2")

    def save_slowly(record: Record, path: Path, number: int | None = None) -> int:
        host.live.play("e8")
        return save_game(record, path, number)

    with monkeypatch.context() as patched:
        patched.setattr("plyground.ui.game_host.save_game", save_slowly)
        host.save(tmp_path / "game.txt")
    assert host.leave()
    kept = find_game(tmp_path)
    assert [move.text for move in kept.record.moves] == ["e2", "e8"]
    kept.release()


def test_a_game_that_cannot_be_kept_is_reported_once(tmp_path: Path) -> None:
    reasons: list[str] = []
    folder = tmp_path / "games"
    folder.mkdir()
    host = GameHost(people(SMALL), storage=AutosaveStorage(folder, on_failure=reasons.append))
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    host.play("c2")
    host.play("c4")
    folder.mkdir()
    assert host.leave()
    assert len(reasons) == 1
    assert "cannot write" in reasons[0]


def test_a_game_that_could_not_be_written_is_not_called_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    host = GameHost(people(), storage=AutosaveStorage(tmp_path, on_failure=told.append))

    def fail(*_: object) -> None:
        raise ConfigError("cannot write x.pgn: No space left on device")

    monkeypatch.setattr("plyground.play.autosave.write_games", fail)
    host.play("e2")
    assert not host.leave()
    assert told == ["cannot write x.pgn: No space left on device"]


def test_a_new_game_on_4x4_leaves_room_for_walls_and_earlier_records_stay() -> None:
    host = GameHost(LiveGame({1: Seat(), 2: Seat()}))
    host.new_game(NewGame("quoridor", ("human", "human"), {"Board": "4"}))
    assert host.game.facts(host.live.state, 1)[0] == "3 walls"
    assert '[Walls "3"]' in format_record(host.live.record())
    host.new_game(NewGame("quoridor", ("human", "human"), {"Board": "4", "Walls": "2"}))
    assert host.game.facts(host.live.state, 1)[0] == "2 walls"
    earlier = parse_record('[Game "quoridor"]\n[Board "4"]\n[Result "*"]\n\n1. c2 *')
    assert "9/9" in earlier.start_state().text()


def test_a_move_at_any_position_opens_a_variation() -> None:
    host = GameHost(LiveGame({1: Seat("Ann"), 2: Seat("Bob")}))
    for move in ("e2", "e8", "e3"):
        host.play(move)
    host.play("d9", ply=1)
    host.play("d2", node=2)
    assert [move.text for move in host.live.moves] == ["e2", "e8", "d2"]
    assert "1. e2 e8 (1... d9) 2. e3 (2. d2) *" in format_record(host.live.record())
    with pytest.raises(IllegalMoveError, match="there is no position 77"):
        host.play("e4", node=77)
    before = host.live.node
    with pytest.raises(IllegalMoveError, match="illegal move 'e1'"):
        host.play("e1", node=3)
    assert host.live.node == before
    host.back_to_game()
    assert [move.text for move in host.live.moves] == ["e2", "e8", "e3"]
    with pytest.raises(IllegalMoveError, match="the end of the game already"):
        host.back_to_game()


def test_a_comment_after_saving_to_a_file_is_kept_as_well(tmp_path: Path) -> None:
    folder = tmp_path / "autosave"
    folder.mkdir()
    host = GameHost(LiveGame({1: Seat("Ann"), 2: Seat("Bob")}), storage=AutosaveStorage(folder))
    host.play("e2")
    host.save(tmp_path / "game.pgn")
    host.annotate(1, "later", 1)
    host.annotate(1, mark=2)
    assert host.leave()
    (kept,) = folder.glob("*.pgn")
    assert "1. e2 $2 {later} *" in kept.read_text()


def test_an_opened_game_shows_its_end() -> None:
    host = GameHost(LiveGame({1: Seat("Ann"), 2: Seat("Bob")}))
    host.open(parse_record('[Current "1.1.1"] 1. e2 e8 (1... d9) *'))
    assert [move.text for move in host.live.moves] == ["e2", "e8"]
    assert len(host.live.tree()) == 3
