"""A large prefetch of a slow reader does not defeat a queue's order, as far as bytes had not left.

python-qpid-proton's engine against ours, without a socket, so that the transport can be held up.
"""

from typing import Any

import pytest
from bare_queue import START_MS, encoded
from proton import Connection as Peer
from proton import Delivery, Message, Transport

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp10.message import read_message
from lastvalue.delivery.output import OUTPUT_ROOM
from lastvalue.frontends.amqp10.frontend import Frontend
from lastvalue.protocols.amqp10.connection import Connection
from lastvalue.protocols.amqp10.options import ConnectionOptions, Role
from lastvalue.queues.spec_arguments import spec_from_arguments

pytestmark = pytest.mark.interop

PREFETCH = 500


class Reader:
    """A proton receiver of the queue; while it is `blocked` the transport takes no bytes."""

    def __init__(self, broker: Broker, credit: int) -> None:
        self._broker = broker
        self._server = Connection(Role.SERVER, ConnectionOptions("broker"), START_MS)
        self._frontend = Frontend(self._server, broker, lambda: None)
        self._transport = Transport()
        peer = Peer()
        peer.container = "proton"
        self._transport.bind(peer)
        self._peer = peer
        peer.open()
        session = peer.session()
        session.open()
        self._link = session.receiver("reader")
        self._link.source.address = "q"
        self._link.open()
        self.blocked = False
        self.grant(credit)

    def grant(self, credit: int) -> None:
        self._link.flow(credit)
        self.exchange()

    def block(self) -> None:
        self.blocked = True
        self._frontend.output.set_writable(False)

    def unblock(self) -> None:
        self.blocked = False
        self._frontend.output.set_writable(True)
        self._frontend.resume()
        self.exchange()

    def exchange(self) -> None:
        """Turns of the broker until nobody has anything to say; bytes go to the reader if they can."""
        moved = True
        while moved:
            said = self._said()
            self._server.receive(said, START_MS)
            self._frontend.handle(START_MS)
            self._broker.pump(START_MS)
            self._broker.drain(START_MS)
            answer = b"" if self.blocked else self._server.data_to_send()
            if answer:
                self._hear(answer)
                self._frontend.resume()
            moved = bool(said or answer)

    def _hear(self, answer: bytes) -> None:
        while answer:
            room = self._transport.capacity()
            self._transport.push(answer[:room])
            answer = answer[room:]

    def _said(self) -> bytes:
        pending = self._transport.pending()
        if pending <= 0:
            return b""
        said = bytes(self._transport.peek(pending))
        self._transport.pop(len(said))
        return said

    def take(self) -> list[str]:
        """The bodies of what has come, each accepted."""
        found = []
        while (delivery := self._link.current) and not delivery.partial:
            message = Message()
            message.decode(self._link.recv(delivery.pending))
            self._link.advance()
            delivery.update(Delivery.ACCEPTED)
            delivery.settle()
            found.append(str(message.body)[:2])
        self.exchange()
        return found

    def take_one_at_a_time(self) -> list[str]:
        found = []
        self.grant(1)
        while taken := self.take():
            assert len(taken) == 1
            found += taken
            self.grant(1)
        return found


def made(options: dict[str, Any]) -> Broker:
    broker = Broker()
    broker.declare(spec_from_arguments("q", options))
    return broker


def publish(broker: Broker, bodies: str, size: int = 0) -> None:
    """Each word is a message: its letter is the key and the sort key, its digit the priority."""
    for body in bodies.split():
        payload = encoded(body + "." * size, {"k": body[0], "s": body}, None, priority=int(body[1]))
        broker.publish(broker.queue_target("q"), read_message(payload), START_MS)


ORDERS: list[Any] = [
    pytest.param({"lvq_key": "k"}, "a1 b1 c1", "a2 c2 a3", "b1 c2 a3", id="last value"),
    pytest.param(
        {"lvq_key": "k", "lvq_placement": "in-place"}, "a1 b1 c1", "a2 c2 a3", "a3 b1 c2", id="in place"
    ),
    pytest.param({"type": "priority"}, "a4 b4 c5", "d9 e1 f9", "d9 f9 c5 a4 b4 e1", id="priority"),
    pytest.param({"sort_key": "s"}, "b1 d1", "c1 a1 e1", "a1 b1 c1 d1 e1", id="sorted"),
]


@pytest.mark.parametrize(("options", "before", "meanwhile", "expected"), ORDERS)
def test_who_asks_for_one_at_a_time_gets_the_queue_s_order(
    options: dict[str, Any], before: str, meanwhile: str, expected: str
) -> None:
    broker = made(options)
    reader = Reader(broker, 0)
    publish(broker, before)
    publish(broker, meanwhile)
    assert reader.take_one_at_a_time() == expected.split()
    assert broker.lookup("q").queue.overtaken == 0


@pytest.mark.parametrize(("options", "before", "meanwhile", "expected"), ORDERS)
def test_who_asks_for_many_and_reads_slowly_gets_the_same(
    options: dict[str, Any], before: str, meanwhile: str, expected: str
) -> None:
    broker = made(options)
    reader = Reader(broker, PREFETCH)
    reader.block()
    publish(broker, before)
    reader.exchange()
    publish(broker, meanwhile)
    reader.exchange()
    assert reader.take() == []
    reader.unblock()
    assert reader.take() == expected.split()
    assert broker.lookup("q").queue.overtaken == 0


@pytest.mark.parametrize(("options", "before", "meanwhile", "expected"), ORDERS)
def test_what_had_left_is_given_first_and_the_rest_is_in_order(
    options: dict[str, Any], before: str, meanwhile: str, expected: str
) -> None:
    broker = made(options)
    reader = Reader(broker, PREFETCH)
    publish(broker, "z0 y0")
    reader.exchange()
    reader.block()
    publish(broker, before)
    reader.exchange()
    publish(broker, meanwhile)
    reader.exchange()
    reader.unblock()
    taken = reader.take()
    assert (sorted(taken[:2]), taken[2:]) == (["y0", "z0"], expected.split())


def test_of_large_messages_no_more_are_chosen_than_the_output_has_room_for() -> None:
    broker = made({"lvq_key": "k"})
    reader = Reader(broker, PREFETCH)
    reader.blocked = True  # the system has not said so yet: bytes wait in our output
    publish(broker, "a1 b1 c1 d1 e1", size=OUTPUT_ROOM // 2)
    reader.exchange()
    publish(broker, "a2 b2 c2 d2 e2")
    reader.exchange()
    reader.unblock()
    assert reader.take() == ["a1", "b1", "a2", "b2", "c2", "d2", "e2"]
    # When the second one is replaced it is the only one that is held: the first has left the queue.
    assert broker.lookup("q").queue.overtaken == 1
