"""Messages of a page are parsed strictly: anything else is rejected in one line."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.errors import NotationError
from plyground.ui.web.messages import TYPES, NewGameMessage, PlayMove, Undo, parse_message

ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


NEW_GAME = '{"type": "new_game", "game": "", "player1": "", "player2": "", "settings": %s}'


def test_messages_are_read_with_their_fields_and_defaults() -> None:
    assert parse_message('{"type": "undo"}') == Undo()
    assert parse_message('{"type": "play_move", "move": "e2", "ply": 3}') == PlayMove("e2", 3)
    text = '{"type": "new_game", "game": "reversi", "player1": "human", "player2": "hard"}'
    assert parse_message(text) == NewGameMessage("reversi", "human", "hard", None, None, None)
    text = text.replace("reversi", "quoridor").replace("}", ', "settings": {"Board": "5"}}')
    assert parse_message(text) == NewGameMessage("quoridor", "human", "hard", {"Board": "5"})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expected a message in JSON"),
        ("[1]", "expected a message like"),
        ('{"type": "format_disk"}', "unknown message 'format_disk'"),
        ('{"type": ["undo"]}', "unknown message"),
        ('{"type": "undo", "file": "x"}', "unknown field 'file' in the message 'undo'"),
        ('{"type": "play_move", "move": "e2"}', "expected the field 'ply'"),
        ('{"type": "play_move", "move": "e2", "ply": "1"}', "another value of 'ply'"),
        ('{"type": "play_move", "move": "e2", "ply": true}', "another value of 'ply'"),
        ('{"type": "play_move", "move": "e2", "ply": -1}', "another value of 'ply'"),
        ('{"type": "play_move", "move": "e2", "ply": 1.5}', "another value of 'ply'"),
        ('{"type": "play_move", "move": 7, "ply": 1}', "another value of 'move'"),
        ('{"type": "why", "move": "' + "e" * 201 + '", "ply": 1}', "another value of 'move'"),
        ('{"type": "analyse", "on": 1, "ply": 1}', "another value of 'on'"),
        (NEW_GAME % '"5"', "another value of 'settings'"),
        (NEW_GAME % '{"Board": 5}', "another value of 'settings'"),
        (NEW_GAME % '{"Board": {}}', "another value of 'settings'"),
        (NEW_GAME % f'{{"{"B" * 200}": "5"}}', "another value of 'settings'"),
        (NEW_GAME % json.dumps(dict.fromkeys(map(str, range(21)), "")), "value of 'settings'"),
        ('{"type": "undo"' + "[" * 100_000, "expected a message in JSON"),
        ('{"type": "go_to", "ply": ' + "9" * 5000 + "}", "expected a message in JSON"),
    ],
)
def test_what_is_wrong_is_said_in_a_short_line(text: str, words: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_message(text)
    assert words in str(caught.value)
    assert len(str(caught.value)) < 200
    assert "\n" not in str(caught.value)


@given(st.text() | ANY_JSON.map(json.dumps))
def test_any_text_is_a_message_or_a_notation_error(text: str) -> None:
    with suppress(NotationError):
        parse_message(text)


@given(st.sampled_from(sorted(TYPES)), st.dictionaries(st.text(max_size=8), ANY_JSON), st.data())
def test_any_fields_are_a_message_or_a_notation_error(
    name: str, fields: dict[str, Any], data: st.DataObject
) -> None:
    for field in TYPES[name].__slots__:
        fields[field] = data.draw(ANY_JSON)
    try:
        message = parse_message(json.dumps(fields | {"type": name}))
    except NotationError:
        return
    assert type(message) is TYPES[name]
