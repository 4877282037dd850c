"""What is fuzzed: functions of bytes that must not raise, whatever the bytes are."""

from collections.abc import Callable

from frame_auditor import FrameAuditor

from lastvalue.broker.broker import Broker
from lastvalue.broker.suspended_links import LONGEST_MS
from lastvalue.codec.amqp10.composites import decomposed
from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.errors import DecodeError, EncodeError, FrameError
from lastvalue.codec.amqp10.frames import AMQP_HEADER, FrameSplitter, encode_frame
from lastvalue.codec.amqp10.message import annotated, read_message
from lastvalue.codec.amqp10.payloads import amended_payload, flagged_payload, forwarded_payload
from lastvalue.codec.amqp10.performatives import (
    ROLE_RECEIVER,
    ROLE_SENDER,
    Accepted,
    Attach,
    Begin,
    Coordinator,
    Declare,
    DeliveryState,
    Detach,
    Discharge,
    Disposition,
    End,
    Flow,
    Modified,
    Open,
    Performative,
    Received,
    Rejected,
    Released,
    Source,
    Target,
    TransactionalState,
    Transfer,
    decode_performative,
    encode_performative,
)
from lastvalue.codec.amqp10.shortcuts.stamps import stamped
from lastvalue.codec.amqp10.value_codec import decode_value, encode_value, skip_value
from lastvalue.codec.amqp10.values import Described, Symbol, ULong, Value
from lastvalue.frontends.amqp10.frontend import Frontend
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import PropertyName
from lastvalue.protocols.amqp10.connection import Connection
from lastvalue.protocols.amqp10.options import ConnectionOptions, Role
from lastvalue.protocols.amqp10.sender import SenderLink
from lastvalue.protocols.sasl import Authenticator, Credentials
from lastvalue.queues.effects import Reason
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.selectors import parse_selector

NAMES = [PropertyName(name) for name in ("k", "x-opt-k", "subject", "properties.group-id")]


# ---------------------------------------------------------------------- the decoder


def fuzz_codec(data: bytes) -> None:
    """A value, a performative and a message of these bytes are read, and written alike, or refused."""
    _read_value(data)
    _read_performative(data)
    _read_message(data)
    _read_selector(data)


def _read_value(data: bytes) -> None:
    try:
        value, pos = decode_value(data, 0, len(data))
    except DecodeError:
        return
    assert skip_value(data, 0, len(data)) == pos
    again = encode_value(value)
    assert encode_value(decode_value(again, 0, len(again))[0]) == again


def _read_performative(data: bytes) -> None:
    try:
        performative, _ = decode_performative(data, 0, len(data))
    except DecodeError:
        return
    again = encode_performative(performative)
    assert encode_performative(decode_performative(again, 0, len(again))[0]) == again


def _read_message(data: bytes) -> None:
    try:
        message = read_message(data)
    except DecodeError:
        return
    reads: list[Callable[[], object]] = [
        lambda: decode_content(data),
        lambda: amended_payload(data, {Symbol("x"): 1}, 1 << 16),
        lambda: forwarded_payload(data, {"x": 1}, False),
        lambda: flagged_payload(data, "x"),
        lambda: annotated(data, {"x": 1}),
        lambda: stamped(data, 1, 2, 3),
        lambda: message.not_before(0),
        message.updates,
        message.explicit_id,
        *(lambda name=name: message.key(name) for name in NAMES),
        *(lambda name=name: message.order(name) for name in NAMES),
        *(lambda name=name: message.text(name) for name in NAMES),
        *(lambda name=name: message.field(name.text) for name in NAMES),
    ]
    for read in reads:
        try:
            found = read()
        except (DecodeError, EncodeError):
            continue
        if isinstance(found, bytes) and len(found) > len(data):
            read_message(found)


def _read_selector(data: bytes) -> None:
    try:
        selector = parse_selector(data.decode())
    except (UnicodeDecodeError, LastvalueError):
        return
    selector.matches(read_message(encode_content(MessageContent(application_properties={"k": 1}))))


# ---------------------------------------------------------------------- the engine alone


def fuzz_engine(data: bytes) -> None:
    """An engine of either side, with or without SASL, takes any bytes in any pieces."""
    script = Script(data)
    flags = script.byte()
    authenticator = Authenticator(anonymous=bool(flags & 2), check=lambda user, _: user == "u")
    credentials = Credentials("u", "p") if flags & 8 else None
    options = ConnectionOptions(
        "fuzzed",
        max_frame_size=512 if flags & 4 else 4096,
        authenticator=authenticator if flags & 16 else None,
        credentials=credentials if flags & 1 else None,
    )
    engine = Connection(Role.CLIENT if flags & 1 else Role.SERVER, options, 0)
    if flags & 1:
        engine.open()
    now = 0
    while script.left and not engine.finished:
        engine.receive(script.take(1 + script.byte() % 64), now)
        engine.events()
        engine.data_to_send()
        now += script.byte() * 100
        engine.advance(now)
    engine.receive_eof(now)
    assert engine.finished
    _split(data)


def _split(data: bytes) -> None:
    splitter = FrameSplitter(4096)
    try:
        splitter.feed(data)
        while splitter.next():
            assert splitter.body <= splitter.end <= len(splitter.data)
    except FrameError:
        return


# ---------------------------------------------------------------------- engine, frontend and broker

QUEUES: dict[str, dict[str, object]] = {
    "q": {"alternate": "dead", "max_delivery_attempts": 3},
    "lvq": {"lvq_key": "k", "durable": True},
    "grouped": {"group_key": "k"},
    "small": {"max_messages": 2},
    "ring": {"max_messages": 2, "when_full": "drop-oldest", "priorities": 4},
}
ADDRESSES = [
    *QUEUES,
    "dead",
    "amq.topic/x",
    "amq.fanout",
    "nosuch",
    "$management",
    None,
    "q; {create: always}",
]
POLICIES = ["link-detach", "session-end", "connection-close", "never"]
CAPABILITIES: list[tuple[str, ...]] = [(), ("shared",), ("topic",), ("queue",), ("shared", "global")]
FILTERS: list[dict[str, Value]] = [
    {},
    {"s": Described(Symbol("apache.org:selector-filter:string"), "k = 'a'")},
    {"n": Described(Symbol("apache.org:no-local-filter:list"), [])},
    {"u": Described(Symbol("unknown"), 1)},
]
BODIES = [
    encode_content(MessageContent(body="a", application_properties={"k": "a"}, durable=True)),
    encode_content(MessageContent(body="b", application_properties={"k": "b"}, to="q")),
    encode_content(MessageContent(body=b"x" * 3000, ttl_ms=5, application_properties={"k": "a"})),
    encode_content(
        MessageContent(body={"type": "queue"}, application_properties={"operation": "QUERY"}, reply_to="r")
    ),
    encode_content(MessageContent(body=decomposed(Declare()))),
    encode_content(MessageContent(body=decomposed(Discharge(b"\0\0\0\1", fail=False)))),
    b"",
]


class Script:
    """Bytes as decisions; where there are none left, every one is 0."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._pos = 0

    @property
    def left(self) -> bool:
        return self._pos < len(self._data)

    def byte(self) -> int:
        self._pos += 1
        return self._data[self._pos - 1] if self._pos <= len(self._data) else 0

    def flag(self) -> bool:
        return self.byte() % 2 == 1

    def take(self, size: int) -> bytes:
        self._pos += size
        return self._data[self._pos - size : self._pos]


class Client:
    """One raw connection to the broker.

    Attributes:
        next_id: the delivery-id that it sends next.
    """

    def __init__(self, broker: Broker, now: int, frame_size: int) -> None:
        self.next_id = 0
        self.engine = Connection(Role.SERVER, ConnectionOptions("broker", max_frame_size=4096), now)
        self.frontend = Frontend(self.engine, broker, lambda: None)
        self._broker = broker
        self._auditor = FrameAuditor(frame_size)
        self.hear(AMQP_HEADER, now)
        self.say(Open(container_id="c", max_frame_size=frame_size), 0, b"", now)

    def say(self, performative: Performative, channel: int, payload: bytes, now: int) -> None:
        self.hear(encode_frame(encode_performative(performative), channel, 0, payload), now)

    def hear(self, data: bytes, now: int) -> None:
        self.engine.receive(data, now)
        self.turn(now)

    def links(self, role: bool) -> list[int]:
        """The handles of its links of this role on its first session, as the engine has them."""
        session = self.engine.sessions.get(0)
        links = {} if session is None or not session.open else session.links
        return sorted(
            link.link_state.remote_handle
            for link in links.values()
            if isinstance(link, SenderLink) is (role == ROLE_RECEIVER) and link.attached
        )

    def closing(self) -> list[int]:
        """The handles of its links that the broker has detached, and it has not."""
        session = self.engine.sessions.get(0)
        links = {} if session is None or not session.open else session.links
        return [link.link_state.remote_handle for link in links.values() if link.link_state.closing]

    def turn(self, now: int) -> None:
        self.frontend.handle(now)
        self._broker.pump(now)
        self._broker.drain(now)
        self.frontend.confirmations.seal(1)
        self.frontend.confirmations.confirm(1, now)
        if not self.engine.wire.blocked:
            self._auditor.hear(self.engine.data_to_send())
            self.frontend.resume()

    def end(self, now: int) -> None:
        self.engine.receive_eof(now)
        self.frontend.handle(now)
        self.frontend.close(now)


class Play:
    """Has two clients of one container do what a script says, well formed or not."""

    def __init__(self, data: bytes) -> None:
        self.script = Script(data)
        self.now = 1_000
        self.broker = Broker()
        self.broker.declare(spec_from_arguments("dead", {}))
        for name, arguments in QUEUES.items():
            self.broker.declare(spec_from_arguments(name, arguments))
        self.frame_size = 512 if self.script.flag() else 4096
        self.clients = [self._client(), self._client()]
        self.client = self.clients[0]

    def _client(self) -> Client:
        client = Client(self.broker, self.now, self.frame_size)
        client.say(Begin(next_outgoing_id=0, incoming_window=200, outgoing_window=50), 0, b"", self.now)
        return client

    def run(self) -> None:
        acts = [
            *(self._attach, self._flow, self._flow, self._transfer, self._transfer, self._transfer),
            *(self._dispose, self._dispose, self._dispose, self._detach, self._wait, self._other),
            *(self._block, self._odd),
        ]
        while self.script.left:
            act = acts[self.script.byte() % len(acts)]
            self._mend()
            act()
        for client in self.clients:
            client.end(self.now)
        self.broker.advance(self.now + 2 * LONGEST_MS)
        assert len(self.broker.suspended_links) == 0
        for queue in self.broker.queues():
            left = sum(queue.removed(reason) for reason in Reason)
            assert queue.published == queue.depth + left
            assert queue.depth == queue.available + queue.contents.held_back
            assert queue.subscriptions == {}
            assert queue.contents.held_bytes == 0
            assert queue.depth_bytes == sum(len(entry.message.encoded) for entry in queue.entries())

    def _odd(self) -> None:
        """Something that ends more than it should, one time in four."""
        if self.script.byte() % 4 == 0:
            [self._begin, self._end, self._frame, self._bytes][self.script.byte() % 4]()

    def _mend(self) -> None:
        """Have a connection with a session to continue with, but for one time in sixty."""
        client = self.client
        if client.engine.finished:
            self._replace(self.clients.index(client))
        elif 0 not in client.engine.sessions and self.script.byte() < 252:
            begin = Begin(next_outgoing_id=0, incoming_window=200, outgoing_window=50)
            client.say(begin, 0, b"", self.now)
            client.next_id = 0
        for handle in client.closing() if self.script.byte() < 252 else []:
            client.say(Detach(handle=handle, closed=True), 0, b"", self.now)

    def _replace(self, index: int) -> None:
        old = self.clients[index]
        old.end(self.now)
        self.clients[index] = self._client()
        if self.client is old:
            self.client = self.clients[index]

    def _handle(self, role: bool) -> int:
        """A handle of this role, but for one time in sixty, and where there is none."""
        known = self.client.links(role)
        choice = self.script.byte()
        return known[choice % len(known)] if known and choice < 252 else choice % 3

    def _free_handle(self) -> int:
        used = self.client.links(ROLE_SENDER) + self.client.links(ROLE_RECEIVER)
        choice = self.script.byte()
        free = [handle for handle in range(4) if handle not in used]
        return free[0] if free and choice < 252 else choice % 4

    def _say(self, performative: Performative, payload: bytes = b"") -> None:
        self.client.say(performative, 0 if self.script.byte() < 255 else 1, payload, self.now)

    def _has_link(self, role: bool) -> bool:
        """Whether there is a link of this role; mostly one is attached where there is none."""
        if self.client.links(role) or self.script.byte() >= 252:
            return True
        self._attach_as(role)
        return False

    def _attach(self) -> None:
        self._attach_as(ROLE_RECEIVER if self.script.flag() else ROLE_SENDER)

    def _attach_as(self, role: bool) -> None:
        script = self.script
        address = ADDRESSES[min(script.byte() % 24, script.byte() % len(ADDRESSES))]
        capabilities = CAPABILITIES[script.byte() % len(CAPABILITIES)]
        policy = POLICIES[script.byte() % 4]
        options = script.byte()
        source = Source(
            address=address,
            expiry_policy=policy,
            timeout=options & 1,
            durable=options >> 1 & 1,
            dynamic=address is None and options & 4 == 0,
            distribution_mode="copy" if options & 8 else None,
            filter=FILTERS[script.byte() % len(FILTERS)],
            default_outcome=self._state() if options & 16 else None,
            capabilities=capabilities,
        )
        target: Target | Coordinator = Target(
            address=address,
            expiry_policy=policy,
            timeout=options & 1,
            dynamic=source.dynamic,
            capabilities=capabilities,
        )
        if options & 48 == 48 and role == ROLE_SENDER:
            target = Coordinator()
        unsettled: dict[Value, Value] | None = None
        if options & 64:
            states: list[Value] = [None, Described(ULong(0x24), []), Described(ULong(0x26), []), 7]
            unsettled = {number.to_bytes(4, "big"): states[script.byte() % 4] for number in range(3)}
        self._say(
            Attach(
                name="abc"[script.byte() % 3],
                handle=self._free_handle(),
                role=role,
                snd_settle_mode=script.byte() % 3,
                rcv_settle_mode=script.byte() % 2,
                source=None if options & 132 == 132 else source,
                target=target,
                unsettled=unsettled,
                initial_delivery_count=0 if role == ROLE_SENDER else None,
                properties={"producer-name": "p"} if script.flag() else {},
            )
        )

    def _flow(self) -> None:
        script = self.script
        if not self._has_link(ROLE_RECEIVER):
            return
        handle = self._handle(ROLE_RECEIVER)
        session = self.client.engine.sessions.get(0)
        sent = 0 if session is None else int(session.windows.next_outgoing_id)
        self._say(
            Flow(
                next_incoming_id=sent if script.byte() < 252 else script.byte(),
                incoming_window=script.byte(),
                next_outgoing_id=0,
                outgoing_window=50,
                handle=None if script.byte() > 252 else handle,
                delivery_count=self._delivery_count(handle),
                link_credit=script.byte() % 16,
                drain=script.flag(),
                echo=script.flag(),
            )
        )

    def _delivery_count(self, handle: int) -> int:
        session = self.client.engine.sessions.get(0)
        for link in [] if session is None else session.links.values():
            if isinstance(link, SenderLink) and link.link_state.remote_handle == handle:
                return int(link.delivery_count)
        return 0

    def _transfer(self) -> None:
        script = self.script
        if not self._has_link(ROLE_SENDER):
            return
        options = script.byte()
        number = self.client.next_id if script.byte() < 252 else script.byte() % 8
        self.client.next_id = number + 1
        payload = BODIES[script.byte() % len(BODIES)] if not options & 1 else script.take(script.byte() % 40)
        self._say(
            Transfer(
                handle=self._handle(ROLE_SENDER),
                delivery_id=None if script.byte() >= 252 else number,
                delivery_tag=(number % 8).to_bytes(4, "big"),
                message_format=0,
                settled=bool(options & 4),
                more=options & 24 == 24,
                aborted=options & 96 == 96,
                resume=options & 130 == 130,
                state=self._state() if script.byte() < 64 else None,
            ),
            payload,
        )

    def _state(self) -> DeliveryState | None:
        states: list[DeliveryState | None] = [
            Accepted(),
            Released(),
            Rejected(),
            Modified(delivery_failed=True),
            Modified(
                undeliverable_here=True, delivery_failed=True, message_annotations={Symbol("x-opt-n"): 1}
            ),
            Modified(message_annotations={Symbol("k"): "z"}),
            Received(section_number=0, section_offset=0),
            TransactionalState(b"\0\0\0\1", Accepted()),
            TransactionalState(b"\0\0\0\1", Modified(undeliverable_here=True)),
            None,
        ]
        return states[self.script.byte() % len(states)]

    def _dispose(self) -> None:
        script = self.script
        session = self.client.engine.sessions.get(0)
        waiting = [] if session is None else sorted(session.windows.unsettled)
        choice = script.byte()
        first = waiting[choice % len(waiting)] if waiting and choice < 252 else choice % 8
        role = ROLE_RECEIVER if script.byte() < 200 else ROLE_SENDER
        state = self._state()
        self._say(
            Disposition(
                role=role, first=first, last=first + script.byte() % 4, settled=script.flag(), state=state
            )
        )

    def _detach(self) -> None:
        role = ROLE_RECEIVER if self.script.flag() else ROLE_SENDER
        if not self._has_link(role):
            return
        self._say(Detach(handle=self._handle(role), closed=self.script.byte() % 4 == 0))

    def _begin(self) -> None:
        begin = Begin(next_outgoing_id=0, incoming_window=self.script.byte(), outgoing_window=50)
        self.client.say(begin, self.script.byte() % 3, b"", self.now)

    def _end(self) -> None:
        self._say(End())

    def _wait(self) -> None:
        self.now += self.script.byte() * 40
        self.broker.advance(self.now)
        self.client.engine.advance(self.now)
        self.client.turn(self.now)

    def _other(self) -> None:
        """Continue with the other client; one that is over, or that is to be lost, is a new one."""
        index = self.script.byte() % 4
        if index > 1:
            index -= 2
            self._replace(index)
        self.client = self.clients[index]

    def _block(self) -> None:
        writable = self.script.flag()
        self.client.frontend.output.set_writable(writable)
        self.client.frontend.resume()
        self.client.turn(self.now)

    def _frame(self) -> None:
        body = self.script.take(self.script.byte() % 60)
        self.client.hear(encode_frame(body, self.script.byte() % 3), self.now)

    def _bytes(self) -> None:
        self.client.hear(self.script.take(self.script.byte() % 20), self.now)


def fuzz_broker(data: bytes) -> None:
    """Whatever two clients do, the broker says what it may, and nothing is held when they are gone."""
    Play(data).run()


TARGETS: dict[str, Callable[[bytes], None]] = {
    "codec": fuzz_codec,
    "engine": fuzz_engine,
    "broker": fuzz_broker,
}
