"""Where Plyground keeps a user's files: the folders of the XDG specification."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from plyground.errors import ConfigError
from plyground.hints import reason_of


def data_folder(*parts: str) -> Path:
    """A folder under the user's data folder, created if missing: `~/.local/share/plyground/...`."""
    folder = data_path(*parts)
    make_folder(folder)
    return folder


def data_path(*parts: str) -> Path:
    """The path of a folder under the user's data folder, which may not exist."""
    home = os.environ.get("XDG_DATA_HOME", "")
    # The specification asks to ignore a relative path.
    base = Path(home) if Path(home).is_absolute() else Path.home() / ".local" / "share"
    return base.joinpath("plyground", *parts)


def make_folder(folder: Path, *, private: bool = False) -> None:
    """Create a folder and its parents, unless it exists; only its owner may open a private one."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if private and sys.platform != "win32" and folder.stat().st_uid == os.getuid():
            folder.chmod(0o700)
    except OSError as error:
        raise ConfigError(f"cannot create the folder {folder}: {reason_of(error)}") from error
