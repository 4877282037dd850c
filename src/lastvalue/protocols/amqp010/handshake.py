"""How a connection opens: start, secure, tune, open [0-10 part 3, connections]."""

from collections.abc import Callable, Mapping
from typing import Any, final

from lastvalue.codec.amqp010.command_layouts import (
    CONNECTION_OPEN_OK,
    CONNECTION_SECURE,
    CONNECTION_START,
    CONNECTION_TUNE,
)
from lastvalue.codec.amqp010.frames import MIN_MAX_FRAME_SIZE
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp10.values import Array, Value
from lastvalue.protocols.amqp010.wire import Wire
from lastvalue.protocols.sasl import Authenticator, SaslExchange


@final
class Handshake:
    """The server's side.

    Attributes:
        identity: the peer's user, or "" before it is known.
        client: the peer's properties.
        virtual_host: that the peer opened.
        heartbeat_s: the heartbeat interval that the peer asked for, in seconds; 0 is never.
        opened: the handshake is over and the connection open.
        pending: the password is being checked.
        refused: the peer asked for other limits than were offered, and the connection is over.
    """

    __slots__ = (
        "_authenticator",
        "_awaited",
        "_enter",
        "_exchange",
        "_properties",
        "_wire",
        "channel_max",
        "client",
        "heartbeat_max_s",
        "heartbeat_s",
        "identity",
        "max_frame_size",
        "mechanism",
        "opened",
        "pending",
        "refused",
        "virtual_host",
    )

    def __init__(
        self,
        wire: Wire,
        authenticator: Authenticator,
        enter: Callable[[str], str | None],
        properties: Mapping[str, Any],
    ) -> None:
        self._enter = enter
        self._wire = wire
        self._authenticator = authenticator
        self._properties = dict(properties)
        self._exchange: SaslExchange | None = None
        self._awaited = "connection.start-ok"
        self.channel_max = 0
        self.max_frame_size = 0
        self.heartbeat_max_s = 0
        self.heartbeat_s = 0
        self.identity = ""
        self.mechanism = ""
        self.client: dict[str, Value] = {}
        self.virtual_host = ""
        self.opened = False
        self.pending = False
        self.refused = False

    def start(self) -> None:
        """Send the mechanisms."""
        values: dict[str, Value] = {
            "server_properties": self._properties,
            "mechanisms": Array("string", self._authenticator.mechanisms),
            "locales": Array("string", ["en_US"]),
        }
        self._wire.control(0, Record(CONNECTION_START, values))

    def take(self, record: Record) -> str | None:
        """Process a control; the reason to close the connection, or None."""
        name = record.layout.name
        if name != self._awaited:
            return f"{name} where {self._awaited} was to come"
        if name == "connection.start-ok":
            self.client = record.map("client_properties")
            self.mechanism = record.text("mechanism")
            self._exchange = self._authenticator.begin(self.mechanism)
            return self._step(record.binary("response"))
        if name == "connection.secure-ok":
            return self._step(record.binary("response"))
        if name == "connection.tune-ok":
            self._tuned(record)
            return None
        refusal = self._enter(self.identity)
        if refusal is not None:
            return refusal
        self.virtual_host = record.text("virtual_host")
        self.opened = True
        self._awaited = "nothing more"
        self._wire.control(0, Record(CONNECTION_OPEN_OK, {"known_hosts": Array("string")}))
        return None

    def password_checked(self) -> str | None:
        """Continue after the check of a password; the reason to close the connection, or None."""
        return self._step(None)

    def _step(self, response: bytes | None) -> str | None:
        exchange = self._exchange
        if exchange is None:
            return f"the mechanism {self.mechanism!r} is not offered"
        step = exchange.step(response)
        self.pending = step.pending
        if step.pending:
            return None
        if step.challenge is not None:
            self._awaited = "connection.secure-ok"
            self._wire.control(0, Record(CONNECTION_SECURE, {"challenge": step.challenge}))
            return None
        if step.identity is None:
            return self._authenticator.refusal() or "authentication failed"
        self.identity = step.identity
        self._awaited = "connection.tune-ok"
        values: dict[str, Value] = {
            "channel_max": self.channel_max,
            "max_frame_size": self.max_frame_size,
            "heartbeat_min": 0,
            "heartbeat_max": self.heartbeat_max_s,
        }
        self._wire.control(0, Record(CONNECTION_TUNE, values))
        return None

    def _tuned(self, record: Record) -> None:
        frame_size = record.number("max_frame_size") or self.max_frame_size
        # [0-10 connection.tune-ok] A client that asks for more than was offered is not answered.
        self.refused = (
            not MIN_MAX_FRAME_SIZE <= frame_size <= self.max_frame_size
            or record.number("channel_max") > self.channel_max
        )
        self._wire.max_frame_size = frame_size
        self.heartbeat_s = min(record.number("heartbeat"), self.heartbeat_max_s)
        self._awaited = "connection.open"
