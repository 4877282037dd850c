"""The connection of `qpid.messaging`; its end closes its sessions, senders and receivers."""

import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from types import TracebackType
from typing import Any, Final, Self, final
from uuid import uuid4

from lastvalue.client.credentials import credentials
from lastvalue.client.url import BrokerUrl, parse_url
from lastvalue.compat.qpid.messaging.errors import ConnectionError as MessagingConnectionError
from lastvalue.compat.qpid.messaging.errors import InvalidOption, LinkClosed, translated
from lastvalue.compat.qpid.messaging.open_connection import OpenConnection
from lastvalue.compat.qpid.messaging.session import Session
from lastvalue.protocols.amqp10.options import ConnectionOptions

DEFAULT_TIMEOUT: Final = 10.0
DEFAULT_HEARTBEAT: Final = 60.0


@final
class Connection:
    """A connection to a broker; a context manager that opens and closes it.

    Args:
        url: [user/password@]host[:port] or amqp://user:password@host:port.
        options: `username` and `password`; `timeout`, the seconds that opening may take; `heartbeat`, the
            seconds of silence after which the connection counts as lost; `container_id`, the container's
            name. `protocol`, `transport` and `reconnect` may only be amqp1.0, tcp and False.

    Raises:
        ConnectError: the URL is invalid.
        InvalidOption: an option does not exist, or its value is not supported.
    """

    def __init__(self, url: str = "localhost", **options: Any) -> None:
        _check(options)
        with translated():
            broker = parse_url(_usual(url))
        if "username" in options:
            broker = replace(broker, user=options["username"])
        if "password" in options:
            broker = replace(broker, password=options["password"])
        self.url = url
        self._broker = broker
        self._timeout_s = float(options.get("timeout", DEFAULT_TIMEOUT))
        self._options = _engine_options(broker, options)
        self._opened: OpenConnection | None = None
        self._was_closed = False
        self._sessions: list[Session] = []
        self._numbers = count(1)

    @classmethod
    def establish(cls, url: str = "localhost", **options: Any) -> Self:
        """Make a connection and open it."""
        connection = cls(url, **options)
        connection.open()
        return connection

    def __enter__(self) -> Self:
        if self._opened is None:
            self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def open(self) -> None:
        """Open the connection; after `close` it may be opened again.

        Raises:
            ConnectError: no AMQP 1.0 broker answers there.
            AuthenticationFailure: the broker refuses the credentials.
        """
        if self._opened is not None:
            raise MessagingConnectionError(f"the connection to {self.url!r} is open already")
        self._newly_opened()

    def opened(self) -> bool:
        """Whether it was opened and not closed."""
        return self._opened is not None

    def session(self, name: str | None = None, transactional: bool = False) -> Session:  # noqa: FBT001, FBT002 - the interface's
        """A new session; opens the connection if it was never open.

        Args:
            name: a name for logs.
            transactional: what it sends and acknowledges takes effect at its `commit`.

        Raises:
            LinkClosed: the connection was closed.
        """
        if self._opened is None and self._was_closed:
            raise LinkClosed(f"the connection to {self.url!r} is closed; open it")
        opened = self._opened or self._newly_opened()
        session = Session(opened, name or f"session-{next(self._numbers)}", transactional=transactional)
        self._sessions.append(session)
        return session

    def close(self, timeout: float | None = None) -> None:
        """Close the connection and its sessions; closing twice does nothing."""
        opened, self._opened = self._opened, None
        sessions, self._sessions = self._sessions, []
        if opened is not None:
            self._was_closed = True
            with ExitStack() as stack:
                stack.callback(opened.close, timeout)
                for session in sessions:
                    stack.callback(session.close)

    def _newly_opened(self) -> OpenConnection:
        self._opened = OpenConnection(self._broker, self._options, self._timeout_s)
        return self._opened


def _usual(url: str) -> str:
    """The URL in the client's form, with a colon between user and password."""
    if "://" in url or "@" not in url:
        return url
    credentials, _, broker = url.rpartition("@")
    return f"amqp://{credentials.replace('/', ':', 1)}@{broker}"


def _engine_options(broker: BrokerUrl, options: dict[str, Any]) -> ConnectionOptions:
    return ConnectionOptions(
        container_id=options.get("container_id") or f"lastvalue-messaging-{os.getpid()}-{uuid4().hex[:8]}",
        hostname=broker.host,
        idle_timeout_ms=round(1000 * float(options.get("heartbeat", DEFAULT_HEARTBEAT))),
        credentials=credentials(broker),
        properties={"product": "lastvalue"},
    )


def _check(options: dict[str, Any]) -> None:
    for name, value in options.items():
        if name not in _OPTIONS:
            raise InvalidOption(
                f"unknown option {name!r} of a connection; expected one of {', '.join(_OPTIONS)}"
            )
        expected, fits = _OPTIONS[name]
        if not fits(value):
            raise InvalidOption(f"option {name!r} of a connection is {value!r}; expected {expected}")


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_positive(value: Any) -> bool:
    return isinstance(value, int | float) and value > 0


_OPTIONS: Final[dict[str, tuple[str, Callable[[Any], bool]]]] = {
    "username": ("a text", _is_text),
    "password": ("a text", _is_text),
    "container_id": ("a text", _is_text),
    "timeout": ("seconds", _is_positive),
    "heartbeat": ("seconds", _is_positive),
    "protocol": ("'amqp1.0', the only protocol of this client", lambda value: value == "amqp1.0"),
    "transport": ("'tcp', the only transport of this client", lambda value: value == "tcp"),
    "reconnect": ("False: this client does not reconnect", lambda value: value is False),
}
