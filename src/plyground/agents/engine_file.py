"""Another program as an agent: how it is started, and what it is told. Read from text or YAML."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

from plyground.agents.dialect import Dialect
from plyground.config import check_keys, read_yaml
from plyground.errors import ConfigError
from plyground.search.limits import LIMIT_NAMES, SearchLimits


@dataclass(frozen=True, slots=True)
class EngineProgram:
    """A program that plays."""

    command: tuple[str, ...]
    """The program and its arguments."""
    folder: Path | None = None
    """Where it is run; by default where we are."""
    options: Mapping[str, str] = field(default_factory=dict)
    """What it is told at the start, by name."""
    limits: SearchLimits | None = None
    """How long it thinks when nobody says otherwise; by default as it likes."""
    startup: float = 30.0
    """Seconds until it has to answer the greeting."""
    patience: float = 60.0
    """Seconds of silence, beyond what it may think, after which it has lost."""
    adapter: Dialect = field(default_factory=Dialect)

    def __post_init__(self) -> None:
        for name in ("startup", "patience"):
            value = getattr(self, name)
            if type(value) not in (int, float) or not 0 < value <= 86_400:
                raise ConfigError(f"expected {name} to be seconds up to 86400, got {value!r}")

    def check(self) -> None:
        """Refuse a program that is not there."""
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
        """From what follows `engine:` in an agent's string: a command, or a YAML file's name."""
        if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
            text = text[1:-1]
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise ConfigError(f"cannot read the command {text!r}: {error}") from None
        if not words:
            raise ConfigError("expected a command after 'engine:', got nothing")
        if len(words) == 1 and Path(words[0]).suffix in (".yaml", ".yml"):
            program = cls.load(words[0])
        else:
            program = cls(tuple(words))
        program.check()
        return program

    @classmethod
    def load(cls, path: str | Path) -> EngineProgram:
        """From a YAML file; `folder` is relative to where the file is."""
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
                values["limits"] = SearchLimits(
                    **{LIMIT_NAMES[key]: n for key, n in limits.items()}
                )
            values["adapter"] = Dialect.of(values.get("adapter") or {})
            return cls(**values)
        except (ConfigError, ValueError) as error:
            raise ConfigError(f"{error} in {path}") from None
