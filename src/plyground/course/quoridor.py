"""The board and the agents' interface of the Quoridor course: the names of its `quoridor.py`.

Players are 0 and 1, places are (row, column) from 0 with (0, 0) at the top left, and actions are
('P', row, column), ('WH', row, column) and ('WV', row, column). The rules are the course's, which
differ from Plyground's: a wall has to leave both players a path of pawn moves while the other pawn
stands still, and a wall of a player without walls is accepted and places nothing.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import operator
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import TextIO, TypeAlias
from xmlrpc.server import SimpleXMLRPCServer

from plyground.protocol.course import Percepts
from plyground.protocol.course_rules import Cell, Maze

__all__ = [
    "PLAYER1",
    "PLAYER2",
    "Agent",
    "Board",
    "InvalidAction",
    "NoPath",
    "agent_main",
    "dict_to_board",
    # Agents of the course use these modules without importing them.
    "itertools",
    "load_percepts",
    "operator",
    "random",
    "serve_agent",
]

PLAYER1 = 0
"""The player that moves first."""
PLAYER2 = 1
"""The player that moves second."""
LOOPBACK = "127.0.0.1"

Place: TypeAlias = Sequence[int]
"""A row and a column."""
CourseAction: TypeAlias = tuple[str, int, int]
AddOptions: TypeAlias = Callable[["Agent", argparse.ArgumentParser], object]
SetUp: TypeAlias = Callable[["Agent", argparse.ArgumentParser, argparse.Namespace], object]


class InvalidAction(Exception):  # noqa: N818  the course's name
    """An action that the rules forbid."""

    def __init__(self, action: object = None, player: int = -1) -> None:
        super().__init__(f"player {player} cannot play {action!r}")
        self.action = action
        self.player = player


class NoPath(Exception):  # noqa: N818  the course's name
    """A player cannot reach the goal row."""


class Board:
    """A position that actions change.

    >>> board = Board()
    >>> board.play_action(("P", 1, 4), PLAYER1).play_action(("WH", 3, 4), PLAYER2).pawns
    [(1, 4), (8, 4)]
    >>> board.min_steps_before_victory(PLAYER1), board.nb_walls
    (8, [10, 9])
    """

    def __init__(self, percepts: Board | Percepts | Mapping[str, object] | None = None) -> None:
        self.size = self.rows = self.cols = 9
        self.starting_walls = 10
        self.pawns: list[Cell] = [(0, 4), (8, 4)]
        self.goals = [8, 0]
        self.nb_walls = [10, 10]
        self.horiz_walls: list[Cell] = []
        self.verti_walls: list[Cell] = []
        if percepts is not None:
            self._copy(percepts if isinstance(percepts, Mapping) else vars(percepts))

    def _copy(self, percepts: Mapping[str, object]) -> None:
        """Take over percepts, whose places may be lists or tuples."""
        size = percepts.get("size", 9)
        self.size = self.rows = self.cols = size if isinstance(size, int) else 9
        walls = percepts.get("starting_walls", 10)
        self.starting_walls = walls if isinstance(walls, int) else 10
        self.pawns = _cells(percepts["pawns"])
        self.goals = _numbers(percepts["goals"])
        self.nb_walls = _numbers(percepts["nb_walls"])
        self.horiz_walls = _cells(percepts["horiz_walls"])
        self.verti_walls = _cells(percepts["verti_walls"])

    def clone(self) -> Board:
        """A copy, which actions change independently."""
        return Board(self)

    def __str__(self) -> str:
        lines = ["  " + " ".join(f" {column}" for column in range(self.cols))]
        for row in range(self.rows):
            cells, gaps = f"{row} ", "  "
            for column in range(self.cols):
                place = (row, column)
                name = next((f"P{n + 1}" for n in (0, 1) if self.pawns[n] == place), " .")
                right = place in self.verti_walls or (row - 1, column) in self.verti_walls
                below = place in self.horiz_walls or (row, column - 1) in self.horiz_walls
                cells += name + ("|" if right else " ")
                gaps += "--" if below else "  "
                gaps += (
                    "-" if place in self.horiz_walls else "|" if place in self.verti_walls else " "
                )
            lines += [cells.rstrip(), gaps.rstrip()]
        return "\n".join(lines)

    def pretty_print(self) -> None:
        """Print pawns, goals, walls left and walls."""
        for player in (PLAYER1, PLAYER2):
            pawn, goal, walls = self.pawns[player], self.goals[player], self.nb_walls[player]
            print(f"Player {player} => pawn: {pawn} goal: {goal} nb walls: {walls}")
        print("Horizontal walls:", self.horiz_walls)
        print("Vertical walls:", self.verti_walls)

    # Pawns and paths.

    def can_move_here(self, i: int, j: int, player: int) -> bool:
        """Whether a player's pawn may move to row i, column j."""
        return self.is_pawn_move_ok(self.pawns[player], (i, j), self.pawns[1 - player])

    def is_simplified_pawn_move_ok(self, former_pos: Place, new_pos: Place) -> bool:
        """Whether a step leads to a neighbouring tile and crosses no wall; pawns are ignored."""
        return self._maze().is_open(_cell(former_pos), _cell(new_pos))

    def is_pawn_move_ok(self, former_pos: Place, new_pos: Place, opponent_pos: Place) -> bool:
        """Whether a pawn may move from one tile to another while the opponent's pawn is there."""
        moves = self._maze().pawn_moves(_cell(former_pos), _cell(opponent_pos))
        return _cell(new_pos) in moves

    def paths_exist(self) -> bool:
        """Whether both players can reach their goal rows."""
        return all(self._path(self._maze(), player) is not None for player in (0, 1))

    def get_shortest_path(self, player: int) -> list[Cell]:
        """The tiles of a shortest path of pawn moves, without the pawn's own; NoPath if none is."""
        path = self._path(self._maze(), player)
        if path is None:
            raise NoPath(f"player {player} cannot reach row {self.goals[player]}")
        return path[1:]

    def min_steps_before_victory(self, player: int) -> int:
        """The fewest pawn moves to the goal row while the other pawn stands still."""
        return len(self.get_shortest_path(player))

    def move_pawn(self, new_pos: Place, player: int) -> None:
        """Put a pawn on a tile; the rules are not checked."""
        self.pawns[player] = _cell(new_pos)

    # Walls.

    def add_wall(self, pos: Place, is_horiz: bool, player: int) -> None:
        """Place a wall; nothing happens if the rules forbid it or the player has none left."""
        if self.nb_walls[player] > 0 and self.is_wall_possible_here(pos, is_horiz):
            (self.horiz_walls if is_horiz else self.verti_walls).append(_cell(pos))
            self.nb_walls[player] -= 1

    def is_wall_possible_here(self, pos: Place, is_horiz: bool) -> bool:
        """Whether a wall fits and leaves both players a path, even with no walls left."""
        wall = _cell(pos)
        return self._has_room(wall, is_horiz) and self._leaves_paths(wall, is_horiz)

    # Actions.

    def get_legal_pawn_moves(self, player: int) -> list[CourseAction]:
        """The pawn moves of a player."""
        moves = self._maze().pawn_moves(self.pawns[player], self.pawns[1 - player])
        return [("P", row, column) for row, column in moves]

    def get_legal_wall_moves(self, player: int) -> list[CourseAction]:
        """The walls that a player may place."""
        if self.nb_walls[player] <= 0:
            return []
        # A wall that touches neither of these paths leaves both open and needs no search.
        maze = self._maze()
        paths = [self._path(maze, either) for either in (0, 1)]
        steps = (
            None
            if None in paths
            else {
                step
                for either, path in enumerate(paths)
                for step in maze.steps_of(path or [], self.pawns[1 - either])
            }
        )
        return [
            (kind, row, column)
            for row, column in itertools.product(range(self.size - 1), repeat=2)
            for kind, is_horiz in (("WH", True), ("WV", False))
            if self._has_room((row, column), is_horiz)
            and (
                (steps is not None and steps.isdisjoint(_closed_by((row, column), is_horiz)))
                or self._leaves_paths((row, column), is_horiz)
            )
        ]

    def get_actions(self, player: int) -> list[CourseAction]:
        """All actions of a player: pawn moves, then walls."""
        return self.get_legal_pawn_moves(player) + self.get_legal_wall_moves(player)

    def is_action_valid(self, action: Sequence[object], player: int) -> bool:
        """Whether the rules allow an action; walls left are not counted."""
        kind, row, column = action
        if not isinstance(row, int) or not isinstance(column, int):
            return False
        if kind == "P":
            return self.can_move_here(row, column, player)
        return kind in ("WH", "WV") and self.is_wall_possible_here((row, column), kind == "WH")

    def play_action(self, action: Sequence[object], player: int) -> Board:
        """Play an action and return this board; InvalidAction if the rules forbid it."""
        if not self.is_action_valid(action, player):
            raise InvalidAction(action, player)
        kind, *place = action
        where = _cell(place)
        if kind == "P":
            self.move_pawn(where, player)
        else:
            self.add_wall(where, kind == "WH", player)
        return self

    def is_finished(self) -> bool:
        """Whether a pawn is on its goal row."""
        return any(self.pawns[player][0] == self.goals[player] for player in (0, 1))

    def get_score(self, player: int = PLAYER1) -> int:
        """Steps by which the opponent's path is longer; if 0, the walls that a player has more."""
        opponent = 1 - player
        lead = self.min_steps_before_victory(opponent) - self.min_steps_before_victory(player)
        return lead or self.nb_walls[player] - self.nb_walls[opponent]

    def _maze(self, wall: Cell | None = None, is_horiz: bool = True) -> Maze:
        """The walls of this board, with one more if given."""
        horizontal, vertical = {*self.horiz_walls}, {*self.verti_walls}
        if wall is not None:
            (horizontal if is_horiz else vertical).add(wall)
        return Maze(self.size, horizontal, vertical)

    def _path(self, maze: Maze, player: int) -> list[Cell] | None:
        return maze.shortest_path(self.pawns[player], self.pawns[1 - player], self.goals[player])

    def _has_room(self, wall: Cell, is_horiz: bool) -> bool:
        """Whether a wall is on the board and neither crosses nor overlaps another."""
        row, column = wall
        if not (0 <= row < self.size - 1 and 0 <= column < self.size - 1):
            return False
        if wall in self.horiz_walls or wall in self.verti_walls:
            return False
        if is_horiz:
            return not {(row, column - 1), (row, column + 1)}.intersection(self.horiz_walls)
        return not {(row - 1, column), (row + 1, column)}.intersection(self.verti_walls)

    def _leaves_paths(self, wall: Cell, is_horiz: bool) -> bool:
        maze = self._maze(wall, is_horiz)
        return all(self._path(maze, player) is not None for player in (0, 1))


def dict_to_board(dictio: Percepts | Mapping[str, object]) -> Board:
    """The board that percepts describe, as `initialize` and `play` get them."""
    return Board(dictio)


def load_percepts(csvfile: str | Path | TextIO | Iterable[str]) -> list[list[int]]:
    """The rows of hexadecimal numbers in a CSV file, which all have the same length."""
    if isinstance(csvfile, str | Path):
        with Path(csvfile).open(encoding="utf-8", newline="") as file:
            return load_percepts(file)
    rows = [[int(cell.strip(), 16) for cell in row] for row in csv.reader(csvfile) if row]
    if len({len(row) for row in rows}) > 1:
        raise ValueError("expected rows of the same length")
    return rows


class Agent:
    """A player of the course. Override `play`, and `initialize` if a game needs preparation."""

    def initialize(self, percepts: Percepts, players: list[int], time_left: float | None) -> object:
        """A game begins. `players[0]` is the agent's number; `time_left` is its credit in seconds.

        The credit is for the whole game, this call included; None without a clock.
        """

    def play(self, percepts: Percepts, player: int, step: int, time_left: float | None) -> object:
        """Choose an action: ('P', row, column), ('WH', row, column) or ('WV', row, column).

        `step` counts the turns of both players from 1.
        """
        raise NotImplementedError("define play(percepts, player, step, time_left): an action")


def serve_agent(agent: Agent, address: str, port: int) -> None:
    """Answer the calls of a host until Ctrl-C; port 0 lets the system choose one."""
    with SimpleXMLRPCServer((address, port), allow_none=True, logRequests=False) as server:
        # Only these two methods can be called from outside.
        server.register_instance(SimpleNamespace(initialize=agent.initialize, play=agent.play))
        print(f"Listening on {address}:{server.server_address[1]}", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return


def agent_main(
    agent: Agent, args_cb: AddOptions | None = None, setup_cb: SetUp | None = None
) -> None:
    """Serve an agent as the command line says: -b ADDRESS, -p PORT and the agent's own options.

    `args_cb(agent, parser)` adds options, `setup_cb(agent, parser, options)` applies them.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "-b", "--bind", dest="address", default=LOOPBACK, metavar="ADDRESS",
        help=f"address to listen on; 0.0.0.0 for other machines, too (default: {LOOPBACK})",
    )  # fmt: skip
    parser.add_argument(
        "-p", "--port", type=_port, default=8000, help="port to listen on (default: 8000)"
    )
    if args_cb is not None:
        args_cb(agent, parser)
    args = parser.parse_args()
    if setup_cb is not None:
        setup_cb(agent, parser, args)
    try:
        serve_agent(agent, args.address, args.port)
    except OSError as error:
        parser.error(f"cannot listen on {args.address}:{args.port}: {error.strerror or error}")


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError(f"expected a port up to 65535, got {text}")
    return port


def _cell(place: object) -> Cell:
    row, column = _numbers(place)
    return row, column


def _cells(places: object) -> list[Cell]:
    if not isinstance(places, Iterable):
        raise TypeError(f"expected places, got {places!r}")
    return [_cell(place) for place in places]


def _numbers(values: object) -> list[int]:
    if not isinstance(values, Iterable):
        raise TypeError(f"expected numbers, got {values!r}")
    return list(values)


def _closed_by(wall: Cell, is_horiz: bool) -> list[frozenset[Cell]]:
    """The two steps, each a pair of neighbouring tiles, that a wall closes."""
    row, column = wall
    if is_horiz:
        return [frozenset({(row, c), (row + 1, c)}) for c in (column, column + 1)]
    return [frozenset({(r, column), (r, column + 1)}) for r in (row, row + 1)]
