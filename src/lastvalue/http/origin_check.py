"""Refuses what a page of another site makes a browser send."""

from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from lastvalue.http.gateway_settings import GatewaySettings, is_loopback
from lastvalue.http.problems import problem

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class OriginCheck:
    """Serves requests to the gateway's own names, and changes only for pages of its own.

    A page of another site can point its own name at this address, and a browser sends the user's password
    along with what such a page posts.
    """

    def __init__(self, application: ASGIApp, settings: GatewaySettings) -> None:
        self._application = application
        self._names = frozenset(name.lower() for name in settings.names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] in ("http", "websocket"):
            headers = Headers(scope=scope)
            # A browser opens a WebSocket for pages of any site, and these read what comes.
            refusal = self._refusal(headers, is_read=scope.get("method") in SAFE_METHODS)
            if refusal is not None:
                await problem(*refusal)(scope, receive, send)
                return
        await self._application(scope, receive, send)

    def _refusal(self, headers: Headers, *, is_read: bool) -> tuple[HTTPStatus, str] | None:
        host = headers.get("host", "")
        if not self._is_own(host):
            return (
                HTTPStatus.MISDIRECTED_REQUEST,
                f"{host!r:.80} is no name of this gateway; add it with --http-name",
            )
        origin = headers.get("origin")
        if origin is not None and not is_read and _site_of(origin) != host.lower():
            return HTTPStatus.FORBIDDEN, f"a page of {origin!r:.80} may not change or follow anything here"
        return None

    def _is_own(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self._names or is_loopback(name) or _is_address(name)


def _site_of(origin: str) -> str:
    """The host and the port of an origin in small letters, or nothing if it has none."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    """Whether it is an address: no site can make that a name of its own."""
    return bool(name) and (":" in name or name.replace(".", "").isdigit())
