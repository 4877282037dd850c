"""lastvalue.server.log_observations."""

import logging

import pytest
from broker_desk import made
from logged_events import fields, logged

from lastvalue.broker.rights.audit import AuditRecord
from lastvalue.broker.rights.owner import Owner, PeerIdentity
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.statistics.blocked_queues import BlockedQueue
from lastvalue.client import Message, connect
from lastvalue.delivery.consumer import BlockedBy
from lastvalue.delivery.slow_consumers import SlowConsumer
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.log_observations import log_audit, log_blocked_queue, log_slow_consumer

PEER = PeerIdentity("10.0.0.1:5")
PEER.describe("amqp-1.0:7", "AMQP 1.0", "PLAIN")
PEER.name_client({"product": "proton", "version": "0.40"})
ANN = Owner(7, 8, 9, "box", "ann", PEER)
WHO = {"peer": "10.0.0.1:5", "user": "ann", "protocol": "AMQP 1.0", "client": "proton 0.40"}


@pytest.fixture(autouse=True)
def everything(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "lastvalue")


def test_the_audit_says_who_did_what_to_what(caplog: pytest.LogCaptureFixture) -> None:
    log_audit(AuditRecord(ANN, Verb.BIND, "x", "q", "key"))
    said = {"verb": "bind", "name": "x", "destination": "q", "detail": "key"}
    assert logged(caplog) == [("audit.done", WHO | said)]


def test_the_audit_says_who_was_denied_what(caplog: pytest.LogCaptureFixture) -> None:
    log_audit(AuditRecord(ANN, Verb.PURGE_QUEUE, "q", right="manage"))
    assert logged(caplog) == [("audit.denied", WHO | {"verb": "purge-queue", "name": "q", "right": "manage"})]


def test_the_audit_says_for_whom_a_gateway_asked(caplog: pytest.LogCaptureFixture) -> None:
    asked = Owner(principal="ann")
    asked.on_behalf_of = "192.0.2.7"
    log_audit(AuditRecord(asked, Verb.PURGE_QUEUE, "q"))
    assert logged(caplog) == [
        ("audit.done", {"user": "ann", "on_behalf_of": "192.0.2.7", "verb": "purge-queue", "name": "q"})
    ]


def test_a_hostile_name_is_escaped(caplog: pytest.LogCaptureFixture) -> None:
    log_audit(AuditRecord(Owner(principal="\x1b[2J"), Verb.DELETE_QUEUE, "a\nb", "", "\x9b"))
    [(_, values)] = logged(caplog)
    assert (values["user"], values["name"], values["detail"]) == ("\\x1b[2J", "a\\x0ab", "\\x9b")


def test_a_slow_consumer_is_named_at_both_ends(caplog: pytest.LogCaptureFixture) -> None:
    log_slow_consumer(SlowConsumer("q", ANN, BlockedBy.CREDIT, 60_000))
    log_slow_consumer(SlowConsumer("q", ANN, BlockedBy.CREDIT, 90_000, True))
    whose = {
        "queue": "q",
        "connection": "amqp-1.0:7",
        "peer": "10.0.0.1:5",
        "user": "ann",
        "container": "box",
    }
    assert logged(caplog) == [
        ("consumer.slow", whose | {"waits_for": "credit", "waited_ms": 60_000}),
        ("consumer.resumed", whose | {"slow_ms": 90_000}),
    ]


def test_a_blocked_queue_is_named_at_both_ends(caplog: pytest.LogCaptureFixture) -> None:
    hosted = made("q").lookup("q")
    log_blocked_queue(BlockedQueue(hosted, 1000, False))
    log_blocked_queue(BlockedQueue(hosted, 5000, True))
    [(begun, first), ended] = logged(caplog)
    assert (begun, first["queue"], first["blocked_ms"], first["producers"]) == ("queue.blocked", "q", 1000, 0)
    assert ended == ("queue.unblocked", {"queue": "q", "blocked_ms": 5000})


@pytest.mark.parametrize("through", ["prices", "amq.fanout"])
async def test_a_producer_whose_messages_lack_the_order_is_told_once(
    through: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with BrokerServer(ServerOptions(port=0)) as server:
        url = f"amqp://127.0.0.1:{server.port}"
        async with connect(url, container_id="one") as connection, connect(url, container_id="two") as other:
            prices = await connection.declare("prices", lvq_key="symbol", order_by="n")
            await connection.bind("amq.fanout", "prices")
            await prices.send(Message("first", {"symbol": "A", "n": 1}))
            async with connection.queue(through).sender() as ordered, other.queue(through).sender() as sender:
                await ordered.send(Message("in order", {"symbol": "A", "n": 2}))
                for _ in range(3):
                    await sender.send(Message("without", {"symbol": "A"}))
    assert fields(caplog, "queue.order_missing") == [{"queue": "prices", "producer": "two"}]
