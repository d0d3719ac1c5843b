"""The page's files, served from memory: no request ever reaches the disk."""

from __future__ import annotations

import gzip
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
PAGES = ("/play", "/puzzles", "/watch")
"""Addresses that the page's script shows."""
_COMMENT_LINES = re.compile(rb"^[ \t]*(?:/\*\*(?:[^*]|\*(?!/))*\*/|//[^\n]*)[ \t]*$", re.MULTILINE)
"""Comments on lines of their own in a script."""


@dataclass(frozen=True, slots=True)
class _File:
    body: bytes
    packed: bytes
    type: str
    tag: str

    @classmethod
    def read(cls, path: Path) -> _File:
        body = path.read_bytes()
        if path.suffix == ".js":
            body = without_comments(body)
        tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        return cls(body, gzip.compress(body, mtime=0), TYPES[path.suffix], tag)


class PageFiles:
    """Serves the files of a folder; `/` and the addresses in PAGES are its index.html."""

    def __init__(self, folder: Path) -> None:
        self._files = {f"/{path.name}": _File.read(path) for path in sorted(folder.iterdir())}
        index = self._files.pop("/index.html")
        self._files |= dict.fromkeys(("/", *PAGES), index)

    async def answer(self, request: Request) -> Response:
        """The file, 304 if the browser has it, or 404."""
        file = self._files.get(request.url.path)
        if file is None:
            return PlainTextResponse("there is no such page", 404)
        headers = {"etag": file.tag, "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == file.tag:
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            return Response(file.packed, headers=headers, media_type=file.type)
        return Response(file.body, headers=headers, media_type=file.type)


def without_comments(script: bytes) -> bytes:
    """A script without the comments on lines of their own; the numbers of the lines stay."""
    return _COMMENT_LINES.sub(lambda found: b"\n" * found[0].count(b"\n"), script)
