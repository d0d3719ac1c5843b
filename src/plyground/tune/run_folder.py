"""The folder of a tuning run: one process at a time, and nothing in it that is half written.

`state.json` holds the settings, what the run has come to and its log, and is replaced as a whole:
a kill at any moment leaves the last good one, from which the same command goes on. `log.csv` is the
log again, for people and plots.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from plyground import __version__
from plyground.errors import ConfigError
from plyground.files import replacing, try_lock

Row = dict[str, float]


class RunFolder:
    """Use it in a `with`; `state` is what the run goes on from, None at the beginning.

    The settings must be those the run began with, but for the ones named in `may_change`.
    """

    def __init__(
        self, path: Path, settings: Mapping[str, Any], may_change: tuple[str, ...] = ()
    ) -> None:
        self.path = path
        self.settings = json.loads(json.dumps(settings))
        self.state: dict[str, Any] | None = None
        self.log: list[Row] = []
        try:
            path.mkdir(parents=True, exist_ok=True)
            lock = try_lock(path / ".lock")
        except OSError as error:
            raise ConfigError(f"cannot write to the folder {path}: {error.strerror}") from None
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
            before, self.state, self.log = saved["settings"], saved["state"], saved["log"]
        except (OSError, ValueError, KeyError, TypeError):
            raise ConfigError(f"cannot read {path}: not the state of a tuning run") from None
        for name, value in self.settings.items():
            if name not in may_change and before.get(name) != value:
                raise ConfigError(
                    f"the run in {self.path} began with {name} {before.get(name)!r}, "
                    f"not {value!r}; take another folder"
                )

    def save(self, state: Mapping[str, Any]) -> None:
        """Keep the state and the log; both or neither."""
        self.state = dict(state)
        content = {
            "version": __version__,
            "settings": self.settings,
            "state": self.state,
            "log": self.log,
        }
        with replacing(self.path / "state.json") as file:
            file.write(json.dumps(content).encode())
        self._write_log()

    def _write_log(self) -> None:
        text = io.StringIO()
        if self.log:
            writer = csv.DictWriter(text, list(self.log[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(self.log)
        with replacing(self.path / "log.csv") as file:
            file.write(text.getvalue().encode())

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._lock.close()
