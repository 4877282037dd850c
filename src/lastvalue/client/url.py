"""URLs of brokers: amqp://user:password@host:port, or amqps:// for TLS."""

import ssl
from dataclasses import dataclass, field
from urllib.parse import parse_qs, quote, unquote, urlsplit

from lastvalue.client.errors import InvalidUrlError

DEFAULT_URL = "amqp://127.0.0.1:5672"
DEFAULT_PORT = 5672
DEFAULT_TLS_PORT = 5671


@dataclass(frozen=True, slots=True)
class BrokerUrl:
    """A broker's address and credentials; without a user the client is anonymous or has a certificate.

    Attributes:
        ca_file: the file of trusted authorities for TLS; None: those that the machine trusts.
    """

    host: str
    port: int = DEFAULT_PORT
    user: str | None = None
    password: str = field(default="", repr=False)
    tls: bool = False
    ca_file: str | None = None

    def tls_context(self) -> ssl.SSLContext | None:
        """Whom a connection trusts; None: it has no TLS.

        Raises:
            InvalidUrlError: ca_file is not a file of certificates.
        """
        if not self.tls:
            return None
        try:
            return ssl.create_default_context(cafile=self.ca_file)
        except OSError as error:
            fault = (
                f"ca_file {self.ca_file!r} is not a file of certificates in PEM: {error.strerror or error}"
            )
            raise InvalidUrlError(f"amqps://{self.host}:{self.port}", fault) from None


def parse_url(url: str) -> BrokerUrl:
    """Parse a broker's URL; a host or host:port is enough.

    User and password are percent-decoded.

    Raises:
        InvalidUrlError: it has no host, another protocol, or a part that is not supported, such as a path.
    """
    try:
        parts = urlsplit(url if "://" in url else f"amqp://{url}")
        port = parts.port
        query = parse_qs(parts.query, strict_parsing=bool(parts.query), max_num_fields=1)
    except ValueError as error:
        raise InvalidUrlError(url, str(error)) from None
    except TypeError:
        raise InvalidUrlError(repr(url), "expected a text") from None
    if parts.scheme not in ("amqp", "amqps"):
        raise InvalidUrlError(url, f"the protocol must be amqp or amqps, not {parts.scheme!r}")
    if not parts.hostname:
        raise InvalidUrlError(url, "it has no host")
    if parts.path.strip("/") or parts.fragment or query.keys() - {"ca_file"}:
        raise InvalidUrlError(url, "after the port only ?ca_file=PATH is supported")
    if port == 0:
        raise InvalidUrlError(url, "the port must not be 0")
    user = unquote(parts.username) if parts.username else None
    tls = parts.scheme == "amqps"
    ca_file = query.get("ca_file", [None])[0]
    if ca_file is not None and not tls:
        raise InvalidUrlError(url, "ca_file names the authorities to trust over TLS, which needs amqps://")
    port = port or (DEFAULT_TLS_PORT if tls else DEFAULT_PORT)
    return BrokerUrl(parts.hostname, port, user, unquote(parts.password or ""), tls, ca_file)


def with_ca_file(url: str, ca_file: str) -> str:
    """The URL with its file of trusted authorities; the scheme is amqps if the URL names none.

    Raises:
        InvalidUrlError: the URL is not one of TLS, or has such a file already.
    """
    whole = url if "://" in url else f"amqps://{url}"
    if parse_url(whole).ca_file is not None:
        raise InvalidUrlError(url, "it has a ca_file already")
    named = f"{whole.rstrip('/')}?ca_file={quote(ca_file)}"
    parse_url(named)
    return named
