"""Where Plyground keeps what it writes for a user: the folders of the XDG specification."""

from __future__ import annotations

import os
from pathlib import Path

from plyground.errors import ConfigError


def data_folder(*parts: str) -> Path:
    """A folder under the user's data folder, made if need be: `~/.local/share/plyground/...`."""
    home = os.environ.get("XDG_DATA_HOME", "")
    # The specification asks to ignore a relative path.
    base = Path(home) if Path(home).is_absolute() else Path.home() / ".local" / "share"
    folder = base.joinpath("plyground", *parts)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"cannot make the folder {folder}: {error.strerror}") from error
    return folder
