"""URLs of brokers: amqp://user:password@host:port, or amqps:// for TLS."""

from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from lastvalue.client.errors import InvalidUrlError

DEFAULT_URL = "amqp://127.0.0.1:5672"
DEFAULT_PORT = 5672
DEFAULT_TLS_PORT = 5671


@dataclass(frozen=True, slots=True)
class BrokerUrl:
    """A broker's address and credentials; without a user the client is anonymous or has a certificate."""

    host: str
    port: int = DEFAULT_PORT
    user: str | None = None
    password: str = field(default="", repr=False)
    tls: bool = False


def parse_url(url: str) -> BrokerUrl:
    """Parse a broker's URL; a host or host:port is enough.

    User and password are percent-decoded.

    Raises:
        InvalidUrlError: it has no host, another protocol, or a part that is not supported (a path, a query).
    """
    try:
        parts = urlsplit(url if "://" in url else f"amqp://{url}")
        port = parts.port
    except ValueError as error:
        raise InvalidUrlError(url, str(error)) from None
    if parts.scheme not in ("amqp", "amqps"):
        raise InvalidUrlError(url, f"the protocol must be amqp or amqps, not {parts.scheme!r}")
    if not parts.hostname:
        raise InvalidUrlError(url, "it has no host")
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise InvalidUrlError(url, "a path or query after the port is not supported")
    if port == 0:
        raise InvalidUrlError(url, "the port must not be 0")
    user = unquote(parts.username) if parts.username else None
    tls = parts.scheme == "amqps"
    port = port or (DEFAULT_TLS_PORT if tls else DEFAULT_PORT)
    return BrokerUrl(parts.hostname, port, user, unquote(parts.password or ""), tls)
