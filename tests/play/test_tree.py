"""A live game is a tree: no move is lost, whatever is played, undone or deleted."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.agents.base import Agent, Forfeit
from plyground.errors import IllegalMoveError, NotationError
from plyground.games import registry
from plyground.games.base import State
from plyground.play import LiveGame, Record, Seat, TimeControl, format_record, parse_record
from plyground.play import history as tree_module
from plyground.play.autosave import Autosave, find_game
from plyground.play.clock import Clock
from plyground.play.events import Event, PositionChanged, TreeChanged
from plyground.quoridor import GameConfig
from plyground.quoridor import State as Quoridor
from plyground.search.limits import SearchLimits

TIMEOUT_S = 30


def people() -> dict[int, Seat]:
    return {1: Seat("Ann"), 2: Seat("Bob")}


def played(*moves: str, start: State | None = None) -> LiveGame:
    live = LiveGame(people(), start)
    for move in moves:
        live.play(move)
    return live


def finished() -> LiveGame:
    """A game on 3x3 that player 2 has won."""
    return played("b2", "b1", start=Quoridor(GameConfig(board_size=3)))


def line(live: LiveGame) -> str:
    return " ".join(move.text for move in live.moves)


def body(live: LiveGame) -> str:
    return format_record(live.record()).split("\n\n", 1)[1].strip()


def branch(live: LiveGame, ply: int, move: str) -> None:
    live.select(live.node_at(ply))
    live.play(move)


def test_a_move_at_an_earlier_position_opens_a_variation() -> None:
    live = played("e2", "e8", "e3", "e7")
    branch(live, 2, "d2")
    live.play("d8")
    assert line(live) == "e2 e8 d2 d8"
    assert body(live) == "1. e2 e8 2. e3 (2. d2 d8) 2... e7 *"
    assert live.record().tags["Current"] == "2.1.2"
    live.select(live.main_end)
    assert (line(live), live.undone) == ("e2 e8 e3 e7", 0)
    assert "Current" not in live.record().tags


def test_a_move_after_an_undo_continues_the_game_and_keeps_what_was_undone() -> None:
    live = played("e2", "e8", "e3")
    live.undo()
    live.play("d2")
    assert body(live) == "1. e2 e8 2. d2 (2. e3) *"
    live.undo()
    live.play("e3")  # the same as before: nothing is added
    assert body(live) == "1. e2 e8 2. d2 (2. e3) *"
    assert line(live) == "e2 e8 e3"


def test_an_undo_in_a_variation_does_not_touch_the_main_line() -> None:
    live = played("e2", "e8", "e3")
    branch(live, 1, "d9")
    live.undo()
    live.play("f9")
    assert body(live) == "1. e2 e8 (1... f9) (1... d9) 2. e3 *"


def test_undo_and_redo_at_an_earlier_position_do_not_touch_the_main_line() -> None:
    live = played("e2", "e8", "e3", "e7")
    live.select(live.node_at(1))
    live.redo()
    live.play("d2")
    assert body(live) == "1. e2 e8 2. e3 (2. d2) 2... e7 *"
    live.select(3)
    live.undo()
    live.undo()
    live.play("d9")
    assert body(live) == "1. e2 e8 (1... d9) 2. e3 (2. d2) 2... e7 *"


def test_a_finished_game_stays_the_main_line() -> None:
    live = finished()
    live.undo()
    live.play("a3")
    assert body(live) == "1. b2 b1 (1... a3) 0-1"
    record = live.record()
    assert (record.result, record.termination) == ("0-1", "goal")
    assert not live.outcome
    live.select(live.main_end)
    assert str(live.outcome) == "player 2 won (goal)"


def test_a_resignation_is_found_again_at_its_place() -> None:
    live = played("e2", "e8", "e3")
    live.resign()
    branch(live, 1, "d9")
    assert live.outcome is None
    assert (live.record().result, live.record().termination) == ("1-0", "resignation")
    live.select(live.main_end)
    assert str(live.outcome) == "player 1 won (resignation)"
    live.undo()
    assert (live.outcome, live.record().result) == (None, "*")


def test_a_game_that_ends_after_an_undo_has_its_result() -> None:
    live = played("e2", "e8", "e3")
    live.undo()
    live.resign()
    assert body(live) == "1. e2 e8 0-1"
    live.restore_variation()
    assert [move.move.text for move in live.tree()] == ["e2", "e8", "e3"]


def test_undo_that_cannot_be_leaves_the_result() -> None:
    live = LiveGame({1: Seat("a", Agent()), 2: Seat("Bob")})
    live.resign(1)
    with pytest.raises(IllegalMoveError):
        live.undo()
    assert live.outcome is not None


def test_promote_and_delete() -> None:
    live = played("e2", "e8", "e3")
    branch(live, 2, "d2")
    live.play("d8")
    variation = live.node
    live.promote(variation)
    assert body(live) == "1. e2 e8 2. d2 (2. e3) 2... d8 *"
    with pytest.raises(IllegalMoveError, match="on the main line already"):
        live.promote(variation)
    with pytest.raises(IllegalMoveError, match="only variations can be deleted"):
        live.delete_variation(variation)
    (other,) = [move.node for move in live.tree() if move.move.text == "e3"]
    live.delete_variation(other)
    assert (body(live), live.deleted) == ("1. e2 e8 2. d2 d8 *", 1)
    assert live.restore_variation() == other
    assert (body(live), live.deleted) == ("1. e2 e8 2. d2 (2. e3) 2... d8 *", 0)
    with pytest.raises(IllegalMoveError, match="no deleted variation"):
        live.restore_variation()
    with pytest.raises(IllegalMoveError, match="there is no position 99"):
        live.select(99)


def test_deleting_the_variation_on_the_board_leads_back_to_the_game() -> None:
    live = played("e2", "e8", "e3")
    branch(live, 2, "d2")
    branch(live, 3, "d8")
    live.delete_variation(live.node_at(3))
    assert (line(live), body(live)) == ("e2 e8 e3", "1. e2 e8 2. e3 *")
    live.restore_variation()
    assert body(live) == "1. e2 e8 2. e3 (2. d2 d8) *"


def test_a_deleted_line_that_was_played_again_is_merged() -> None:
    live = played("e2", "e8", "e3")
    branch(live, 1, "d9")
    live.play("d2")
    live.delete_variation(live.node)
    branch(live, 1, "d9")
    live.play("f2")
    live.restore_variation()
    assert body(live) == "1. e2 e8 (1... d9 2. f2 (2. d2)) 2. e3 *"


def test_variations_deleted_from_a_line_that_was_merged_come_back() -> None:
    live = played("e2", "e8", "e3")
    branch(live, 1, "d9")
    live.play("e3")
    branch(live, 2, "d2")
    live.delete_variation(live.node)
    live.delete_variation(next(move.node for move in live.tree() if move.move.text == "d9"))
    branch(live, 1, "d9")
    live.restore_variation()
    live.restore_variation()
    assert body(live) == "1. e2 e8 (1... d9 2. e3 (2. d2)) 2. e3 *"


def test_what_could_be_redone_can_be_deleted() -> None:
    live = played("e2", "e8")
    branch(live, 1, "d9")
    live.undo()
    (variation,) = [move.node for move in live.tree() if move.move.text == "d9"]
    live.delete_variation(variation)
    assert live.undone == 1
    live.redo()
    assert line(live) == "e2 e8"


def test_comments_and_marks() -> None:
    live = played("e2", "e8")
    events: list[Event] = []
    live.listen(events.append)
    turn = live.turn
    live.annotate(1, "  a good\nstart ", (1, 13))
    assert body(live) == "1. e2 $1 $13 {a good start} e8 *"
    assert (live.turn, [type(event) for event in events]) == (turn, [TreeChanged])
    live.undo()
    live.undo()
    live.play("e2")
    assert live.moves[0].comment == "a good start"
    for bad in ("}", "\x07"):
        with pytest.raises(NotationError, match="expected a comment"):
            live.annotate(1, bad)
    with pytest.raises(NotationError, match="a mark from 0 to 255"):
        live.annotate(1, "", (256,))
    with pytest.raises(NotationError, match="at most 8 marks"):
        live.annotate(1, "", range(9))
    with pytest.raises(NotationError, match="at most 20000 characters"):
        live.annotate(2, "x" * 20_000)
    with pytest.raises(IllegalMoveError, match="the start has no move"):
        live.annotate(0, "x")
    live.annotate(1, "")
    assert body(live) == "1. e2 e8 *"


def test_a_record_brings_the_whole_tree_back() -> None:
    live = played("e2", "e8", "e3", "e7")
    branch(live, 2, "d2")
    live.annotate(live.node, "why not", (5,))
    branch(live, 3, "f8")
    live.select(live.node_at(3))
    again = LiveGame.resume(parse_record(format_record(live.record())), people())
    assert again.record() == live.record()
    assert (line(again), again.state) == (line(live), live.state)
    assert body(again) == "1. e2 e8 2. e3 (2. d2 $5 {why not} f8) 2... e7 *"


@pytest.mark.parametrize("current", ["x", "", "1.2", "9", "1.1.1", "99999999999"])
def test_a_bad_current_position_is_one_line(current: str) -> None:
    record = Record.from_moves(["e2", "e8"], tags={"Current": current})
    if current == "1.2":  # half a pair says no more than its first number
        assert line(LiveGame.resume(record, people())) == "e2"
        return
    with pytest.raises(NotationError, match="bad tag Current"):
        LiveGame.resume(record, people())


def test_a_record_with_the_same_move_twice_is_merged() -> None:
    record = parse_record("1. e2 (1. e2 {well} e8) (1. d1 $1) (1. d1 $2 e8) *")
    assert body(LiveGame.resume(record, people())) == "1. e2 {well} (1. d1 $1 e8) 1... e8 *"


def test_the_clocks_of_a_line_are_its_own() -> None:
    text = '[TimeControl "60+1"]\n1. e2 {10s} e8 {5s} (1... d9 {20s} 2. e3 {3s}) 2. e3 {9s} *'
    live = LiveGame.resume(parse_record(text), people())
    assert live.clocks() == {1: 43.0, 2: 56.0}
    live.select(5)
    assert (line(live), live.clocks()) == ("e2 d9 e3", {1: 49.0, 2: 41.0})


class Last(Agent):
    """Plays the last legal move."""

    def select_action(self, state: State, limits: SearchLimits | None = None) -> int:
        return int(state.legal_actions()[-1])


def test_an_agent_answers_in_a_variation_and_keeps_the_main_line() -> None:
    record = Record.from_moves(["e2", "e8", "e3", "e7"], result="1-0", termination="resignation")
    with LiveGame.resume(record, {1: Seat("Ann"), 2: Seat("last", Last())}) as live:
        live.start()
        branch(live, 0, "e2")  # as in the game; the agent then plays something else
        assert live.wait(TIMEOUT_S)
        without_times = re.sub(r" \{[\d.]+s\}", "", body(live))
        assert without_times == "1. e2 e8 (1... h8v) 2. e3 e7 1-0"
        assert line(live) == "e2 h8v"


def test_variations_have_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_module, "MOST_VARIATION_PLIES", 2)
    live = played("e2", "e8")
    branch(live, 1, "d9")
    branch(live, 1, "f9")
    live.select(live.node_at(1))
    with pytest.raises(IllegalMoveError, match="too many variations"):
        live.play("d3h")
    live.play("e8")  # what is there can be played
    record = live.record()
    with LiveGame.resume(record, {1: Seat("Ann"), 2: Seat("last", Last())}) as limited:
        limited.start()
        limited.select(0)
        limited.play("e2")
        assert limited.wait(TIMEOUT_S)
        assert len(limited.tree()) == len(live.tree())


def test_nesting_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_module, "DEEPEST", 2)
    live = played("e2", "e8", "e3")
    branch(live, 1, "d9")
    live.play("e3")
    branch(live, 2, "d2")
    live.play("d8")
    assert body(live) == "1. e2 e8 (1... d9 2. e3 (2. d2 d8)) 2. e3 *"
    live.select(live.node_at(3))
    with pytest.raises(IllegalMoveError, match="too many variations"):
        live.play("c9")
    with pytest.raises(IllegalMoveError, match="too many variations"):
        live.promote(live.node)


def test_a_game_that_goes_on_in_a_variation_is_resumed(tmp_path: Path) -> None:
    live = finished()
    autosave = Autosave(live, tmp_path)
    branch(live, 1, "a3")
    autosave.close(keep=True)
    resumed = find_game(tmp_path)
    again = LiveGame.resume(resumed.record, people())
    resumed.release()
    assert (line(again), again.outcome) == ("b2 a3", None)


def test_a_change_of_the_tree_is_saved_at_once(tmp_path: Path) -> None:
    live = played("e2", "e8")
    autosave = Autosave(live, tmp_path)
    live.annotate(1, "hello")
    assert "{hello}" in autosave.path.read_text()
    autosave.close(keep=True)


def test_a_clock_goes_back_with_the_line() -> None:
    now = [0.0]
    live = LiveGame(people(), clock=Clock(TimeControl(60), lambda: now[0]))
    with live:
        live.start()
        for move in ("e2", "e8", "e3"):  # the clocks start with the first move
            now[0] += 10
            live.play(move)
        events: list[Event] = []
        live.listen(events.append)
        live.select(2)
        assert live.clocks() == {1: 60, 2: 50}
        assert any(isinstance(event, PositionChanged) for event in events)


def test_the_moves_of_a_session_are_counted_along_the_line() -> None:
    clock = Clock(TimeControl.parse("40/60"))
    live = LiveGame(people(), clock=clock)
    for move in ("e2", "e8", "e3", "e7"):
        live.play(move)

    def moves_to_go() -> list[int | None]:
        limits = [clock.search_limits(player) for player in (1, 2)]
        return [None if each is None else each.moves_to_go for each in limits]

    assert moves_to_go() == [38, 38]
    live.select(1)
    assert moves_to_go() == [39, 40]
    live.play("d9")
    live.select(4)
    assert moves_to_go() == [38, 38]
    live.play("d2", node=2)
    assert moves_to_go() == [38, 39]
    text = '[TimeControl "40/60"]\n1. e2 e8 (1... d9 2. e3 d8) 2. e3 *'
    clock = Clock(TimeControl.parse("40/60"))
    LiveGame.resume(parse_record(text), people(), clock=clock)
    assert moves_to_go() == [38, 39]


def test_a_forfeit_belongs_to_the_position_where_the_game_ended() -> None:
    live = played("e2", "e8")
    live.forfeit_game(1, Forfeit("the program crashed"))
    ended = (live.forfeit, live.outcome)
    assert ended[0] is not None
    for node, expected in ((1, (None, None)), (2, ended)):
        live.select(node)
        assert (live.forfeit, live.outcome) == expected
    live.undo()
    assert (live.forfeit, live.outcome) == (None, None)


def lines_of(live: LiveGame) -> set[tuple[str, ...]]:
    """The moves that lead to each position of a game."""
    paths: dict[int, tuple[str, ...]] = {0: ()}
    for move in live.tree():
        paths[move.node] = (*paths[move.parent], move.move.text)
    assert len(set(paths.values())) == len(paths)  # no move is there twice
    return set(paths.values())


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32), st.sampled_from(["quoridor", "reversi"]))
def test_random_handling_loses_no_move(seed: int, game: str) -> None:
    """Whatever is done, every move stays or can be restored, and a record keeps all of it."""
    rng = random.Random(seed)
    live = LiveGame(people(), registry.get(game).start())
    seen: set[tuple[str, ...]] = set()
    for _ in range(40):
        nodes = [0, *(move.node for move in live.tree())]
        act = rng.choice(
            [*["play", "branch", "delete"] * 2, "undo", "redo", "promote", "annotate", "restore"]
        )
        try:
            if act == "play":
                live.play(rng.choice(live.state.legal_actions()[:4]))
            elif act == "branch":
                live.select(rng.choice(nodes))
                live.play(rng.choice(live.state.legal_actions()[:4]))
            elif act == "undo":
                live.undo()
            elif act == "redo":
                live.redo()
            elif act == "promote":
                live.promote(rng.choice(nodes))
            elif act == "delete":
                live.delete_variation(rng.choice(nodes))
            elif act == "restore":
                live.restore_variation()
            else:
                live.annotate(
                    rng.choice(nodes), rng.choice(["", "a (b", "3s"]), (rng.randrange(7),)
                )
        except (IllegalMoveError, IndexError):
            continue
        seen.add(tuple(move.text for move in live.moves))
        assert tuple(move.text for move in live.moves) in lines_of(live)
    while live.deleted:
        live.restore_variation()
    assert seen <= lines_of(live)
    again = LiveGame.resume(parse_record(format_record(live.record())), people())
    assert again.record() == live.record()
    assert again.state == live.state
