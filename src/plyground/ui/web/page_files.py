"""The page's files, served from memory: no request ever reaches the disk."""

from __future__ import annotations

import gzip
import hashlib
import html
import re
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from plyground.program import command_line
from plyground.ui.web.document_pages import missing_pages, rules_pages
from plyground.ui.web.texts import COOKIE, LANGUAGES, choose_language, render

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
PAGES = ("game", "learn", "play", "puzzles", "watch")
"""Parts of the page that have addresses; address.js has the same list."""
_ADDRESS = re.compile(rf"/|/(?:{'|'.join(PAGES)})(?:/[\w-]{{1,100}})?", re.ASCII)
"""Addresses of the page: a part may show one of its items, such as the puzzle of /puzzles/12."""
_COMMENT_LINES = re.compile(rb"^[ \t]*(?:/\*(?:[^*]|\*(?!/))*\*/|//[^\n]*)[ \t]*$", re.MULTILINE)
"""Comments on lines of their own in a script or a style sheet."""
_INDENTATION = re.compile(rb"^[ \t]+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _File:
    body: bytes
    packed: bytes
    type: str
    tag: str

    @classmethod
    def of(cls, body: bytes, suffix: str) -> _File:
        tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        return cls(body, gzip.compress(body, mtime=0), TYPES[suffix], tag)

    @classmethod
    def read(cls, path: Path) -> _File:
        return cls.of(shortened(path.read_bytes()), path.suffix)


class PageFiles:
    """Serves the files of a folder, and pages that are made from its templates.

    `/` and the addresses of PAGES are index.html; the rules, and what is said at addresses of
    nothing, are made from document.html. Their texts are in the language of the request.
    """

    def __init__(self, folder: Path) -> None:
        index = folder / "index.html"
        document = folder / "document.html"
        templates = (index, document)
        files = (path for path in sorted(folder.iterdir()) if path not in templates)
        self._files = {f"/{path.name}": _File.read(path) for path in files}
        template = index.read_text("utf-8")
        command = html.escape(command_line("").rstrip())
        self._index = {
            language: _File.of(
                shortened(render(template, language, command=command).encode()), ".html"
            )
            for language in LANGUAGES
        }
        document_template = document.read_text("utf-8")
        self._missing = missing_pages(document_template)
        self._rules = {
            path: {language: _File.of(page.encode(), ".html") for language, page in pages.items()}
            for path, pages in rules_pages(document_template).items()
        }

    def _find(self, request: Request) -> _File | None:
        path = request.url.path
        if not _ADDRESS.fullmatch(path) and path not in self._rules:
            return self._files.get(path)
        language = _language(request)
        return self._rules[path][language] if path in self._rules else self._index[language]

    async def answer(self, request: Request) -> Response:
        """The file, 304 if the browser has it, or 404."""
        file = self._find(request)
        if file is None:
            return HTMLResponse(self._missing[_language(request)], 404)
        headers = {"etag": file.tag, "vary": "accept-encoding, accept-language, cookie"}
        if request.headers.get("if-none-match") == file.tag:
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            return Response(file.packed, headers=headers, media_type=file.type)
        return Response(file.body, headers=headers, media_type=file.type)


def _language(request: Request) -> str:
    accepted = request.headers.get("accept-language", "")
    return choose_language(request.cookies.get(COOKIE), accepted)


def shortened(text: bytes) -> bytes:
    """A file without indentation and comments on lines of their own; line numbers stay."""
    without = _COMMENT_LINES.sub(lambda found: b"\n" * found[0].count(b"\n"), text)
    return _INDENTATION.sub(b"", without)
