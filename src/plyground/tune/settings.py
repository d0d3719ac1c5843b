"""How the settings of tuning runs are read and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from typing import TypeVar

from plyground.arena.config import files_beside, setting_names
from plyground.config import Settings, check_known, parse_yaml, read_yaml
from plyground.config_files import find_config
from plyground.errors import ConfigError

T = TypeVar("T")


def names_of(kind: type) -> list[str]:
    """The fields of a dataclass of settings."""
    return [item.name for item in fields(kind)]


def arena_names(without: Sequence[str]) -> list[str]:
    """The settings of a tournament that a tuning run shares."""
    return [name for name in setting_names() if name not in without]


def load_settings(path: str | Path, known: Sequence[str], overrides: Sequence[str]) -> Settings:
    """The settings of a file, with overrides like `games=100`, whose values are YAML too.

    The file may be one of the package's, by its name; see `find_config`.
    """
    path = find_config("tune", path)
    settings = files_beside(path, read_yaml(path, known))
    for word in overrides:
        key, equals, text = word.partition("=")
        if not equals:
            raise ConfigError(f"expected 'setting=value', got {word!r}")
        check_known("setting", key, known, otherwise="")
        try:
            settings[key] = parse_yaml(text)
        except Exception:  # noqa: BLE001  as for files
            raise ConfigError(f"cannot read the value of {word!r}") from None
    return settings


def build(kind: type[T], settings: Settings, path: str | Path) -> T:
    """The dataclass of these settings; errors name the file."""
    for item in fields(kind):  # type: ignore[arg-type]  # T is a dataclass
        required = item.default is MISSING and item.default_factory is MISSING
        if required and item.name not in settings:
            raise ConfigError(f"expected the setting {item.name!r} in {path}, found none")
    try:
        return kind(**settings)
    except ConfigError as error:
        raise ConfigError(f"{error} in {path}") from None


def check_agent(name: str, value: object) -> None:
    """Raise a ConfigError unless a value is a string, as agents are named by."""
    if not isinstance(value, str):
        raise ConfigError(f"expected {name} to be the string of an agent, got {value!r}")


def check_mapping(name: str, value: object) -> Mapping[str, object]:
    """A mapping from names; a ConfigError for anything else."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise ConfigError(f"expected {name} to be names with values, got {value!r}")
    return value
