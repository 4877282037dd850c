"""Clients of the four protocols with the same verbs: publish, subscribe, settle, commit and roll back."""

from typing import Any, Final, Protocol

from amqp010_peer import Peer as Amqp010Peer
from amqp091_peer import Peer as Amqp091Peer
from bare_queue import encoded
from core_broker import typed_value
from core_peer import Peer as CorePeer
from pamqp import commands
from pamqp.commands import Basic, Channel, Tx
from wired_broker import OUTCOMES, Clock, Line

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp10.composites import decomposed
from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.performatives import (
    Accepted,
    Coordinator,
    Declare,
    Declared,
    DeliveryState,
    Discharge,
    Source,
    Target,
    TransactionalState,
)
from lastvalue.codec.amqp10.value_codec import encode_value
from lastvalue.codec.core import packets
from lastvalue.codec.core.reader import CoreReader
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.protocols.amqp10.receiver import Delivery, ReceiverLink
from lastvalue.protocols.amqp10.sender import DeliverySettled

_TEXT: Final = 3
_COMMANDS: Final = {"accepted": "message.accept", "rejected": "message.reject", "released": "message.release"}


def body_of(encoded_message: bytes) -> str:
    """The text of a message of any of them."""
    body = decode_content(encoded_message).body
    return body.decode() if isinstance(body, bytes) else str(body)


class TransportClient(Protocol):
    """A connection, with one consumer of the queue `q` at most.

    Attributes:
        windowed: settling a message makes room for another; otherwise credit is used up.
        keeps: what was accepted in a transaction that is rolled back is still the consumer's.
        only_accepts: there is no other outcome, but a rollback releases what the consumer has not accepted.
        says_when: a message says at what time it expires, not how long it lives.
    """

    windowed: bool
    keeps: bool
    only_accepts: bool
    says_when: bool

    def publish(self, body: str, properties: dict[str, Any], ttl_ms: int | None) -> None:
        """In the transaction, where the client has transactions."""
        ...

    def subscribe(self, credit: int) -> None:
        """Consume, or with another credit continue consuming."""
        ...

    def deliveries(self) -> list[str]:
        """The bodies that came since the last call."""
        ...

    def settle(self, body: str, outcome: str) -> None: ...

    def end(self, *, commits: bool) -> None:
        """Commit or roll back, and begin another transaction."""
        ...

    def leave(self) -> None: ...


class Amqp10Client:
    windowed = False
    keeps = False
    only_accepts = False
    says_when = False

    def __init__(self, broker: Broker, clock: Clock, *, transacted: bool) -> None:
        self._line = Line(broker, clock)
        self._sender = self._line.session.attach_sender("sender", Target(address="q"))
        self._coordinator = self._line.session.attach_sender("coordinator", Coordinator())
        self._receiver: ReceiverLink | None = None
        self._tags: dict[str, int] = {}
        self._txn_id = b""
        self._line.exchange()
        if transacted:
            self._declare()

    def _ask(self, request: Declare | Discharge) -> DeliveryState | None:
        self._line.take(DeliverySettled)
        self._coordinator.send(encode_content(MessageContent(body=decomposed(request))), settled=False)
        (answer,) = self._line.take(DeliverySettled)
        state: DeliveryState | None = answer.state
        return state

    def _declare(self) -> None:
        declared = self._ask(Declare())
        assert isinstance(declared, Declared)
        self._txn_id = declared.txn_id

    def publish(self, body: str, properties: dict[str, Any], ttl_ms: int | None) -> None:
        state = encode_value(decomposed(TransactionalState(self._txn_id))) if self._txn_id else b""
        self._sender.send(encoded(body, properties, ttl_ms), settled=True, state=state)
        self._line.exchange()

    def subscribe(self, credit: int) -> None:
        if self._receiver is None:
            self._receiver = self._line.session.attach_receiver("receiver", Source(address="q"))
        self._receiver.add_credit(credit)
        self._line.exchange()

    def deliveries(self) -> list[str]:
        bodies = []
        for event in self._line.take(Delivery):
            body = body_of(event.payload)
            self._tags[body] = event.delivery_id
            bodies.append(body)
        return bodies

    def settle(self, body: str, outcome: str) -> None:
        assert self._receiver is not None
        tag = self._tags.pop(body)
        state = OUTCOMES[outcome]
        if self._txn_id and outcome == "accepted":
            state = TransactionalState(self._txn_id, state)
        self._receiver.settle(tag, tag, state)
        self._line.exchange()

    def end(self, *, commits: bool) -> None:
        assert self._ask(Discharge(self._txn_id, fail=not commits)) == Accepted()
        self._declare()

    def leave(self) -> None:
        self._line.client.close()
        self._line.exchange()


class Amqp010Client:
    windowed = False
    keeps = True
    only_accepts = False
    says_when = False

    def __init__(self, state: BrokerState, clock: Clock, name: str, *, transacted: bool) -> None:
        self._clock = clock
        self._peer = Amqp010Peer(state, opens=False)
        self._peer.now = clock.now
        self._peer.open(name.encode())
        self._subscribed = False
        self._numbers: dict[str, int] = {}
        if transacted:
            self._peer.do("tx.select")

    def _at(self) -> Amqp010Peer:
        self._peer.now = self._clock.now
        return self._peer

    def publish(self, body: str, properties: dict[str, Any], ttl_ms: int | None) -> None:
        delivery = {} if ttl_ms is None else {"ttl": ttl_ms}
        headers = {"application_headers": properties} if properties else {}
        self._at().send("q", body.encode(), delivery=delivery, properties=headers)

    def subscribe(self, credit: int) -> None:
        peer = self._at()
        if not self._subscribed:
            self._subscribed = True
            peer.do("message.subscribe", queue="q", destination="d")
            peer.do("message.set-flow-mode", destination="d", flow_mode=0)
            peer.do("message.flow", destination="d", unit=1, value=0xFFFFFFFF)
        peer.do("message.flow", destination="d", unit=0, value=credit)

    def deliveries(self) -> list[str]:
        bodies = []
        for transfer in self._at().take():
            body = (transfer.body or b"").decode()
            self._numbers[body] = transfer.number
            bodies.append(body)
        return bodies

    def settle(self, body: str, outcome: str) -> None:
        number = self._numbers[body]
        self._at().do(_COMMANDS[outcome], transfers=[(number, number)])

    def end(self, *, commits: bool) -> None:
        self._at().do("tx.commit" if commits else "tx.rollback")
        assert self._peer.failures == []

    def leave(self) -> None:
        self._at().conversation.lost(self._clock.now, self._clock.now)


class Amqp091Client:
    windowed = True
    keeps = True
    only_accepts = False
    says_when = False

    def __init__(self, broker: Broker, clock: Clock, *, transacted: bool) -> None:
        self._clock = clock
        self._peer = Amqp091Peer(broker)
        self._peer.now = clock.now
        self._peer.open()
        self._subscribed = False
        self._tags: dict[str, int] = {}
        if transacted:
            self._peer.say(Tx.Select()).expect(Tx.SelectOk)

    def _at(self) -> Amqp091Peer:
        self._peer.now = self._clock.now
        return self._peer

    def publish(self, body: str, properties: dict[str, Any], ttl_ms: int | None) -> None:
        expiration = None if ttl_ms is None else str(ttl_ms)
        self._at().publish(body.encode(), "q", headers=properties or None, expiration=expiration)

    def subscribe(self, credit: int) -> None:
        peer = self._at()
        if not self._subscribed:
            self._subscribed = True
            peer.say(Basic.Qos(prefetch_count=credit)).expect(Basic.QosOk)
            peer.say(Basic.Consume(queue="q")).expect(Basic.ConsumeOk)

    def deliveries(self) -> list[str]:
        peer = self._at().turn()
        bodies = []
        while any(isinstance(part, Basic.Deliver) for _, part in peer.frames):
            method, _, payload = peer.content(Basic.Deliver)
            body = payload.decode()
            self._tags[body] = method.delivery_tag or 0
            bodies.append(body)
        assert not [part for _, part in peer.frames if isinstance(part, Channel.Close)]
        return bodies

    def settle(self, body: str, outcome: str) -> None:
        tag = self._tags[body]
        if outcome == "accepted":
            self._at().say(Basic.Ack(tag))
        else:
            self._at().say(Basic.Reject(tag, requeue=outcome == "released"))

    def _next(self, kind: type[Any]) -> None:
        """Hear a method that deliveries may precede."""
        place = next(at for at, (_, part) in enumerate(self._peer.frames) if isinstance(part, kind))
        del self._peer.frames[place]

    def end(self, *, commits: bool) -> None:
        self._at().say(Tx.Commit() if commits else Tx.Rollback())
        self._next(Tx.CommitOk if commits else Tx.RollbackOk)

    def leave(self) -> None:
        self._at().say(commands.Connection.Close(200, "", 0, 0), channel=0)
        self._peer.conversation.lost(self._clock.now, self._clock.now)


class CoreClient:
    """It grants credit for a message at a time: a message may be larger than the credit in bytes."""

    windowed = False
    keeps = False
    only_accepts = True
    says_when = True

    def __init__(self, broker: Broker, clock: Clock, *, transacted: bool) -> None:
        self._clock = clock
        self._peer = CorePeer(broker)
        self._peer.now = clock.now
        self._peer.open(auto_commit_sends=not transacted, auto_commit_acks=not transacted)
        self._room = 0
        self._subscribed = False
        self._numbers: dict[str, int] = {}

    def _at(self) -> CorePeer:
        self._peer.now = self._clock.now
        return self._peer

    def _answered(self) -> None:
        """Hear an answer that deliveries may precede."""
        place = next(at for at, (_, kind, _) in enumerate(self._peer.heard) if kind is packets.NULL_RESPONSE)
        del self._peer.heard[place]

    def publish(self, body: str, properties: dict[str, Any], ttl_ms: int | None) -> None:
        typed = {name: typed_value(value) for name, value in properties.items()}
        expiration = 0 if ttl_ms is None else self._clock.now + ttl_ms
        self._at().send(body, properties=typed, expiration=expiration)
        self._answered()

    def subscribe(self, credit: int) -> None:
        if not self._subscribed:
            self._subscribed = True
            self._at().ask(packets.CREATE_CONSUMER, packets.QUEUE_QUERIED, consumer=1, queue="q")
        if self._room == 0:
            self._grant()
        self._room += credit

    def _grant(self) -> None:
        self._at().say(packets.CREDIT, consumer=1, credits=0).say(packets.CREDIT, consumer=1, credits=1)

    def deliveries(self) -> list[str]:
        peer = self._at().turn()
        bodies = []
        while peer.heard:
            message = peer.received()
            is_text = message.kind == _TEXT
            text = CoreReader(message.body).nullable_simple_string() if is_text else message.body.decode()
            body = text or ""
            self._numbers[body] = message.number
            bodies.append(body)
            self._room -= 1
            if self._room > 0:
                self._grant()
        return bodies

    def settle(self, body: str, outcome: str) -> None:
        assert outcome == "accepted"
        number = self._numbers[body]
        self._at().say(packets.ACKNOWLEDGE_ONE, consumer=1, message=number, wants_response=True)
        self._answered()

    def end(self, *, commits: bool) -> None:
        self._at().say(packets.COMMIT if commits else packets.ROLLBACK)
        self._answered()

    def leave(self) -> None:
        self._at().vanish()
