"""The address of a store in a replicated log: nats://HOST[:PORT][,HOST[:PORT]...]/NAME."""

import re
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote

ADDRESS_FORM: Final = (
    r"(?:nats|tls)://(?:[^@/]+@)?[^@/,]+(?:,[^@/,]+)*/[A-Za-z0-9_-]{1,200}",
    "nats://[USER:PASSWORD@]HOST[:PORT][,HOST[:PORT]...]/NAME, or tls:// for the same over TLS",
)
"""The form of an address: a pattern, and in words."""

_SCHEMES: Final = ("nats://", "tls://")
_PORT: Final = 4222


@dataclass(frozen=True)
class LogAddress:
    """The servers of a log, and the name of its stream.

    Attributes:
        servers: each a host and a port.
        user, password: for the servers; a password without a user is a token.
    """

    servers: tuple[str, ...]
    name: str
    tls: bool = False
    user: str = ""
    password: str = field(default="", repr=False)

    def __str__(self) -> str:
        """The address without user and password."""
        return f"{_SCHEMES[self.tls]}{','.join(self.servers)}/{self.name}"

    @property
    def urls(self) -> list[str]:
        """The URL of each server, without user and password."""
        return [f"{_SCHEMES[self.tls]}{server}" for server in self.servers]


def is_log_address(text: str) -> bool:
    """Whether the text is meant as an address and not as a directory."""
    return text.startswith(_SCHEMES)


def read_log_address(text: str) -> LogAddress:
    """Read an address of ADDRESS_FORM."""
    if not re.fullmatch(ADDRESS_FORM[0], text):
        raise ValueError(f"expected {ADDRESS_FORM[1]}")
    scheme, _, rest = text.partition("://")
    where, _, name = rest.rpartition("/")
    credentials, _, hosts = where.rpartition("@")
    user, colon, password = credentials.partition(":")
    if credentials and not colon:
        user, password = "", user
    servers = tuple(map(_with_port, hosts.split(",")))
    return LogAddress(servers, name, scheme == "tls", unquote(user), unquote(password))


def _with_port(host: str) -> str:
    return host if re.search(r":[0-9]+$", host) and not host.endswith("]") else f"{host}:{_PORT}"
