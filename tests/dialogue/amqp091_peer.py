"""A client of AMQP 0-9-1 that says what it is told to, to a broker without a socket."""

from typing import Any, TypeVar

from pamqp import base, body, commands, frame, header, heartbeat
from turning_peer import TurningPeer

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp091.dialects import HEADER_091
from lastvalue.frontends.amqp091.connection import Amqp091Connection
from lastvalue.protocols.amqp091.options import Options
from lastvalue.protocols.sasl import Authenticator

M = TypeVar("M", bound=base.Frame)
CAPABILITIES = ("consumer_cancel_notify", "connection.blocked", "authentication_failure_close")
SAID: dict[str, Any] = {"capabilities": dict.fromkeys(CAPABILITIES, True)}


PIECE = 131_000
"""Bytes of a body that fit into a frame."""


class Peer(TurningPeer):
    """One connection."""

    conversation: Amqp091Connection

    def __init__(
        self,
        broker: Broker,
        options: Options | None = None,
        authenticator: Authenticator | None = None,
        *,
        ignore_unknown_arguments: bool = False,
    ) -> None:
        super().__init__(broker, authenticator)
        self.conversation = Amqp091Connection(
            self.context, options or Options(), ignore_unknown_arguments, self.now
        )
        self._heard = b""
        self.frames: list[tuple[int, Any]] = []

    # ------------------------------------------------------------------ saying

    def say(self, *methods: base.Frame, channel: int = 1) -> "Peer":
        """Say methods, and have a turn."""
        return self.raw(b"".join(frame.marshal(method, channel) for method in methods))

    def publish(self, payload: bytes, key: str, exchange: str = "", channel: int = 1, **more: Any) -> "Peer":
        """Publish a message; `mandatory`, `immediate`, the properties, and methods that follow `also`."""
        also = more.pop("also", ())
        flags = {name: more.pop(name) for name in ("mandatory", "immediate") if name in more}
        properties = commands.Basic.Properties(**more)
        parts: list[Any] = [commands.Basic.Publish(exchange=exchange, routing_key=key, **flags)]
        parts.append(header.ContentHeader(body_size=len(payload), properties=properties))
        parts += [body.ContentBody(payload[at : at + PIECE]) for at in range(0, len(payload), PIECE)]
        octets = b"".join(frame.marshal(part, channel) for part in parts)
        for method in also:
            octets += frame.marshal(method, 0 if isinstance(method, commands.Connection.Close) else channel)
        return self.raw(octets)

    def publish_in_pieces(self, payload: bytes, key: str, size: int) -> "Peer":
        """Publish a message with a body of several frames."""
        parts: list[Any] = [
            commands.Basic.Publish(routing_key=key),
            header.ContentHeader(body_size=len(payload)),
        ]
        parts += [body.ContentBody(payload[at : at + size]) for at in range(0, len(payload), size)]
        return self.raw(b"".join(frame.marshal(part, 1) for part in parts))

    def octets(self, data: bytes) -> bytes:
        """Say bytes; the bytes of the answer, which may be of an older version."""
        self.conversation.receive(data, self.now, self.now)
        return self.conversation.data_to_send()

    def at(self, now: int) -> "Peer":
        """Be at another time."""
        self.now = now
        self.conversation.advance(now, now)
        return self.turn()

    def open(self, channels: int = 1, product: str = "", host: str = "/", frame_max: int = 131072) -> "Peer":
        """Open the connection to a virtual host and as many channels, as a client of this product."""
        self.raw(HEADER_091)
        said = {**SAID, "product": product}
        self.say(commands.Connection.StartOk(said, "PLAIN", "\0me\0secret"), channel=0)
        self.say(commands.Connection.TuneOk(0, frame_max, 0), channel=0)
        self.say(commands.Connection.Open(host), channel=0)
        for kind in (commands.Connection.Start, commands.Connection.Tune, commands.Connection.OpenOk):
            self.expect(kind, channel=0)
        for number in range(1, channels + 1):
            self.say(commands.Channel.Open(), channel=number)
            self.expect(commands.Channel.OpenOk, channel=number)
        return self

    def _hear(self, data: bytes) -> None:
        self._heard += data
        while self._heard:
            used, channel, heard = frame.unmarshal(self._heard)
            self._heard = self._heard[used:]
            self.frames.append((channel, heard))

    # ------------------------------------------------------------------ hearing

    def expect(self, kind: type[M], channel: int = 1) -> M:
        """The next frame on a channel, which must be of this kind."""
        for index, (number, heard) in enumerate(self.frames):
            if number == channel:
                del self.frames[index]
                assert isinstance(heard, kind), (heard.name, vars_of(heard))
                return heard
        raise AssertionError(f"nothing more on channel {channel}, where {kind.__name__} should be")

    def content(self, kind: type[M], channel: int = 1) -> tuple[M, commands.Basic.Properties, bytes]:
        """The next method with a content."""
        method = self.expect(kind, channel)
        head = self.expect(header.ContentHeader, channel)  # type: ignore[type-var]  # pamqp's has no base
        payload = b""
        while len(payload) < head.body_size:
            payload += self.expect(body.ContentBody, channel).value  # type: ignore[type-var]  # as above
        return method, head.properties, payload

    def bodies(self, channel: int = 1) -> list[bytes]:
        """What is delivered on a channel, all of it."""
        found = []
        while any(number == channel for number, _ in self.frames):
            found.append(self.content(commands.Basic.Deliver, channel)[2])
        return found

    def silent(self) -> bool:
        """Whether there is nothing to hear, but for heartbeats."""
        return not [one for one in self.frames if not isinstance(one[1], heartbeat.Heartbeat)]


def vars_of(method: Any) -> dict[str, Any]:
    return dict(method) if isinstance(method, base.Frame) else {}


def declared(peer: Peer, queue: str = "q", *, flags: str = "", **arguments: Any) -> None:
    """Declare a queue, with the flags that are named."""
    asked = dict.fromkeys(flags.split(), True)
    peer.say(commands.Queue.Declare(queue=queue, arguments=arguments, **asked))
    assert peer.expect(commands.Queue.DeclareOk).queue == queue


def closed(peer: Peer) -> tuple[int | None, str]:
    """The code and the text by which the broker has closed the channel."""
    close = peer.expect(commands.Channel.Close)
    return close.reply_code, close.reply_text
