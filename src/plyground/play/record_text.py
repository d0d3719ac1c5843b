r"""Game records as text, much like the PGN of chess:

    [Game "quoridor"]
    [Board "5"]
    [Player1 "Ann"]
    [Player2 "pathfinder"]
    [Result "1-0"]
    [Termination "goal"]

    {Ann plays first} 1. c2 {0.9s} c4 2. b3v {2.5s +1.50/9, a wall} b4 ... 1-0

The tags come first: the game, its board, settings that differ from that board's preset, `Start` if
the position is not the usual one, other tags, the result and its reason. In a tag, `\"` stands for
`"` and `\\` for `\`. A comment after a move begins with the time, the score and the depth, if they
are known, followed by a comma and any text. Move numbers start at 1 in every record; if player 2
moves first, the first is `1... e8`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games import registry
from plyground.games.base import State
from plyground.play.record import RESULTS, MoveRecord, Record, check_line, check_tags

WIDTH = 80

TOKEN = re.compile(
    r"""
    (?P<space> \s+ )
  | \[ \s* (?P<tag> [A-Za-z_][A-Za-z0-9_]* ) \s* "(?P<value> (?: [^"\\\n] | \\["\\] )* )" \s* \]
  | \{ (?P<comment> [^}]* ) \}
  | (?P<number> [0-9]{1,6} \.+ )
  | (?P<word> [^\s\[\]{}"]+ )
    """,
    re.VERBOSE,
)
NUMBERS = re.compile(
    r"(?:(?P<time>[0-9]{1,10}(?:\.[0-9]{1,9})?)s)?"
    r"(?: ?(?P<score>[+-][0-9]{1,10}(?:\.[0-9]{1,9})?)?(?:/(?P<depth>[0-9]{1,10}))?)?"
    r"(?:,|$)"
)


class Token(NamedTuple):
    """A token: its kind (a group of TOKEN), its text, the value of a tag, and its line."""

    kind: str
    text: str
    value: str
    line: int


def format_records(records: Iterable[Record]) -> str:
    """Format games as text, separated by empty lines."""
    return "\n".join(map(format_record, records))


def format_record(record: Record) -> str:
    """Format a game as text; `parse_record` returns an equal record."""
    tags = {"Game": record.game, **record.settings}
    if record.start is not None:
        tags["Start"] = record.start
    tags |= {**record.tags, "Result": record.result}
    if record.termination:
        tags["Termination"] = record.termination
    words = [f"{{{record.comment}}}"] if record.comment else []
    first = record.start_state().current_player - 1
    for turn, move in enumerate(record.moves, first):
        number = _number(turn) if turn % 2 == 0 or turn == first else ""
        # A no-break space keeps a move beside its number; moves and comments contain none.
        words.append(f"{number}\xa0{move.text}" if number else move.text)
        if comment := _format_comment(move):
            words.append(f"{{{comment}}}")
    words.append(record.result)
    body = textwrap.fill(" ".join(words), WIDTH, break_long_words=False, break_on_hyphens=False)
    header = "".join(f'[{name} "{_escape(value)}"]\n' for name, value in tags.items())
    return header + "\n" + body.replace("\xa0", " ") + "\n"


def parse_record(text: str) -> Record:
    """Parse one game.

    >>> record = parse_record('[Player1 "Ann"] 1. e2 {3s} e8 2. e3 *')
    >>> record.tags, record.moves[0].time_s
    ({'Player1': 'Ann'}, 3.0)
    """
    records = parse_records(text)
    if len(records) != 1:
        raise NotationError(f"expected one game, got {len(records)}")
    return records[0]


def parse_records(
    text: str, *, most_games: int | None = None, most_plies: int | None = None
) -> list[Record]:
    """Parse any number of games; errors name the line, and the game after the first.

    Text from strangers should have a limit on its games and on the plies of each. They are checked
    before the moves are played.
    """
    reader = _Reader(text, most_games, most_plies)
    try:
        return list(reader.games())
    except (ConfigError, IllegalMoveError, NotationError) as error:
        game = f"game {reader.game}, " if reader.game > 1 else ""
        raise type(error)(f"{game}line {reader.line}: {error}") from None


class _Reader:
    """Parses games one by one; `game` and `line` are its place, for errors."""

    def __init__(
        self, text: str, most_games: int | None = None, most_plies: int | None = None
    ) -> None:
        self.text = text.removeprefix("\ufeff")
        self.most_games = most_games
        self.most_plies = most_plies
        self.game = self.line = 1

    def games(self) -> Iterator[Record]:
        tokens: list[Token] = []
        plies = 0
        for token in self.tokens():
            if self.most_games is not None and self.game > self.most_games:
                raise NotationError(f"expected at most {self.most_games} games")
            if token.kind == "tag" and tokens and tokens[-1].kind != "tag":
                raise NotationError(
                    f"expected the result of the game before the tag {token.text!r}"
                )
            tokens.append(token)
            if token.kind == "word" and token.text in RESULTS:
                yield self.record(tokens)
                tokens, plies = [], 0
                self.game += 1
            elif token.kind == "word":
                plies += 1
                if self.most_plies is not None and plies > self.most_plies:
                    raise NotationError(f"expected at most {self.most_plies} moves in a game")
        if tokens:
            raise NotationError(f"expected a result {', '.join(RESULTS)} after the moves")

    def tokens(self) -> Iterator[Token]:
        place, line = 0, 1
        while place < len(self.text):
            self.line = line
            match = TOKEN.match(self.text, place)
            if not match:
                raise NotationError(_unreadable(self.text[place:]))
            kind = str(match.lastgroup)
            if kind == "value":
                yield Token("tag", match["tag"], match["value"], line)
            elif kind != "space":
                yield Token(kind, match[kind], "", line)
            place = match.end()
            line += match[0].count("\n")

    def record(self, tokens: list[Token]) -> Record:
        tags, end = self.tags(tokens), tokens[-1]
        lines = {token.text: token.line for token in tokens if token.kind == "tag"}
        self.line = lines.get("Game", tokens[0].line)
        name = tags.pop("Game", registry.default().name)
        start, termination = tags.pop("Start", None), tags.pop("Termination", "")
        result = tags.pop("Result", end.text)
        game = registry.get(name)
        settings: dict[str, str] = {}
        for key in game.setting_names:
            if key in tags:
                self.line = lines[key]
                settings[key] = tags.pop(key)
                game.start(settings)  # one by one, so that an error has its line
        for key, value in tags.items():
            self.line = lines[key]
            check_tags({key: value}, game)
        self.line = lines.get("Termination", self.line)
        check_line("Termination", termination)
        self.line = lines.get("Start", self.line)
        first_state: State = game.start(settings, start)
        state = first_state

        moves: list[MoveRecord] = []
        comments: list[list[Token]] = [
            []
        ]  # those before the first move, after the first, and so on
        first = state.current_player - 1
        for token in tokens[:-1]:
            self.line = token.line
            if token.kind == "number" and token.text != _number(first + len(moves)):
                expected = _number(first + len(moves))
                raise NotationError(f"expected the number {expected!r}, got {token.text!r}")
            if token.kind == "word":
                action = state.parse_move(token.text)
                moves.append(MoveRecord(state.format_move(action)))
                comments.append([])
                state = state.play(action)
            elif token.kind == "comment":
                comments[-1].append(token)
        opening = " ".join(token.text for token in comments[0])
        commented = list(map(self.commented, moves, comments[1:]))
        self.line = end.line
        if result != end.text:
            raise NotationError(f"expected the result {result!r} of the tag, got {end.text!r}")
        return Record.of_played(
            first_state,
            commented,
            tags=tags,
            comment=opening,
            outcome=state.outcome,
            result=result,
            termination=termination,
        )

    def commented(self, move: MoveRecord, comments: list[Token]) -> MoveRecord:
        """The move with its comments; the first may begin with the time, score and depth."""
        words = [line for token in comments if (line := " ".join(token.text.split()))]
        if not words:
            return move
        self.line = comments[0].line
        match = NUMBERS.match(words[0])
        if not match:
            return MoveRecord(move.text, comment=" ".join(words))
        time, score, depth = match.group("time", "score", "depth")
        return MoveRecord(
            move.text,
            None if time is None else float(time),
            None if score is None else float(score),
            None if depth is None else int(depth),
            " ".join([words[0][match.end() :], *words[1:]]),
        )

    def tags(self, tokens: list[Token]) -> dict[str, str]:
        tags: dict[str, str] = {}
        for token in tokens:
            if token.kind == "tag":
                self.line = token.line
                if token.text in tags:
                    raise NotationError(f"the tag {token.text!r} is there twice")
                tags[token.text] = re.sub(r"\\(.)", r"\1", token.value)
        return tags


def _number(turn: int) -> str:
    """The move number as written; turn 0 is player 1's first move, 1 player 2's."""
    return f"{turn // 2 + 1}." if turn % 2 == 0 else f"{turn // 2 + 1}..."


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _format_comment(move: MoveRecord) -> str:
    numbers = []
    if move.time_s is not None:
        numbers.append(f"{move.time_s:.3f}".rstrip("0").rstrip(".") + "s")
    if move.score is not None:
        numbers.append(f"{move.score:+.3f}".removesuffix("0"))
    if move.depth is not None:
        depth = f"/{move.depth}"
        if move.score is not None:
            numbers[-1] += depth
        else:
            numbers.append(depth)
    if move.comment and (numbers or NUMBERS.match(move.comment)):
        return f"{' '.join(numbers)}, {move.comment}"
    return " ".join(numbers) or move.comment


def _unreadable(rest: str) -> str:
    """The error for text that does not begin with a token."""
    start = rest.split("\n", 1)[0][:40]
    if rest[0] == "{":
        return f"expected '}}' at the end of the comment {start!r}"
    if rest[0] == "[":
        return f'expected a tag like [Event "..."], got {start!r}'
    return f"expected a move, a comment or a result, got {start!r}"
