"""Messages with further routing keys in CC and BCC."""

from typing import Any

import pytest
from amqp091_peer import Peer, closed, declared
from pamqp import commands

from lastvalue.broker.broker import Broker

Basic, Queue, Exchange, Tx = commands.Basic, commands.Queue, commands.Exchange, commands.Tx


@pytest.fixture
def queues(broker: Broker, peer: Peer) -> list[str]:
    names = ["a", "b", "c", "d"]
    for name in names:
        declared(peer, name)
    return names


def depths(broker: Broker, queues: list[str]) -> list[int]:
    return [broker.lookup(name).queue.depth for name in queues]


def test_a_message_goes_to_the_queues_of_all_its_keys_once(
    broker: Broker, peer: Peer, queues: list[str]
) -> None:
    peer.publish(b"x", "a", headers={"CC": ["b", "a"], "BCC": ["c"], "n": 1})
    assert depths(broker, queues) == [1, 1, 1, 0]
    for name in ("a", "b", "c"):
        peer.say(Basic.Get(queue=name))
        method, properties, _ = peer.content(Basic.GetOk)
        assert (method.routing_key, properties.headers) == ("a", {"CC": ["b", "a"], "n": 1})


def test_every_key_is_routed_by_the_exchange(broker: Broker, peer: Peer, queues: list[str]) -> None:
    peer.say(Exchange.Declare(exchange="x", exchange_type="topic")).expect(Exchange.DeclareOk)
    for name, key in (("a", "one.*"), ("b", "two.#"), ("c", "three")):
        peer.say(Queue.Bind(queue=name, exchange="x", routing_key=key)).expect(Queue.BindOk)
    peer.publish(b"x", "nothing", "x", headers={"CC": ["one.1", "two.2"]}, mandatory=True)
    assert (depths(broker, queues), peer.silent()) == ([1, 1, 0, 0], True)


def test_an_exchange_that_one_key_leads_to_routes_by_all_keys(
    broker: Broker, peer: Peer, queues: list[str]
) -> None:
    for name in ("outer", "inner"):
        peer.say(Exchange.Declare(exchange=name, exchange_type="direct")).expect(Exchange.DeclareOk)
    way = Exchange.Bind(source="outer", destination="inner", routing_key="way")
    peer.say(way).expect(Exchange.BindOk)
    for name, key in (("a", "way"), ("b", "one"), ("c", "two")):
        peer.say(Queue.Bind(queue=name, exchange="inner", routing_key=key)).expect(Queue.BindOk)
    peer.publish(b"x", "one", "outer", headers={"CC": ["two"]})
    assert depths(broker, queues) == [0, 0, 0, 0]
    peer.publish(b"x", "one", "outer", headers={"CC": ["way"], "BCC": ["two"]})
    assert depths(broker, queues) == [1, 1, 1, 0]


def test_keys_that_no_queue_has_return_a_mandatory_message(peer: Peer) -> None:
    peer.publish(b"x", "no", headers={"CC": ["no2"], "BCC": ["no3"]}, mandatory=True)
    returned = peer.content(Basic.Return)[0]
    assert (returned.reply_code, returned.reply_text) == (312, "NO_ROUTE")


def test_a_transaction_routes_to_all_keys_at_its_commit(
    broker: Broker, peer: Peer, queues: list[str]
) -> None:
    peer.say(Tx.Select()).expect(Tx.SelectOk)
    peer.publish(b"x", "a", headers={"CC": ["b"], "BCC": ["d"]})
    assert depths(broker, queues) == [0, 0, 0, 0]
    peer.say(Tx.Commit()).expect(Tx.CommitOk)
    assert depths(broker, queues) == [1, 1, 0, 1]


@pytest.mark.parametrize("name", ["CC", "BCC"])
@pytest.mark.parametrize("value", ["b", 1, [1], ["b", None], {"b": "c"}])
def test_a_header_that_is_no_array_of_texts_is_refused(
    peer: Peer, queues: list[str], name: str, value: Any
) -> None:
    peer.publish(b"x", "a", headers={name: value})
    assert closed(peer) == (406, f"PRECONDITION_FAILED - the header {name} must be an array of long strings")


def test_dead_letters_go_to_the_further_keys_too_unless_their_queue_names_one(
    broker: Broker, peer: Peer, queues: list[str]
) -> None:
    peer.say(Exchange.Declare(exchange="dlx", exchange_type="direct")).expect(Exchange.DeclareOk)
    for name, key in (("a", "one"), ("b", "two"), ("c", "own")):
        peer.say(Queue.Bind(queue=name, exchange="dlx", routing_key=key)).expect(Queue.BindOk)
    expiring: dict[str, Any] = {"x-dead-letter-exchange": "dlx", "x-message-ttl": 10}
    declared(peer, "one", **expiring)
    declared(peer, "two", **expiring, **{"x-dead-letter-routing-key": "own"})
    peer.publish(b"x", "one", headers={"CC": ["two"]})
    broker.advance(peer.now + 10)
    peer.turn()
    assert depths(broker, queues) == [1, 1, 1, 0]
    peer.say(Basic.Get(queue="a"))
    headers: Any = peer.content(Basic.GetOk)[1].headers
    (death,) = headers["x-death"]
    assert death["routing-keys"] == ["one", "two"]
    peer.say(Basic.Get(queue="c"))
    headers = peer.content(Basic.GetOk)[1].headers
    assert "CC" not in headers


def test_a_dead_letter_for_a_queue_that_is_named_has_no_further_keys(
    broker: Broker, peer: Peer, queues: list[str]
) -> None:
    expiring: dict[str, Any] = {"x-dead-letter-exchange": "", "x-message-ttl": 10}
    declared(peer, "one", **expiring, **{"x-dead-letter-routing-key": "a"})
    peer.publish(b"x", "one", headers={"CC": ["b"]})
    broker.advance(peer.now + 10)
    peer.turn()
    assert depths(broker, queues) == [1, 1, 0, 0]
    peer.say(Basic.Get(queue="a"))
    headers: Any = peer.content(Basic.GetOk)[1].headers
    assert ("CC" in headers, headers["x-death"][0]["routing-keys"]) == (False, ["one", "b"])
