"""The other side of a conversation with an AMQP 1.0 engine: says what a test tells it to, and listens."""

from dataclasses import dataclass
from typing import Any, Self, TypeVar

from lastvalue.codec.amqp10.frames import (
    AMQP_HEADER,
    KIND_AMQP,
    KIND_SASL,
    PROTOCOL_HEADER_SIZE,
    FrameSplitter,
    encode_frame,
)
from lastvalue.codec.amqp10.performatives import (
    ROLE_RECEIVER,
    ROLE_SENDER,
    Attach,
    Begin,
    Close,
    Detach,
    End,
    Flow,
    Open,
    Performative,
    Source,
    Target,
    Transfer,
    decode_performative,
    encode_performative,
)
from lastvalue.protocols.amqp10.connection import Connection
from lastvalue.protocols.amqp10.options import ConnectionOptions, Role
from lastvalue.protocols.amqp10.receiver import Delivery, ReceiverLink
from lastvalue.protocols.amqp10.sender import SenderLink
from lastvalue.protocols.amqp10.session import Link, LinkAttached
from lastvalue.protocols.amqp10.wire import Event

WINDOW = 2**31 - 1
LARGEST_FRAME = 2**24
_P = TypeVar("_P", bound=Performative)
_E = TypeVar("_E", bound=Event)


@dataclass(frozen=True)
class Frame:
    """One frame that the engine sent."""

    performative: Performative | None
    payload: bytes
    channel: int
    kind: int


class ScriptedPeer:
    """Talks to one engine. What the engine says waits until the test looks at it."""

    def __init__(self, engine: Connection) -> None:
        self.engine = engine
        self.now = 0
        self._splitter = FrameSplitter(LARGEST_FRAME)
        self._events: list[Event] = []

    # ---- saying

    def say(
        self, performative: Performative, payload: bytes = b"", *, channel: int = 0, kind: int = KIND_AMQP
    ) -> Self:
        return self.send(encode_frame(encode_performative(performative), channel, kind, payload))

    def sasl(self, performative: Performative) -> Self:
        return self.say(performative, kind=KIND_SASL)

    def send(self, data: bytes) -> Self:
        self.engine.receive(data, self.now)
        return self

    def at(self, now: int) -> Self:
        """Let the time be so, and the engine know."""
        self.now = now
        self.engine.advance(now)
        return self

    def open(self, **fields: Any) -> Self:
        return self.say(Open(container_id="peer", **fields))

    def begin(self, *, channel: int = 0, window: int = WINDOW, remote_channel: int | None = None) -> Self:
        begin = Begin(
            remote_channel=remote_channel, next_outgoing_id=0, incoming_window=window, outgoing_window=WINDOW
        )
        return self.say(begin, channel=channel)

    def attach(
        self, role: bool, name: str = "link", handle: int = 0, channel: int = 0, **fields: Any
    ) -> Self:
        count = 0 if role == ROLE_SENDER else None
        termini: dict[str, object] = {
            "source": Source(address="node"),
            "target": Target(address="node"),
            "initial_delivery_count": count,
        }
        attach = Attach(name=name, handle=handle, role=role, **(termini | fields))  # type: ignore[arg-type]  # as above
        return self.say(attach, channel=channel)

    def flow(
        self,
        *,
        next_incoming_id: int = 0,
        window: int = WINDOW,
        handle: int | None = None,
        delivery_count: int | None = None,
        credit: int | None = None,
        drain: bool = False,
        echo: bool = False,
    ) -> Self:
        return self.say(
            Flow(
                next_incoming_id=next_incoming_id,
                incoming_window=window,
                next_outgoing_id=0,
                outgoing_window=WINDOW,
                handle=handle,
                delivery_count=delivery_count,
                link_credit=credit,
                drain=drain,
                echo=echo,
            )
        )

    def transfer(self, number: int | None, payload: bytes = b"", *, handle: int = 0, **fields: Any) -> Self:
        tag = None if number is None else number.to_bytes(4, "big")
        transfer = Transfer(
            handle=handle,
            delivery_id=number,
            delivery_tag=tag,
            message_format=None if number is None else 0,
            **fields,
        )
        return self.say(transfer, payload)

    def detach(self, handle: int = 0, *, closed: bool = True) -> Self:
        return self.say(Detach(handle=handle, closed=closed))

    # ---- listening

    def heard_header(self) -> bytes:
        self._listen()
        header = self._splitter.take_protocol_header()
        assert header is not None, "the engine sent no protocol header"
        return header

    def next_frame(self) -> Frame | None:
        self._listen()
        splitter = self._splitter
        if not splitter.next():
            return None
        if splitter.body == splitter.end:
            return Frame(None, b"", splitter.channel, splitter.kind)
        performative, payload = decode_performative(splitter.data, splitter.body, splitter.end)
        return Frame(performative, splitter.data[payload : splitter.end], splitter.channel, splitter.kind)

    def frames(self) -> list[Frame]:
        """Everything the engine said that nobody looked at."""
        found = []
        while (frame := self.next_frame()) is not None:
            found.append(frame)
        return found

    def frames_from_start(self) -> list[Frame]:
        """The same, behind the engine's protocol header."""
        self.heard_header()
        return self.frames()

    def heard(self, kind: type[_P]) -> _P:
        """The next performative, which is one of this kind."""
        frame = self.next_frame()
        assert frame is not None, f"the engine said nothing; expected {kind.__name__}"
        assert isinstance(frame.performative, kind), f"{frame.performative} where {kind.__name__} is expected"
        return frame.performative

    def hears_nothing(self) -> bool:
        return self.frames() == []

    def event(self, kind: type[_E]) -> _E:
        """The next event, which is one of this kind."""
        events = self._pending_events()
        assert events, f"nothing happened; expected {kind.__name__}"
        event = events.pop(0)
        assert isinstance(event, kind), f"{type(event).__name__} where {kind.__name__} is expected"
        return event

    def events(self) -> list[Event]:
        """Everything that happened that nobody looked at."""
        events = self._pending_events()
        self._events = []
        return events

    def kinds(self) -> list[type[Event]]:
        return [type(event) for event in self.events()]

    def links(self) -> list[Link]:
        """The links that were attached, in their order."""
        return [happened.link for happened in self.events() if isinstance(happened, LinkAttached)]

    def deliveries(self) -> list[bytes]:
        """The messages that came, in their order."""
        return [
            delivery.payload
            for happened in self.events()
            if isinstance(happened, Delivery)
            for delivery in happened.each()
        ]

    def condition(self, kind: type[Close] | type[End] | type[Detach]) -> str:
        """The error condition of the next frame, which is of this kind."""
        error = self.heard(kind).error
        assert error is not None, f"{kind.__name__} without an error"
        return error.condition

    def sender_of_engine(self) -> SenderLink:
        """The link that the peer attached to receive on; accepted."""
        link = self.event(LinkAttached).link
        assert isinstance(link, SenderLink)
        link.accept(Source(address="node"), Target())
        self.heard(Attach)
        return link

    def receiver_of_engine(self, credit: int = 0) -> ReceiverLink:
        """The link that the peer attached to send on; accepted, with credit."""
        link = self.event(LinkAttached).link
        assert isinstance(link, ReceiverLink)
        link.accept(Source(), Target(address="node"))
        self.heard(Attach)
        if credit:
            link.add_credit(credit)
            self.heard(Flow)
        return link

    def overhear(self, data: bytes) -> None:
        """Take what the test has had the engine say."""
        self._splitter.feed(data)

    def _listen(self) -> None:
        data = self.engine.data_to_send()
        if data:
            self._splitter.feed(data)

    def _pending_events(self) -> list[Event]:
        self._events += self.engine.events()
        return self._events


def server(**options: Any) -> ScriptedPeer:
    """A peer of a server's engine, before anything was said."""
    return ScriptedPeer(Connection(Role.SERVER, ConnectionOptions("server", **options), 0))


def opened(frame_size: int = LARGEST_FRAME, **options: Any) -> ScriptedPeer:
    """A peer of a server's engine, the connection open on both sides."""
    peer = server(**options)
    peer.send(AMQP_HEADER).open(max_frame_size=frame_size)
    assert peer.heard_header() == AMQP_HEADER
    peer.heard(Open)
    peer.events()
    return peer


def in_session(frame_size: int = LARGEST_FRAME, window: int = WINDOW, **options: Any) -> ScriptedPeer:
    """A peer of a server's engine, with a session on channel 0 of both sides."""
    peer = opened(frame_size, **options).begin(window=window)
    peer.heard(Begin)
    peer.events()
    return peer


def sending(credit: int = 100, **options: Any) -> tuple[ScriptedPeer, ReceiverLink]:
    """A peer that sends on handle 0, and the engine's link."""
    peer = in_session(**options).attach(ROLE_SENDER)
    return peer, peer.receiver_of_engine(credit)


def receiving(
    credit: int = 100, *, window: int = WINDOW, frame_size: int = LARGEST_FRAME, **fields: Any
) -> tuple[ScriptedPeer, SenderLink]:
    """A peer that receives on handle 0, and the engine's link."""
    peer = in_session(frame_size, window).attach(ROLE_RECEIVER, **fields)
    link = peer.sender_of_engine()
    if credit:
        peer.flow(window=window, handle=0, delivery_count=0, credit=credit)
        peer.events()
    return peer, link


def client(**options: Any) -> ScriptedPeer:
    """A peer of a client's engine, before anything was said."""
    return ScriptedPeer(Connection(Role.CLIENT, ConnectionOptions("client", **options), 0))


def client_in_session(**options: Any) -> ScriptedPeer:
    """A peer of a client's engine, with the session that the client began on channel 0 of both sides."""
    peer = client(**options)
    peer.engine.open()
    peer.send(AMQP_HEADER).open()
    peer.engine.begin()
    peer.begin(remote_channel=0)
    assert peer.send(b"").heard_header()[:PROTOCOL_HEADER_SIZE] == AMQP_HEADER
    peer.heard(Open)
    peer.heard(Begin)
    peer.events()
    return peer
