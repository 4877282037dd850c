"""Runs scenarios on a broker behind its CORE frontend, without a socket.

Each reader has a connection of its own, and its session is started while it reads.
"""

from typing import Any

from core_peer import Peer
from scenario import Asked, Given, ReaderRefusedError
from wired_broker import FIRST_OF_GROUP, Clock, WiredBroker

from lastvalue.broker.broker import Broker
from lastvalue.codec.core import packets
from lastvalue.codec.core.reader import CoreReader
from lastvalue.codec.core.typed_properties import BOOLEAN, DOUBLE, INT, LONG, STRING
from lastvalue.model.property_names import DELIVERY_TIME
from lastvalue.queues.spec_arguments import spec_from_arguments


class CoreBroker(WiredBroker):
    def __init__(self, options: dict[str, Any]) -> None:
        self.clock = Clock()
        self.broker = Broker()
        spec = spec_from_arguments("q", options)
        self._alternates = sorted({name for name in (spec.alternate, spec.expiry_alternate) if name})
        self._held = {}
        self._peers: dict[str, Peer] = {}
        for name in self._alternates:
            self.broker.declare(spec_from_arguments(name, {}))
        # What CORE cannot declare is the operator's to configure.
        self.broker.declare(spec)
        self._publisher = self._peer()

    def _peer(self) -> Peer:
        peer = Peer(self.broker)
        peer.now = self.clock.now
        # Whole messages, however large.
        return peer.open(min_large_message_size=2**30)

    def send(self, body: str, properties: dict[str, Any], ttl_ms: int | None, **more: Any) -> bool:
        publisher = self._publisher
        publisher.now = self.clock.now
        typed = {name: typed_value(value) for name, value in properties.items()}
        for name, value in more.get("message_annotations", {}).items():
            if name == DELIVERY_TIME:
                typed["_AMQ_SCHED_DELIVERY"] = (LONG, value)
            else:
                typed[f"JMS_AMQP_MA_{name}"] = typed_value(value)
        for name, header in (
            ("group_id", "_AMQ_GROUP_ID"),
            ("group_sequence", "_AMQ_GROUP_SEQUENCE"),
            ("subject", "JMSType"),
        ):
            if name in more:
                typed[header] = typed_value(more[name])
        expiration = 0 if ttl_ms is None else self.now + ttl_ms
        publisher.send(
            body,
            properties=typed,
            expiration=more.get("absolute_expiry_time", expiration),
            priority=more.get("priority", 4),
            durable=more.get("durable", False),
        )
        _, kind, _ = publisher.heard.pop()
        return kind is packets.NULL_RESPONSE

    def attach(self, by: str, reads: str, asked: Asked, queue: str = "q") -> None:
        if by in self._peers:
            return
        peer = self._peers[by] = self._peer()
        peer.ask(packets.STOP)
        values: dict[str, Any] = {"consumer": 1, "queue": queue, "browse": reads == "browse"}
        values |= {"filter": asked.selector or None, "priority": asked.priority or 0, "wants_response": True}
        peer.say(packets.CREATE_CONSUMER, **values)
        if peer.heard[0][1] is packets.EXCEPTION:
            raise ReaderRefusedError(peer.expect(packets.EXCEPTION).text("text"))
        peer.expect(packets.QUEUE_QUERIED)

    def read(self, by: str, reads: str, count: int, asked: Asked) -> list[Given]:
        self.attach(by, reads, asked)
        given: list[Given] = []
        peer = self._at(by)
        peer.say(packets.START)
        while len(given) < count:
            # One byte of credit is a message.
            peer.say(packets.CREDIT, consumer=1, credits=0).say(packets.CREDIT, consumer=1, credits=1)
            if peer.silent():
                break
            given += self._given(by, reads)
        peer.say(packets.CREDIT, consumer=1, credits=0).ask(packets.STOP)
        return given

    def _at(self, by: str) -> Peer:
        peer = self._peers[by]
        peer.now = self.clock.now
        return peer

    def _given(self, by: str, reads: str) -> list[Given]:
        message = self._at(by).received()
        body = CoreReader(message.body).nullable_simple_string() or ""
        marked = message.properties.get(FIRST_OF_GROUP) is True
        if reads == "acquire":
            self._held.setdefault(by, []).append((body, message.number))
        return [Given(body, message.deliveries - 1, marked, message.expiration or None)]

    def settle(self, by: str, body: str, outcome: str) -> None:
        _, number = self._held[by].pop(self.held(by).index(body))
        assert outcome == "accepted"
        self._at(by).ask(packets.ACKNOWLEDGE_ONE, consumer=1, message=number)

    def close(self, by: str) -> None:
        peer = self._at(by)
        del self._peers[by]
        self._held.pop(by, None)
        peer.ask(packets.CLOSE)
        peer.vanish()


def typed_value(value: object) -> tuple[int, Any]:
    """A value with the type that a Java program would give it."""
    if isinstance(value, bool):
        return BOOLEAN, value
    if isinstance(value, int):
        return (INT if -(2**31) <= value < 2**31 else LONG), value
    return (DOUBLE, value) if isinstance(value, float) else (STRING, str(value))
