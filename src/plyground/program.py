"""How a person starts this program again."""

from __future__ import annotations

import os


def command_line(arguments: str) -> str:
    """A command for messages.

    `make play` runs a program that is on no PATH but its own, and says where it is.

    >>> command_line("play --resume")
    'plyground play --resume'
    """
    return f"{os.environ.get('PLYGROUND_COMMAND', 'plyground')} {arguments}"
