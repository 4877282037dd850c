"""Which alternates a queue or an exchange may have, and what that means for them."""

import pytest
from bare_queue import START_MS
from broker_desk import enqueue, made, message

from lastvalue.broker.broker import Broker
from lastvalue.broker.node_policies import NodePolicy
from lastvalue.broker.routing.alternates import (
    AlternateFixedError,
    NodeInUseError,
)
from lastvalue.broker.routing.exchange_spec import ExchangeSpec
from lastvalue.broker.routing.exchanges import ExchangeNotAllowedError, ExchangeNotFoundError
from lastvalue.model.errors import QueueNotFoundError
from lastvalue.queues.spec import QueueSpec


def test_an_alternate_may_come_later_and_be_the_queue_itself() -> None:
    """S-207."""
    broker = made(
        QueueSpec("q", durable=True, alternate="later"),
        QueueSpec("self", alternate="self"),
        ExchangeSpec("x", alternate="later"),
    )
    assert not broker.alternates.exists("later")
    broker.delete("self", START_MS)
    broker.declare(QueueSpec("later"))
    assert broker.alternates.is_used("later")


def test_a_policy_may_make_the_missing_alternate() -> None:
    broker = Broker()
    broker.missing.policies = [NodePolicy("*_DLQ"), NodePolicy("amq.#")]
    broker.declare(QueueSpec("q", alternate="q_DLQ", expiry_alternate="amq.default"))
    assert [queue.spec.name for queue in broker.queues()] == ["q", "q_DLQ"]


def test_policies_that_never_end_are_followed_only_so_far() -> None:
    broker = Broker()
    broker.missing.policies = [NodePolicy("q#", "queue", {"x-qpid-dlq-enabled": True})]
    broker.missing.create("q", publishing=True)
    assert len(broker.queues()) == 9


def test_what_is_used_as_an_alternate_is_not_deleted() -> None:
    """S-267."""
    broker = made("dead", ExchangeSpec("x"), QueueSpec("q", alternate="dead", expiry_alternate="x"))
    broker.declare_exchange(ExchangeSpec("y", alternate="x"))
    with pytest.raises(NodeInUseError):
        broker.delete("dead", START_MS)
    with pytest.raises(NodeInUseError):
        broker.delete_exchange("x")
    broker.delete("q", START_MS)
    broker.delete("dead", START_MS)
    with pytest.raises(NodeInUseError):
        broker.delete_exchange("x")
    broker.delete_exchange("y")
    broker.delete_exchange("x")


def test_an_alternate_that_is_not_there_is_not_found_by_who_deletes_it() -> None:
    broker = made(QueueSpec("q", alternate="later", expiry_alternate="later"))
    with pytest.raises(QueueNotFoundError):
        broker.delete("later", START_MS)
    with pytest.raises(ExchangeNotFoundError):
        broker.delete_exchange("later")


def test_what_a_protocol_lets_delete_all_the_same_may_come_again() -> None:
    broker = made("dead", ExchangeSpec("x"), QueueSpec("q", alternate="dead", expiry_alternate="x"))
    broker.delete("dead", START_MS, even_alternate=True)
    broker.delete_exchange("x", even_alternate=True)
    broker.declare(QueueSpec("dead"))
    enqueue(broker, "q", "1")
    broker.delete("q", START_MS)
    assert broker.lookup("dead").queue.depth == 1


def test_the_history_of_a_queue_is_never_deleted() -> None:
    broker = made(QueueSpec("q", history="past"))
    with pytest.raises(NodeInUseError):
        broker.delete("past", START_MS, even_alternate=True)
    broker.delete("q", START_MS)
    broker.delete("past", START_MS)


def test_a_declaration_may_leave_an_alternate_out_but_not_change_or_add_it() -> None:
    """S-268."""
    broker = made("a", "b", QueueSpec("with", alternate="a"), "without")
    assert broker.declare(QueueSpec("with")) is False
    with pytest.raises(AlternateFixedError):
        broker.declare(QueueSpec("with", alternate="b"))
    with pytest.raises(AlternateFixedError):
        broker.declare(QueueSpec("without", alternate="a"))
    broker.declare_exchange(ExchangeSpec("x", alternate="a"))
    with pytest.raises(ExchangeNotAllowedError):
        broker.declare_exchange(ExchangeSpec("x", alternate="b"))


def test_a_rerouted_message_is_still_its_senders() -> None:
    """S-270."""
    broker = made("behind", QueueSpec("q", alternate="behind"))
    mine = message("a")
    mine.origin = "me"
    broker.publish(broker.queue_target("q"), mine, START_MS)
    broker.delete("q", START_MS)
    (entry,) = broker.lookup("behind").queue.entries()
    assert entry.message.origin == "me"
