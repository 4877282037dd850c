"""How a task reaches the broker: the options that source and sink share."""

import ssl
from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import quote, urlsplit, urlunsplit

from lastvalue.client import blocking
from lastvalue.client.connection import DEFAULT_TIMEOUT_S
from lastvalue.client.url import DEFAULT_URL, parse_url
from lastvalue.model.errors import LastvalueError

ACCESS_OPTIONS: Final = ("url", "user", "password", "caFile")

Refusal = Callable[[str], LastvalueError]
"""Makes the error of who asks, out of its text."""


def broker_url(given: Mapping[str, str], refusal: Refusal) -> str:
    """The broker's URL with the credentials in it.

    Args:
        given: options with names in lower case.
        refusal: the error where they contradict each other.

    Raises:
        InvalidUrlError: the URL names no broker.
    """
    url = given.get("url", DEFAULT_URL)
    broker = parse_url(url)
    if "user" not in given:
        if "password" in given:
            raise refusal("a password needs the option 'user'")
        return url
    if broker.user is not None:
        raise refusal("the URL names a user already: leave out the option 'user'")
    credentials = f"{quote(given['user'], safe='')}:{quote(given.get('password', ''), safe='')}"
    parts = urlsplit(url if "://" in url else f"amqp://{url}")
    return urlunsplit(parts._replace(netloc=f"{credentials}@{parts.netloc}"))


def certificate_file(given: Mapping[str, str], refusal: Refusal) -> str | None:
    """The file with the authorities to believe; None is those that the machine believes.

    Args:
        given: options with names in lower case.
        refusal: the error where the file is of no use.
    """
    path = given.get("cafile")
    if path is None:
        return None
    if not parse_url(given.get("url", DEFAULT_URL)).tls:
        raise refusal("caFile says whom to believe over TLS: give a url that begins with amqps://")
    try:
        ssl.create_default_context(cafile=path)
    except OSError as error:
        raise refusal(f"caFile is {path!r}, which is no file of certificates in PEM: {error}") from None
    return path


def tls_context(ca_file: str | None) -> ssl.SSLContext | None:
    """Whom to believe; made by each task, because it cannot be sent to one."""
    return None if ca_file is None else ssl.create_default_context(cafile=ca_file)


def connect(url: str, ca_file: str | None, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> blocking.Connection:
    """An open connection.

    Raises:
        ConnectFailedError, AuthenticationError, TimedOutError: see `client.blocking.connect`.
    """
    return blocking.connect(url, timeout_s=timeout_s, tls=tls_context(ca_file))
