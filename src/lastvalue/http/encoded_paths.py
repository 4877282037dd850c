"""Paths whose segments contain encoded slashes."""

from typing import Final
from urllib.parse import unquote

from starlette.types import ASGIApp, Receive, Scope, Send

SLASH: Final = "\x1f"
"""Stands for an encoded slash while a route is looked for. No name may contain it."""


class EncodedPaths:
    """Keeps an encoded slash (%2F) in a segment, where routing alone would see two segments."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        raw: bytes | None = scope.get("raw_path")
        if raw is not None and b"%2f" in raw.lower():
            path = raw.partition(b"?")[0].decode("ascii", "replace")
            parts = path.replace("%2f", "%2F").split("%2F")
            scope = {**scope, "path": SLASH.join(map(unquote, parts))}
        await self._application(scope, receive, send)


def segment(text: str) -> str:
    """The name that a segment of a path stands for."""
    return text.replace(SLASH, "/")
