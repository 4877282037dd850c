"""Where a broker is and who asks: amqp://user:password@host:port, or amqps:// for TLS."""

from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from lastvalue.client.errors import InvalidUrlError

DEFAULT_URL = "amqp://127.0.0.1:5672"
DEFAULT_PORT = 5672
DEFAULT_TLS_PORT = 5671


@dataclass(frozen=True, slots=True)
class BrokerUrl:
    """A broker's address and the credentials for it; without a user, anonymous or by certificate."""

    host: str
    port: int = DEFAULT_PORT
    user: str | None = None
    password: str = field(default="", repr=False)
    tls: bool = False


def parse_url(url: str) -> BrokerUrl:
    """The parts of a broker's URL; a host alone or host:port will do.

    User and password are percent-decoded.

    Raises:
        InvalidUrlError: it names no host, another protocol, or what does not exist here (a path, a query).
    """
    try:
        parts = urlsplit(url if "://" in url else f"amqp://{url}")
        port = parts.port
    except ValueError as error:
        raise InvalidUrlError(url, str(error)) from None
    if parts.scheme not in ("amqp", "amqps"):
        raise InvalidUrlError(url, f"the protocol is amqp or amqps, not {parts.scheme!r}")
    if not parts.hostname:
        raise InvalidUrlError(url, "it names no host")
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise InvalidUrlError(url, "nothing may follow the port")
    if port == 0:
        raise InvalidUrlError(url, "port 0 is no port to connect to")
    user = unquote(parts.username) if parts.username else None
    tls = parts.scheme == "amqps"
    port = port or (DEFAULT_TLS_PORT if tls else DEFAULT_PORT)
    return BrokerUrl(parts.hostname, port, user, unquote(parts.password or ""), tls)
