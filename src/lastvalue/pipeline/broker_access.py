"""The connection of a task to the broker, and the options for it that source and sink share."""

import re
import ssl
from collections.abc import Callable, Mapping
from typing import Final, TypeVar
from urllib.parse import quote, urlsplit, urlunsplit

from lastvalue.client import blocking
from lastvalue.client.connection import DEFAULT_TIMEOUT_S
from lastvalue.client.errors import ConnectFailedError, RefusedError
from lastvalue.client.redirect import redirect_in
from lastvalue.client.url import DEFAULT_URL, parse_url
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError

ACCESS_OPTIONS: Final = ("url", "user", "password", "caFile")

_BETWEEN_URLS: Final = re.compile(r",(?=amqps?://)")

MOST_HOPS: Final = 3
"""How many brokers a task tries on its way to the one that leads."""

_Made = TypeVar("_Made")

ErrorType = Callable[[str], LastvalueError]
"""Makes the caller's error from a text."""


def broker_url(options: Mapping[str, str], error_type: ErrorType) -> str:
    """The broker's URL with credentials.

    Args:
        options: names in lower case; `url` may have several, with commas, of brokers that share a log.
        error_type: the error to raise where options contradict each other.

    Raises:
        InvalidUrlError: the URL names no broker.
    """
    url = options.get("url", DEFAULT_URL)
    urls = each_url(url)
    users = [parse_url(each).user for each in urls]
    if "user" not in options:
        if "password" in options:
            raise error_type("a password needs the option 'user'")
        return url
    if any(user is not None for user in users):
        raise error_type("the URL names a user already: leave out the option 'user'")
    return ",".join(with_credentials(each, options["user"], options.get("password", "")) for each in urls)


def with_credentials(url: str, user: str, password: str) -> str:
    """The URL with user and password in it."""
    credentials = f"{quote(user, safe='')}:{quote(password, safe='')}"
    parts = urlsplit(url if "://" in url else f"amqp://{url}")
    return urlunsplit(parts._replace(netloc=f"{credentials}@{parts.netloc}"))


def certificate_file(options: Mapping[str, str], error_type: ErrorType) -> str | None:
    """The file of trusted authorities; None: the authorities that the machine trusts.

    Args:
        options: names in lower case.
        error_type: the error to raise where the file cannot be used.
    """
    path = options.get("cafile")
    if path is None:
        return None
    if not all(parse_url(each).tls for each in each_url(options.get("url", DEFAULT_URL))):
        raise error_type(
            "caFile names the authorities to trust over TLS: it needs a url that begins with amqps://"
        )
    try:
        ssl.create_default_context(cafile=path)
    except OSError as error:
        raise error_type(f"caFile is {path!r}, which is not a file of certificates in PEM: {error}") from None
    return path


def each_url(url: str) -> list[str]:
    """The URLs in a text of one or of several, with commas: those of a leader and its followers."""
    return _BETWEEN_URLS.split(url)


def url_at(url: str, address: str) -> str:
    """The URL with HOST:PORT in place of its own."""
    parts = urlsplit(url if "://" in url else f"amqp://{url}")
    user, at, _ = parts.netloc.rpartition("@")
    return urlunsplit(parts._replace(netloc=f"{user}{at}{address}"))


def tls_context(ca_file: str | None) -> ssl.SSLContext | None:
    """The trusted authorities. Each task makes its own context, because a context cannot be pickled."""
    return None if ca_file is None else ssl.create_default_context(cafile=ca_file)


def connect(url: str, ca_file: str | None, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> blocking.Connection:
    """An open connection.

    Raises:
        ConnectFailedError, AuthenticationError, TimedOutError: see `client.blocking.connect`.
    """
    return blocking.connect(each_url(url), timeout_s=timeout_s, tls=tls_context(ca_file), reconnect=False)


def with_leader(url: str, ca_file: str | None, use: Callable[[blocking.Connection], _Made]) -> _Made:
    """What `use` makes of a connection to the broker that leads; the connection stays open.

    A follower refuses to take messages, and tells who leads.

    Raises:
        ConnectFailedError: of the leader, also where that is not known yet.
        LastvalueError: of `use`, or see `connect`.
    """
    hops = 1
    while True:
        connection = connect(url, ca_file)
        try:
            return use(connection)
        except BaseException as fault:
            connection.close()
            if not isinstance(fault, RefusedError) or fault.condition is not Condition.LINK_REDIRECT:
                raise
            leader = redirect_in(fault.symbol, fault.info)
            if leader is None and fault.info:
                # The queue is at brokers that share another log.
                raise
            here = parse_url(each_url(url)[0])
            if leader is None or hops == MOST_HOPS:
                raise ConnectFailedError(here.host, here.port, fault.description) from fault
            host = f"[{leader.host}]" if ":" in leader.host else leader.host
            url = url_at(each_url(url)[0], f"{host}:{leader.port}")
            hops += 1
