"""How an external program is started and configured, read from an agent's string or YAML file."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

from plyground.agents.engine_adapter import EngineAdapter
from plyground.checks import check_range
from plyground.config import check_keys, read_yaml
from plyground.errors import ConfigError
from plyground.search.limits import LIMIT_NAMES, SearchLimits

LONGEST_S = 86_400


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
    adapter: EngineAdapter = field(default_factory=EngineAdapter)

    def __post_init__(self) -> None:
        check_range("startup", self.startup, 0.001, LONGEST_S, float)
        check_range("patience", self.patience, 0.001, LONGEST_S, float)

    def check(self) -> None:
        """Raise a ConfigError unless the program exists."""
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
        """The program that follows `engine:` in an agent's string: a command, or a YAML file."""
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
                values["limits"] = SearchLimits(
                    **{LIMIT_NAMES[key]: n for key, n in limits.items()}
                )
            values["adapter"] = EngineAdapter.of(values.get("adapter") or {})
            return cls(**values)
        except (ConfigError, ValueError) as error:
            raise ConfigError(f"{error} in {path}") from None
