"""Pairs of queues that take what is published to each other."""

import pytest
from bare_queue import START_MS, body_of
from broker_desk import enqueue, made, message

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType
from lastvalue.broker.routing.nodes import Node
from lastvalue.broker.routing.redirects import RedirectError
from lastvalue.broker.statistics.statistic import QUEUE, describe
from lastvalue.broker.transactions import Transaction
from lastvalue.model.errors import InvalidSpecError, QueueExistsError, QueueNotFoundError
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.queues.effects import Reason
from lastvalue.queues.spec import Lifetime, Limit, QueueSpec, WhenFull

PAIR = (QueueSpec("b"), QueueSpec("a", redirect="b"))


def bodies(broker: Broker, name: str) -> list[str]:
    return [body_of(entry.message.encoded) for entry in broker.lookup(name).queue.entries()]


def routed(broker: Broker, exchange: str, key: str, body: str) -> None:
    node = Node(exchange, None, broker.exchanges.find(exchange))
    broker.route(broker.target(node), key, message(body, key), START_MS)


def test_two_queues_take_what_is_published_to_each_other() -> None:
    broker = made(*PAIR)
    enqueue(broker, "a", "to a")
    enqueue(broker, "b", "to b")
    assert (bodies(broker, "a"), bodies(broker, "b")) == (["to b"], ["to a"])


def test_exchanges_and_addresses_reach_the_other_queue_too_and_each_once() -> None:
    broker = made(*PAIR, ExchangeSpec("x", ExchangeType.FANOUT), ExchangeSpec("a", ExchangeType.ADDRESS))
    for queue in ("a", "b"):
        broker.bind("x", Binding(queue, ""), NOBODY, START_MS)
    broker.bind("a", Binding("a", ""), NOBODY, START_MS)
    routed(broker, "x", "", "both")
    routed(broker, "", "a", "by the default exchange")
    broker.route(broker.target(Node("a")), "", message("by the address"), START_MS)
    assert bodies(broker, "a") == ["both"]
    assert bodies(broker, "b") == ["both", "by the default exchange", "by the address"]


def test_a_transaction_goes_to_the_queue_that_takes_its_messages_when_it_commits() -> None:
    broker = made(QueueSpec("b", limit=Limit(2)), "a")
    transaction = Transaction(MemoryAccount())
    for body in ("1", "2"):
        transaction.post(broker.queue_target("a"), "", message(body), START_MS)
    broker.reconfigure(QueueSpec("a", redirect="b"), START_MS)
    broker.commit(transaction, START_MS)
    assert (bodies(broker, "a"), bodies(broker, "b")) == ([], ["1", "2"])


def test_what_an_alternate_gets_is_redirected_as_well() -> None:
    broker = made(*PAIR, QueueSpec("ring", alternate="a", limit=Limit(1, when_full=WhenFull.DROP_OLDEST)))
    enqueue(broker, "ring", "old", "new")
    broker.pump(START_MS)
    assert bodies(broker, "b") == ["old"]


def test_a_redirect_that_ends_gives_the_first_queue_what_the_second_one_has() -> None:
    broker = made(*PAIR)
    enqueue(broker, "a", "1", "2")
    broker.reconfigure(QueueSpec("a"), START_MS)
    enqueue(broker, "a", "3")
    assert (bodies(broker, "a"), bodies(broker, "b")) == (["1", "2", "3"], [])
    assert broker.lookup("b").queue.removed(Reason.MOVED) == 2


@pytest.mark.parametrize("deleted", ["a", "b"])
def test_a_queue_that_is_deleted_is_redirected_no_more_and_keeps_its_messages_to_itself(deleted: str) -> None:
    broker = made(*PAIR)
    enqueue(broker, "a", "to a")
    enqueue(broker, "b", "to b")
    broker.delete(deleted, START_MS)
    (left,) = broker.queues()
    enqueue(broker, left.spec.name, "later")
    assert left.spec == QueueSpec(left.spec.name)
    assert bodies(broker, left.spec.name) == [f"to {deleted}", "later"]


def test_the_deletion_of_the_second_queue_is_recorded_with_the_first_one() -> None:
    broker = made(QueueSpec("b", durable=True), QueueSpec("a", durable=True, redirect="b"))
    recorded = {each.name: each.arguments for each in broker.definitions.drain()}
    assert recorded["a"] == {"type": "standard", "durable": True, "redirect": "b"}
    broker.delete("b", START_MS)
    assert {"type": "standard", "durable": True} in [each.arguments for each in broker.definitions.drain()]


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        (QueueSpec("c", redirect="b"), "redirected already"),
        (QueueSpec("c", redirect="a"), "redirected already"),
        (QueueSpec("b", redirect="a"), "redirected already"),
        (QueueSpec("a", redirect="free"), "redirected already"),
        (QueueSpec("c", redirect="brief"), "'brief' may be deleted by the broker"),
        (QueueSpec("free", redirect="frail"), "'frail' may be deleted by the broker"),
        (QueueSpec("c", durable=True, redirect="free"), "one is durable"),
        (QueueSpec("b", lifetime=Lifetime.NO_LINKS), "'b' may be deleted by the broker"),
    ],
)
def test_a_queue_is_in_one_pair_and_both_stay_what_a_pair_needs(spec: QueueSpec, why: str) -> None:
    frail = QueueSpec("frail", limit=Limit(1, when_full=WhenFull.SELF_DESTRUCT))
    broker = made(*PAIR, "free", frail, QueueSpec("brief", lifetime=Lifetime.NO_LINKS))
    before = [queue.spec for queue in broker.queues()]
    with pytest.raises(RedirectError, match=why):
        broker.reconfigure(spec, START_MS) if broker.has_queue(spec.name) else broker.declare(spec)
    assert [queue.spec for queue in broker.queues()] == before


def test_a_redirect_names_another_queue_that_exists() -> None:
    with pytest.raises(InvalidSpecError, match="cannot be redirected to itself"):
        QueueSpec("a", redirect="a")
    with pytest.raises(QueueNotFoundError):
        made(QueueSpec("a", redirect="b"))


def test_a_declaration_may_leave_out_a_redirect_that_there_is() -> None:
    broker = made(*PAIR)
    assert not broker.declare(QueueSpec("a"))
    assert not broker.declare(QueueSpec("a", redirect="b"))
    with pytest.raises(QueueExistsError, match="redirect: wanted 'a', has None"):
        broker.declare(QueueSpec("b", redirect="a"))


def test_both_queues_show_their_peer() -> None:
    broker = made(*PAIR, "c")
    peers = {name: describe(broker.lookup(name), QUEUE)["redirect_peer"] for name in "abc"}
    assert peers == {"a": "b", "b": "a", "c": ""}


def test_other_options_of_a_redirected_queue_can_change() -> None:
    broker = made(*PAIR)
    enqueue(broker, "a", "1")
    broker.reconfigure(QueueSpec("a", redirect="b", limit=Limit(5)), START_MS)
    broker.reconfigure(QueueSpec("b", limit=Limit(5)), START_MS)
    enqueue(broker, "a", "2")
    assert bodies(broker, "b") == ["1", "2"]
