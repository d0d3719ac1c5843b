"""The session in docs/protocol.md happens as it is written."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def session() -> list[str]:
    text = (DOCS / "protocol.md").read_text()
    match = re.search(r"## A session.*?```\n(.*?)```", text, re.DOTALL)
    assert match
    return match[1].splitlines()


def matches(expected: str, line: str) -> bool:
    return bool(re.fullmatch(re.escape(expected).replace(r"\.\.\.", ".*"), line))


def test_the_session_is_what_comes_back() -> None:
    lines = session()
    process = subprocess.Popen(
        [sys.executable, "-m", "plyground", "engine"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    assert process.stdin
    assert process.stdout
    with process, process.stdin as sent, process.stdout as answers:
        anything = False
        for expected in lines:
            if expected.startswith("> "):
                sent.write(expected.removeprefix("> ") + "\n")
            elif expected == "...":
                anything = True
            else:
                line = answers.readline().rstrip("\n")
                while anything and line.split()[:1] != expected.split()[:1]:
                    assert line, f"the engine ended before {expected!r}"
                    line = answers.readline().rstrip("\n")
                assert matches(expected, line), f"expected {expected!r}, got {line!r}"
                anything = False
        assert process.wait(timeout=60) == 0
