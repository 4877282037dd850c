"""Paths as their callers have encoded them: names with slashes, names that are empty or no UTF-8."""

from http import HTTPStatus
from typing import Final
from urllib.parse import unquote, unquote_to_bytes

from starlette.convertors import StringConvertor, register_url_convertor
from starlette.types import ASGIApp, Receive, Scope, Send

from lastvalue.http.problems import problem

SLASH: Final = "\x1f"
"""Stands for an encoded slash while a route is looked for. No name may contain it."""


class _KeyConvertor(StringConvertor):
    """A segment that may be empty: `{key:key}` in the path of a route."""

    regex = "[^/]*"


register_url_convertor("key", _KeyConvertor())


class EncodedPaths:
    """Keeps an encoded slash (%2F) in a segment, where routing alone would see two segments.

    A path or a query that is not UTF-8 is refused: its names would become others.
    """

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        raw: bytes = scope.get("raw_path") or b""
        if not (_is_utf8(raw) and _is_utf8(scope.get("query_string", b""))):
            fault = "the path or the query is not UTF-8; percent-encode the UTF-8 of each name"
            await problem(HTTPStatus.BAD_REQUEST, fault)(scope, receive, send)
            return
        if b"%2f" in raw.lower():
            path = raw.partition(b"?")[0].decode("ascii", "replace")
            parts = path.replace("%2f", "%2F").split("%2F")
            scope = {**scope, "path": SLASH.join(map(unquote, parts))}
        await self._application(scope, receive, send)


def _is_utf8(raw: bytes) -> bool:
    if b"%" not in raw and raw.isascii():
        return True
    try:
        unquote_to_bytes(raw).decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def segment(text: str) -> str:
    """The name that a segment of a path stands for."""
    return text.replace(SLASH, "/")
