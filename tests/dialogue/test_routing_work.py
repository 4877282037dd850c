"""A piece of input causes so much routing at most, on every protocol; the rest follows."""

from collections.abc import Callable
from typing import Any, Protocol

import pytest
from amqp010_peer import Peer as Amqp010Peer
from amqp091_peer import Peer as Amqp091Peer
from core_peer import Peer as CorePeer
from core_peer import message as core_message
from pamqp import body, commands, frame, header

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType
from lastvalue.broker.routing.routing_work import MOST_WORK
from lastvalue.codec.amqp010.command_layouts import MESSAGE_DELIVERY_PROPERTIES
from lastvalue.codec.amqp010.encoder import encode_struct
from lastvalue.codec.amqp010.frames import BODY, HEADER
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.frames import AMQP_HEADER, FrameSplitter, encode_frame
from lastvalue.codec.amqp10.performatives import (
    ROLE_SENDER,
    Attach,
    Begin,
    Disposition,
    Open,
    Source,
    Target,
    Transfer,
    decode_performative,
    encode_performative,
)
from lastvalue.codec.core import packets
from lastvalue.codec.core.packets import write_packet
from lastvalue.codec.core.writer import CoreWriter
from lastvalue.delivery.protocol_connection import ConnectionContext, ProtocolConnection
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.frontends.amqp10.connection import Amqp10Connection
from lastvalue.protocols.amqp10.options import ConnectionOptions
from lastvalue.protocols.sasl import Authenticator
from lastvalue.queues.spec import QueueSpec

QUEUES = 300
MESSAGES = 40
AT_ONCE = MOST_WORK // QUEUES + 1


class Publisher(Protocol):
    """A client that publishes many messages in one piece of input."""

    conversation: ProtocolConnection

    def publish_all(self) -> bytes: ...

    def confirmed(self) -> int: ...

    def turn(self) -> object: ...


class Amqp10Publisher:
    def __init__(self, state: BrokerState) -> None:
        self.broker = state.broker
        context = ConnectionContext(state.broker, Authenticator(), lambda: None, lambda _: None)
        options = ConnectionOptions("broker")
        self.conversation = Amqp10Connection(context, options, False, 0)
        self._heard = b""
        attach = Attach(name="s", handle=0, role=ROLE_SENDER, source=Source(), target=Target(address="x"))
        begin = Begin(next_outgoing_id=0, incoming_window=5000, outgoing_window=5000)
        self.conversation.receive(AMQP_HEADER + self._frames(Open(container_id="c"), begin, attach), 0, 0)
        self.turn()
        self._heard = b""

    def _frames(self, *performatives: Any, payload: bytes = b"") -> bytes:
        return b"".join(encode_frame(encode_performative(each) + payload, 0) for each in performatives)

    def publish_all(self) -> bytes:
        return b"".join(
            self._frames(
                Transfer(handle=0, delivery_id=number, delivery_tag=b"t", message_format=0),
                payload=encode_content(MessageContent(body=str(number))),
            )
            for number in range(MESSAGES)
        )

    def turn(self) -> None:
        for _ in range(MESSAGES + 2):
            if self.conversation.input_waiting and not self.conversation.busy:
                self.conversation.receive(b"", 0, 0)
            self.broker.pump(0)
            self.broker.drain(0)
            self.conversation.seal(1, 0)
            self.conversation.confirm(1, 0)
            self._heard += self.conversation.data_to_send()

    def confirmed(self) -> int:
        splitter = FrameSplitter(1 << 16)
        splitter.feed(self._heard)
        accepted: set[int] = set()
        while splitter.next():
            told, _ = decode_performative(splitter.data, splitter.body, splitter.end)
            if isinstance(told, Disposition):
                last = told.first if told.last is None else told.last
                accepted.update(range(int(told.first), int(last) + 1))
        return len(accepted)


class Amqp091Publisher(Amqp091Peer):
    def __init__(self, state: BrokerState) -> None:
        super().__init__(state.broker)
        self.open()
        self.say(commands.Confirm.Select())
        self.expect(commands.Confirm.SelectOk)

    def publish_all(self) -> bytes:
        parts: list[Any] = []
        for number in range(MESSAGES):
            text = str(number).encode()
            parts += [commands.Basic.Publish(exchange="x"), header.ContentHeader(body_size=len(text))]
            parts.append(body.ContentBody(text))
        return b"".join(frame.marshal(part, 1) for part in parts)

    def confirmed(self) -> int:
        acks = [each for _, each in self.frames if isinstance(each, commands.Basic.Ack)]
        return int(acks[-1].delivery_tag)


class Amqp010Publisher(Amqp010Peer):
    def __init__(self, state: BrokerState) -> None:
        super().__init__(state)
        self._base = self._sent

    def publish_all(self) -> bytes:
        properties = encode_struct(Record(MESSAGE_DELIVERY_PROPERTIES, {"routing_key": ""}))
        commands_ = []
        for number in range(MESSAGES):
            segments = ((HEADER, properties), (BODY, str(number).encode()))
            commands_.append(self.command_bytes("message.transfer", *segments, destination="x"))
            self._sent += 1
        return b"".join(commands_)

    def turn(self) -> None:
        for _ in range(MESSAGES):
            self.exchange()

    def confirmed(self) -> int:
        return sum(1 for number in self.completed if number >= self._base)


class CorePublisher(CorePeer):
    def __init__(self, state: BrokerState) -> None:
        super().__init__(state.broker)
        self.open()

    def publish_all(self) -> bytes:
        sent = []
        for number in range(MESSAGES):
            text = CoreWriter()
            text.nullable_simple_string(str(number))
            data = core_message(text.data(), "x")
            values = {"message": data, "wants_response": True, "correlation": number}
            sent.append(write_packet(packets.SEND, 10, self.version, values))
        return b"".join(sent)

    def confirmed(self) -> int:
        return sum(1 for _, kind, _ in self.heard if kind is packets.NULL_RESPONSE)


@pytest.mark.parametrize(
    ("kind", "exchange"),
    [
        (Amqp10Publisher, ExchangeType.FANOUT),
        (Amqp091Publisher, ExchangeType.FANOUT),
        (Amqp010Publisher, ExchangeType.FANOUT),
        (CorePublisher, ExchangeType.ADDRESS),
    ],
)
def test_a_piece_of_input_stops_when_it_has_caused_much_routing_and_the_rest_follows_in_order(
    kind: Callable[[BrokerState], Publisher], exchange: ExchangeType
) -> None:
    state = BrokerState(Broker())
    broker = state.broker
    broker.declare_exchange(ExchangeSpec("x", exchange))
    for number in range(QUEUES):
        broker.declare(QueueSpec(f"q{number}"))
        broker.bind("x", Binding(f"q{number}", ""), NOBODY, 0)
    queue = broker.lookup("q7").queue
    peer = kind(state)
    peer.conversation.receive(peer.publish_all(), 0, 0)
    assert 0 < queue.depth <= 2 * AT_ONCE
    assert peer.conversation.input_waiting or peer.conversation.busy
    peer.turn()
    bodies = [decode_content(entry.encoded).body for entry in queue.entries()]
    assert [_text(each) for each in bodies] == [str(number) for number in range(MESSAGES)]
    assert peer.confirmed() == MESSAGES
    assert not peer.conversation.input_waiting


def _text(content: Any) -> str:
    return content.decode() if isinstance(content, bytes) else str(content)
