"""The OpenAPI 3.1 description of the REST server: what `http.py` accepts and answers."""

from __future__ import annotations

from plyground import __version__
from plyground.agents.base import ForfeitKind
from plyground.games.base import AnyGame
from plyground.games.score import EXPECTED_RESULT
from plyground.json_types import JsonObject

MOST_MOVES = 1000
LONGEST_TEXT = 1000
LONGEST_MOVE = 16
MOST_NODES = 10**12
MOST_SIMULATIONS = 10**9
DEEPEST = 1000

ERRORS = {
    "400": "The body is not JSON.",
    "403": "The host name of the request is unknown.",
    "413": "The body is too long.",
    "415": "The content type is not application/json.",
    "422": "The position, a move or a limit is invalid, or the game is over.",
    "502": "The agent failed, or answered with an illegal move; `forfeit` has the kind.",
    "503": "Too many requests are waiting, or this one took too long; try again.",
}


def description(agent: str, game: AnyGame, max_time_s: float) -> JsonObject:
    """The whole document, for one agent and one game."""
    failures: JsonObject = {status: _response("Error", reason) for status, reason in ERRORS.items()}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": f"Plyground: {agent}",
            "version": __version__,
            "description": f"Post a position of {game.title}, get a move with its score and line.",
        },
        "paths": {
            "/move": {
                "post": {
                    "operationId": "move",
                    "summary": "Choose a move",
                    "requestBody": {"required": True, "content": _content("MoveRequest")},
                    "responses": {"200": _response("MoveResponse", "The move"), **failures},
                }
            },
            "/agent": {
                "get": {
                    "operationId": "agent",
                    "summary": "Describe the agent",
                    "responses": {"200": _response("Agent", "The agent and its limits")},
                }
            },
        },
        "components": {
            "schemas": {
                "MoveRequest": _move_request(game, max_time_s),
                "MoveResponse": _move_response(game),
                "Agent": _AGENT,
                "Error": _error(),
            }
        },
    }


def _content(schema: str) -> JsonObject:
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}


def _response(schema: str, text: str) -> JsonObject:
    return {"description": text, "content": _content(schema)}


def _object(properties: JsonObject, required: tuple[str, ...] | None = None) -> JsonObject:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties if required is None else required),
        "additionalProperties": False,
    }


def _error() -> JsonObject:
    forfeit: JsonObject = {
        "type": "string",
        "enum": [kind.value for kind in ForfeitKind],
        "description": "How the agent failed; only with the status 502.",
    }
    return _object({"error": {"type": "string"}, "forfeit": forfeit}, required=("error",))


def _move_request(game: AnyGame, max_time_s: float) -> JsonObject:
    limits: JsonObject = {
        "time_s": {"type": "number", "minimum": 0, "maximum": max_time_s},
        "nodes": {"type": "integer", "minimum": 1, "maximum": MOST_NODES},
        "depth": {"type": "integer", "minimum": 1, "maximum": DEEPEST},
        "simulations": {"type": "integer", "minimum": 1, "maximum": MOST_SIMULATIONS},
    }
    properties: JsonObject = {
        "position": {
            "type": "string",
            "maxLength": LONGEST_TEXT,
            "description": "A position as one line of text; by default the start position.",
            "examples": [game.start().text()],
        },
        "moves": {
            "type": "array",
            "maxItems": MOST_MOVES,
            "items": {"type": "string", "maxLength": LONGEST_MOVE},
            "description": "Moves from that position, in notation.",
        },
        "limits": {
            **_object(limits, required=()),
            "description": "Limits of the search, instead of the agent's own; those that the "
            "agent cannot keep to are rejected with 422.",
        },
    }
    return _object(properties, required=())


def _move_response(game: AnyGame) -> JsonObject:
    unit, value = game.unit.name, EXPECTED_RESULT.name
    return _object(
        {
            "move": {"type": "string", "description": "The move in notation."},
            "player": {"type": "integer", "enum": [1, 2], "description": "The player to move."},
            "position": {"type": "string", "description": "The position after the move."},
            "score": {
                "type": ["number", "null"],
                "description": "The score for the player; null if the agent does not evaluate, or "
                "if the result is proven.",
            },
            "unit": {
                "type": ["string", "null"],
                "enum": [unit, value, None],
                "description": f"The unit of the score: {unit}, or {value} for an expected result "
                "from -1 to 1.",
            },
            "win_in": {
                "type": ["integer", "null"],
                "description": "Plies to a proven win; negative for a proven loss.",
            },
            "exact": {
                "type": "boolean",
                "description": "Whether the score is the result with best play to the end.",
            },
            "depth": {"type": ["integer", "null"], "description": "Plies searched."},
            "nodes": {"type": ["integer", "null"], "description": "Positions searched."},
            "time_ms": {"type": "number", "description": "Milliseconds searched."},
            "line": {
                "type": "array",
                "items": {"type": "string"},
                "description": "The expected moves of both players, this move first.",
            },
        }
    )


_AGENT = _object(
    {
        "agent": {"type": "string", "description": "The agent's string."},
        "game": {"type": "string", "description": "The game's name."},
        "max_time_s": {"type": "number", "description": "The longest search in seconds."},
        "version": {"type": "string", "description": "The version of Plyground."},
    }
)
