"""The forms of the window: new game, playing on, files, games, lines, standings, review, help."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from plyground.agents.human import PERSON
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import AnyGame, State
from plyground.games.levels import LEVEL_NAMES
from plyground.play.live_game import LiveGame
from plyground.ui.desktop.forms import Form
from plyground.ui.desktop.review import start_review
from plyground.ui.desktop.session import WindowSession
from plyground.ui.desktop.widgets import (
    Choice,
    FormRow,
    ListBox,
    ScrolledText,
    TextField,
    TextLines,
)
from plyground.ui.game_host import NewGame
from plyground.ui.variations import format_tree

USUAL_LEVEL = "normal"
CLOCKS = {"none": None, "1 min + 1 s": "60+1", "5 min + 3 s": "300+3", "15 min + 10 s": "900+10"}
MOST_FILES = 9
MOST_SCORES = 14
"""Players of a tournament that are listed."""
ENDINGS = (".pgn", ".sqlite")


def new_game(session: WindowSession) -> Form:
    """Ask for a game, its settings, the players and a clock."""
    live = session.live
    games = registry.games()
    settings = {name: _setting_choices(known, live) for name, known in games.items()}
    names = [live.seats[player].name for player in (1, 2)]
    seats = _seats(names, live.game)

    def offer_players() -> None:
        chosen = games[game.value]
        for seat, name in zip(seats, names, strict=True):
            # An agent that only the live game offers does not play another game.
            known = [name] if name not in live.game.offered_agents else []
            seat.offer(list(dict.fromkeys([*_players(chosen), *known])), USUAL_LEVEL)

    game = Choice("Game", tuple(games), live.game.name, offer_players)
    clock = Choice("Clock", tuple(CLOCKS), "none")

    def chosen_settings() -> dict[str, str]:
        chosen = {choice.label: choice.value for choice in settings[game.value]}
        return chosen | _kept_settings(games[game.value], chosen, live)

    def rows() -> list[FormRow]:
        usual = _usual_settings(games[game.value], chosen_settings())
        return [game, *settings[game.value], *usual, *seats, clock]

    def begin() -> None:
        chosen = chosen_settings()
        players = (seats[0].value, seats[1].value)
        new = NewGame(game.value, players, chosen, time=CLOCKS[clock.value])
        session.new_game(new)

    return Form("New game", rows, "Start", begin)


def play_on(session: WindowSession) -> Form:
    """Ask for the players that continue from the position of the replay."""
    if session.replay is None:
        raise ConfigError("there is no replay to continue from")
    record = session.replay.record
    game = registry.get(record.game)
    names = [record.player_name(player) for player in (1, 2)]
    seats = _seats([name if name in _players(game) else "" for name in names], game)

    def begin() -> None:
        session.play_on((seats[0].value, seats[1].value))

    return Form("Play on from here", lambda: seats, "Start", begin)


def save(session: WindowSession) -> Form:
    """Ask for the file to save the game to."""
    saved = session.host.saved
    field = TextField("File", str(saved[0]) if saved and session.replay is None else "game.pgn")
    note = TextLines([("", "The game is added to the games in the file.")])
    return Form(
        "Save the game", lambda: [field, note], "Save", lambda: session.save(_path(field.text))
    )


def open_file(session: WindowSession) -> Form:
    """Ask for a file to replay: by name, or one of the newest in this folder."""
    field = TextField("File")
    paths = _newest_files(Path.cwd())
    form: Form

    def pick(index: int) -> None:
        field.text = str(paths[index])
        form.accept()

    rows: list[FormRow] = [field]
    if paths:
        rows.append(ListBox([path.name for path in paths], 0, pick))
    rows.append(TextLines([("", "Files can also be dropped on the window.")]))
    form = Form("Open a file", lambda: rows, "Open", lambda: session.open(_path(field.text)))
    return form


def games(session: WindowSession) -> Form:
    """Ask for a game of the file that is open."""
    replay = session.replay
    if replay is None:
        raise ConfigError("no file is open; 'Open' opens one")
    listed = replay.games
    items = [f"{number + 1}. {listed.caption(number)}" for number in range(len(listed))]
    form: Form

    def pick(index: int) -> None:
        session.show_game(index)
        form.close()

    listing = ListBox(items, replay.number, pick)
    form = Form(f"Games of {listed.name}", lambda: [listing])
    return form


def lines(session: WindowSession) -> Form:
    """Ask for a line of the game: the main line, or a variation."""
    listed = session.lines()
    current = session.live.node
    shown = [number for number, line in enumerate(listed) if line.contains(current)]
    form: Form

    def pick(index: int) -> None:
        session.show_line(listed[index])
        form.close()

    listing = ListBox(format_tree(session.live), shown[0] if shown else 0, pick)
    form = Form("Lines of the game", lambda: [listing])
    return form


def scores(session: WindowSession) -> Form:
    """Show the standings of the tournament."""
    lines = session.replay.games.standings() if session.replay else []
    if not lines:
        raise ConfigError("there are no scores: this is not a tournament")
    page = TextLines(lines[:MOST_SCORES])
    return Form("Scores", lambda: [page])


def help_page(game: AnyGame, keys: list[tuple[str, str]]) -> Form:
    """Show how moves are made, and the keys."""
    kinds = [line.partition(" ") for line in game.move_help.splitlines()]
    moves = TextLines([("Click", "play a move"), *((move, text) for move, _, text in kinds)])
    keys = [*keys, ("+ -", "faster, slower"), ("Escape", "cancel; twice: leave")]
    page = TextLines(keys, columns=2)
    return Form("Moves and keys", lambda: [moves, page])


def rules_page(state: State) -> Form:
    """Show the rules of a position's game, with its settings."""
    game = state.game
    page = ScrolledText(game.rules_text(state))
    return Form(f"Rules: {game.describe(game.settings(state))}", lambda: [page])


def review(session: WindowSession) -> Form:
    """Review the game that is shown: its mistakes, better moves and reasons."""
    record, adviser, you = session.reviewed_game()
    page = ScrolledText("Searching the game")
    form = Form("Review of the game", lambda: [page])

    def show(text: str) -> None:  # on another thread
        page.text = text
        session.redraw.set()

    start_review(record, adviser, you, show, lambda: form.is_open and not session.is_leaving)
    return form


def _setting_choices(game: AnyGame, live: LiveGame) -> list[Choice]:
    """A choice for each setting that the game offers, first as it is in the live game."""
    current = game.settings(live.state) if live.game is game else {}
    return [
        Choice(name, choices, current.get(name, choices[0]))
        for name, choices in game.setting_choices.items()
    ]


def _usual_settings(game: AnyGame, chosen: Mapping[str, str]) -> list[TextLines]:
    """The values of the settings that the form does not ask for, except advanced ones."""
    try:
        values = game.all_settings(game.start(game.new_settings(chosen)))
    except ConfigError:  # the form shows the reason when it is accepted
        return []
    asked = game.setting_choices.keys() | game.advanced_settings
    lines = [(name, value) for name, value in values.items() if name not in asked]
    return [TextLines(lines)] if lines else []


def _kept_settings(game: AnyGame, chosen: Mapping[str, str], live: LiveGame) -> dict[str, str]:
    """The other settings of the live game, if the new one has the same board."""
    current = game.settings(live.state) if live.game is game else {}
    if any(current.get(name) != value for name, value in chosen.items()):
        return {}
    return {name: value for name, value in current.items() if name not in chosen}


def _players(game: AnyGame) -> tuple[str, ...]:
    """The players that are offered for a game."""
    return (PERSON, *LEVEL_NAMES, *game.offered_agents)


def _seats(names: list[str], game: AnyGame) -> list[Choice]:
    """A choice for each seat; an empty name becomes a person or an agent, unlike the other."""
    first, second = names
    first = first or (PERSON if second != PERSON else USUAL_LEVEL)
    second = second or (PERSON if first != PERSON else USUAL_LEVEL)
    players = _players(game)
    return [Choice("Player 1", players, first), Choice("Player 2", players, second)]


def _path(text: str) -> Path:
    if not text.strip():
        raise ConfigError("expected the name of a file, such as game.pgn")
    return Path(text.strip()).expanduser()


def _newest_files(folder: Path) -> list[Path]:
    """The newest files that can be opened; none if the folder cannot be read."""
    try:
        found = [path for path in folder.iterdir() if path.suffix in ENDINGS and path.is_file()]
        return sorted(found, key=lambda path: -path.stat().st_mtime)[:MOST_FILES]
    except OSError:
        return []
