"""Atomic writes, and file locks that end with their process.

A file is written under a temporary name, `.NAME.tmp`, and then renamed. The writer locks it, so
that the temporary file of a killed writer can be told from one in use.
"""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


@contextmanager
def atomic_write(path: Path) -> Iterator[BinaryIO]:
    """Write a file atomically: it takes its name only when it is complete and on the disk.

    A symbolic link keeps pointing to its target, which is replaced. A device or a pipe cannot be
    replaced, and is written to directly.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            yield file
        return
    replacement = _Replacement(Path(os.path.realpath(path)))
    try:
        yield replacement.file
        replacement.sync()
        replacement.commit()
    finally:
        replacement.close()
    sync_folder(replacement.path.parent)


def replace_private_file(path: Path, content: bytes) -> None:
    """Replace a file that only its owner can read, without waiting for the disk.

    From then on the content outlives this process; `sync_file` makes it outlive the system.
    """
    replacement = _Replacement(path, 0o600)
    try:
        replacement.file.write(content)
        replacement.file.flush()
        replacement.commit()
    finally:
        replacement.close()


def sync_file(path: Path) -> None:
    """Wait until the content of a file is on the disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    sync_file(folder)


def remove_temporary_files(folder: Path) -> None:
    """Remove the temporary files of writers that were killed."""
    for path in folder.glob(".*.tmp"):
        with suppress(OSError):
            if (lock := try_lock(path)) is not None:
                path.unlink(missing_ok=True)
                lock.close()


class _Replacement:
    """A file under a temporary name, which `commit` gives its own."""

    def __init__(self, path: Path, mode: int = 0o666) -> None:
        self.path = path
        self._temporary = path.with_name(f".{path.name}.tmp")
        file = _try_lock(self._temporary, os.O_RDWR, mode)
        if file is None:  # another thread or process writes the same file
            name = f".{path.name}.{os.getpid()}-{threading.get_ident()}.tmp"
            self._temporary = path.with_name(name)
            file = _try_lock(self._temporary, os.O_RDWR, mode)
            if file is None:
                raise OSError(f"cannot lock {self._temporary}")
        self.file = file
        self._committed = False
        try:
            file.truncate(0)
        except OSError:
            self.close()
            raise

    def sync(self) -> None:
        """Wait until the content is on the disk."""
        self.file.flush()
        os.fsync(self.file.fileno())

    def commit(self) -> None:
        """Take the final name."""
        self._temporary.replace(self.path)
        self._committed = True

    def close(self) -> None:
        """Close the file, and remove it unless it has taken its name."""
        if not self._committed:
            self._temporary.unlink(missing_ok=True)
        with suppress(OSError):  # a full disk, which `sync` has reported
            self.file.close()


def try_lock(path: Path) -> BinaryIO | None:
    """Lock a file until it is closed or the process ends; None if another process has locked it.

    What is written to it is appended.
    """
    return _try_lock(path, os.O_WRONLY | os.O_APPEND, 0o666)


def _try_lock(path: Path, flags: int, mode: int) -> BinaryIO | None:
    while True:
        opened = os.open(path, flags | os.O_CREAT | os.O_CLOEXEC, mode)
        file = os.fdopen(opened, "r+b" if flags & os.O_RDWR else "ab")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            return None
        if _is_at(path, file):
            return file
        file.close()  # the previous holder removed it after we had opened it


def _is_at(path: Path, file: BinaryIO) -> bool:
    """Whether an open file is still the one of that name."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False
