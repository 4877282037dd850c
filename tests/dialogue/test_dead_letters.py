"""What clients of RabbitMQ read of dead letters over AMQP 0-9-1, and which of them continue."""

from typing import Any

import pytest
from amqp091_peer import Peer, declared
from pamqp import commands

from lastvalue.broker.broker import Broker

Basic, Queue, Exchange = commands.Basic, commands.Queue, commands.Exchange


@pytest.fixture
def broker() -> Broker:
    return Broker()


@pytest.fixture
def peer(broker: Broker) -> Peer:
    return Peer(broker).open()


def pass_time(peer: Peer, milliseconds: int) -> None:
    peer.now += milliseconds
    peer.broker.advance(peer.now)
    peer.turn()


def got(peer: Peer, queue: str) -> tuple[Any, Any]:
    """The method and the properties of the next message."""
    peer.frames.clear()
    method, properties, _ = peer.say(Basic.Get(queue=queue)).content(Basic.GetOk)
    return method, properties


def reject_next(peer: Peer, queue: str) -> Any:
    """Reject the next message; its properties."""
    method, properties = got(peer, queue)
    peer.say(Basic.Reject(method.delivery_tag, requeue=False))
    return properties


def bound(peer: Peer, exchange: str, queue: str, key: str) -> None:
    peer.say(Exchange.Declare(exchange=exchange, exchange_type="direct")).expect(Exchange.DeclareOk)
    peer.say(Queue.Bind(queue=queue, exchange=exchange, routing_key=key)).expect(Queue.BindOk)


def expiring(peer: Peer, queue: str, target: str, ttl_ms: int) -> None:
    more: dict[str, Any] = {"x-dead-letter-exchange": "", "x-dead-letter-routing-key": target}
    more["x-message-ttl"] = ttl_ms
    declared(peer, queue, **more)


def ladder(peer: Peer) -> None:
    """A work queue, whose rejected messages come back after 100 ms in a delay queue."""
    declared(peer, "work", **{"x-dead-letter-exchange": "", "x-dead-letter-routing-key": "delay"})
    more: dict[str, Any] = {
        "x-dead-letter-exchange": "",
        "x-dead-letter-routing-key": "work",
        "x-message-ttl": 100,
    }
    declared(peer, "delay", **more)


def test_a_retry_ladder_counts_the_deaths_by_queue_and_reason(broker: Broker, peer: Peer) -> None:
    ladder(peer)
    peer.publish(b"job", "work")
    for _ in range(2):
        reject_next(peer, "work")
        pass_time(peer, 100)
    _, properties = got(peer, "work")
    deaths = properties.headers["x-death"]
    assert [(each["queue"], each["reason"], each["count"]) for each in deaths] == [
        ("delay", "expired", 2),
        ("work", "rejected", 2),
    ]
    assert [(each["exchange"], each["routing-keys"]) for each in deaths] == [("", ["delay"]), ("", ["work"])]
    assert {name: properties.headers[name] for name in properties.headers if "-death-" in name} == {
        "x-first-death-queue": "work",
        "x-first-death-reason": "rejected",
        "x-first-death-exchange": "",
        "x-last-death-queue": "delay",
        "x-last-death-reason": "expired",
        "x-last-death-exchange": "",
    }


def test_a_dead_letter_has_the_exchange_and_the_key_of_its_last_publication(peer: Peer) -> None:
    declared(peer, "dead")
    bound(peer, "dlx", "dead", "failed")
    declared(peer, "work", **{"x-dead-letter-exchange": "dlx", "x-dead-letter-routing-key": "failed"})
    bound(peer, "jobs", "work", "job")
    peer.publish(b"1", "job", "jobs", expiration="50", headers={"a": 1})
    pass_time(peer, 50)
    method, properties = got(peer, "dead")
    assert (method.exchange, method.routing_key, properties.expiration) == ("dlx", "failed", None)
    (death,) = properties.headers["x-death"]
    assert (death["exchange"], death["routing-keys"]) == ("jobs", ["job"])
    assert (death["original-expiration"], properties.headers["a"]) == ("50", 1)


def test_a_dead_letter_keeps_its_key_if_its_queue_names_none(peer: Peer) -> None:
    declared(peer, "dead")
    bound(peer, "dlx", "dead", "work")
    declared(peer, "work", **{"x-dead-letter-exchange": "dlx"})
    peer.publish(b"1", "work")
    reject_next(peer, "work")
    assert got(peer, "dead")[0].routing_key == "work"


def test_the_default_exchange_without_a_key_leads_to_the_queue_of_the_messages_key(peer: Peer) -> None:
    more: dict[str, Any] = {"x-dead-letter-exchange": "", "x-message-ttl": 10}
    declared(peer, "delay", **more)
    declared(peer, "work")
    bound(peer, "later", "delay", "work")
    peer.publish(b"1", "work", "later")
    pass_time(peer, 10)
    assert got(peer, "work")[0].exchange == ""


def test_targets_of_dead_letters_come_later_go_and_come_again(broker: Broker, peer: Peer) -> None:
    more: dict[str, Any] = {"x-dead-letter-exchange": "dlx", "x-dead-letter-routing-key": "k"}
    declared(peer, "work", **more)
    for body in (b"lost", b"lost too"):
        peer.publish(body, "work")
        reject_next(peer, "work")
    (warning,) = broker.take_warnings()
    assert (warning.queue, warning.detail) == ("work", "there is no exchange and no queue named 'dlx'")
    assert broker.lookup("work").counts.lost_letters == 2
    declared(peer, "dead")
    bound(peer, "dlx", "dead", "k")
    peer.publish(b"kept", "work")
    reject_next(peer, "work")
    assert got(peer, "dead")
    peer.frames.clear()
    peer.say(Exchange.Delete(exchange="dlx")).expect(Exchange.DeleteOk)
    peer.say(Queue.Delete(queue="dead")).expect(Queue.DeleteOk)


def test_what_goes_in_a_circle_by_expiry_alone_is_dropped(broker: Broker, peer: Peer) -> None:
    for name, other in (("a", "b"), ("b", "a")):
        more: dict[str, Any] = {
            "x-dead-letter-exchange": "",
            "x-dead-letter-routing-key": other,
            "x-message-ttl": 10,
        }
        declared(peer, name, **more)
    peer.publish(b"1", "a")
    pass_time(peer, 10)
    assert broker.lookup("b").queue.depth == 1
    pass_time(peer, 10)
    assert (broker.lookup("a").queue.depth, broker.lookup("b").queue.depth) == (0, 0)
    (warning,) = broker.take_warnings()
    assert (warning.queue, "in a circle" in warning.detail) == ("b", True)


def test_a_queue_may_be_its_own_dead_letter_target(broker: Broker, peer: Peer) -> None:
    declared(peer, "q", **{"x-dead-letter-exchange": "", "x-dead-letter-routing-key": "q"})
    peer.publish(b"1", "q")
    for _ in range(3):
        reject_next(peer, "q")
    assert got(peer, "q")[1].headers["x-death"][0]["count"] == 3


def test_what_a_client_says_about_deaths_does_not_count(peer: Peer) -> None:
    ladder(peer)
    headers = {
        "x-death": [{"queue": "work", "reason": "rejected", "count": 9}],
        "x-first-death-queue": "other",
    }
    peer.publish(b"job", "work", headers=headers)
    assert got(peer, "work")[1].headers == headers
    peer.say(Basic.Reject(1, requeue=False))
    pass_time(peer, 100)
    headers = got(peer, "work")[1].headers
    assert [each["count"] for each in headers["x-death"]] == [1, 1]
    assert headers["x-first-death-queue"] == "work"


def test_the_default_exchange_leads_to_a_queue_though_there_is_an_exchange_of_its_name(peer: Peer) -> None:
    ladder(peer)
    bound(peer, "work", "work", "work")
    peer.publish(b"job", "work")
    reject_next(peer, "work")
    pass_time(peer, 100)
    method, properties = got(peer, "work")
    assert (method.exchange, properties.headers["x-death"][0]["queue"]) == ("", "delay")
