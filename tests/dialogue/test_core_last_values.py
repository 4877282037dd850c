"""Scenarios of the field for last values that CORE says otherwise: transactions, branches, addresses."""

from typing import Any

import pytest
from core_management import ManagedBroker
from core_peer import Peer, Received

from lastvalue.broker.broker import Broker
from lastvalue.codec.core import packets
from lastvalue.codec.core.reader import CoreReader
from lastvalue.codec.core.typed_properties import STRING
from lastvalue.queues.spec_arguments import spec_from_arguments

pytestmark = pytest.mark.pure
XID = (1, b"global", b"branch")
MULTICAST = 0
TRANSACTED = {"auto_commit_sends": False, "auto_commit_acks": False}


@pytest.fixture
def broker() -> Broker:
    broker = Broker(all_effects=False)
    broker.declare(spec_from_arguments("q", {"last-value": True}))
    return broker


def update(peer: Peer, key: str, text: str, address: str = "q", name: str = "_AMQ_LVQ_NAME") -> None:
    peer.send(text, address, properties={name: (STRING, key)}).expect(packets.NULL_RESPONSE)


def text_of(message: Received) -> str | None:
    return CoreReader(message.body).nullable_simple_string()


def acknowledge(peer: Peer, count: int) -> list[str | None]:
    """The next messages, acknowledged in what the session works in."""
    messages = [peer.turn().received() for _ in range(count)]
    peer.say(packets.ACKNOWLEDGE, consumer=1, message=messages[-1].number)
    return [text_of(message) for message in messages]


def roll_back(peer: Peer) -> None:
    peer.ask(packets.STOP)
    peer.ask(packets.ROLLBACK)
    peer.say(packets.START)


def branch(peer: Peer, kind: packets.PacketType, **more: Any) -> None:
    assert peer.ask(kind, packets.XA_RESPONSE, xid=XID, **more).number("code") == 0


def test_a_value_that_is_rolled_back_comes_again_each_time(broker: Broker) -> None:
    """S-052, S-058."""
    sender, peer = Peer(broker).open(), Peer(broker).open(**TRANSACTED)
    update(sender, "x", "m1")
    peer.read()
    for _ in range(10):
        assert acknowledge(peer, 1) == ["m1"]
        roll_back(peer)
    update(sender, "x", "m2")
    assert acknowledge(peer, 2) == ["m1", "m2"]
    peer.ask(packets.COMMIT)
    assert broker.lookup("q").queue.depth == 0


def test_of_values_that_are_rolled_back_the_newest_come_again(broker: Broker) -> None:
    """S-057."""
    sender, peer = Peer(broker).open(), Peer(broker).open(**TRANSACTED).read()
    update(sender, "x", "m1")
    update(sender, "y", "m2")
    assert acknowledge(peer, 2) == ["m1", "m2"]
    update(sender, "x", "m3")
    update(sender, "y", "m4")
    assert acknowledge(peer, 2) == ["m3", "m4"]
    roll_back(peer)
    assert acknowledge(peer, 2) == ["m3", "m4"]
    assert peer.turn().silent()


def test_the_values_of_a_branch_conflate_when_it_is_committed(broker: Broker) -> None:
    """S-068; unit/server/test_prepared_branches.py has the restart."""
    peer = Peer(broker).open(xa=True, **TRANSACTED)
    branch(peer, packets.XA_START)
    for number, key in enumerate("xyxy", 1):
        update(peer, key, f"m{number}")
    branch(peer, packets.XA_END)
    branch(peer, packets.XA_PREPARE)
    assert broker.lookup("q").queue.depth == 0
    branch(peer, packets.XA_COMMIT)
    assert Peer(broker).open().read().texts() == ["m3", "m4"]


def test_of_the_values_that_a_branch_gives_back_the_newest_is_there(broker: Broker) -> None:
    """S-069; unit/server/test_prepared_branches.py has the restart."""
    sender, peer = Peer(broker).open(), Peer(broker).open(xa=True, **TRANSACTED).read()
    branch(peer, packets.XA_START)
    for number in range(1, 7):
        update(sender, "x", f"m{number}")
        assert acknowledge(peer, 1) == [f"m{number}"]
    branch(peer, packets.XA_END)
    branch(peer, packets.XA_PREPARE)
    peer.vanish()
    other = Peer(broker, shared=peer.shared).open(xa=True, **TRANSACTED)
    branch(other, packets.XA_ROLLBACK)
    assert Peer(broker).open().read().texts() == ["m6"]


def test_each_subscriber_of_a_topic_gets_the_last_value(broker: Broker) -> None:
    """S-073."""
    peer = Peer(broker).open()
    for queue in ("one", "two"):
        peer.declare(queue, "topic", MULTICAST, last_value_key="reuters_code")
    for number in range(100):
        update(peer, "key", f"Message{number}", "topic", "reuters_code")
    assert [Peer(broker).open().read(queue).texts() for queue in ("one", "two")] == [["Message99"]] * 2


@pytest.mark.parametrize(
    ("pattern", "sent", "got"),
    [
        ("a.#", ["a.b.c", "a.c"], ["a.b.c", "a.c"]),
        ("a.*", ["a.b.c", "a.c"], ["a.c"]),
        ("*.b", ["a.b", "a.c"], ["a.b"]),
        ("*.*", ["a.b.c", "a.c"], ["a.c"]),
        ("*.b.*", ["a.b.c", "a.c"], ["a.b.c"]),
        ("*.b.#", ["a.b.c.d", "a.c"], ["a.b.c.d"]),
        ("#.b.*", ["a.b.c", "a.c"], ["a.b.c"]),
    ],
)
def test_a_queue_that_is_bound_by_a_pattern_gets_what_it_matches(
    broker: Broker, pattern: str, sent: list[str], got: list[str]
) -> None:
    """S-092, S-093."""
    peer = Peer(broker).open()
    peer.declare("bound", pattern, MULTICAST)
    for address in sent:
        peer.ask(packets.CREATE_ADDRESS, address=address, routing_types=[MULTICAST])
        peer.send(address, address).expect(packets.NULL_RESPONSE)
    assert Peer(broker).open().read("bound").texts() == got


def test_the_size_and_the_priority_of_a_value_are_those_of_the_newest() -> None:
    """S-065, S-067."""
    managed = ManagedBroker()
    managed.declare("q", **{"last-value-key": "key"})
    managed.publish("q", "small", key="x")
    small = managed.attribute("queue.q", "persistentSize")
    managed.publish("q", "large" * 2000, key="x")
    large = managed.attribute("queue.q", "persistentSize")
    assert small < 200 < 10_000 < large < 10_200
    assert managed.ask("queue.q", "changeMessagePriority", 2, 7) is True
    assert managed.attribute("queue.q", "persistentSize") == pytest.approx(large, abs=20)
    assert managed.depth("q") == 1


def test_what_expires_says_which_queue_it_was_on(broker: Broker) -> None:
    """S-100."""
    broker.declare(spec_from_arguments("expired", {}))
    broker.declare(spec_from_arguments("short", {"expiry-address": "expired"}))
    peer = Peer(broker).open()
    peer.send("A", "short", expiration=peer.now + 100).expect(packets.NULL_RESPONSE)
    peer.send("B", "short").expect(packets.NULL_RESPONSE)
    peer.at(peer.now + 100)
    message = Peer(broker).open().read("expired").received()
    assert text_of(message) == "A"
    assert [message.properties[name] for name in ("_AMQ_ORIG_ADDRESS", "_AMQ_ORIG_QUEUE")] == ["short"] * 2
    assert Peer(broker).open().read("short").texts() == ["B"]
