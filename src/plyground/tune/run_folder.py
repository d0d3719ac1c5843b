"""The folder of a tuning run, used by one process at a time.

`state.json` holds the settings, the state of the run and its log. It is replaced atomically: after
a kill at any moment, the same command continues from the last saved state. `log.csv` is a copy of
the log for people and plots.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from plyground import __version__
from plyground.config import Settings
from plyground.errors import ConfigError
from plyground.files import atomic_write, try_lock
from plyground.hints import reason_of

LogRow: TypeAlias = dict[str, float]
OnProgress: TypeAlias = Callable[[int, int], object]
"""Called with the work that is done and the work in total."""


class RunFolder:
    """A context manager.

    The settings must be those the run began with, except for the ones named in `may_change`.
    """

    def __init__(
        self, path: Path, settings: Mapping[str, object], may_change: tuple[str, ...] = ()
    ) -> None:
        self.path = path
        self.settings = json.loads(json.dumps(settings))
        self._current: tuple[Settings | None, list[LogRow]] = (None, [])
        """The state and the log, replaced together: Ctrl-C cannot separate them."""
        try:
            path.mkdir(parents=True, exist_ok=True)
            lock = try_lock(path / ".lock")
        except OSError as error:
            raise ConfigError(f"cannot write to the folder {path}: {reason_of(error)}") from None
        if lock is None:
            raise ConfigError(f"another process is tuning in {path}")
        self._lock = lock
        try:
            self._read(may_change)
        except BaseException:
            lock.close()
            raise

    def _read(self, may_change: tuple[str, ...]) -> None:
        path = self.path / "state.json"
        if not path.exists():
            return
        try:
            saved = json.loads(path.read_text(encoding="utf-8"))
            before, self._current = saved["settings"], (saved["state"], saved["log"])
        except (OSError, ValueError, KeyError, TypeError):
            raise ConfigError(f"cannot read {path}: not the state of a tuning run") from None
        for name, value in self.settings.items():
            if name not in may_change and before.get(name) != value:
                raise ConfigError(
                    f"the run in {self.path} began with {name} {before.get(name)!r}, "
                    f"not {value!r}; use another folder"
                )

    @property
    def state(self) -> Settings | None:
        """What the run continues from; None for a new run."""
        return self._current[0]

    @property
    def log(self) -> list[LogRow]:
        """The rows so far."""
        return self._current[1]

    def add(self, state: Mapping[str, object], row: LogRow) -> None:
        """Add a row, with the state after it; `save` writes both."""
        self._current = (dict(state), [*self.log, row])

    def save(self) -> None:
        """Write the state and the log together, if there are any."""
        if self.state is None:
            return
        content = {
            "version": __version__,
            "settings": self.settings,
            "state": self.state,
            "log": self.log,
        }
        try:
            with atomic_write(self.path / "state.json") as file:
                file.write(json.dumps(content).encode())
            self._write_log()
        except OSError as error:
            reason = reason_of(error)
            raise ConfigError(f"cannot write to the folder {self.path}: {reason}") from None

    def _write_log(self) -> None:
        text = io.StringIO()
        if self.log:
            writer = csv.DictWriter(text, list(self.log[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(self.log)
        with atomic_write(self.path / "log.csv") as file:
            file.write(text.getvalue().encode())

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.close()
