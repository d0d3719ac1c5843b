"""Settings in YAML files, read the same way wherever there are any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from plyground.errors import ConfigError


def read_yaml(path: str | Path, known: Sequence[str]) -> dict[str, Any]:
    """The settings in a file, by name; keys that are not known are errors, an empty file is not."""
    try:
        settings = _load(Path(path).read_text(encoding="utf-8"))
    except Exception as error:  # PyYAML lets whatever a value's constructor raises escape
        reason = error.strerror if isinstance(error, OSError) else str(error)
        words = " ".join((reason or "").split()) or type(error).__name__
        raise ConfigError(f"cannot read {path}: {words}") from error
    if settings is None:
        return {}
    if not isinstance(settings, dict):
        start = f"{settings!r:.60}"
        raise ConfigError(f"expected settings like '{known[0]}: ...' in {path}, got {start}")
    for key in settings:
        if key not in known:
            close = get_close_matches(str(key), known, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise ConfigError(f"unknown key {key!r} in {path}{hint}")
    return settings


def beside(path: str | Path, name: str) -> str:
    """A file that the settings in `path` name: the one that lies beside them, if there is one.

    Otherwise the name stays as it is, and is one in the current folder.
    """
    found = Path(path).parent / name
    return str(found) if found.is_file() else name


def check_keys(name: str, settings: Any, known: Sequence[str]) -> dict[str, Any]:
    """Settings inside a setting, by name; keys that are not known are errors."""
    if not isinstance(settings, Mapping):
        raise ConfigError(f"expected settings like '{known[0]}: ...' for {name}, got {settings!r}")
    for key in settings:
        if key not in known:
            close = get_close_matches(str(key), known, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(known)}"
            raise ConfigError(f"unknown key {key!r} of {name}; {hint}")
    return dict(settings)


def _load(text: str) -> Any:
    """The document in a text; plain YAML, but a key that is there twice is an error."""
    import yaml

    class Loader(yaml.SafeLoader):
        """Looks at the keys of every mapping before PyYAML lets the last one win."""

        def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> Any:
            keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
            for key in keys:
                if keys.count(key) > 1:
                    raise ValueError(f"the key {key!r} is there twice")
            return super().construct_mapping(node, deep)

    return yaml.load(text, Loader)
