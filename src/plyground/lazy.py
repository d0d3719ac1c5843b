"""Names that a package exports and imports on first use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module

from plyground.extras import missing_extra as missing_extra


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
