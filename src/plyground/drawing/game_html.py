"""A game as HTML with a slider over its positions. It needs no network and no script file.

Every position is in the page, and only one is visible. The slider's own handler shows another; in
a notebook, scripts of an output do not always run, but handlers in attributes do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from plyground.drawing.boards import drawing_of
from plyground.drawing.shapes import FONT, PLAYERS, group
from plyground.drawing.state_svg import board_layers, check_options, frame, status
from plyground.errors import ConfigError
from plyground.games.base import State

SHOW = (
    "const all=this.closest('[data-plyground-game]').querySelectorAll('[data-ply]');"
    "for(const e of all)e.style.display=e.dataset.ply===this.value?'':'none'"
)
"""The slider's handler: show what belongs to the chosen ply."""
GO = (
    "const s=this.closest('[data-plyground-game]').querySelector('input');"
    "s.value={ply};s.dispatchEvent(new Event('input'))"
)
"""The handler of a button: set the slider to a ply."""
GRAPH_HEIGHT = 60


@dataclass(frozen=True, slots=True)
class MoveNote:
    """What the page says about one move."""

    move: str
    mark: str = ""
    """Such as `??`, beside the move."""
    text: str = ""
    """Below the board, when the move is shown."""


@dataclass(frozen=True, slots=True)
class GameOptions:
    """How the boards of a page are drawn: see `State.svg`."""

    paths: bool = False
    flipped: bool = False
    size: int = 400


def game_fragment(
    title: str,
    subtitle: str,
    states: Sequence[State],
    notes: Sequence[MoveNote],
    options: GameOptions,
    chances: Sequence[float] = (),
) -> str:
    """A game inside another page; `chances` of player 1 are drawn as a graph.

    There is one more state than notes. The last position is shown first.
    """
    if len(states) != len(notes) + 1:
        raise ConfigError(f"expected {len(notes) + 1} positions, got {len(states)}")
    check_options(states[0], options.paths, options.flipped, options.size)
    parts = [
        f'<div data-plyground-game style="max-width:{options.size}px;'
        'font-family:system-ui,sans-serif">',
        f'<div style="font-weight:600">{escape(title)}</div>',
        f"<div>{escape(subtitle)}</div>" if subtitle else "",
        _boards(states, notes, options),
        _slider(len(notes)),
        *_captions(states, notes),
        _graph(chances, len(notes), options.size) if len(chances) > 1 else "",
        _moves(states[0], notes),
        "</div>",
    ]
    return "".join(parts)


def game_page(title: str, fragment: str) -> str:
    """A page of its own around a game."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title></head>"
        f'<body style="margin:1rem;background:#fffdf9;color:#22252a">{fragment}</body></html>\n'
    )


def _boards(states: Sequence[State], notes: Sequence[MoveNote], options: GameOptions) -> str:
    game, last = states[0].game, len(notes)
    layers = []
    for ply, state in enumerate(states):
        before = states[ply - 1] if ply else None
        action = None if before is None else before.parse_move(notes[ply - 1].move)
        board = game.board(state, before, action, paths=options.paths)
        content = board_layers(board, options.flipped)
        layers.append(f'<g data-ply="{ply}"{_hidden(ply, last)}>{content}</g>')
    drawing = drawing_of(game.board(states[0]), options.flipped)
    ground = group(drawing.ground())
    picture = frame(states[-1], drawing, options.size, f"<g {FONT}>{ground}{''.join(layers)}</g>")
    return picture.replace("<svg ", '<svg style="max-width:100%;height:auto" ', 1)


def _hidden(ply: int, shown: int) -> str:
    return "" if ply == shown else ' style="display:none"'


def _slider(last: int) -> str:
    return (
        f'<input type="range" min="0" max="{last}" value="{last}" aria-label="Move" '
        f'style="width:100%;margin:0.5em 0" oninput="{escape(SHOW)}">'
    )


def _captions(states: Sequence[State], notes: Sequence[MoveNote]) -> list[str]:
    captions = []
    for ply, state in enumerate(states):
        lines = [f"Move {ply} of {len(notes)}: {notes[ply - 1].move}" if ply else "Start"]
        lines[0] += f"; {status(state)}"
        if ply and notes[ply - 1].text:
            lines.append(notes[ply - 1].text)
        facts = {player: state.game.facts(state, player) for player in (1, 2)}
        lines += [
            f"Player {player}: {', '.join(known)}" for player, known in facts.items() if known
        ]
        text = "<br>".join(map(escape, lines))
        captions.append(f'<div data-ply="{ply}"{_hidden(ply, len(notes))}>{text}</div>')
    return captions


def _moves(start: State, notes: Sequence[MoveNote]) -> str:
    """The moves as links, each with the number of its turn."""
    first = start.current_player - 1
    words = []
    for ply, note in enumerate(notes, 1):
        turn = first + ply - 1
        dots = "." if turn % 2 == 0 else "..." if ply == 1 else ""
        number = f"{turn // 2 + 1}{dots} " if dots else ""
        colour = PLAYERS[turn % 2 + 1]
        words.append(
            f'{number}<button type="button" style="border:0;background:none;padding:0 0.2em;'
            f'font:inherit;color:{colour};cursor:pointer" onclick="{escape(GO.format(ply=ply))}">'
            f"{escape(note.move + note.mark)}</button>"
        )
    return f'<div style="margin-top:0.5em;line-height:1.6">{" ".join(words)}</div>'


def _graph(chances: Sequence[float], last: int, width: int) -> str:
    """Player 1's chance to win after every move, with a line at the move that is shown."""

    def point(ply: int, chance: float) -> str:
        return f"{ply * width / max(last, 1):.1f},{(1 - chance) * GRAPH_HEIGHT:.1f}"

    points = " ".join(point(ply, chance) for ply, chance in enumerate(chances))
    cursors = "".join(
        f'<path data-ply="{ply}"{_hidden(ply, last)} stroke="#e0483e" '
        f'd="M{ply * width / max(last, 1):.1f} 0v{GRAPH_HEIGHT}"/>'
        for ply in range(last + 1)
    )
    title = f"Player 1's chance to win, {chances[0]:.0%} at first, {chances[-1]:.0%} in the end"
    return (
        f'<svg viewBox="0 0 {width} {GRAPH_HEIGHT}" style="width:100%;height:auto;'
        f'background:#f7ead3" role="img"><title>{title}</title>'
        f'<path stroke="#b9976a" d="M0 {GRAPH_HEIGHT // 2}h{width}"/>'
        f'<polyline fill="none" stroke="{PLAYERS[1]}" stroke-width="2" points="{points}"/>'
        f"{cursors}</svg>"
    )
