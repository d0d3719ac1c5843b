"""Commands that ask the adviser or the opening book: hint, eval, analyse, review, book."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyground.analysis.explorer import known_chances, local_books, saved_games
from plyground.analysis.game_report import analyse_game
from plyground.analysis.lines import best_lines
from plyground.analysis.opening_book import explore
from plyground.errors import ConfigError, IllegalMoveError
from plyground.games.lines import format_line
from plyground.play.events import HintFailed, HintFound, SearchProgress
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult
from plyground.ui.book_text import format_moves
from plyground.ui.review_text import format_review
from plyground.ui.text import format_effort, format_hint, format_progress

if TYPE_CHECKING:
    from plyground.ui.terminal.session import TerminalSession

MOST_LINES = 20
REVIEW = SearchLimits(time_s=0.2)
"""Limits of the search of each position of a review."""


def hint(session: TerminalSession, words: list[str]) -> None:  # noqa: ARG001
    """Ask for a move and wait for the answer."""
    live, adviser = session.live, session.adviser
    live.hint(adviser)
    while True:
        event = session.events.get()
        if isinstance(event, SearchProgress):
            session.show_progress(event, adviser)
        elif isinstance(event, HintFailed):
            session.screen.say(f"no hint: {event.reason}")
            return
        elif isinstance(event, HintFound):
            session.screen.say(format_hint(event.state, event.action, event.result))
            return
        else:
            session.handle_event(event)
            if live.outcome is not None:  # the flag fell in the meantime
                return


def evaluate(session: TerminalSession, words: list[str]) -> None:  # noqa: ARG001
    """Say who is ahead, by a short search."""
    state = session.live.state
    _check_going_on(session)
    result = _search(session, SearchLimits(time_s=0.5))
    who = f"player {state.current_player}, to move"
    session.screen.say(f"{who}: {result.score}, {format_effort(result)}")
    for view in session.view().players:
        session.screen.say(f"player {view.number}: {', '.join(view.facts)}")
    session.screen.say(f"expected: {format_line(state, result.pv[:12])}")


def analyse(session: TerminalSession, words: list[str]) -> None:
    """Show the best lines from here."""
    state = session.live.state
    _check_going_on(session)
    if len(words) > 1 or (words and not words[0].isdecimal()):
        raise ConfigError(f"expected a number of lines, got {' '.join(words)!r}")
    lines = int(words[0]) if words else 3
    if not 1 <= lines <= MOST_LINES:
        raise ConfigError(f"expected from 1 to {MOST_LINES} lines, got {lines}")

    def show(done: int, of: int) -> None:
        session.screen.status(f"analysing, {done} of {of} moves")

    for number, line in enumerate(best_lines(session.adviser, state, lines, on_progress=show), 1):
        moves = format_line(state, line.pv[:10])
        session.screen.say(f"{number}. {line.score!s:<12} {format_effort(line):<9} {moves}")


def review(session: TerminalSession, words: list[str]) -> None:  # noqa: ARG001
    """Show the mistakes of the game with better moves and reasons; Ctrl-C shows those found."""
    record, people = session.live.record(), session.host.people
    if not record.moves:
        raise ConfigError("there is no move to review yet")

    def show(done: int, of: int) -> None:
        session.screen.status(f"reviewing, {done} of {of} positions")

    report = analyse_game(record, session.adviser, REVIEW, show)
    session.screen.clear_status()
    session.screen.say("\n".join(format_review(report, people[0] if len(people) == 1 else None)))


def book(session: TerminalSession, words: list[str]) -> None:  # noqa: ARG001
    """Show what was played in this position: in the books, and in the saved games."""
    state = session.live.state
    _check_going_on(session)
    with local_books(state.game) as books:
        found = explore(state, [*books, saved_games(state.game)])
    chances = known_chances(session.adviser.agent, state, found)
    session.screen.say("\n".join(format_moves(state, found, chances)))


def _check_going_on(session: TerminalSession) -> None:
    if session.live.outcome is not None:
        raise IllegalMoveError(f"the game is over: {session.live.outcome}")


def _search(session: TerminalSession, limits: SearchLimits) -> SearchResult:
    state, adviser = session.live.state, session.adviser

    def show(result: SearchResult) -> None:
        session.screen.status(format_progress(adviser.name, state, result))

    result = adviser.search(state, limits, show)
    session.screen.clear_status()
    if result.score is None:
        raise ConfigError(f"{adviser.name!r} does not evaluate positions")
    return result
