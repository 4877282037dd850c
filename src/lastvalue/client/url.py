"""Where a broker is and who asks: amqp://user:password@host:port."""

from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from lastvalue.client.errors import InvalidUrlError

DEFAULT_URL = "amqp://127.0.0.1:5672"
DEFAULT_PORT = 5672


@dataclass(frozen=True, slots=True)
class BrokerUrl:
    """A broker's address and the credentials for it; no user means anonymous."""

    host: str
    port: int = DEFAULT_PORT
    user: str | None = None
    password: str = field(default="", repr=False)


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
    if parts.scheme == "amqps":
        raise InvalidUrlError(url, "TLS is not supported yet, use amqp")
    if parts.scheme != "amqp":
        raise InvalidUrlError(url, f"the protocol is amqp, not {parts.scheme!r}")
    if not parts.hostname:
        raise InvalidUrlError(url, "it names no host")
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise InvalidUrlError(url, "nothing may follow the port")
    if port == 0:
        raise InvalidUrlError(url, "port 0 is no port to connect to")
    user = unquote(parts.username) if parts.username else None
    return BrokerUrl(parts.hostname, port or DEFAULT_PORT, user, unquote(parts.password or ""))
