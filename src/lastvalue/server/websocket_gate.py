"""Which WebSocket requests may connect: by the host that they name, and by the web page that made them."""

from collections.abc import Sequence
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

ANY: Final = "*"
_NO_ORIGIN: Final = "null"
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


class WebSocketGate:
    """Decides by the `Host` and `Origin` of a request [RFC 6455 §10.2].

    A page whose own name was made to resolve to this machine has that name as its host and as its origin, so
    the host has to be one that is known. An address cannot be made to resolve, so every address may be named.

    Args:
        hosts: names of this host, besides addresses and localhost; ANY allows all.
        origins: of web pages that may connect, besides those of this host and port; ANY allows all that
            have one.
    """

    def __init__(self, hosts: Sequence[str] = (), origins: Sequence[str] = ()) -> None:
        self._hosts = frozenset(host.lower() for host in (*hosts, "localhost"))
        self._origins = frozenset(origins)

    def refusal(self, hosts: Sequence[str], origins: Sequence[str]) -> str | None:
        """Why a request with these values of its headers is refused, or None; programs have no origin."""
        if len(hosts) != 1 or len(origins) > 1:
            return "A request has one Host, and at most one Origin.\n"
        host = _host(f"//{hosts[0]}")
        if host is None or not self._is_here(host):
            return f"This broker is not known as {hosts[0]!r}; the setting ws_hosts names its hosts.\n"
        if not origins:
            return None
        origin = origins[0]
        if origin in self._origins or (ANY in self._origins and origin != _NO_ORIGIN):
            return None
        return None if _is_of(origin, hosts[0]) else f"Web pages of {origin!r} may not connect here.\n"

    def _is_here(self, host: str) -> bool:
        return host in self._hosts or ANY in self._hosts or _is_address(host)


def _host(url: str) -> str | None:
    """The host of a URL in small letters, or None if it has none."""
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _is_of(origin: str, host: str) -> bool:
    """Whether a page comes from the host and the port of a `Host` header [RFC 6454 §4]."""
    try:
        page, here = urlsplit(origin), urlsplit(f"//{host}")
        ports = page.port, here.port
    except ValueError:
        return False
    default = _DEFAULT_PORTS.get(page.scheme)
    return page.hostname == here.hostname and (ports[0] or default) == (ports[1] or default)


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
