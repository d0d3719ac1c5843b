"""Names that a package exports and imports on first use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module

EXTRAS = {"onnx": "train", "torch": "train"}
"""Libraries that only some names need, each with the extra that installs it."""


def lazy_names(
    package: str, modules: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """The functions `__getattr__` and `__dir__` of a package, from its names by module.

    >>> find, names = lazy_names("plyground.games", {"score": ["Score", "Unit"]})
    >>> find("Score").__module__, names()
    ('plyground.games.score', ['Score', 'Unit'])
    """
    places = {name: module for module, names in modules.items() for name in names}

    def find(name: str) -> object:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        try:
            return getattr(import_module(f"{package}.{places[name]}"), name)
        except ModuleNotFoundError as error:
            raise missing_extra(f"{package}.{name}", error) from error

    return find, lambda: sorted(places)


def missing_extra(what: str, error: ModuleNotFoundError) -> ImportError:
    """The error to raise for a missing library: which extra installs it, if one does.

    >>> missing_extra("plyground.nets.PathNet", ModuleNotFoundError(name="torch")).args[0]
    "plyground.nets.PathNet needs torch: pip install 'plyground[train]'"
    """
    if error.name not in EXTRAS:
        return error
    extra = EXTRAS[error.name]
    return ImportError(f"{what} needs {error.name}: pip install 'plyground[{extra}]'")
