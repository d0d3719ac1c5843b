"""Settings in YAML files, read and checked the same way everywhere."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from plyground.errors import ConfigError
from plyground.hints import reason_of, suggest

if TYPE_CHECKING:
    from pathlib import Path

Settings: TypeAlias = dict[str, Any]  # values are of any type until the dataclass checks them


def read_yaml(path: str | Path, known: Sequence[str]) -> Settings:
    """The settings in a file, by name. Unknown keys are errors; an empty file is not."""
    settings = _read_mapping(path, known)
    for key in settings:
        check_known("key", key, known, f" in {path}", "")
    return settings


def read_section(path: str | Path, name: str | None, known: Sequence[str]) -> Settings:
    """The settings in a file, or in its section of that name if it has sections.

    Sections are keys such as `small:` that have the settings below them.
    """
    settings = _read_mapping(path, known)
    if not _has_sections(settings):
        if name is not None:
            raise ConfigError(f"expected sections such as '{name}:' in {path}, got settings")
        return read_yaml(path, known)
    sections = read_sections(path, known)
    if name is None:
        names = ", ".join(sections)
        raise ConfigError(f"expected the name of a section of {path}: {names}")
    check_known("section", name, sections, f" of {path}")
    return sections[name]


def read_sections(path: str | Path, known: Sequence[str]) -> dict[str, Settings]:
    """The settings in each section of a file, by the section's name."""
    sections: dict[str, Settings] = {}
    for name, settings in _read_mapping(path, known).items():
        if not isinstance(settings, Mapping):
            raise ConfigError(f"expected only sections in {path}, got the setting {name!r}")
        for key in settings:
            check_known("key", key, known, f" in section {name} of {path}", "")
        sections[str(name)] = dict(settings)
    return sections


def _has_sections(settings: Settings) -> bool:
    return any(isinstance(value, Mapping) for value in settings.values())


def _read_mapping(path: str | Path, known: Sequence[str]) -> Settings:
    from pathlib import Path  # here, to start fast

    try:
        settings = _load(Path(path).read_text(encoding="utf-8"))
    except Exception as error:  # PyYAML does not wrap what a value's constructor raises
        reason = " ".join(reason_of(error).split())
        raise ConfigError(f"cannot read {path}: {reason}") from error
    if settings is None:
        return {}
    if not isinstance(settings, dict):
        start = f"{settings!r:.60}"
        raise ConfigError(f"expected settings like '{known[0]}: ...' in {path}, got {start}")
    return settings


def beside(path: str | Path, name: str) -> str:
    """A file that the settings in `path` name: the one in the same folder, if it exists.

    Otherwise the name is returned unchanged, and is relative to the current folder.
    """
    from pathlib import Path  # here, to start fast

    found = Path(path).parent / name
    return str(found) if found.is_file() else name


def check_keys(name: str, settings: object, known: Sequence[str]) -> Settings:
    """Settings inside the setting `name`, by name. Unknown keys are errors."""
    if not isinstance(settings, Mapping):
        raise ConfigError(f"expected settings like '{known[0]}: ...' for {name}, got {settings!r}")
    for key in settings:
        check_known("key", key, known, f" of {name}")
    return dict(settings)


def check_known(
    what: str,
    name: object,
    known: Collection[str],
    where: str = "",
    otherwise: str | None = None,
) -> None:
    """Raise a ConfigError unless a name is known.

    The message suggests the closest known name; if there is none, it lists all known names, or
    says `otherwise`.

    >>> check_known("setting", "seeed", ["seed", "games"])
    Traceback (most recent call last):
    plyground._core.ConfigError: unknown setting 'seeed'; did you mean 'seed'?
    """
    if name not in known:
        hint = suggest(str(name), known, otherwise)
        raise ConfigError(f"unknown {what} {name!r}{where}" + (f"; {hint}" if hint else ""))


def _load(text: str) -> object:
    """Parse YAML, with duplicate keys as errors."""
    import yaml

    class Loader(yaml.SafeLoader):
        """Checks the keys of each mapping, of which PyYAML would silently keep the last."""

        def construct_mapping(
            self, node: yaml.MappingNode, deep: bool = False
        ) -> dict[Hashable, object]:
            keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
            for key in keys:
                if keys.count(key) > 1:
                    raise ValueError(f"duplicate key {key!r}")
            return super().construct_mapping(node, deep)

    document: object = yaml.load(text, Loader)
    return document
