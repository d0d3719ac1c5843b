"""Settings in YAML files, read and checked the same way everywhere.

The only YAML loader of the project is `parse_yaml`. Files may come from anyone, so it limits their
size, their depth, and what aliases and merge keys expand to.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from plyground.errors import ConfigError
from plyground.hints import reason_of, suggest

if TYPE_CHECKING:
    from pathlib import Path

    import yaml

LONGEST = 1 << 16
"""Characters of a file."""
MOST_VALUES = 10_000
"""Keys and values of a file, with those of aliases and merge keys at each place."""
DEEPEST = 50
"""Settings inside settings."""
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
        with Path(path).open(encoding="utf-8") as file:
            settings = parse_yaml(file.read(LONGEST + 1))
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


def parse_yaml(text: str) -> object:
    """Parse YAML, with duplicate keys, and texts that are too large or too deep, as errors."""
    import yaml

    if len(text) > LONGEST:
        raise ValueError(f"expected at most {LONGEST:,} characters")
    _check_events(yaml.parse(text, yaml.SafeLoader))

    class Loader(yaml.SafeLoader):
        """Checks the keys of each mapping, of which PyYAML would silently keep the last."""

        def construct_mapping(
            self, node: yaml.MappingNode, deep: bool = False
        ) -> dict[Hashable, object]:
            seen: set[str] = set()
            for key, _ in node.value:
                if isinstance(key, yaml.ScalarNode):
                    if key.value in seen:
                        raise ValueError(f"duplicate key {key.value!r}")
                    seen.add(key.value)
            return super().construct_mapping(node, deep)

    loader = Loader(text)
    try:
        root = loader.get_single_node()
        if root is None:
            return None
        if _size(root, {}) > MOST_VALUES:
            raise ValueError(f"expected at most {MOST_VALUES:,} values")
        document: object = loader.construct_document(root)
        return document
    finally:
        loader.dispose()


def _check_events(events: Iterable[yaml.Event]) -> None:
    """Raise a ValueError as soon as the text is too deep or has too many values."""
    import yaml

    depth = values = 0
    for event in events:
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        values += isinstance(event, yaml.NodeEvent)
        if depth > DEEPEST:
            raise ValueError(f"expected at most {DEEPEST} settings inside each other")
        if values > MOST_VALUES:
            raise ValueError(f"expected at most {MOST_VALUES:,} values")


def _size(node: yaml.Node, known: dict[int, int]) -> int:
    """The number of values in a node, each alias counted with all that it stands for."""
    import yaml

    if id(node) not in known:
        known[id(node)] = MOST_VALUES + 1  # if it contains itself
        size = 1
        if isinstance(node, yaml.SequenceNode):
            size += sum(_size(item, known) for item in node.value)
        elif isinstance(node, yaml.MappingNode):
            size += sum(_size(key, known) + _size(value, known) for key, value in node.value)
        known[id(node)] = size
    return known[id(node)]
