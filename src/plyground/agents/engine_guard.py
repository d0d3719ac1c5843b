"""Runs a program and ends everything it has started: `engine_guard.py FD COMMAND...`.

`engine_process.py` starts every external program under this one. It imports only what it needs, to
start in milliseconds, and nothing of plyground.

FD is a socket to the host. The guard writes an empty line once the program runs, or the reason why
it does not start. It ends when the program ends, or when the host closes the socket, as the system
does for a host that is killed. Either way it then kills all descendants of the program. As their
"subreaper" (prctl(2)) it adopts those whose parents have ended, also in other sessions; on systems
without that it kills the program's process group. The guard's exit status is the program's.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from contextlib import suppress

PR_SET_CHILD_SUBREAPER = 36
LONGEST_S = 5.0
"""Seconds of killing processes that keep starting others."""


def main(host: int, command: list[str]) -> int:
    """Run the command until it ends or the host is gone; returns its wait status."""
    os.set_inheritable(host, False)
    adopts = become_subreaper()
    ended, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    program = _start(command, host)
    _close_standard_files()
    status: int | None = None
    while status is None:
        ready, _, _ = select.select([host, ended], [], [])
        if host in ready:  # closed: the host writes nothing
            break
        os.read(ended, 1 << 16)
        status = _reap(program)
    if not adopts:
        with suppress(OSError):
            os.killpg(program, signal.SIGKILL)
    killed = _kill_children(program, status is not None)
    return killed if status is None else status


def become_subreaper() -> bool:
    """Adopt descendants whose parents end; False on systems without that."""
    if sys.platform != "linux":
        return False
    import ctypes

    return int(ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)) == 0


def _start(command: list[str], host: int) -> int:
    """Start the program in a process group of its own, and tell the host."""
    failure, report = os.pipe()  # closed by a successful exec
    program = os.fork()
    if program == 0:
        try:
            os.setpgid(0, 0)
            for number in (signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ):
                signal.signal(number, signal.SIG_DFL)  # ignored or handled in this process
            os.execvp(command[0], command)
        except OSError as error:
            os.write(report, (error.strerror or str(error)).encode())
        finally:
            os._exit(127)
    os.close(report)
    reason = os.read(failure, 1000)
    os.close(failure)
    with suppress(OSError):
        os.write(host, reason + b"\n")
    return program


def _close_standard_files() -> None:
    """Leave the pipes to the program alone, so that the host sees when it closes them."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)


def _reap(program: int) -> int | None:
    """Collect ended children; the program's wait status, if it is among them."""
    found: int | None = None
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG)) != (0, 0):
            if ended[0] == program:
                found = ended[1]
    return found


def _kill_children(program: int, has_ended: bool) -> int:
    """Kill all descendants, and the program unless it has ended; returns its wait status."""
    status = signal.SIGKILL.value
    deadline = time.monotonic() + LONGEST_S
    while time.monotonic() < deadline:
        for pid in descendants(os.getpid()) or [program] * (not has_ended):
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        try:  # each child that ends leaves its own children to the guard
            pid, ended = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            break
        if pid == program:
            status, has_ended = ended, True
        if pid == 0:
            time.sleep(0.002)
    return status


def descendants(pid: int) -> list[int]:
    """The children of a process and their descendants; [] on systems without /proc."""
    found: list[int] = []
    with suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208  pathlib is slow to import
            with suppress(OSError), open(f"/proc/{pid}/task/{task}/children") as file:  # noqa: PTH123
                for child in map(int, file.read().split()):
                    found += [child, *descendants(child)]
    return found


def kill_tree(pid: int) -> None:
    """Kill another process with all its descendants, which it adopts if it is a subreaper."""
    if sys.platform == "win32":
        with suppress(OSError):
            os.kill(pid, signal.SIGTERM)  # which ends a process at once there
        return
    with suppress(OSError):
        os.kill(pid, signal.SIGSTOP)  # so that it starts no more
    deadline = time.monotonic() + LONGEST_S
    known: set[int] = set()
    while new := set(descendants(pid)) - known:
        for child in new:
            with suppress(OSError):
                os.kill(child, signal.SIGKILL)
        known |= new
        if time.monotonic() > deadline:
            break
    with suppress(OSError):
        os.kill(pid, signal.SIGKILL)


def _end_as(status: int) -> None:
    """End with a wait status: the same exit code, or the same signal."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        import resource  # here, because Windows, which runs no guard, lacks it

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with suppress(OSError, ValueError):  # SIGKILL has no handler
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [number])
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


if __name__ == "__main__":
    _end_as(main(int(sys.argv[1]), sys.argv[2:]))
