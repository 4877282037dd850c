"""The connection of a task to the broker, and the options for it that source and sink share."""

import re
import ssl
from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import quote, urlsplit, urlunsplit

from lastvalue.client import blocking
from lastvalue.client.connection import DEFAULT_TIMEOUT_S
from lastvalue.client.url import DEFAULT_URL, parse_url
from lastvalue.model.errors import LastvalueError

ACCESS_OPTIONS: Final = ("url", "user", "password", "caFile")

_BETWEEN_URLS: Final = re.compile(r",(?=amqps?://)")

ErrorType = Callable[[str], LastvalueError]
"""Makes the caller's error from a text."""


def broker_url(options: Mapping[str, str], error_type: ErrorType) -> str:
    """The broker's URL with credentials.

    Args:
        options: names in lower case.
        error_type: the error to raise where options contradict each other.

    Raises:
        InvalidUrlError: the URL names no broker.
    """
    url = options.get("url", DEFAULT_URL)
    broker = parse_url(url)
    if "user" not in options:
        if "password" in options:
            raise error_type("a password needs the option 'user'")
        return url
    if broker.user is not None:
        raise error_type("the URL names a user already: leave out the option 'user'")
    return with_credentials(url, options["user"], options.get("password", ""))


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
    if not parse_url(options.get("url", DEFAULT_URL)).tls:
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


def tls_context(ca_file: str | None) -> ssl.SSLContext | None:
    """The trusted authorities. Each task makes its own context, because a context cannot be pickled."""
    return None if ca_file is None else ssl.create_default_context(cafile=ca_file)


def connect(url: str, ca_file: str | None, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> blocking.Connection:
    """An open connection.

    Raises:
        ConnectFailedError, AuthenticationError, TimedOutError: see `client.blocking.connect`.
    """
    return blocking.connect(each_url(url), timeout_s=timeout_s, tls=tls_context(ca_file), reconnect=False)
