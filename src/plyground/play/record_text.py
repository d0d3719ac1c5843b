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

After a move come its marks, its comment and its variations, the lines that could have been played
instead of it, in parentheses and nested like those of PGN:

    1. e2 e8 2. e3 $2 {too slow} (2. d3h $1 e7 (2... f8 3. e3) 3. e3) 2... e7 *

The marks are PGN's numeric annotation glyphs; `e3!?` is read as `e3 $5`. Comments before the first
move of a variation or after a variation join the comment of the move.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games import registry
from plyground.games.base import State
from plyground.play.record import (
    DEEPEST,
    RESULTS,
    MoveRecord,
    Record,
    check_line,
    check_mark,
    check_tags,
)

WIDTH = 80
SUFFIXES = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
"""The marks that may be written after a move, by their numbers."""

TOKEN = re.compile(
    r"""
    (?P<space> \s+ )
  | \[ \s* (?P<tag> [A-Za-z_][A-Za-z0-9_]* ) \s* "(?P<value> (?: [^"\\\n] | \\["\\] )* )" \s* \]
  | \{ (?P<comment> [^}]* ) \}
  | (?P<open> \( )
  | (?P<close> \) )
  | \$ (?P<mark> [0-9]{1,3} )
  | (?P<number> [0-9]{1,6} \.+ )
  | (?P<word> [^\s\[\]{}()"]+ )
    """,
    re.VERBOSE,
)
TAG_LINE = re.compile(r'\s*\[\s*[A-Za-z_][A-Za-z0-9_]*\s*".*"\s*\]')
NUMBERS = re.compile(
    r"(?:(?P<time>[0-9]{1,10}(?:\.[0-9]{1,9})?)s)?"
    r"(?: ?(?P<score>[+-][0-9]{1,10}(?:\.[0-9]{1,9})?)?(?:/(?P<depth>[0-9]{1,10}))?)?"
    r"(?:,|$)"
)


OnBad: TypeAlias = "Callable[[BadGame], object]"
"""Called with each game that could not be read."""


class Token(NamedTuple):
    """A token: its kind (a group of TOKEN), its text, the value of a tag, and its line."""

    kind: str
    text: str
    value: str
    line: int


@dataclass(slots=True)
class _ParsedMove:
    """A move as it was read, with what follows it."""

    text: str
    comments: list[Token] = field(default_factory=list)
    before: list[Token] = field(default_factory=list)
    """Comments before the first move of a variation."""
    marks: list[int] = field(default_factory=list)
    variations: list[list[_ParsedMove]] = field(default_factory=list)


@dataclass(slots=True)
class _ParsedLine:
    """A line of moves while it is read: the main line or a variation."""

    state: State
    turn: int
    before: State | None = None
    """The position before the last move."""
    opening: list[Token] = field(default_factory=list)
    moves: list[_ParsedMove] = field(default_factory=list)

    def play(self, text: str) -> None:
        """Add a move."""
        action = self.state.parse_move(text)
        move = _ParsedMove(self.state.format_move(action))
        self.before, self.state = self.state, self.state.play(action)
        self.moves.append(move)
        self.turn += 1

    def variation(self) -> _ParsedLine:
        """An empty line beside the last move."""
        if self.before is None:
            raise NotationError("expected a move before a variation")
        return _ParsedLine(self.before, self.turn - 1)

    def last_move(self, what: str) -> _ParsedMove:
        """The last move; an error says what follows no move."""
        if not self.moves:
            raise NotationError(f"expected a move before {what}")
        return self.moves[-1]


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
    words += format_moves(record.moves, record.start_state().current_player - 1)
    words.append(record.result)
    body = textwrap.fill(" ".join(words), WIDTH, break_long_words=False, break_on_hyphens=False)
    header = "".join(f'[{name} "{_escape(value)}"]\n' for name, value in tags.items())
    return header + "\n" + body.replace("\xa0", " ") + "\n"


def format_moves(moves: Sequence[MoveRecord], turn: int) -> Iterator[str]:
    """Moves with their numbers, marks, comments and variations; turn 0 is player 1's first."""
    has_number = False
    for move in moves:
        number = _number(turn) if turn % 2 == 0 or not has_number else ""
        # A no-break space keeps a move beside its number; moves and comments contain none.
        yield f"{number}\xa0{move.text}" if number else move.text
        yield from (f"${mark}" for mark in move.marks)
        if comment := _format_comment(move):
            yield f"{{{comment}}}"
        for variation in move.variations:
            words = list(format_moves(variation, turn))
            words[0] = f"({words[0]}"
            words[-1] += ")"
            yield from words
        has_number = not move.variations
        turn += 1


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


@dataclass(frozen=True, slots=True)
class BadGame:
    """A game that could not be read: its number from 1, the line of the error, and the error."""

    number: int
    line: int
    reason: str

    def __str__(self) -> str:
        return f"game {self.number}, line {self.line}: {self.reason}"


def stream_records(lines: Iterable[str], on_bad: OnBad | None = None) -> Iterator[Record]:
    """Parse games one by one from lines of text, which need not fit into memory.

    A bad game is passed to `on_bad` and skipped; without it, its error is raised. The next game
    begins at the next tag after an empty line, or after the moves of the bad game.
    """
    number = 1
    for first_line, text in _split_games(lines):
        reader = _Reader(text)
        try:
            for record in reader.games():
                yield record
                number += 1
        except (ConfigError, IllegalMoveError, NotationError) as error:
            bad = BadGame(number, first_line + reader.line - 1, str(error))
            if on_bad is None:
                raise type(error)(str(bad)) from None
            on_bad(bad)
            number += 1


def _split_games(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Pieces of text that begin where a game does, each with the number of its first line."""
    piece: list[str] = []
    first, has_moves, in_comment, was_empty = 1, False, False, True
    for number, line in enumerate(lines, 1):
        is_tag = TAG_LINE.match(line) is not None and (was_empty or not in_comment)
        if is_tag and has_moves:
            yield first, "".join(piece)
            piece, first, has_moves, in_comment = [], number, False, False
        piece.append(line)
        was_empty = not line.strip()
        if not was_empty and (not is_tag or TAG_LINE.fullmatch(line.rstrip()) is None):
            has_moves = True
            opened, closed = line.rfind("{"), line.rfind("}")
            in_comment = opened > closed or (in_comment and closed < 0)
    if "".join(piece).strip():
        yield first, "".join(piece)


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
        around = [_ParsedLine(first_state, first_state.current_player - 1)]
        for token in tokens[:-1]:
            self.line = token.line
            self.read(token, around)
        line = around[-1]
        if len(around) > 1:
            self.line = end.line
            raise NotationError("expected ')' at the end of a variation, before the result")
        opening = " ".join(token.text for token in line.opening)
        moves = self.finished(line.moves)
        self.line = end.line
        if result != end.text:
            raise NotationError(f"expected the result {result!r} of the tag, got {end.text!r}")
        return Record.of_played(
            first_state,
            moves,
            tags=tags,
            comment=opening,
            outcome=line.state.outcome,
            result=result,
            termination=termination,
        )

    def read(self, token: Token, lines: list[_ParsedLine]) -> None:
        """Read a token of the moves; `lines` are the main line and the variations around it."""
        line = lines[-1]
        if token.kind == "number":
            if token.text != _number(line.turn):
                expected = _number(line.turn)
                raise NotationError(f"expected the number {expected!r}, got {token.text!r}")
        elif token.kind == "word":
            text = token.text.rstrip("!?")
            suffix = token.text[len(text) :]
            if suffix not in SUFFIXES and suffix:
                raise NotationError(f"expected a move, got {token.text!r}")
            if text:
                line.play(text)
            if suffix:
                line.last_move(f"the mark {suffix!r}").marks.append(SUFFIXES[suffix])
        elif token.kind == "mark":
            mark = int(token.text)
            check_mark(mark)
            line.last_move(f"the mark ${mark}").marks.append(mark)
        elif token.kind == "comment":
            (line.moves[-1].comments if line.moves else line.opening).append(token)
        elif token.kind == "open":
            if len(lines) > DEEPEST:
                raise NotationError(f"expected at most {DEEPEST} variations inside one another")
            lines.append(line.variation())
        elif token.kind == "close":
            if len(lines) == 1:
                raise NotationError("expected '(' before ')'")
            line.last_move("')'")
            line.moves[0].before = line.opening
            lines.pop()
            lines[-1].moves[-1].variations.append(line.moves)

    def finished(self, moves: list[_ParsedMove]) -> tuple[MoveRecord, ...]:
        """The moves of a line with their variations."""
        return tuple(map(self.finished_move, moves))

    def finished_move(self, move: _ParsedMove) -> MoveRecord:
        """A move with its comments; the first after it may begin with the time, score and depth."""
        before = [token.text for token in move.before]
        after = [text for token in move.comments if (text := " ".join(token.text.split()))]
        if move.comments or move.before:
            self.line = (move.before or move.comments)[0].line
        time = score = depth = None
        if after and (match := NUMBERS.match(after[0])):
            time, score, depth = match.group("time", "score", "depth")
            after[0] = after[0][match.end() :]
        return MoveRecord(
            move.text,
            None if time is None else float(time),
            None if score is None else float(score),
            None if depth is None else int(depth),
            " ".join([*before, *after]),
            tuple(move.marks),
            tuple(map(self.finished, move.variations)),
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
