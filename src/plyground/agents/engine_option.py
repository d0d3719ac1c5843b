"""The options that an external program declares, and whether a value suits one.

A program that declares options is sent no others, and no value that it did not allow, since most
programs ignore such a line without a word. What cannot be read in a declaration allows any value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from plyground.errors import ConfigError
from plyground.hints import suggest

_FIELDS = ("type", "default", "min", "max", "var")
"""The words that begin a part of a declaration."""


@dataclass(frozen=True, slots=True)
class DeclaredOption:
    """An option of a program, as its `option` line declares it."""

    name: str
    kind: str = ""
    """The type: `spin`, `check`, `combo`, `string` or `button`; empty if it has none."""
    lowest: int | None = None
    highest: int | None = None
    choices: tuple[str, ...] = ()

    @classmethod
    def parse(cls, words: Sequence[str]) -> DeclaredOption:
        """The option of the words that follow `option name`.

        >>> DeclaredOption.parse("Hash type spin default 1 min 1 max 9".split())
        DeclaredOption(name='Hash', kind='spin', lowest=1, highest=9, choices=())
        """
        parts: list[tuple[str, list[str]]] = [("name", [])]
        for word in words:
            if word in _FIELDS:
                parts.append((word, []))
            else:
                parts[-1][1].append(word)
        texts = [(field, " ".join(value)) for field, value in parts]
        found = dict(texts)
        choices = tuple(value for field, value in texts if field == "var")
        lowest, highest = (_whole(found.get(field, "")) for field in ("min", "max"))
        return cls(found["name"], found.get("type", ""), lowest, highest, choices)

    def check(self, value: str) -> None:
        """Raise a ConfigError for a value that the declaration does not allow."""
        expected = ""
        if self.kind == "spin":
            expected = self._range_missed(_whole(value))
        elif self.kind == "check" and value.lower() not in ("true", "false"):
            expected = "true or false"
        elif (
            self.kind == "combo"
            and self.choices
            and value.lower() not in [choice.lower() for choice in self.choices]
        ):
            expected = f"one of {', '.join(self.choices)}"
        if expected:
            raise ConfigError(f"expected {expected} for the option {self.name!r}, got {value!r}")

    def _range_missed(self, number: int | None) -> str:
        """What was expected in place of a number; empty if it is in the range."""
        lowest, highest = self.lowest, self.highest
        if number is not None and (
            (lowest is None or lowest <= number) and (highest is None or number <= highest)
        ):
            return ""
        since = "" if lowest is None else f" from {lowest}"
        return f"a whole number{since}" + ("" if highest is None else f" to {highest}")


def check_options(options: Mapping[str, str], declared: Iterable[DeclaredOption]) -> None:
    """Raise a ConfigError for an option that is not declared, or for a value that is not allowed.

    A program that declares no options is sent any.
    """
    known = {option.name.lower(): option for option in declared}
    for name, value in options.items() if known else ():
        if name.lower() not in known:
            names = [option.name for option in known.values()]
            hint = suggest(name, names, otherwise="")
            raise ConfigError(
                f"expected an option among {', '.join(sorted(names))}, got {name!r}"
                + (f"; {hint}" if hint else "")
            )
        known[name.lower()].check(value)


def _whole(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None
