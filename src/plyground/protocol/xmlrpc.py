"""XML-RPC messages from untrusted peers: any bytes become plain values or a NotationError.

Python's `xmlrpc.client` writes them. It does not read them, because it expands entities and nests
elements without a limit, and raises many kinds of exceptions for malformed messages. Here the size,
the depth and the number of elements of a message are limited, and a document type, which could
define entities, is rejected.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn, TypeAlias, cast
from xml.parsers import expat
from xmlrpc import client

from plyground.errors import NotationError
from plyground.json_types import Json

LONGEST = 1 << 20
"""Bytes of a message; one with a board full of walls has 30,000."""
DEEPEST = 32
MOST_ELEMENTS = 20_000
Value: TypeAlias = Json
"""A value that was read: the types are those of JSON."""
Encodable: TypeAlias = bool | int | float | str | Sequence[object] | Mapping[str, object] | None
"""A value that can be written."""


@dataclass(frozen=True, slots=True)
class Fault:
    """An error that a server returns instead of a value."""

    code: int
    message: str


def write_call(method: str, *arguments: Encodable) -> bytes:
    """A call as bytes."""
    return client.dumps(_marshallable(arguments), method, allow_none=True).encode()


def write_response(value: Encodable | Fault) -> bytes:
    """An answer as bytes."""
    if isinstance(value, Fault):
        return client.dumps(client.Fault(value.code, value.message), allow_none=True).encode()
    return client.dumps(_marshallable((value,)), methodresponse=True, allow_none=True).encode()


def _marshallable(values: tuple[Encodable, ...]) -> tuple[client._Marshallable, ...]:
    """Values under the library's own type, which does not accept the types of our messages."""
    return cast("tuple[client._Marshallable, ...]", values)


def read_call(body: bytes) -> tuple[str, list[Value]]:
    """The method and the arguments of a call.

    >>> read_call(write_call("play", [1, 2.5, None], {"size": 9}))
    ('play', [[1, 2.5, None], {'size': 9}])
    """
    root = _parse(body)
    if root.name != "methodCall" or len(root.parts) not in (1, 2):
        _refuse("a methodCall with a methodName and params", root)
    name = root.parts[0]
    if name.name != "methodName" or name.parts:
        _refuse("a methodName", name)
    return name.text.strip(), _params(root.parts[1]) if len(root.parts) == 2 else []


def read_response(body: bytes) -> Value | Fault:
    """The value of an answer, or its fault.

    >>> read_response(write_response(["P", 1, 4]))
    ['P', 1, 4]
    """
    root = _parse(body)
    if root.name != "methodResponse" or len(root.parts) != 1:
        _refuse("a methodResponse with params or a fault", root)
    [part] = root.parts
    if part.name != "fault":
        values = _params(part)
        if len(values) != 1:
            raise NotationError(f"expected one value in an answer, got {len(values)}")
        return values[0]
    value = _value(_only(part, "value"))
    if not isinstance(value, dict):
        _refuse("a fault with a struct", part)
    code = value.get("faultCode")
    return Fault(code if type(code) is int else 0, str(value.get("faultString", "")))


# From bytes to elements.


@dataclass(slots=True)
class _Element:
    name: str
    parts: list[_Element] = field(default_factory=list)
    text: str = ""


def _parse(body: bytes) -> _Element:
    if len(body) > LONGEST:
        raise NotationError(f"expected a message of up to {LONGEST} bytes, got {len(body)}")
    top = _Element("")
    stack = [top]
    count = 0

    def start(name: str, _: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if len(stack) > DEEPEST:
            raise NotationError(f"expected elements nested up to {DEEPEST} deep, got more")
        if count > MOST_ELEMENTS:
            raise NotationError(f"expected up to {MOST_ELEMENTS} elements, got more")
        stack.append(_Element(name))
        stack[-2].parts.append(stack[-1])

    def end(_: str) -> None:
        element = stack.pop()
        element.text = "".join(texts.pop(id(element), ()))

    texts: dict[int, list[str]] = {}

    def text(data: str) -> None:
        texts.setdefault(id(stack[-1]), []).append(data)

    def refuse(*_: object) -> NoReturn:
        raise NotationError("expected a message without a document type")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(body, True)
    except expat.ExpatError as error:
        raise NotationError(f"expected XML, got something else: {error}") from None
    except (LookupError, ValueError) as error:  # an unknown encoding
        if isinstance(error, NotationError):
            raise
        raise NotationError(f"expected XML in a known encoding: {error}") from None
    return top.parts[0]


# From elements to values.

_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_DOUBLE = re.compile(r"[+-]?([0-9]{1,320}(\.[0-9]{0,400})?|\.[0-9]{1,400})([eE][+-]?[0-9]{1,3})?")


def _params(element: _Element) -> list[Value]:
    if element.name != "params":
        _refuse("params", element)
    values = []
    for param in element.parts:
        if param.name != "param":
            _refuse("a param", param)
        values.append(_value(_only(param, "value")))
    return values


def _value(element: _Element) -> Value:
    if not element.parts:
        return element.text  # a value without a type is a string
    if len(element.parts) != 1:
        _refuse("one value", element)
    [typed] = element.parts
    if typed.name == "array":
        data = _only(typed, "data")
        return [_value(_named(item, "value")) for item in data.parts]
    if typed.name == "struct":
        return dict(_member(_named(member, "member")) for member in typed.parts)
    if typed.parts:
        _refuse(f"a plain {typed.name}", typed)
    return _scalar(typed)


def _scalar(element: _Element) -> Value:
    text = element.text.strip()
    if element.name == "string":
        return element.text
    if element.name == "nil" and not text:
        return None
    if element.name in ("int", "i4", "i8") and _INTEGER.fullmatch(text):
        return int(text)
    if element.name == "boolean" and text in ("0", "1"):
        return text == "1"
    if element.name == "double" and _DOUBLE.fullmatch(text) and math.isfinite(float(text)):
        return float(text)
    return _refuse("nil, an int, a boolean, a double, a string, an array or a struct", element)


def _member(element: _Element) -> tuple[str, Value]:
    if len(element.parts) != 2:
        _refuse("a member with a name and a value", element)
    name, value = element.parts
    return _named(name, "name").text, _value(_named(value, "value"))


def _only(element: _Element, name: str) -> _Element:
    if len(element.parts) != 1:
        _refuse(f"one {name}", element)
    return _named(element.parts[0], name)


def _named(element: _Element, name: str) -> _Element:
    if element.name != name:
        _refuse(f"a {name}", element)
    return element


def _refuse(expected: str, element: _Element) -> NoReturn:
    got = f"{element.text.strip()[:40]!r}" if element.text.strip() else "other content"
    raise NotationError(
        f"expected {expected} in an XML-RPC message, got {got} in <{element.name[:40]}>"
    )
