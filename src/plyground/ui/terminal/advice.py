"""Commands that ask a strong player: hint, eval, analyse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyground.analysis.lines import best_lines
from plyground.errors import ConfigError, IllegalMoveError
from plyground.play.events import HintFailed, HintFound, Thinking
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult
from plyground.ui.words import line_of, thinking, verdict

if TYPE_CHECKING:
    from plyground.ui.terminal.session import Session

MOST_LINES = 20


def hint(session: Session, words: list[str]) -> None:  # noqa: ARG001
    """Ask for a move; the game waits for the answer."""
    live, adviser = session.live, session.adviser
    live.hint(adviser)
    while True:
        event = session.events.get()
        if isinstance(event, Thinking):
            session.show_thinking(event, adviser)
        elif isinstance(event, HintFailed):
            session.screen.say(f"no hint: {event.reason}")
            return
        elif isinstance(event, HintFound):
            move = live.rules.format_action(event.state, event.action)
            why = "" if event.result is None else f" ({_why(session, event.result)})"
            session.screen.say(f"hint: {move}{why}")
            return
        else:
            session.hear(event)
            if live.outcome is not None:  # a flag fell meanwhile
                return


def evaluate(session: Session, words: list[str]) -> None:  # noqa: ARG001
    """Say who is ahead, by a short search."""
    state = session.live.state
    if session.live.outcome is not None:
        raise IllegalMoveError(f"the game is over: {session.live.outcome}")
    result = _search(session, SearchLimits(time_s=0.5))
    score = verdict(session.adviser, state, result)
    session.screen.say(f"player {state.current_player}, to move: {score}, depth {result.depth}")
    for view in session.view().players:
        session.screen.say(f"player {view.number}: {', '.join(view.facts)}")
    session.screen.say(f"expected: {line_of(session.live.rules, state, result.pv[:12])}")


def analyse(session: Session, words: list[str]) -> None:
    """Show the best lines from here."""
    state, rules = session.live.state, session.live.rules
    if session.live.outcome is not None:
        raise IllegalMoveError(f"the game is over: {session.live.outcome}")
    if len(words) > 1 or (words and not words[0].isdecimal()):
        raise ConfigError(f"expected how many lines, got {' '.join(words)!r}")
    lines = int(words[0]) if words else 3
    if not 1 <= lines <= MOST_LINES:
        raise ConfigError(f"expected from 1 to {MOST_LINES} lines, got {lines}")

    def show(done: int, of: int) -> None:
        session.screen.status(f"analysing, {done} of {of} moves")

    for number, line in enumerate(best_lines(session.adviser, state, lines, on_progress=show), 1):
        score = verdict(session.adviser, state, line)
        moves = line_of(rules, state, line.pv[:10])
        session.screen.say(f"{number}. {score:<12} depth {line.depth:<3} {moves}")


def _search(session: Session, limits: SearchLimits) -> SearchResult:
    state = session.live.state

    def show(result: SearchResult) -> None:
        session.screen.status(thinking(session.live.rules, session.adviser, state, result))

    _, result = session.adviser.think(state, session.adviser.fitting(limits), show)
    session.screen.clear_status()
    if result is None:
        raise ConfigError(f"{session.adviser.name!r} does not tell what it thinks")
    return result


def _why(session: Session, result: SearchResult) -> str:
    state = session.live.state
    return (
        f"{verdict(session.adviser, state, result)}, depth {result.depth}: "
        f"{line_of(session.live.rules, state, result.pv[:6])}"
    )
