"""The description of the REST endpoint, as OpenAPI 3.1: what `http.py` takes and answers."""

from __future__ import annotations

from typing import Any

from plyground import __version__

MOST_MOVES = 1000
LONGEST_TEXT = 1000
MOST_NODES = 10**12
MOST_SIMULATIONS = 10**9
DEEPEST = 1000

ERRORS = {
    "400": "The body is no JSON.",
    "413": "The body is too long.",
    "415": "The body is not said to be JSON.",
    "422": "The position, a move or a limit cannot be read, or the game is over.",
    "502": "The agent is another program, which failed or named no legal move.",
    "503": "Too many positions are being thought about, or this one took too long; try again.",
}


def description(agent: str, game: str, max_time_s: float) -> dict[str, Any]:
    """The whole document, for one agent and one game."""
    failures = {
        status: {
            "description": words,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
        }
        for status, words in ERRORS.items()
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": f"Plyground: {agent}",
            "version": __version__,
            "description": f"Post a position of {game}, get a move with its score and line.",
        },
        "paths": {
            "/move": {
                "post": {
                    "operationId": "move",
                    "summary": "Choose a move",
                    "requestBody": {
                        "required": True,
                        "content": {
                            "application/json": {
                                "schema": {"$ref": "#/components/schemas/Question"}
                            }
                        },
                    },
                    "responses": {"200": _answer("Answer", "The move"), **failures},
                }
            },
            "/agent": {
                "get": {
                    "operationId": "agent",
                    "summary": "Who answers",
                    "responses": {"200": _answer("Agent", "The agent and its limits")},
                }
            },
        },
        "components": {
            "schemas": {
                "Question": _question(game, max_time_s),
                "Answer": _ANSWER,
                "Agent": _AGENT,
                "Error": _object({"error": {"type": "string"}}),
            }
        },
    }


def _answer(schema: str, words: str) -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}
    return {"description": words, "content": content}


def _object(properties: dict[str, Any], required: tuple[str, ...] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties if required is None else required),
        "additionalProperties": False,
    }


def _question(game: str, max_time_s: float) -> dict[str, Any]:
    limits = {
        "time_s": {"type": "number", "minimum": 0, "maximum": max_time_s},
        "nodes": {"type": "integer", "minimum": 1, "maximum": MOST_NODES},
        "depth": {"type": "integer", "minimum": 1, "maximum": DEEPEST},
        "simulations": {"type": "integer", "minimum": 1, "maximum": MOST_SIMULATIONS},
    }
    examples = {"quoridor": "9 e4/e6 c3h,e3h,d7h 8/9 2 9 1", "reversi": _REVERSI_START}
    properties: dict[str, Any] = {
        "position": {
            "type": "string",
            "maxLength": LONGEST_TEXT,
            "description": "A position in a line; left out, the usual start.",
            "examples": [examples[game]],
        },
        "moves": {
            "type": "array",
            "maxItems": MOST_MOVES,
            "items": {"type": "string", "maxLength": 8},
            "description": "Moves from that position, in notation.",
        },
        "limits": {
            **_object(limits, required=()),
            "description": "How long to think, at most; in place of the agent's own limits.",
        },
    }
    return _object(properties, required=())


_REVERSI_START = "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27 + " X"
_ANSWER = _object(
    {
        "move": {"type": "string", "description": "In notation."},
        "player": {"type": "integer", "enum": [1, 2], "description": "Who plays it."},
        "position": {"type": "string", "description": "After the move."},
        "score": {
            "type": ["number", "null"],
            "description": "Of the position, for the player; null where the agent does not tell.",
        },
        "unit": {
            "type": ["string", "null"],
            "enum": ["steps", "discs", "value", None],
            "description": "Steps (Quoridor), discs (Reversi), or a result from -1 to 1.",
        },
        "win_in": {
            "type": ["integer", "null"],
            "description": "Plies to a proven win, negative to a proven loss.",
        },
        "depth": {"type": ["integer", "null"]},
        "nodes": {"type": ["integer", "null"]},
        "time_ms": {"type": "number"},
        "line": {
            "type": "array",
            "items": {"type": "string"},
            "description": "What both are expected to play, the move first.",
        },
    }
)
_AGENT = _object(
    {
        "agent": {"type": "string"},
        "game": {"type": "string"},
        "max_time_s": {"type": "number"},
        "version": {"type": "string"},
    }
)
