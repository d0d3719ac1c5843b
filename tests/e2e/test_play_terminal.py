"""`plyground play` at a real pseudo-terminal: questions, boards, commands, leaving, resuming."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from plyground.play import parse_records
from plyground.play.game_file import read_game
from tests.e2e.terminal_process import StartTerminal

SMALL = ("--preset", "small", "--p1", "human", "--p2", "pathfinder")
PLAIN = (*SMALL, "--plain")


def test_it_asks_for_missing_options(terminal: StartTerminal) -> None:
    game = terminal("--plain")
    game.expect("Game      quoridor, reversi [quoridor]: ")
    game.send("chess")
    assert "expected one of quoridor, reversi, got 'chess'" in game.expect("[quoridor]: ")
    game.send("q")
    game.expect("Board     standard (9x9), small (5x5), tiny (3x3) [standard]: ")
    game.send("help")
    assert "Enter takes standard, quit leaves" in game.expect("[standard]: ")
    game.send("small")
    game.expect("You play  first, second, both, watch [first]: ")
    game.send("")
    levels = "beginner, easy, casual, normal, skilled, hard, expert, master"
    game.expect(f"Level     {levels}, minimax:order=dijkstra [normal]: ")
    game.send("mini")
    assert "2 minimax:order=dijkstra\n" in game.expect("player 1> ")
    game.send("quit")
    assert game.end()[0] == 0


def test_quit_at_a_question_leaves(terminal: StartTerminal) -> None:
    game = terminal()
    game.expect("[quoridor]: ")
    game.send("quit")
    assert game.end()[0] == 130


def test_ctrl_d_at_a_question_leaves(terminal: StartTerminal) -> None:
    game = terminal()
    game.expect("[quoridor]: ")
    game.type("\x04")
    status, rest = game.end()
    assert (status, "Traceback" in rest) == (130, False)


@pytest.mark.parametrize(
    ("options", "person", "agent"),
    [
        (("--p1", "random", "--preset", "tiny"), "player 2> ", "1 random"),
        (("--p2", "random", "--preset", "tiny"), "player 1> ", "2 random"),
        (("--preset", "tiny", "--level", "hard"), "player 1> ", "2 hard"),
        (("--p2", "human", "--preset", "tiny", "--level", "easy"), "player 2> ", "1 easy"),
        (("reversi", "--level", "easy"), "player 1> ", "2 easy"),
    ],
)
def test_options_leave_nothing_to_ask(
    terminal: StartTerminal, options: tuple[str, ...], person: str, agent: str
) -> None:
    seen = terminal("--plain", *options).expect(person)
    assert agent in seen
    assert "[" not in seen.split("+--")[0].replace("[X]", "")


def test_a_game_in_plain_text(terminal: StartTerminal) -> None:
    game = terminal(*PLAIN)
    first = game.expect("player 1> ")
    assert "5 | .   .   2   .   . |     2 pathfinder\n" in first
    assert "5 walls, 4 steps to row 5" in first
    for typed, answer in [
        ("zz", "expected a cell from a1 to e5 or a wall from a1h to d4v, got 'zz'; 'help' lists"),
        ("c4", "c4 is not possible: no pawn move leads there; possible: b1 d1 c2\n"),
        ("undu", "got 'undu'; did you\nmean 'undo'?\n"),
        ("undo", "there is no move of yours to take back\n"),
        ("redo", "there is nothing to play again\n"),
        ("help", "undo [turns]     take your last move back\n"),
        ("help Hint", "hint             ask a strong player for a move\n"),
        ("moves", "b1 d1 c2\na1h b1h c1h d1h a2h"),
        ("level", "hard, expert,\nmaster, minimax:order=dijkstra\n"),
        ("undo x", "expected a number of turns to take back from 1 to 999, got 'x'\n"),
        ("board walls", "expected 'paths', 'moves' or 'indices' to toggle, got 'walls'\n"),
        ("save", "expected a file to save to, such as 'save game.pgn'\n"),
        ("load", "expected a file to load, such as 'load game.pgn'\n"),
        ("analyse none", "expected a number of lines, got 'none'\n"),
    ]:
        game.send(typed)
        assert answer in game.expect("player 1> ")
    game.send("C2")
    reply = game.expect("player 1> ")
    assert re.search(r"pathfinder played c4 in (?:[0-9]+ ms|[0-9]+\.[0-9] s)\n", reply)
    assert "4 | .   .  [2]  .   . |" in reply
    game.send("undo")
    assert "1 | .   .   1   .   . |" in game.expect("player 1> ")
    game.send("redo")
    assert "2 | .   .   1   .   . |" in game.expect("player 1> ")
    game.send("quit")
    status, rest = game.end()
    assert status == 0
    assert "the game is saved: 'plyground play --resume' continues it\n" in rest


def test_a_colour_board_says_all_without_colours(terminal: StartTerminal) -> None:
    game = terminal("--p1", "human", "--p2", "human", "--preset", "small")
    first = game.expect("player 1> ")
    assert "\x1b[H\x1b[2J" in first
    assert "\x1b[1;91m" in first
    game.send("b2h")
    drawn = game.without_colours(game.expect("player 2> "))
    assert "  │   ╺═══════╸       │" in drawn
    game.send("c4")
    drawn = game.without_colours(game.expect("player 1> "))
    assert "  │   ╺━━━━━━━╸       │" in drawn
    assert "4 │ ·   ·  [2]  ·   · │" in drawn


def test_a_thinking_agent_shows_how_far_it_is(terminal: StartTerminal) -> None:
    game = terminal("--p1", "human", "--p2", "engine:time=0.5", "--preset", "small")
    game.expect("player 1> ")
    game.send("c2")
    seen = game.expect("player 1> ")
    assert "\r\x1b[Kengine:time=0.5: depth " in seen
    assert "engine:time=0.5 played " in seen
    said = seen[seen.rindex(" played ") :]
    assert re.search(r" in (?:\d+ ms|\d+\.\d s) \(depth \d+, ", said)
    assert " nodes, " in said


def test_hints_and_analysis(terminal: StartTerminal) -> None:
    game = terminal(*PLAIN)
    game.expect("player 1> ")
    game.send("hint")
    assert "hint: " in game.expect("player 1> ")
    game.send("eval")
    said = game.expect("player 1> ")
    assert "player 1, to move: " in said
    assert "player 2: 5 walls, 4 steps to row 1" in said
    game.send("analyse 2")
    said = game.expect("player 1> ")
    assert "1. " in said
    assert "\n2. " in said
    assert "\n3. " not in said


def test_flip_swap_level_resign_and_new(terminal: StartTerminal) -> None:
    game = terminal(*PLAIN)
    game.expect("player 1> ")
    game.send("flip")
    assert "    e   d   c   b   a" in game.expect("player 1> ")
    game.send("level minimax:order=dijkstra")
    assert "player 2 plays minimax:order=dijkstra now\n" in game.expect("player 1> ")
    game.send("Level EASY")
    assert "player 2 plays easy now\n" in game.expect("player 1> ")
    game.send("swap")
    assert "easy played " in game.expect("player 2> ")
    game.send("resign")
    assert "player 1 won (resignation), 1 move\n" in game.expect("quit> ")
    game.send("c3")
    assert "no move can be played: player 1 won (resignation)\n" in game.expect("quit> ")
    game.send("undo")
    game.expect("player 2> ")
    game.send("new")
    assert "easy played " in game.expect("player 2> ")


def test_tab_completes_moves_commands_and_levels(terminal: StartTerminal) -> None:
    game = terminal(*PLAIN)
    game.expect("player 1> ")
    game.type("d3\t\t")
    assert "d3h" in game.expect("d3v")
    game.type("h\n")
    game.expect("pathfinder played")
    game.expect("player 1> ")
    game.type("ana\t\n")
    assert "1. " in game.expect("\nplayer 1> ")
    game.type("level ma\t\n")
    assert "player 2 plays master now" in game.expect("player 1> ")


def test_the_line_can_be_edited(terminal: StartTerminal) -> None:
    game = terminal(*PLAIN)
    game.expect("player 1> ")
    game.send("2\x01c")  # Ctrl-A: to the start of the line
    assert "pathfinder played c4" in game.expect("player 1> ")


def test_save_load_and_resume(terminal: StartTerminal, tmp_path: Path) -> None:
    path = tmp_path / "my games.pgn"
    game = terminal(*PLAIN, columns=400)  # long names of files fit
    game.expect("player 1> ")
    game.send("c2")
    game.expect("player 1> ")
    game.send(f"save {path}")
    assert f"saved as game 1 of {path}\n" in game.expect("player 1> ")
    game.send("c3")
    game.expect("player 1> ")
    game.send("save")
    assert "saved as game 1 of " in game.expect("player 1> ")
    assert len(read_game(path)[0].moves) == 4
    game.send("new")
    game.expect("player 1> ")
    game.send(f"load {path}")
    assert "1. c2    c4" in game.expect("player 1> ")
    game.send(f"load {path} 2")
    assert "expected a game from 1 to 1 in " in game.expect("player 1> ")
    damaged = tmp_path / "damaged.pgn"
    damaged.write_text("1. e2 e9 *\n")
    for command in (f"load {damaged}", f"save {damaged}"):
        game.send(command)
        assert f"{damaged}, line 1: illegal move 'e9'" in game.expect("player 1> ")
    assert damaged.read_text() == "1. e2 e9 *\n"
    game.send("quit")
    game.end()
    again = terminal("--load", str(path), "--plain")
    assert "2. c3" in again.expect("player 1> ")


def test_moves_after_the_last_save_are_kept(terminal: StartTerminal, tmp_path: Path) -> None:
    game = terminal(*PLAIN)
    game.expect("player 1> ")
    game.send("c2")
    game.expect("player 1> ")
    game.send(f"save {tmp_path / 'early.pgn'}")
    game.expect("player 1> ")
    game.send("c3")
    game.expect("player 1> ")
    game.send("quit")
    assert "the game is saved" in game.end()[1]
    assert "2. c3" in terminal("--resume", "--plain").expect("player 1> ")


def test_a_game_that_is_over_is_kept_but_not_resumed(
    terminal: StartTerminal, tmp_path: Path
) -> None:
    game = terminal("--plain", "--preset", "tiny", "--p1", "human", "--p2", "human")
    for player, move in ((1, "b2"), (2, "b1")):
        game.expect(f"player {player}> ")
        game.send(move)
    assert "player 2 won (goal), 2 moves\n" in game.expect("quit> ")
    game.send("quit")
    assert game.end()[0] == 0
    (kept,) = (tmp_path / "plyground" / "autosave").glob("*.pgn")
    assert read_game(kept)[0].result == "0-1"
    assert terminal("--resume", "--plain").end()[0] == 2


def test_a_killed_game_is_resumed(terminal: StartTerminal) -> None:
    game = terminal(*PLAIN, "--time", "300+2")
    game.expect("player 1> ")
    game.send("c2")
    game.expect("player 1> ")
    game.process.kill()
    game.end()
    again = terminal("--resume", "--plain")
    seen = again.expect("player 1> ")
    assert "1. c2    c4" in seen
    assert "2 pathfinder" in seen
    assert " left\n" in seen
    other = terminal("--resume", "--plain")
    status, said = other.end()
    assert (status, "there is no game to resume in " in said) == (2, True)
    again.send("quit")
    again.end()
    assert "1. c2    c4" in terminal("--resume", "--plain").expect("player 1> ")


def test_ctrl_c_asks_before_it_leaves_and_offers_to_save(
    terminal: StartTerminal, tmp_path: Path
) -> None:
    path = tmp_path / "left.pgn"
    game = terminal(*PLAIN)
    game.expect("player 1> ")
    game.send("c2")
    game.expect("player 1> ")
    game.interrupt("Leave the game? yes, no, or a file to save it to [yes]: ")
    game.send("no")
    game.expect("player 1> ")
    game.interrupt("[yes]: ")
    game.send(str(path))
    status, rest = game.end()
    assert (status, "Traceback" in rest) == (130, False)
    assert [len(record.moves) for record in parse_records(path.read_text())] == [2]


def test_a_flag_falls_while_a_person_thinks(terminal: StartTerminal) -> None:
    game = terminal("--plain", "--preset", "small", "--p1", "human", "--p2", "human", "--time", "1")
    assert "The clocks start with" in game.expect("player 1> ")
    game.send("c2")
    game.expect("player 2> ")
    game.expect("\ntime is up: press Enter\n")  # before anything is typed
    game.send("c4")
    assert "player 1 won (time), 1 move\n" in game.expect("quit> ")


def test_agents_are_watched(terminal: StartTerminal) -> None:
    options = ("--p1", "random:seed=1", "--p2", "pathfinder", "--preset", "tiny", "--speed", "0.01")
    game = terminal(*options)
    seen = game.without_colours(game.expect("quit> "))
    assert "pathfinder played" in seen
    assert " won (goal)" in seen
    game.send("quit")
    assert game.end()[0] == 0


def test_a_narrow_terminal_has_the_players_below(terminal: StartTerminal) -> None:
    seen = terminal(*PLAIN, columns=40).expect("player 1> ")
    assert "2 pathfinder\n    5 walls, 4 steps to row 1\n" in seen


def test_the_standard_board_fits_80_by_24(terminal: StartTerminal) -> None:
    game = terminal("--p1", "human", "--p2", "engine:nodes=100", "--preset", "standard")
    game.expect("player 1> ")
    game.send("e2")
    drawn = game.without_colours(game.expect("player 1> ").split("\x1b[2J")[-1])
    lines = drawn.split("\n")
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80


def test_a_wide_terminal_draws_the_same(terminal: StartTerminal) -> None:
    wide = terminal(*PLAIN, columns=200, rows=60).expect("player 1> ")
    assert wide == terminal(*PLAIN).expect("player 1> ")
