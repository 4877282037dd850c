"""Which alternates a queue or an exchange may have."""

import pytest
from bare_queue import START_MS
from broker_desk import made, message

from lastvalue.broker.broker import Broker
from lastvalue.broker.node_policies import NodePolicy
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.routing.alternates import (
    AlternateError,
    AlternateFixedError,
    NodeInUseError,
    UnknownAlternateError,
)
from lastvalue.broker.routing.exchange_spec import ExchangeSpec
from lastvalue.broker.routing.exchanges import ExchangeNotAllowedError
from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.spec import Lifetime, QueueSpec


def test_an_alternate_must_be_there_and_not_the_queue_itself() -> None:
    """S-207."""
    with pytest.raises(InvalidSpecError, match="its own alternate"):
        QueueSpec("q", alternate="q")
    with pytest.raises(UnknownAlternateError, match="'nosuch'"):
        made(QueueSpec("q", alternate="nosuch"))
    with pytest.raises(UnknownAlternateError, match="'nosuch'"):
        made(ExchangeSpec("x", alternate="nosuch"))


def test_a_policy_may_make_the_missing_alternate() -> None:
    broker = Broker()
    broker.missing.policies = [NodePolicy("*_DLQ")]
    broker.declare(QueueSpec("q", alternate="q_DLQ"))
    assert broker.lookup("q_DLQ").queue.depth == 0


def test_policies_that_never_end_are_followed_only_so_far() -> None:
    broker = Broker()
    broker.missing.policies = [NodePolicy("q#", "queue", {"x-qpid-dlq-enabled": True})]
    with pytest.raises(UnknownAlternateError):
        broker.missing.create("q", publishing=True)
    assert broker.queues() == []


def test_what_is_durable_has_a_durable_alternate() -> None:
    ends = QueueSpec("ends", durable=True, lifetime=Lifetime.CONNECTION_CLOSE)
    broker = made("dead", ExchangeSpec("x"), QueueSpec("kept", durable=True), ends)
    for alternate in ("dead", "x", "ends"):
        with pytest.raises(AlternateError, match="must be durable too"):
            broker.declare(QueueSpec("q", durable=True, alternate=alternate))
    broker.declare(QueueSpec("q", durable=True, alternate="kept"))
    broker.declare(QueueSpec("q2", durable=True, alternate="amq.fanout"))


def test_what_is_used_as_an_alternate_is_not_deleted() -> None:
    """S-267."""
    broker = made("dead", ExchangeSpec("x"), QueueSpec("q", alternate="dead", expiry_alternate="x"))
    broker.declare_exchange(ExchangeSpec("y", alternate="x"))
    with pytest.raises(NodeInUseError):
        broker.delete("dead", START_MS, NOBODY)
    with pytest.raises(NodeInUseError):
        broker.delete_exchange("x")
    broker.delete("q", START_MS)
    broker.delete("dead", START_MS, NOBODY)
    with pytest.raises(NodeInUseError):
        broker.delete_exchange("x")
    broker.delete_exchange("y")
    broker.delete_exchange("x")


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
