"""Atomic writes, and file locks that end with their process.

A file is written under a temporary name, `.NAME.tmp`, and then renamed. The writer locks it, so
that the temporary file of a killed writer can be told from one in use. A system without such locks
(Windows) takes every file as free.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

try:
    import fcntl
except ImportError:
    HAS_LOCKS = False
else:
    HAS_LOCKS = True

IS_WINDOWS = sys.platform == "win32"
"""Whether open files can be neither renamed nor removed, and folders not opened."""
if sys.platform == "win32":
    _OPEN_FLAGS = os.O_BINARY
else:
    _OPEN_FLAGS = os.O_CLOEXEC


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
    """Wait until the names in a folder are on the disk, where the system can do that."""
    if not IS_WINDOWS:
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
        if IS_WINDOWS:
            self.file.close()
        self._temporary.replace(self.path)
        self._committed = True

    def close(self) -> None:
        """Close the file, and remove it unless it has taken its name."""
        if not self._committed and not IS_WINDOWS:
            self._temporary.unlink(missing_ok=True)  # while it is locked
        with suppress(OSError):  # a full disk, which `sync` has reported
            self.file.close()
        if not self._committed and IS_WINDOWS:
            self._temporary.unlink(missing_ok=True)


def try_lock(path: Path) -> BinaryIO | None:
    """Lock a file until it is closed or the process ends; None if another process has locked it.

    What is written to it is appended.
    """
    return _try_lock(path, os.O_WRONLY | os.O_APPEND, 0o666)


def _try_lock(path: Path, flags: int, mode: int) -> BinaryIO | None:
    while True:
        opened = os.open(path, flags | os.O_CREAT | _OPEN_FLAGS, mode)
        file = os.fdopen(opened, "r+b" if flags & os.O_RDWR else "ab")
        if not _lock(file):
            file.close()
            return None
        if _is_at(path, file):
            return file
        file.close()  # the previous holder removed it after we had opened it


def _lock(file: BinaryIO) -> bool:
    """Lock an open file without waiting; whether that succeeded."""
    if not HAS_LOCKS:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def has_writer(file: BinaryIO) -> bool:
    """Whether another process has locked an open file; True where the system cannot tell."""
    if not HAS_LOCKS:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def _is_at(path: Path, file: BinaryIO) -> bool:
    """Whether an open file is still the one of that name."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False
