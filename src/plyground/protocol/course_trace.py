"""Traces of the course's `game.py`: pickles of one `Trace`, written and read without running them.

A pickle is a program. `read_trace` interprets the few of its instructions that build plain data and
objects of the two classes that a trace has, `__main__.Trace` and `quoridor.Board`. It rejects all
others, so that reading a file can neither call nor import anything.
"""

from __future__ import annotations

import io
import pickle
import pickletools
from collections.abc import Callable, Mapping
from typing import TypeVar

from plyground.errors import NotationError

LONGEST_TRACE = 1 << 20
"""Bytes; a game of a thousand actions has about 30,000."""
TRACE, BOARD = "__main__.Trace", "quoridor.Board"
T = TypeVar("T")


class TracedObject(dict[str, object]):
    """The attributes of an object in a trace, with the name of its class."""

    def __init__(self, class_name: str) -> None:
        super().__init__()
        self.class_name = class_name


def write_trace(attributes: Mapping[str, object], initial_board: Mapping[str, object]) -> bytes:
    """A trace with these attributes, of which the initial board has its own."""
    content = (
        _dump(dict(attributes))
        + _dump("initial_board")
        + _object(BOARD, _dump(dict(initial_board)))
        + pickle.SETITEM
    )
    return pickle.PROTO + b"\x02" + _object(TRACE, content) + pickle.STOP


def _object(class_name: str, state: bytes) -> bytes:
    """The instructions that create an object and set its attributes."""
    module, _, name = class_name.rpartition(".")
    made = pickle.GLOBAL + f"{module}\n{name}\n".encode() + pickle.EMPTY_TUPLE + pickle.NEWOBJ
    return made + state + pickle.BUILD


def _dump(value: object) -> bytes:
    """The instructions for plain data, without the first and the last, and without a memo."""
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, 2)
    pickler.fast = True
    pickler.dump(value)
    return buffer.getvalue()[2:-1]


def read_trace(data: bytes) -> TracedObject:
    """The attributes of the trace in a pickle; a NotationError for anything else."""
    if len(data) > LONGEST_TRACE:
        raise NotationError(f"expected a trace of up to {LONGEST_TRACE} bytes, got {len(data)}")
    try:
        found = _Machine().run(data)
    except (ValueError, IndexError, OverflowError, RecursionError, MemoryError) as error:
        reason = str(error) if isinstance(error, NotationError) else "it is damaged"
        raise NotationError(f"expected a trace of the course: {reason}") from None
    if not isinstance(found, TracedObject) or found.class_name != TRACE:
        raise NotationError("expected a trace of the course: it holds something else")
    return found


class _ClassName(str):
    """The name of an admitted class on the stack."""

    __slots__ = ()


class _Mark:
    """Where the elements of a list, tuple or dictionary begin on the stack."""


class _Machine:
    """The stack machine of pickles, with the instructions for plain data only."""

    def __init__(self) -> None:
        self.stack: list[object] = []
        self.memo: dict[object, object] = {}

    def run(self, data: bytes) -> object:
        """The object that a pickle describes."""
        for instruction, argument, _ in pickletools.genops(data):
            name = instruction.name
            if name in VALUES:
                self.stack.append(argument)
            elif name in INSTRUCTIONS:
                INSTRUCTIONS[name](self, argument)
            elif name == "STOP":
                break
            elif name not in ("PROTO", "FRAME"):
                raise NotationError(f"it uses {name}, which plain data does not need")
        [found] = self.stack
        return found

    def pop(self, kind: type[T]) -> T:
        """Take a value of a type from the stack."""
        value = self.stack.pop()
        if not isinstance(value, kind):
            raise NotationError(f"it has {type(value).__name__} in place of {kind.__name__}")
        return value

    def pop_to_mark(self) -> list[object]:
        """Take all values above the last mark from the stack."""
        values: list[object] = []
        while not isinstance(value := self.stack.pop(), _Mark):
            values.append(value)
        return values[::-1]

    def push_class(self, name: str) -> None:
        if name not in (TRACE, BOARD):
            raise NotationError(f"it names {name[:60]!r}, which is no part of a trace")
        self.stack.append(_ClassName(name))

    def push_tuple(self, length: int) -> None:
        values = [self.stack.pop() for _ in range(length)]
        self.stack.append(tuple(values[::-1]))

    def extend(self, values: list[object]) -> None:
        found = self.pop(list)
        found += values
        self.stack.append(found)

    def update(self, values: list[object]) -> None:
        found = self.pop(dict)
        for key, value in zip(values[::2], values[1::2], strict=True):
            if type(key) is not str:
                raise NotationError("it has a key that is not a name")
            found[key] = value
        self.stack.append(found)

    def create(self) -> None:
        """Create an object of an admitted class without arguments."""
        if self.pop(tuple):
            raise NotationError("it creates an object with arguments")
        self.stack.append(TracedObject(self.pop(_ClassName)))

    def build(self) -> None:
        """Set the attributes of an object."""
        attributes = self.pop(dict)
        found = self.pop(TracedObject)
        found.update(attributes)
        self.stack.append(found)

    def memoize(self, index: object) -> None:
        self.memo[index] = self.stack[-1]

    def recall(self, index: object) -> None:
        if index not in self.memo:
            raise NotationError("it refers to a value that it does not have")
        self.stack.append(self.memo[index])

    def push_named_class(self) -> None:
        name = self.pop(str)
        self.push_class(f"{self.pop(str)}.{name}")


VALUES = {
    *("BININT", "BININT1", "BININT2", "LONG1", "BINFLOAT"),
    *("BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8"),
}
"""Instructions that push the number or the text behind them."""
INSTRUCTIONS: dict[str, Callable[[_Machine, object], None]] = {
    "NONE": lambda machine, _: machine.stack.append(None),
    "NEWTRUE": lambda machine, _: machine.stack.append(True),
    "NEWFALSE": lambda machine, _: machine.stack.append(False),
    "MARK": lambda machine, _: machine.stack.append(_Mark()),
    "EMPTY_LIST": lambda machine, _: machine.stack.append([]),
    "EMPTY_DICT": lambda machine, _: machine.stack.append({}),
    "EMPTY_TUPLE": lambda machine, _: machine.push_tuple(0),
    "TUPLE1": lambda machine, _: machine.push_tuple(1),
    "TUPLE2": lambda machine, _: machine.push_tuple(2),
    "TUPLE3": lambda machine, _: machine.push_tuple(3),
    "TUPLE": lambda machine, _: machine.stack.append(tuple(machine.pop_to_mark())),
    "APPEND": lambda machine, _: machine.extend([machine.stack.pop()]),
    "APPENDS": lambda machine, _: machine.extend(machine.pop_to_mark()),
    "SETITEM": lambda machine, _: machine.update([machine.stack.pop() for _ in "kv"][::-1]),
    "SETITEMS": lambda machine, _: machine.update(machine.pop_to_mark()),
    "GLOBAL": lambda machine, name: machine.push_class(str(name).replace(" ", ".")),
    "STACK_GLOBAL": lambda machine, _: machine.push_named_class(),
    "NEWOBJ": lambda machine, _: machine.create(),
    "BUILD": lambda machine, _: machine.build(),
    "MEMOIZE": lambda machine, _: machine.memoize(len(machine.memo)),
    "BINPUT": lambda machine, index: machine.memoize(index),
    "LONG_BINPUT": lambda machine, index: machine.memoize(index),
    "BINGET": lambda machine, index: machine.recall(index),
    "LONG_BINGET": lambda machine, index: machine.recall(index),
}
"""The other instructions, each with what it does, given its argument."""
