"""Settings in YAML files, read the same way wherever there are any."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from plyground.errors import ConfigError


def read_yaml(path: str | Path, known: Sequence[str]) -> dict[str, Any]:
    """The settings in a file, by name; keys that are not known are errors, an empty file is not."""
    import yaml

    try:
        settings = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"cannot read {path}: {' '.join(str(error).split())}") from error
    if settings is None:
        return {}
    if not isinstance(settings, dict):
        raise ConfigError(f"expected settings like '{known[0]}: ...' in {path}, got {settings!r}")
    for key in settings:
        if key not in known:
            close = get_close_matches(str(key), known, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise ConfigError(f"unknown key {key!r} in {path}{hint}")
    return settings
