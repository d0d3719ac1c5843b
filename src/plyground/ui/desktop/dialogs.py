"""The forms of the window: a new game, playing on, files, the games of a file, help."""

from __future__ import annotations

from pathlib import Path

from plyground.agents.levels import LEVEL_NAMES
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.ui.desktop.forms import Form
from plyground.ui.desktop.session import Session
from plyground.ui.desktop.widgets import Choice, Field, Lines, Listing, Row
from plyground.ui.desktop.wishes import NewGame

PLAYERS = ("human", *LEVEL_NAMES)
USUAL_LEVEL = "normal"
BOARDS = (9, 8, 7, 6, 5, 4, 3)
"""Sizes of Quoridor's board."""
CLOCKS = {"none": None, "1 min + 1 s": "60+1", "5 min + 3 s": "300+3", "15 min + 10 s": "900+10"}
FILES = 9
MOST_SCORES = 14
"""Players of a tournament that are listed."""
ENDINGS = (".pgn", ".sqlite")


def new_game(session: Session) -> Form:
    """Which game, on which board, between whom, and with which clocks."""
    live = session.live
    game = Choice("Game", tuple(registry.GAMES), live.rules.name)
    size = live.state.board_size if live.rules.name == "quoridor" else BOARDS[0]
    board = Choice("Board", [f"{each}x{each}" for each in BOARDS], f"{size}x{size}")
    seats = _seats([live.seats[player].name for player in (1, 2)])
    clock = Choice("Clock", tuple(CLOCKS), "none")

    def rows() -> list[Row]:
        return [game, *([board] if game.value == "quoridor" else []), *seats, clock]

    def begin() -> None:
        settings = {"Board": board.value[0]} if game.value == "quoridor" else {}
        names = (seats[0].value, seats[1].value)
        session.begin(NewGame(game.value, settings, names, CLOCKS[clock.value]))

    return Form("New game", rows, "Start", begin)


def play_on(session: Session) -> Form:
    """Who goes on from the position of the replay."""
    if session.replay is None:
        raise ConfigError("there is no replay to play on from")
    tags = session.replay.record.tags
    names = [tags.get(f"Player{player}", "") for player in (1, 2)]
    seats = _seats([name if name in PLAYERS else "" for name in names])

    def begin() -> None:
        session.play_on((seats[0].value, seats[1].value))

    return Form("Play on from here", lambda: seats, "Start", begin)


def save(session: Session) -> Form:
    """Where to write the game to."""
    saved = session.table.saved
    field = Field("File", str(saved[0]) if saved and session.replay is None else "game.pgn")
    note = Lines([("", "A game is added to those that are in the file.")])
    return Form(
        "Save the game", lambda: [field, note], "Save", lambda: session.save(_path(field.text))
    )


def open_file(session: Session) -> Form:
    """Which file to replay: by name, or one of the newest of this folder."""
    field = Field("File")
    paths = _newest_files(Path.cwd())
    form: Form

    def pick(index: int) -> None:
        field.text = str(paths[index])
        form.accept()

    rows: list[Row] = [field]
    if paths:
        rows.append(Listing([path.name for path in paths], 0, pick))
    rows.append(Lines([("", "Files can be dropped on the window as well.")]))
    form = Form("Open a file", lambda: rows, "Open", lambda: session.open(_path(field.text)))
    return form


def games(session: Session) -> Form:
    """The games of the file, to choose from."""
    replay = session.replay
    if replay is None:
        raise ConfigError("there is no file open; 'Open' opens one")
    shown = replay.games
    items = [f"{number + 1}. {shown.caption(number)}" for number in range(len(shown))]
    form: Form

    def pick(index: int) -> None:
        session.show_game(index)
        form.close()

    listing = Listing(items, replay.number, pick)
    form = Form(f"Games of {shown.name}", lambda: [listing])
    return form


def scores(session: Session) -> Form:
    """Who leads the tournament that is watched."""
    lines = session.replay.games.standings() if session.replay else []
    if not lines:
        raise ConfigError("there is no tournament here to keep the scores of")
    page = Lines(lines[:MOST_SCORES])
    return Form("Scores", lambda: [page])


def help_page(keys: list[tuple[str, str]]) -> Form:
    """How moves are made, and what keys do."""
    lines = [("Click", "move; in a gap, a wall"), ("Letters", "type a move: e3h"), *keys]
    lines += [("+ -", "watch faster, slower"), ("Escape", "cancel; twice: leave")]
    page = Lines(lines, columns=2)
    return Form("Keys", lambda: [page])


def _seats(names: list[str]) -> list[Choice]:
    """Both seats; who is not known becomes a person against an agent."""
    first, second = names
    first = first or ("human" if second != "human" else USUAL_LEVEL)
    second = second or ("human" if first != "human" else USUAL_LEVEL)
    return [Choice("Player 1", PLAYERS, first), Choice("Player 2", PLAYERS, second)]


def _path(text: str) -> Path:
    if not text.strip():
        raise ConfigError("expected the name of a file, such as game.pgn")
    return Path(text.strip()).expanduser()


def _newest_files(folder: Path) -> list[Path]:
    try:
        found = [path for path in folder.iterdir() if path.suffix in ENDINGS and path.is_file()]
        return sorted(found, key=lambda path: -path.stat().st_mtime)[:FILES]
    except OSError:  # a folder that cannot be read has nothing to offer
        return []
