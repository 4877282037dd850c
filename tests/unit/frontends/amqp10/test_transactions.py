"""Transactions over AMQP 1.0 [1.0 §4], peer to peer."""

from collections.abc import Callable
from typing import Any

import pytest
from bare_queue import body_of, encoded
from broker_peer import BrokerPeer
from wired_broker import Clock, Line

from lastvalue.broker.broker import Broker
from lastvalue.broker.resource_alarms import StoreFaultError
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import exchange_from_arguments
from lastvalue.codec.amqp10.composites import decomposed
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.performatives import (
    RECEIVER_FIRST,
    RECEIVER_SECOND,
    Accepted,
    Coordinator,
    Declare,
    Declared,
    DeliveryState,
    Detach,
    Discharge,
    Flow,
    Rejected,
    Released,
    Source,
    Target,
    TransactionalState,
)
from lastvalue.codec.amqp10.value_codec import encode_value
from lastvalue.frontends.amqp10.transactions import MOST_OPEN
from lastvalue.protocols.amqp10.options import ConnectionOptions
from lastvalue.protocols.amqp10.receiver import Delivery, ReceiverLink
from lastvalue.protocols.amqp10.sender import DeliverySettled, SenderLink
from lastvalue.protocols.amqp10.session import LinkDetached
from lastvalue.queues.effects import Reason
from lastvalue.queues.spec_arguments import spec_from_arguments


class Peer:
    """A client with one coordinator link, and links to and from queues."""

    def __init__(
        self, broker: Broker, clock: Clock | None = None, options: ConnectionOptions | None = None
    ) -> None:
        self.line = Line(broker, clock or Clock(), options)
        self.session = self.line.session
        self.coordinator = self.session.attach_sender("coordinator", Coordinator())
        self.line.exchange()
        self._senders: dict[str, SenderLink] = {}
        self.receivers: dict[str, ReceiverLink] = {}

    def ask(self, request: Declare | Discharge) -> DeliveryState | None:
        self.coordinator.send(encode_content(MessageContent(body=decomposed(request))), settled=False)
        (settled,) = self.line.take(DeliverySettled)
        state: DeliveryState | None = settled.state
        return state

    def declare(self) -> bytes:
        state = self.ask(Declare())
        assert isinstance(state, Declared)
        return state.txn_id

    def commit(self, txn_id: bytes) -> None:
        assert self.ask(Discharge(txn_id)) == Accepted()

    def roll_back(self, txn_id: bytes) -> None:
        assert self.ask(Discharge(txn_id, fail=True)) == Accepted()

    def send(
        self, body: str, txn_id: bytes | None = None, to: str = "q", **more: Any
    ) -> DeliveryState | None:
        link = self._senders.get(to)
        if link is None or not link.attached:
            link = self._senders[to] = self.session.attach_sender(f"to {to}", Target(address=to))
            self.line.exchange()
        properties = more.pop("properties", {})
        link.send(encoded(body, properties, None, **more), settled=False, state=stated(txn_id))
        (settled,) = self.line.take(DeliverySettled)
        state: DeliveryState | None = settled.state
        return state

    def attach(self, name: str = "r", queue: str = "q", *, keeps: bool = False) -> None:
        mode = RECEIVER_SECOND if keeps else RECEIVER_FIRST
        self.receivers[name] = self.session.attach_receiver(name, Source(address=queue), rcv_settle_mode=mode)

    def receive(self, count: int = 1, name: str = "r") -> list[Delivery]:
        if name not in self.receivers:
            self.attach(name)
        self.receivers[name].add_credit(count)
        deliveries = self.line.take(Delivery)
        self.receivers[name].add_credit(len(deliveries) - count)
        self.line.exchange()
        return deliveries

    def settle(self, delivery: Delivery, state: DeliveryState) -> None:
        delivery.link.settle(delivery.delivery_id, delivery.delivery_id, state)
        self.line.exchange()

    def accept(self, delivery: Delivery, txn_id: bytes) -> None:
        self.settle(delivery, TransactionalState(txn_id, Accepted()))


def stated(txn_id: bytes | None) -> bytes:
    return b"" if txn_id is None else encode_value(decomposed(TransactionalState(txn_id)))


def bodies(deliveries: list[Delivery]) -> list[str]:
    return [body_of(delivery.payload) for delivery in deliveries]


def condition(state: DeliveryState | None) -> str:
    if isinstance(state, TransactionalState):
        state = state.outcome
    assert isinstance(state, Rejected)
    assert state.error is not None
    return state.error.condition


@pytest.fixture
def broker() -> Broker:
    broker = Broker()
    broker.declare(spec_from_arguments("q", {}))
    broker.declare(spec_from_arguments("other", {}))
    broker.declare(spec_from_arguments("lvq", {"lvq_key": "k"}))
    broker.declare(spec_from_arguments("small", {"max_messages": 2}))
    return broker


@pytest.fixture
def peer(broker: Broker) -> Peer:
    return Peer(broker)


def depth(broker: Broker, name: str = "q") -> int:
    return int(broker.lookup(name).queue.depth)


# ---- Publishing


@pytest.mark.spec("amqp-1.0", "4.4.1", "a message that is posted is there after the discharge")
def test_what_is_published_in_a_transaction_is_there_after_its_commit(peer: Peer, broker: Broker) -> None:
    """S-322"""
    txn_id = peer.declare()
    assert peer.send("1", txn_id) == TransactionalState(txn_id, Accepted())
    peer.send("2", txn_id, to="other")
    assert (depth(broker), depth(broker, "other")) == (0, 0)
    peer.commit(txn_id)
    assert (depth(broker), depth(broker, "other")) == (1, 1)


@pytest.mark.spec("amqp-1.0", "4.5.3", "discharge: txn-id, fail")
@pytest.mark.spec("amqp-1.0", "4.3", "discharge with fail: nothing of the work has an effect")
def test_what_is_published_in_a_transaction_is_gone_after_its_rollback(peer: Peer, broker: Broker) -> None:
    """S-322"""
    txn_id = peer.declare()
    peer.send("1", txn_id)
    peer.roll_back(txn_id)
    assert depth(broker) == 0
    assert condition(peer.ask(Discharge(txn_id))) == "amqp:transaction:unknown-id"


def test_values_sent_in_a_transaction_conflate_at_its_commit(peer: Peer, broker: Broker) -> None:
    """S-015"""
    txn_id = peer.declare()
    peer.send("A", txn_id, to="lvq", properties={"k": 1})
    peer.send("B", to="lvq", properties={"k": 1})
    peer.attach("watching", "lvq")
    queue = broker.lookup("lvq").queue
    assert [body_of(entry.message.encoded) for entry in queue.entries()] == ["B"]
    peer.commit(txn_id)
    assert [body_of(entry.message.encoded) for entry in queue.entries()] == ["A"]
    assert queue.removed(Reason.REPLACED) == 1


def test_six_values_of_one_key_in_one_transaction_leave_the_last(peer: Peer, broker: Broker) -> None:
    """S-060"""
    txn_id = peer.declare()
    for number in range(1, 7):
        peer.send(f"m{number}", txn_id, to="lvq", properties={"k": "x"}, durable=True)
    peer.commit(txn_id)
    peer.attach("r", "lvq")
    assert bodies(peer.receive(10)) == ["m6"]


def test_fifty_messages_of_one_transaction_come_by_priority(broker: Broker, peer: Peer) -> None:
    """S-123"""
    broker.declare(spec_from_arguments("p", {"priorities": 10}))
    txn_id = peer.declare()
    for number in range(50):
        peer.send(str(number), txn_id, to="p", priority=number % 10)
    peer.commit(txn_id)
    peer.attach("r", "p")
    expected = sorted(range(50), key=lambda number: -(number % 10))
    assert bodies(peer.receive(50)) == [str(number) for number in expected]


def test_two_transactions_on_one_queue_do_not_see_each_other(broker: Broker) -> None:
    """S-260"""
    one, two = Peer(broker), Peer(broker)
    first, second = one.declare(), two.declare()
    for number in range(1, 6):
        one.send(f"A{number}", first)
        two.send(f"B{number}", second)
    two.commit(second)
    expected = [f"B{number}" for number in range(1, 6)]
    for who, ends in ((one, "roll back"), (two, "roll back"), (one, "commit")):
        txn_id = first if who is one and ends == "roll back" else who.declare()
        deliveries = who.receive(10)
        assert bodies(deliveries) == expected
        for delivery in deliveries:
            who.accept(delivery, txn_id)
        who.roll_back(txn_id) if ends == "roll back" else who.commit(txn_id)
    assert depth(broker) == 0


@pytest.mark.spec("amqp-1.0", "4.3", "a discharge that cannot succeed is rejected and undone")
def test_a_transaction_that_does_not_fit_has_no_effect_at_all(peer: Peer, broker: Broker) -> None:
    txn_id = peer.declare()
    peer.send("elsewhere", txn_id)
    for number in range(3):
        peer.send(str(number), txn_id, to="small")
    assert condition(peer.ask(Discharge(txn_id))) == "amqp:transaction:rollback"
    assert (depth(broker), depth(broker, "small")) == (0, 0)
    assert peer.line.session.open


@pytest.mark.parametrize(
    ("product", "expected"),
    [("QpidJMS", "amqp:resource-limit-exceeded"), ("other", "amqp:transaction:rollback")],
)
def test_qpid_jms_is_told_the_cause_as_it_takes_a_rollback_for_a_doubt(
    broker: Broker, product: str, expected: str
) -> None:
    peer = Peer(broker, options=ConnectionOptions("jms", properties={"product": product}))
    txn_id = peer.declare()
    for body in "123":
        peer.send(body, txn_id, to="small")
    assert condition(peer.ask(Discharge(txn_id))) == expected


def test_what_a_transaction_takes_off_a_full_queue_makes_room_for_what_it_brings(
    peer: Peer, broker: Broker
) -> None:
    peer.send("1", to="small")
    peer.send("2", to="small")
    peer.attach("r", "small")
    deliveries = peer.receive(2)
    txn_id = peer.declare()
    peer.accept(deliveries[0], txn_id)
    peer.send("3", txn_id, to="small")
    peer.commit(txn_id)
    assert depth(broker, "small") == 2


def test_a_message_that_a_queue_cannot_take_is_refused_when_it_is_sent(broker: Broker, peer: Peer) -> None:
    broker.declare(spec_from_arguments("prompt", {"delayed_delivery": "refuse"}))
    txn_id = peer.declare()
    late = {"message_annotations": {"x-opt-delivery-delay": 10_000}}
    assert condition(peer.send("late", txn_id, to="prompt", **late)) == "amqp:precondition-failed"
    peer.send("now", txn_id, to="prompt")
    peer.commit(txn_id)
    assert depth(broker, "prompt") == 1


def test_what_was_sent_settled_and_cannot_be_taken_fails_the_commit(broker: Broker, peer: Peer) -> None:
    txn_id = peer.declare()
    relay = peer.session.attach_sender("relay", Target())
    peer.line.exchange()
    relay.send(encoded("1", {}, None, to="nosuch"), settled=True, state=stated(txn_id))
    peer.send("2", txn_id)
    assert condition(peer.ask(Discharge(txn_id))) == "amqp:transaction:rollback"
    assert depth(broker) == 0


def test_a_queue_that_is_deleted_meanwhile_fails_the_commit(broker: Broker, peer: Peer) -> None:
    txn_id = peer.declare()
    peer.send("1", txn_id)
    peer.send("2", txn_id, to="other")
    broker.delete("other", 0)
    assert condition(peer.ask(Discharge(txn_id))) == "amqp:transaction:rollback"
    assert depth(broker) == 0


def test_an_exchange_routes_at_the_commit(broker: Broker, peer: Peer) -> None:
    broker.declare_exchange(exchange_from_arguments("topic", {"type": "topic"}))
    broker.bind("topic", Binding("q", "a.*"), NOBODY, 0)
    txn_id = peer.declare()
    peer.send("1", txn_id, to="topic", subject="a.b")
    broker.bind("topic", Binding("other", "a.b"), NOBODY, 0)
    peer.commit(txn_id)
    assert (depth(broker), depth(broker, "other")) == (1, 1)


def test_large_messages_in_many_frames_stay_in_their_transaction(peer: Peer, broker: Broker) -> None:
    txn_id = peer.declare()
    assert peer.send("x" * 200_000, txn_id) == TransactionalState(txn_id, Accepted())
    assert depth(broker) == 0
    peer.commit(txn_id)
    assert depth(broker) == 1


@pytest.mark.spec("amqp-1.0", "4.5.7", "amqp:multi-txns-per-ssn")
def test_two_transactions_of_one_session_are_told_apart(peer: Peer, broker: Broker) -> None:
    first, second = peer.declare(), peer.declare()
    for number in range(3):
        peer.send(f"a{number}", first)
        peer.send(f"b{number}", second)
        peer.send(f"c{number}")
    peer.roll_back(first)
    peer.commit(second)
    assert bodies(peer.receive(10)) == ["c0", "c1", "c2", "b0", "b1", "b2"]


# ---- Settling


@pytest.mark.spec("amqp-1.0", "4.4.2", "an outcome in a transaction is in force after the discharge")
def test_what_is_accepted_in_a_transaction_leaves_at_its_commit(peer: Peer, broker: Broker) -> None:
    peer.send("1")
    (delivery,) = peer.receive()
    txn_id = peer.declare()
    peer.accept(delivery, txn_id)
    assert depth(broker) == 1
    peer.commit(txn_id)
    assert depth(broker) == 0
    assert broker.lookup("q").queue.removed(Reason.ACCEPTED) == 1


def test_one_value_rolled_back_comes_again(peer: Peer) -> None:
    """S-058 S-052"""
    peer.send("m1", to="lvq", properties={"k": "x"})
    peer.attach("r", "lvq")
    for _ in range(10):
        deliveries = peer.receive(5)
        assert bodies(deliveries) == ["m1"]
        txn_id = peer.declare()
        peer.accept(deliveries[0], txn_id)
        peer.roll_back(txn_id)
    peer.send("m2", to="lvq", properties={"k": "x"})
    assert bodies(peer.receive(5)) == ["m2"]


def test_values_received_in_a_transaction_that_is_rolled_back(peer: Peer) -> None:
    """S-057"""
    peer.attach("r", "lvq")
    txn_id = peer.declare()
    seen = []
    for pair in (("m1", "m2"), ("m3", "m4")):
        for body, key in zip(pair, "xy", strict=True):
            peer.send(body, to="lvq", properties={"k": key})
        deliveries = peer.receive(5)
        seen += bodies(deliveries)
        for delivery in deliveries:
            peer.accept(delivery, txn_id)
    peer.roll_back(txn_id)
    assert seen + bodies(peer.receive(5)) == ["m1", "m2", "m3", "m4", "m3", "m4"]


@pytest.mark.spec("amqp-1.0", "4.4.4", "a settled retirement that is rolled back is available again")
def test_a_rollback_counts_a_failed_delivery_of_what_was_settled(peer: Peer, broker: Broker) -> None:
    peer.send("1")
    (delivery,) = peer.receive()
    txn_id = peer.declare()
    peer.accept(delivery, txn_id)
    peer.roll_back(txn_id)
    (entry,) = broker.lookup("q").queue.entries()
    assert entry.delivery_count == 1


@pytest.mark.spec("amqp-1.0", "4.4.4", "a retirement that is not settled: the discharge settles it")
def test_what_the_receiver_keeps_until_the_end_is_settled_by_the_commit(peer: Peer, broker: Broker) -> None:
    peer.send("1")
    peer.attach("keeping", keeps=True)
    (delivery,) = peer.receive(name="keeping")
    txn_id = peer.declare()
    peer.accept(delivery, txn_id)
    session = peer.line.server.sessions[0]
    assert len(session.windows.unsettled) == 1
    peer.commit(txn_id)
    assert (depth(broker), len(session.windows.unsettled)) == (0, 0)


@pytest.mark.spec("amqp-1.0", "4.4.4", "after a rollback an unsettled delivery is the receiver's still")
def test_what_the_receiver_keeps_is_still_its_own_after_a_rollback(peer: Peer, broker: Broker) -> None:
    peer.send("1")
    peer.attach("keeping", keeps=True)
    (delivery,) = peer.receive(name="keeping")
    txn_id = peer.declare()
    peer.accept(delivery, txn_id)
    peer.roll_back(txn_id)
    assert peer.receive(name="other") == []
    peer.settle(delivery, Released())
    assert bodies(peer.receive(name="other")) == ["1"]


def test_another_outcome_outside_the_transaction_takes_the_delivery_out_of_it(
    peer: Peer, broker: Broker
) -> None:
    peer.send("1")
    peer.attach("keeping", keeps=True)
    (delivery,) = peer.receive(name="keeping")
    txn_id = peer.declare()
    peer.accept(delivery, txn_id)
    peer.settle(delivery, Released())
    (again,) = peer.receive(name="other")
    peer.commit(txn_id)
    assert depth(broker) == 1
    peer.settle(again, Accepted())
    assert depth(broker) == 0


def test_a_consumer_that_goes_leaves_what_it_settled_in_the_transaction(peer: Peer, broker: Broker) -> None:
    peer.send("1")
    peer.send("2")
    deliveries = peer.receive(2)
    txn_id = peer.declare()
    peer.accept(deliveries[0], txn_id)
    peer.receivers["r"].detach()
    assert bodies(peer.receive(5, "next")) == ["2"]
    peer.commit(txn_id)
    assert depth(broker) == 1
    assert broker.lookup("q").queue.removed(Reason.ACCEPTED) == 1


@pytest.mark.spec(
    "amqp-1.0", "2.7.6", "an outcome in a transaction, after the link was detached but not closed"
)
@pytest.mark.parametrize("settles", [True, False])
@pytest.mark.parametrize(("fails", "left"), [(False, 0), (True, 1)])
def test_an_outcome_in_a_transaction_counts_after_the_detach_of_its_link(
    peer: Peer, broker: Broker, settles: bool, fails: bool, left: int
) -> None:
    peer.send("1")
    txn_id = peer.declare()
    peer.attach(keeps=not settles)
    (delivery,) = peer.receive()
    peer.receivers["r"].detach(closed=False)
    peer.line.exchange()
    peer.accept(delivery, txn_id)
    assert (depth(broker), broker.lookup("q").queue.available) == (1, 0)
    assert peer.ask(Discharge(txn_id, fails)) == Accepted()
    assert depth(broker) == broker.lookup("q").queue.available == left


def test_an_outcome_in_an_unknown_transaction_after_the_detach_frees_the_delivery(
    peer: Peer, broker: Broker
) -> None:
    peer.send("1")
    (delivery,) = peer.receive()
    peer.receivers["r"].detach(closed=False)
    peer.line.exchange()
    peer.accept(delivery, b"none")
    assert broker.lookup("q").queue.available == 1


def test_what_a_transaction_released_after_the_detach_is_not_taken_from_others(
    peer: Peer, broker: Broker
) -> None:
    peer.send("1")
    txn_id = peer.declare()
    peer.attach(keeps=True)
    (delivery,) = peer.receive()
    peer.receivers["r"].detach(closed=False)
    peer.line.exchange()
    peer.accept(delivery, txn_id)
    peer.roll_back(txn_id)
    (again,) = peer.receive(name="other")
    peer.settle(delivery, Accepted())
    assert depth(broker) == 1
    peer.settle(again, Accepted())
    assert depth(broker) == 0


def test_a_rollback_after_the_consumer_went_makes_it_available_to_others(peer: Peer) -> None:
    peer.send("1")
    (delivery,) = peer.receive()
    txn_id = peer.declare()
    peer.accept(delivery, txn_id)
    peer.receivers["r"].detach()
    assert peer.receive(5, "next") == []
    peer.roll_back(txn_id)
    assert bodies(peer.receive(5, "next")) == ["1"]


@pytest.mark.spec("amqp-1.0", "4.1", "a transaction ends with the link of its coordinator")
@pytest.mark.parametrize("ends", ["coordinator", "session", "connection"])
def test_a_transaction_whose_coordinator_goes_is_rolled_back(broker: Broker, ends: str) -> None:
    """S-322"""
    peer, other = Peer(broker), Peer(broker)
    peer.send("1")
    (delivery,) = peer.receive()
    txn_id = peer.declare()
    peer.accept(delivery, txn_id)
    peer.send("2", txn_id)
    if ends == "coordinator":
        peer.coordinator.detach()
    elif ends == "session":
        peer.session.end()
    else:
        peer.line.frontend.close(0)
    peer.line.exchange()
    assert bodies(other.receive(5)) == ["1"]


def test_a_group_stays_with_its_consumer_until_the_commit(broker: Broker) -> None:
    """S-143"""
    broker.declare(spec_from_arguments("g", {"group_key": "group", "group_mode": "shared"}))
    one, two = Peer(broker), Peer(broker)
    for body in ("A0", "A1", "B2", "B3", "A4", "B5"):
        one.send(body, to="g", properties={"group": body[0]})
    for peer in (one, two):
        peer.attach("r", "g")

    def take(peer: Peer, txn_id: bytes) -> str:
        found = peer.receive()
        for delivery in found:
            peer.accept(delivery, txn_id)
        return "".join(bodies(found))

    first, second = one.declare(), two.declare()
    assert (take(one, first), take(two, second)) == ("A0", "B2")
    one.commit(first)
    two.roll_back(second)
    first, second = one.declare(), two.declare()
    assert (take(two, second), take(one, first)) == ("A1", "B2")
    one.commit(first)
    first = one.declare()
    assert (take(one, first), take(two, second)) == ("B3", "A4")
    two.roll_back(second)
    second = two.declare()
    assert (take(one, first), take(two, second)) == ("A1", "")
    assert (take(one, first), take(two, second)) == ("A4", "")
    one.commit(first)
    assert take(two, second) == "B5"


def test_messages_of_a_group_sent_in_a_transaction_come_after_its_commit(broker: Broker) -> None:
    """S-144"""
    broker.declare(spec_from_arguments("g", {"group_key": "group", "group_mode": "shared"}))
    sender, one, two = Peer(broker), Peer(broker), Peer(broker)

    def post(body: str, txn_id: bytes) -> None:
        sender.send(body, txn_id, to="g", properties={"group": body[0]})

    for peer in (one, two):
        peer.attach("r", "g")
    txn_id = sender.declare()
    post("A0", txn_id)
    post("B1", txn_id)
    sender.commit(txn_id)
    txn_id = sender.declare()
    post("A2", txn_id)
    taken = one.declare()
    (a0,) = one.receive()
    one.accept(a0, taken)
    (b1,) = two.receive()
    assert bodies([a0, b1]) == ["A0", "B1"]
    assert (one.receive(), two.receive()) == ([], [])
    sender.commit(txn_id)
    (a2,) = one.receive()
    one.accept(a2, taken)
    assert bodies([a2]) == ["A2"]
    txn_id = sender.declare()
    post("B3", txn_id)
    assert two.receive() == []
    sender.commit(txn_id)
    (b3,) = two.receive()
    assert bodies([b3]) == ["B3"]
    one.roll_back(taken)
    two.settle(b1, Accepted())
    two.settle(b3, Accepted())
    assert bodies(two.receive(5)) == ["A0", "A2"]


def test_a_group_keeps_its_order_through_a_rollback(broker: Broker) -> None:
    """S-145"""
    broker.declare(spec_from_arguments("g", {"group_key": "group", "group_mode": "shared"}))
    peer = Peer(broker)
    txn_id = peer.declare()
    for body in ("A0", "B1", "A2"):
        peer.send(body, txn_id, to="g", properties={"group": body[0]})
    peer.commit(txn_id)
    peer.attach("r", "g")
    (delivery,) = peer.receive()
    txn_id = peer.declare()
    peer.accept(delivery, txn_id)
    peer.roll_back(txn_id)
    assert bodies(peer.receive(5)) == ["A0", "B1", "A2"]


def test_a_shared_group_waits_for_the_transaction_of_a_consumer_that_went(broker: Broker) -> None:
    """S-154"""
    broker.declare(spec_from_arguments("g", {"group_key": "group", "group_mode": "shared"}))
    one, two = Peer(broker), Peer(broker)
    for body, group in (("1", "ONE"), ("2", "ONE"), ("3", "TWO"), ("4", "ONE")):
        one.send(body, to="g", properties={"group": group})
    for peer in (one, two):
        peer.attach("r", "g")
    txn_id = one.declare()
    (delivery,) = one.receive()
    one.accept(delivery, txn_id)
    (third,) = two.receive()
    two.settle(third, Accepted())
    assert bodies([delivery, third]) == ["1", "3"]
    one.receivers["r"].detach()
    one.line.exchange()
    assert two.receive() == []
    one.commit(txn_id)
    assert bodies(two.receive(5)) == ["2", "4"]


# ---- Wrong input


@pytest.mark.spec("amqp-1.0", "4.5.8", "transaction-error: unknown-id")
def test_an_unknown_transaction_rejects_what_is_sent_in_it(peer: Peer, broker: Broker) -> None:
    assert condition(peer.send("1", b"nosuch")) == "amqp:transaction:unknown-id"
    assert depth(broker) == 0


@pytest.mark.spec("amqp-1.0", "4.3", "of what was sent settled the peer hears by the end of its link")
def test_an_unknown_transaction_ends_the_link_whose_message_was_sent_settled(peer: Peer) -> None:
    link = peer.session.attach_sender("s", Target(address="q"))
    peer.line.exchange()
    link.send(encoded("1", {}, None), settled=True, state=stated(b"nosuch"))
    (detached,) = peer.line.take(LinkDetached)
    assert detached.error.condition == "amqp:transaction:unknown-id"


@pytest.mark.spec("amqp-1.0", "4.5.6", "a transactional state names an open transaction")
def test_an_outcome_in_an_unknown_transaction_ends_the_link_and_frees_the_delivery(peer: Peer) -> None:
    peer.send("1")
    (delivery,) = peer.receive()
    peer.accept(delivery, b"nosuch")
    (detached,) = peer.line.take(LinkDetached)
    assert detached.error.condition == "amqp:transaction:unknown-id"
    assert bodies(peer.receive(name="next")) == ["1"]


@pytest.mark.spec("amqp-1.0", "4.5.4", "a transaction's id is its coordinator's")
def test_a_transaction_of_another_connection_is_unknown(broker: Broker, peer: Peer) -> None:
    txn_id = peer.declare()
    assert condition(Peer(broker).send("1", txn_id)) == "amqp:transaction:unknown-id"


@pytest.mark.spec("amqp-1.0", "4.5.2", "declare: global-id is refused")
@pytest.mark.spec("amqp-1.0", "4.5.1", "a coordinator takes declare and discharge")
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("commit", "amqp:decode-error"),
        (decomposed(Declare(b"global")), "amqp:not-implemented"),
        (decomposed(Accepted()), "amqp:decode-error"),
    ],
)
def test_a_coordinator_rejects_what_it_does_not_know(peer: Peer, body: Any, expected: str) -> None:
    peer.coordinator.send(encode_content(MessageContent(body=body)), settled=False)
    (settled,) = peer.line.take(DeliverySettled)
    assert condition(settled.state) == expected
    assert peer.declare()


@pytest.mark.spec("amqp-1.0", "4.2", "a declare is sent unsettled")
def test_a_declare_that_nobody_waits_for_ends_the_link(peer: Peer) -> None:
    peer.coordinator.send(encode_content(MessageContent(body=decomposed(Declare()))), settled=True)
    (detached,) = peer.line.take(LinkDetached)
    assert detached.error.condition == "amqp:invalid-field"


def test_a_connection_may_have_so_many_transactions_open(peer: Peer) -> None:
    declare = encode_content(MessageContent(body=decomposed(Declare())))
    states: list[DeliveryState | None] = []
    while len(states) <= MOST_OPEN:
        for _ in range(min(peer.coordinator.credit, MOST_OPEN + 1 - len(states))):
            peer.coordinator.send(declare, settled=False)
        states += [event.state for event in peer.line.take(DeliverySettled)]
    assert [type(state) for state in states] == [Declared] * MOST_OPEN + [Rejected]
    assert condition(states[-1]) == "amqp:resource-limit-exceeded"


@pytest.mark.spec("amqp-1.0", "4.5.7", "the capabilities of a coordinator are told")
@pytest.mark.parametrize("txn_id", [b"t", None])
def test_acquisition_in_a_transaction_is_refused_by_name_and_nothing_is_acquired(
    broker: Broker, txn_id: bytes | None
) -> None:
    """[1.0 §4.4.3]"""
    peer = BrokerPeer(broker, Clock())
    line = Line(broker, peer.clock)
    publisher = line.session.attach_sender("w", Target(address="q"))
    line.exchange()
    publisher.send(encoded("A", {}, None), settled=True)
    line.exchange()
    peer.reads(0)
    peer.frames()
    peer.say(
        Flow(
            next_incoming_id=0,
            incoming_window=100,
            next_outgoing_id=0,
            outgoing_window=100,
            handle=0,
            delivery_count=0,
            link_credit=1,
            properties={"txn-id": txn_id},
        )
    )
    queue = broker.lookup("q").queue
    if txn_id is None:
        assert [body for _, _, body in peer.got()] == ["A"]
    else:
        assert peer.condition(Detach) == "amqp:not-implemented"
        assert (queue.depth, queue.available, len(queue.subscriptions)) == (1, 1, 0)


def test_a_coordinator_says_what_it_can_do(peer: Peer) -> None:
    remote = peer.coordinator.remote
    assert remote is not None
    assert isinstance(remote.target, Coordinator)
    assert "amqp:local-transactions" in remote.target.capabilities


def test_a_message_that_was_taken_before_undoes_the_whole_transaction(broker: Broker, peer: Peer) -> None:
    broker.declare(spec_from_arguments("once", {"duplicate_window": 100}))
    answers = []
    for _ in range(2):
        txn_id = peer.declare()
        peer.send("1", txn_id, to="once", properties={"_AMQ_DUPL_ID": "batch 1"})
        peer.send("2", txn_id)
        answers.append(peer.ask(Discharge(txn_id)))
    assert answers[0] == Accepted()
    assert condition(answers[1]) == "amqp:transaction:rollback"
    assert (depth(broker), depth(broker, "once")) == (1, 1)


def test_qpid_jms_is_not_told_of_a_rollback_for_a_duplicate_either(broker: Broker) -> None:
    broker.declare(spec_from_arguments("once", {"duplicate_window": 100}))
    peer = Peer(broker, options=ConnectionOptions("jms", properties={"product": "QpidJMS"}))
    for expected in (None, "amqp:not-allowed"):
        txn_id = peer.declare()
        peer.send("1", txn_id, to="once", properties={"_AMQ_DUPL_ID": "batch 1"})
        outcome = peer.ask(Discharge(txn_id))
        assert (None if outcome == Accepted() else condition(outcome)) == expected


def test_a_commit_that_is_refused_as_a_duplicate_says_so_when_the_first_one_is_safe(
    broker: Broker, peer: Peer
) -> None:
    broker.declare(spec_from_arguments("once", {"duplicate_window": 100}))
    first, second = peer.declare(), peer.declare()
    for txn_id in (first, second):
        peer.send("1", txn_id, to="once", properties={"_AMQ_DUPL_ID": "batch 1"})
    peer.commit(first)
    peer.line.flushed = 0
    peer.coordinator.send(encode_content(MessageContent(body=decomposed(Discharge(second)))), settled=False)
    assert peer.line.take(DeliverySettled) == []
    peer.line.flushed = 1
    (settled,) = peer.line.take(DeliverySettled)
    assert condition(settled.state) == "amqp:transaction:rollback"
    assert settled.state.error.info == {"lastvalue:duplicate-id": "batch 1"}


# ---- Limits


@pytest.fixture
def full_disk(broker: Broker) -> Broker:
    """The broker with a durable queue, also behind an exchange, whose disk takes nothing."""
    broker.declare(spec_from_arguments("kept", {"durable": True}))
    broker.bind("amq.fanout", Binding("kept", ""), NOBODY, 0)
    broker.alarms.set_fault(StoreFaultError("the disk is full", full=True))
    return broker


@pytest.mark.parametrize("to", ["kept", "amq.fanout"])
def test_what_cannot_be_kept_now_is_refused_and_the_rest_can_be_committed(
    full_disk: Broker, peer: Peer, to: str
) -> None:
    txn_id = peer.declare()
    for _ in range(2):
        refused = peer.send("1", txn_id, to=to, durable=True)
        assert condition(refused) == "amqp:resource-limit-exceeded"
    assert peer.send("2", txn_id, to="q", durable=True) == TransactionalState(txn_id, Accepted())
    peer.commit(txn_id)
    assert (depth(full_disk, "kept"), depth(full_disk)) == (0, 1)


@pytest.mark.parametrize("to", ["kept", "amq.fanout"])
def test_a_transaction_with_a_settled_message_that_cannot_be_kept_fails(
    full_disk: Broker, peer: Peer, to: str
) -> None:
    txn_id = peer.declare()
    link = peer.session.attach_sender("settled", Target(address=to))
    peer.line.exchange()
    link.send(encoded("1", {}, None, durable=True), settled=True, state=stated(txn_id))
    assert condition(peer.ask(Discharge(txn_id))) == "amqp:transaction:rollback"
    assert depth(full_disk, "kept") == 0


FAULT = StoreFaultError("the disk is full", full=True)
ALARMS: dict[str, Callable[[Broker], None]] = {
    "memory": lambda broker: broker.alarms.set_memory(True),
    "store": lambda broker: broker.alarms.set_store(True),
    "store fault": lambda broker: broker.alarms.set_fault(FAULT),
}


def begun_before(alarm: Callable[[Broker], None], peer: Peer, broker: Broker) -> tuple[SenderLink, bytes]:
    """A link to a durable queue and a transaction, both there before the alarm."""
    broker.declare(spec_from_arguments("kept", {"durable": True}))
    link = peer.session.attach_sender("s", Target(address="kept"))
    peer.line.exchange()
    txn_id = peer.declare()
    alarm(broker)
    return link, txn_id


@pytest.mark.parametrize("alarm", sorted(ALARMS))
@pytest.mark.parametrize("settled", [False, True])
def test_no_alarm_takes_credit_back_within_a_transaction(
    peer: Peer, broker: Broker, alarm: str, settled: bool
) -> None:
    link, txn_id = begun_before(ALARMS[alarm], peer, broker)
    before = link.credit
    link.send(encoded("1", {}, None), settled=settled, state=stated(txn_id))
    peer.line.take(DeliverySettled)
    assert link.credit == before - 1
    for _ in range(link.credit):
        link.send(encoded("1", {}, None), settled=settled, state=stated(txn_id))
    peer.line.take(DeliverySettled)
    # It gets no more than it had, but for one message at a time that tries the disk.
    assert link.credit == int(alarm == "store fault")
    peer.commit(txn_id)
    assert depth(broker, "kept") == before


@pytest.mark.parametrize("alarm", sorted(ALARMS))
@pytest.mark.parametrize("end", ["commit", "roll_back"])
def test_an_alarm_takes_credit_back_with_the_first_message_after_the_transactions(
    peer: Peer, broker: Broker, alarm: str, end: str
) -> None:
    link, txn_id = begun_before(ALARMS[alarm], peer, broker)
    before = link.credit
    getattr(peer, end)(txn_id)
    assert link.credit == before
    link.send(encoded("1", {}, None), settled=False)
    peer.line.exchange()
    assert link.credit == int(alarm == "store fault")
    broker.alarms.set_memory(False)
    broker.alarms.set_store(False)
    broker.alarms.set_fault(None)
    peer.line.exchange()
    assert link.credit >= before - 1


def test_a_lost_coordinator_ends_what_spares_the_credit(peer: Peer, broker: Broker) -> None:
    link = peer.session.attach_sender("s", Target(address="q"))
    peer.line.exchange()
    peer.declare()
    broker.alarms.set_memory(True)
    peer.coordinator.detach()
    peer.line.exchange()
    link.send(encoded("1", {}, None), settled=False)
    peer.line.exchange()
    assert link.credit == 0
