"""The settings files that the package carries, by name: `plyground train tiny`.

In the repository they are in configs/; a wheel has the same folder inside the package.
"""

from __future__ import annotations

from pathlib import Path

from plyground.errors import ConfigError
from plyground.hints import suggest

_PACKAGE = Path(__file__).parent
_FOLDERS = (_PACKAGE / "configs", _PACKAGE.parents[1] / "configs")  # of a wheel, of a checkout


def find_config(kind: str, name: str | Path) -> Path:
    """The path of a settings file: a file as it is, or one of the package's by its name.

    `kind` is the folder: train, tune or arena. Only a bare word can be a name; anything with a
    folder or an extension is a path.
    """
    path = Path(name)
    if path.is_file() or path.suffix or path.name != str(name):
        return path
    known = config_names(kind)
    if path.name not in known:
        found = suggest(path.name, known, otherwise="")
        listed = f"the package has {', '.join(known)}" if known else "the package has none"
        hint = "; ".join(filter(None, (found, listed)))
        raise ConfigError(f"no file and no settings of the package named {path.name!r}: {hint}")
    return _folder(kind) / f"{path.name}.yaml"


def config_names(kind: str) -> list[str]:
    """The names of the package's settings files of a kind, in alphabetical order."""
    return sorted(path.stem for path in _folder(kind).glob("*.yaml"))


def _folder(kind: str) -> Path:
    folder = next((folder for folder in _FOLDERS if folder.is_dir()), _FOLDERS[0])
    return folder / kind
