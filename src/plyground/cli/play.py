"""Play a game in the terminal, against an agent or a friend, or watch two agents play.

A seat is 'human' or an agent such as 'pathfinder', 'random' or 'random:seed=3'.

Example: plyground play --preset small --p2 random --save games.pgn
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import textwrap
from contextlib import suppress
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from plyground import agents
from plyground.agents import Agent
from plyground.agents.spec import AGENTS
from plyground.cli.options import game_from
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games import registry
from plyground.games.base import Game, State
from plyground.play import Record, format_record
from plyground.quoridor import GameConfig
from plyground.quoridor import State as QuoridorState

# Who sits where nobody was named.
OPPONENTS = {"quoridor": "pathfinder", "reversi": "minimax:depth=5"}

COMMANDS_HELP = """\
moves  list the legal moves
undo   take your last move back
quit   leave the game (so do Ctrl-C and Ctrl-D)"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    games, presets = tuple(registry.GAMES), tuple(GameConfig.PRESETS)
    parser.add_argument(
        "game",
        nargs="?",
        choices=games,
        default=games[0],
        help=f"{' or '.join(games)} (default: {games[0]})",
    )
    usual = ", ".join(f"{who} in {game}" for game, who in OPPONENTS.items())
    parser.add_argument("--preset", choices=presets, help="Quoridor's board (default: standard)")
    parser.add_argument("--p1", metavar="WHO", help="player 1, who begins (default: human)")
    parser.add_argument("--p2", metavar="WHO", help=f"player 2 (default: {usual})")
    parser.add_argument("--seed", type=int, metavar="N", help="seed of a random player")
    parser.add_argument("--save", type=Path, metavar="FILE", help="add the game's record to FILE")


def run(args: argparse.Namespace) -> int:
    """Play the game; its record is printed and saved however it ends."""
    if sys.stdin is None:  # closed by whoever started us
        sys.stdin = open(os.devnull)  # noqa: PTH123, SIM115
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # a stray byte is a bad move, not a crash
    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    rules = registry.get(game_from(args))
    names = seat_names(args.p1, args.p2, at_terminal, OPPONENTS[rules.name])
    if args.seed is not None:
        if "random" not in names:
            raise ConfigError("--seed is for a random player, such as --p2 random; there is none")
        names = [
            f"random:seed={args.seed + i}" if n == "random" else n for i, n in enumerate(names)
        ]
    players = [make_player(name, rules.name) for name in names]
    start = rules.start({})
    if rules.name == "quoridor":
        # With nobody there to play, a game on the small board is enough to show how it goes.
        preset = args.preset or ("standard" if at_terminal or None in players else "small")
        start = QuoridorState(GameConfig.preset(preset))
    game = TerminalGame(rules, start, names, players)
    if at_terminal:
        with suppress(ImportError):  # line editing, where Python has it
            import readline  # noqa: F401
    if args.save:
        add_text("", args.save)  # better to hear at once that it cannot be written
    try:
        game.play()
    finally:
        try:
            print("\n" + format_record(game.record()), end="")
        finally:
            if args.save:
                add_text(format_record(game.record()), args.save)
    return 0


def make_player(name: str, game: str) -> Agent | None:
    """The agent of that name; None for a human."""
    if name == "human":
        return None
    known = ("human", *AGENTS)
    agent = name.partition(":")[0]
    if agent not in known:
        close = get_close_matches(agent, known, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(sorted(known))}"
        raise ConfigError(f"unknown player {agent!r}; {hint}")
    return agents.make(name, game)


def seat_names(p1: str | None, p2: str | None, at_terminal: bool, opponent: str) -> list[str]:
    """Who sits where: at a terminal one seat is for the human, unless both are spoken for."""
    if not at_terminal:
        return [p1 or opponent, p2 or opponent]
    if p1 is None:
        p1 = opponent if p2 == "human" else "human"
    return [p1, p2 or (opponent if p1 == "human" else "human")]


def add_text(text: str, path: Path) -> None:
    """Add a game's text to a file, which may hold others."""
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(("\n" if text and file.tell() else "") + text)
    except (OSError, ValueError) as error:  # the latter for a NUL in the name
        raise ConfigError(f"cannot write {path}: {getattr(error, 'strerror', error)}") from error


class TerminalGame:
    """A game between agents and people who type; a player that is None is a person."""

    def __init__(
        self, rules: Game[Any], start: State, names: list[str], players: list[Agent | None]
    ) -> None:
        self.rules = rules
        self.states = [start]
        self.moves: list[str] = []
        self.names = names
        self.players = players

    def record(self) -> Record:
        """The game so far."""
        tags = {"Date": f"{date.today():%Y.%m.%d}"}
        tags |= {"Player1": self.names[0], "Player2": self.names[1]}
        return Record.from_moves(self.moves, self.states[0], self.rules.name, tags)

    def play(self) -> None:
        """Play until the game ends or somebody leaves."""
        if None in self.players:
            print(self.welcome())
        shown = None
        while (outcome := self.states[-1].outcome) is None:
            state = self.states[-1]
            agent = self.players[state.current_player - 1]
            if agent is not None:
                move = self.rules.format_action(state, agent.select_action(state))
                name = self.names[state.current_player - 1]
                print(f"player {state.current_player} ({name}) plays {move}")
                self.advance(move)
                continue
            if state is not shown:
                print(f"\n{state}")
                shown = state
            try:
                typed = input(f"player {state.current_player}> ").strip().lower()
            except EOFError:
                return
            if typed == "quit":
                return
            self.obey(typed)
        board, _, _ = str(self.states[-1]).rpartition("\n")  # whose last line says the same
        print(f"\n{board}\n\n{outcome}, {len(self.moves)} moves")

    def welcome(self) -> str:
        """Tell the people at the board who they are, how to win, and what to type."""
        state = self.states[0]
        people = [number for number, player in enumerate(self.players, 1) if player is None]
        task = self.rules.task(state, people[0] if len(people) == 1 else None)
        return f"{task}\nType a move such as {self.rules.examples(state)}, or 'help'."

    def obey(self, typed: str) -> None:
        """Do what a person typed: a command, or else a move."""
        if typed == "help":
            print(f"{self.rules.move_help}\n{COMMANDS_HELP}")
        elif typed == "moves":
            state = self.states[-1]
            moves = [self.rules.format_action(state, a) for a in state.legal_actions()]
            print(textwrap.fill(" ".join(moves), 80))
        elif typed == "undo":
            self.undo()
        elif typed:
            try:
                self.advance(typed)
            except (IllegalMoveError, NotationError) as error:
                print(error)

    def advance(self, move: str) -> None:
        """Play a move."""
        self.states.append(self.states[-1].play(move))
        self.moves.append(move)

    def undo(self) -> None:
        """Go back to where a person last had the choice."""
        turns = range(len(self.moves) - 1, -1, -1)
        turn = next(
            (t for t in turns if self.players[self.states[t].current_player - 1] is None), None
        )
        if turn is None:
            print("there is no move of yours to take back")
            return
        del self.states[turn + 1 :], self.moves[turn:]
