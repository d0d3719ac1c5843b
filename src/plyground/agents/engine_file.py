"""How an external program is started and configured, read from an agent's string or YAML file."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from plyground.agents.engine_adapter import EngineAdapter
from plyground.checks import check_range
from plyground.config import Settings, check_keys, read_yaml
from plyground.errors import ConfigError
from plyground.hints import closest, suggest
from plyground.search.limits import LIMIT_NAMES, SearchLimits

LONGEST_S = 86_400
_OPTION = "option."
"""The start of a key that sets an option of the program."""
KEYS = ("cmd", "name", "dir", "restart", "ponder", "timemargin", "startup", "patience")
"""Keys in an agent's string, beside limits and options."""
_INNER_KEY = re.compile(r",\s*(\w[\w.]*)\s*=")
"""What looks like a key within a value."""
_KEY = re.compile(rf"({'|'.join((*KEYS, *LIMIT_NAMES))}|option\.[^,=]+)=")


@dataclass(frozen=True, slots=True)
class EngineProgram:
    """The command of a program that plays, and its settings."""

    command: tuple[str, ...]
    """The program and its arguments."""
    folder: Path | None = None
    """Its working directory, by default the current one."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Options sent at the start, by name."""
    limits: SearchLimits | None = None
    """Limits of a search that was given none; by default the program decides."""
    startup: float = 30.0
    """Seconds to get ready after the start before it forfeits."""
    patience: float = 60.0
    """Grace period in seconds after the time limit before an unresponsive program forfeits."""
    name: str = ""
    """The name that tables show; by default the one that the program gives itself."""
    restart: bool | None = None
    """Whether the program starts again for every game; None for only if it has no command for a
    new game."""
    ponder: bool = False
    """Whether the program searches during the opponent's turn."""
    timemargin: float = 0.0
    """Milliseconds by which the program may overstep its clock without losing."""
    adapter: EngineAdapter = field(default_factory=EngineAdapter)

    def __post_init__(self) -> None:
        check_range("startup", self.startup, 0.001, LONGEST_S, float)
        check_range("patience", self.patience, 0.001, LONGEST_S, float)
        check_range("timemargin", self.timemargin, 0, LONGEST_S * 1000, float)
        if type(self.name) is not str or not self.name.isprintable():
            raise ConfigError(f"expected a name of one line, got {self.name!r}")
        for key in ("restart", "ponder"):
            if not isinstance(getattr(self, key), bool | None):
                raise ConfigError(f"expected {key} to be on or off, got {getattr(self, key)!r}")
        adapter = self.adapter
        if self.restart is False and (adapter.new_game is None or adapter.ready is None):
            raise ConfigError("restart=off needs 'new_game' and 'ready' in the adapter")
        if self.ponder and (
            adapter.move is not None or None in (adapter.ponder, adapter.ponderhit, adapter.stop)
        ):
            raise ConfigError(
                "ponder=on needs 'position', 'ponder', 'ponderhit' and 'stop' in the adapter"
            )

    @property
    def stays(self) -> bool:
        """Whether the program can play several games without a restart."""
        adapter = self.adapter
        return not self.restart and adapter.new_game is not None and adapter.ready is not None

    def check(self) -> None:
        """Raise a ConfigError unless the program exists."""
        if self.folder is not None and not self.folder.is_dir():
            raise ConfigError(f"cannot find the folder {str(self.folder)!r}")
        program = self.command[0]
        where = (
            str(self.folder / program) if self.folder is not None and "/" in program else program
        )
        if shutil.which(where) is None:
            raise ConfigError(
                f"cannot find the program {program!r}; an agent's options are written "
                "'engine:option=value'"
            )

    @classmethod
    def of(cls, text: str) -> EngineProgram:
        """The program that follows `engine:` in an agent's string.

        That is a command, a YAML file, or `cmd=` and further keys, separated by commas.

        >>> program = EngineProgram.of("cmd=sh theirs.sh,name=Theirs,option.Hash=64,restart=on")
        >>> program.command, program.name, dict(program.options), program.restart
        (('sh', 'theirs.sh'), 'Theirs', {'Hash': '64'}, True)
        """
        if has_command_key(text):
            keys = split_keys(text)
            program = cls._of_command(keys.pop("cmd"))._with_keys(keys)
        else:
            program = cls._of_command(text)
        program.check()
        return program

    @classmethod
    def _of_command(cls, text: str) -> EngineProgram:
        if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
            text = text[1:-1]
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise ConfigError(f"cannot read the command {text!r}: {error}") from None
        if not words:
            raise ConfigError("expected a command after 'engine:', got nothing")
        if len(words) == 1 and Path(words[0]).suffix in (".yaml", ".yml"):
            return cls.load(words[0])
        return cls(tuple(words))

    def _with_keys(self, keys: Mapping[str, str]) -> EngineProgram:
        """This program with the settings of an agent's string."""
        values: Settings = {"options": dict(self.options)}
        limits: Settings = {}
        for key, text in keys.items():
            if key.startswith(_OPTION):
                values["options"][key.removeprefix(_OPTION)] = text
            elif key == "dir":
                values["folder"] = Path(text)
            elif key == "name":
                values["name"] = text
            elif key in ("restart", "ponder"):
                values[key] = _read_switch(key, text)
            elif key in LIMIT_NAMES:
                limits[key] = _read_number(key, text)
            else:
                values[key] = _read_number(key, text)
        if limits:
            values["limits"] = SearchLimits.of(limits)
        return replace(self, **values)

    @classmethod
    def load(cls, path: str | Path) -> EngineProgram:
        """The program that a YAML file describes; its `folder` is relative to the file."""
        known = [item.name for item in fields(cls)]
        values = read_yaml(path, known)
        try:
            command = values.get("command")
            if not isinstance(command, str) or not command.split():
                raise ConfigError(f"expected a command, got {command!r}")
            values["command"] = tuple(shlex.split(command))
            if values.get("folder") is not None:
                values["folder"] = Path(path).parent / str(values["folder"])
            options = values.get("options") or {}
            if not isinstance(options, Mapping):
                raise ConfigError(f"expected options by name, got {options!r}")
            values["options"] = {str(name): str(value) for name, value in options.items()}
            if values.get("limits") is not None:
                limits = check_keys("limits", values["limits"], list(LIMIT_NAMES))
                values["limits"] = SearchLimits.of(limits)
            values["adapter"] = EngineAdapter.of(values.get("adapter") or {})
            return cls(**values)
        except (ConfigError, ValueError) as error:
            raise ConfigError(f"{error} in {path}") from None


def has_command_key(text: str) -> bool:
    """Whether what follows `engine:` has the key `cmd`, so that it names an external program.

    >>> has_command_key("name=Theirs,cmd=./theirs"), has_command_key("time=1")
    (True, False)
    """
    if not re.match(r"[\w.]+=", text) or not re.search(r"(^|,)cmd=", text):
        return False
    if not _KEY.match(text):
        key = text.partition("=")[0]
        raise ConfigError(f"unknown key {key!r} of an engine; {suggest(key, KEYS)}")
    return True


def split_keys(text: str) -> dict[str, str]:
    """The keys and values of an agent's string; a comma that no key follows belongs to the value.

    >>> split_keys("cmd=./theirs --list 1,2,option.Hash=64")
    {'cmd': './theirs --list 1,2', 'option.Hash': '64'}
    """
    found: dict[str, str] = {}
    for part in _split_at_keys(text):
        key, _, value = part.partition("=")
        for word in _INNER_KEY.findall(value):
            _check_no_misspelt_key(word, text)
        if key in found:
            raise ConfigError(f"the key {key!r} is given twice in {text!r}")
        found[key] = value
    return found


def _check_no_misspelt_key(word: str, text: str) -> None:
    """Raise a ConfigError for a word before `=` within a value that is nearly a key."""
    name = word.partition(".")[0].lower()
    known = [_OPTION.rstrip(".")] if "." in word else [*KEYS, *LIMIT_NAMES]
    if close := closest(name, known, at_least=0.8):
        right = close + word[len(name) :]
        raise ConfigError(f"unknown key {word!r} in {text!r}; did you mean {right!r}?")


def _split_at_keys(text: str) -> list[str]:
    return re.split(rf",(?={_KEY.pattern.replace('(', '(?:', 1)})", text)


def _read_switch(key: str, text: str) -> bool:
    if text not in ("on", "off"):
        raise ConfigError(f"expected on or off for {key}, got {text!r}")
    return text == "on"


def _read_number(key: str, text: str) -> float:
    try:
        return int(text) if text.isdecimal() else float(text)
    except ValueError:
        raise ConfigError(f"expected a number for {key}, got {text!r}") from None
