"""What decides what becomes of a message is asked in one order, whichever protocol brought it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from amqp010_peer import Peer as Amqp010Peer
from amqp091_peer import Peer as Amqp091Peer
from broker_peer import BrokerPeer
from core_peer import Peer as CorePeer
from core_peer import permit
from pamqp import commands
from wired_broker import Clock

from lastvalue.broker.broker import Broker
from lastvalue.broker.resource_alarms import StoreFaultError
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.queues.spec_arguments import spec_from_arguments

Send = Callable[[bool], object]
"""Sends a message to the queue `q`, durable or not, and hears what becomes of it."""


def by_amqp10(broker: Broker) -> Send:
    peer = BrokerPeer(broker, Clock())
    peer.writes(address="q")
    numbers = iter(range(100))

    def send(durable: bool) -> object:
        peer.transfer(next(numbers), encode_content(MessageContent(durable=durable, body="x")))
        peer.turn()
        return peer.told()

    return send


def by_amqp091(broker: Broker) -> Send:
    peer = Amqp091Peer(broker).open()
    peer.say(commands.Confirm.Select())
    return lambda durable: peer.publish(b"x", "q", delivery_mode=2 if durable else 1)


def by_amqp010(broker: Broker) -> Send:
    peer = Amqp010Peer(BrokerState(broker))
    return lambda durable: peer.send("q", b"x", delivery={"delivery_mode": 2 if durable else 1})


def by_core(broker: Broker) -> Send:
    peer = CorePeer(broker).open()
    return lambda durable: peer.send("x", durable=durable)


@dataclass(frozen=True)
class Row:
    """What is wrong, and which of the questions the message does not get past.

    Attributes:
        asked: whether the broker's rights, and then the queue, refuse it; neither is that the disk does, or
            that it is taken.
        depth: of the queue then.
    """

    name: str
    durable: bool
    wrong: tuple[str, ...]
    asked: tuple[bool, bool]
    depth: int


ROWS = (
    Row("nothing is wrong", True, (), (False, False), 1),
    Row("the queue is full", True, ("full",), (False, True), 1),
    Row("the disk goes before the queue", True, ("full", "disk"), (False, False), 1),
    Row("the disk matters to what is kept", False, ("disk",), (False, False), 1),
    Row("a message that is not kept meets the queue alone", False, ("full", "disk"), (False, True), 1),
    Row("the rights go before the disk", True, ("rights", "disk"), (True, False), 0),
    Row("the rights go before the queue", True, ("rights", "full"), (True, False), 1),
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
@pytest.mark.parametrize("by", [by_amqp10, by_amqp091, by_amqp010, by_core])
def test_the_first_question_that_a_message_does_not_get_past_decides(
    by: Callable[[Broker], Send], row: Row
) -> None:
    broker = Broker()
    arguments: dict[str, Any] = {"durable": True, "max_messages": 1, "when_full": "refuse"}
    broker.declare(spec_from_arguments("q", arguments))
    hosted = broker.lookup("q")
    if "full" in row.wrong:
        broker.publish(broker.queue_target("q"), read_message(encode_content(MessageContent(body="x"))), 0)
    permit(broker, "write *")
    send = by(broker)
    if "rights" in row.wrong:
        permit(broker, "read *")
        broker.permissions_changed(0)
    if "disk" in row.wrong:
        broker.alarms.set_fault(StoreFaultError("the disk is full", full=True))
    heard = send(row.durable)
    # A link of AMQP 1.0 has lost the right that it had been given; the others ask for it now.
    denied = broker.authorization.denied["publish"] > 0 or "unauthorized-access" in str(heard)
    assert ((denied, hosted.queue.refused > 0), hosted.queue.depth) == (row.asked, row.depth)
