"""What the methods of QMF do."""

from typing import Any

import pytest
from amqp010_peer import START_MS, Peer
from amqp091_peer import Peer as Amqp091Peer
from pamqp.commands import Basic, Connection
from qmf_console import BROKER, Console

from lastvalue.broker.broker import Broker
from lastvalue.broker.routing.exchange_spec import ExchangeSpec
from lastvalue.codec.amqp10.frames import AMQP_HEADER, encode_frame
from lastvalue.codec.amqp10.performatives import (
    ROLE_RECEIVER,
    Attach,
    Begin,
    Open,
    Source,
    Target,
    encode_performative,
)
from lastvalue.delivery.protocol_connection import ConnectionContext
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.frontends.amqp10.connection import Amqp10Connection
from lastvalue.protocols.amqp10.options import ConnectionOptions
from lastvalue.protocols.sasl import Authenticator
from lastvalue.queues.spec import LastValue, Limit, QueueSpec


def test_a_queue_is_created_shown_and_deleted(console: Console) -> None:
    """S-019, S-309, S-310, S-314, S-315, S-317."""
    properties = {"qpid.last_value_queue_key": "ticker", "durable": 1, "my.own": "x"}
    assert console.call("create", {"type": "queue", "name": "prices", "properties": properties}) == {}
    spec = console.peer.broker.lookup("prices").queue.spec
    assert (spec.ordering, spec.durable) == (LastValue("ticker"), True)
    values = console.values("queue", "prices")
    assert values["arguments"] == {"qpid.last_value_queue_key": "ticker", "my.own": "x"}
    assert values["durable"] is True
    again = console.call("create", {"type": "queue", "name": "prices", "properties": {}})
    assert again["error_text"] == "object already exists: prices"
    console.peer.send("prices", b"1")
    options = {"if_empty": True, "if_unused": True}
    refused = console.call("delete", {"type": "queue", "name": "prices", "options": options})
    assert "not empty" in refused["error_text"]
    assert console.call("delete", {"type": "queue", "name": "prices", "options": {}}) == {}
    assert not console.peer.broker.has_queue("prices")


def test_an_exchange_and_a_binding_are_created_shown_and_deleted(console: Console) -> None:
    """S-312."""
    made = {"exchange-type": "topic", "qpid.ive": 1, "alternate-exchange": "amq.fanout"}
    console.call("create", {"type": "exchange", "name": "news", "properties": made})
    console.call("create", {"type": "binding", "name": "news/q/a.#", "properties": {}})
    values = console.values("exchange", "news")
    assert (values["type"], values["arguments"], values["bindingCount"]) == ("topic", {"qpid.ive": 1}, 1)
    assert values["altExchange"] == {"_object_name": "org.apache.qpid.broker:exchange:amq.fanout"}
    keys = [each["_values"]["bindingKey"] for each in console.objects("binding")]
    assert "a.#" in keys
    console.call("delete", {"type": "binding", "name": "news/q/a.#"})
    console.call("delete", {"type": "exchange", "name": "news"})
    assert console.peer.broker.exchanges.get("news") is None


def test_a_policy_makes_queues_that_are_missing(console: Console) -> None:
    console.call("create", {"type": "QueuePolicy", "name": "auto.*", "properties": {"qpid.max_count": 5}})
    console.peer.send("auto.one", b"1")
    assert console.peer.broker.lookup("auto.one").queue.spec.limit == Limit(5)


def test_an_unknown_type_is_told(console: Console) -> None:
    told = console.call("create", {"type": "none", "name": "n", "properties": {}})
    assert told["error_text"] == "unknown object type: none"


QUEUE = "org.apache.qpid.broker:queue:q"


@pytest.mark.parametrize(
    ("method", "arguments", "name"),
    [
        ("echo", {"sequence": "x"}, BROKER),
        ("create", {"type": "queue", "name": "n", "properties": [1]}, BROKER),
        (
            "create",
            {
                "type": "queue",
                "name": "n",
                "properties": {"auto-delete": True, "qpid.auto_delete_timeout": "x"},
            },
            BROKER,
        ),
        ("delete", {"type": "queue", "name": "q", "options": [1]}, BROKER),
        ("queueMoveMessages", {"srcQueue": "q", "destQueue": "q", "qty": "x"}, BROKER),
        ("purge", {"request": 1, "filter": "x"}, QUEUE),
        ("purge", {"filter": {"filter_type": "header_match_str", "filter_params": "x"}}, QUEUE),
    ],
)
def test_an_argument_of_another_type_is_refused(
    console: Console, method: str, arguments: dict[str, Any], name: str
) -> None:
    assert console.call(method, arguments, name)["error_code"] == 4


def test_messages_are_moved_purged_and_rerouted(console: Console) -> None:
    """S-148, S-149."""
    broker = console.peer.broker
    broker.declare(QueueSpec("other"))
    broker.declare_exchange(ExchangeSpec("x"))
    console.peer.do("exchange.bind", exchange="x", queue="other", binding_key="q")
    for number in range(6):
        headers = {"g": "a" if number % 2 else "b", "x-qpid.trace": "A,B"}
        console.peer.send("q", b"%d" % number, properties={"application_headers": headers})
    name = "org.apache.qpid.broker:queue:q"
    wanted = {"filter_type": "header_match_str", "filter_params": {"header_key": "g", "header_value": "a"}}
    console.call("purge", {"request": 1, "filter": wanted}, name)
    console.call("queueMoveMessages", {"srcQueue": "q", "destQueue": "other", "qty": 1, "filter": {}})
    console.call("reroute", {"request": 1, "useAltExchange": False, "exchange": "x", "filter": {}}, name)
    console.peer.subscribe("other", "other", acquire_mode=1)
    moved, rerouted = [each for each in console.peer.take() if each.destination == "other"]
    assert (moved.body, rerouted.body) == (b"0", b"2")
    assert (moved.headers["x-qpid.trace"], rerouted.headers["x-qpid.trace"]) == ("A,B", "")
    values = console.values("queue", "q")
    assert (values["msgDepth"], values["discardsPurge"], values["reroutes"]) == (3, 1, 1)
    assert console.call("reroute", {"useAltExchange": True}, name)["error_code"] == 4
    assert console.call("queueMoveMessages", {"srcQueue": "none", "destQueue": "q"})["error_code"] == 4


def test_a_queue_is_redirected_until_that_is_ended(console: Console) -> None:
    console.peer.broker.declare(QueueSpec("other"))
    assert console.call("queueRedirect", {"sourceQueue": "q", "targetQueue": "other"}) == {}
    console.peer.send("q", b"1")
    values = console.values("queue", "q")
    assert (values["msgDepth"], values["redirectPeer"], values["redirectSource"]) == (0, "other", True)
    values = console.values("queue", "other")
    assert (values["msgDepth"], values["redirectPeer"], values["redirectSource"]) == (1, "q", False)
    again = console.call("queueRedirect", {"sourceQueue": "other", "targetQueue": "q"})
    assert "redirected already" in again["error_text"]
    assert console.call("queueRedirect", {"sourceQueue": "q", "targetQueue": ""}) == {}
    values = console.values("queue", "q")
    assert (values["msgDepth"], values["redirectPeer"], values["redirectSource"]) == (1, "", False)
    none = console.call("queueRedirect", {"sourceQueue": "q", "targetQueue": ""})
    assert none["error_text"] == "queue 'q' is not redirected"


@pytest.mark.parametrize(
    ("method", "arguments", "name"),
    [
        ("queueMoveMessages", {"srcQueue": "q", "destQueue": "small"}, BROKER),
        ("reroute", {"exchange": "x"}, "org.apache.qpid.broker:queue:q"),
    ],
)
def test_what_is_moved_to_where_there_is_no_room_stays(
    console: Console, method: str, arguments: dict[str, Any], name: str
) -> None:
    broker = console.peer.broker
    broker.declare(QueueSpec("small", limit=Limit(2)))
    broker.declare_exchange(ExchangeSpec("x"))
    console.peer.do("exchange.bind", exchange="x", queue="small", binding_key="q")
    for number in range(5):
        console.peer.send("q", b"%d" % number)
    console.call(method, arguments, name)
    assert [int(broker.lookup(each).queue.depth) for each in ("q", "small")] == [3, 2]


@pytest.mark.parametrize(
    ("method", "arguments", "name"),
    [
        ("purge", {"request": 0}, "org.apache.qpid.broker:queue:q"),
        ("queueMoveMessages", {"srcQueue": "q", "destQueue": "other"}, BROKER),
        ("reroute", {"exchange": "amq.fanout"}, "org.apache.qpid.broker:queue:q"),
        ("create", {"type": "queue", "name": "new"}, BROKER),
        ("delete", {"type": "queue", "name": "q"}, BROKER),
        ("queueRedirect", {"sourceQueue": "q", "targetQueue": "other"}, BROKER),
    ],
)
def test_what_a_method_changed_is_told_when_the_journal_has_it(
    console: Console, method: str, arguments: dict[str, Any], name: str
) -> None:
    console.peer.broker.declare(QueueSpec("other"))
    console.peer.send("q", b"one")
    console.peer.flushed = 0
    body = {"_object_id": {"_object_name": name}, "_method_name": method, "_arguments": arguments}
    console.ask("_method_request", body)
    # What only tells waits for nothing.
    assert console.values("broker", "amqp-broker")
    console.peer.flushed = 1
    console.peer.exchange()
    (answer,) = console.answers()
    assert answer.headers["qmf.opcode"] == "_method_response"


def test_a_method_is_carried_out_for_who_goes_without_waiting(console: Console) -> None:
    console.peer.send("q", b"one")
    body = {"_object_id": {"_object_name": "org.apache.qpid.broker:queue:q"}, "_method_name": "purge"}
    console.peer.flushed = 0
    console.ask("_method_request", body)
    console.peer.conversation.lost(console.peer.now, console.peer.now)
    assert console.peer.broker.lookup("q").queue.depth == 0


def test_messages_are_stamped_where_that_is_asked(console: Console) -> None:
    assert console.call("getTimestampConfig", {}) == {"receive": False}
    console.call("setTimestampConfig", {"receive": True})
    console.peer.send("q", b"1")
    console.peer.subscribe("q", "stamped")
    (stamped,) = console.peer.take()
    assert stamped.delivery["timestamp"] == START_MS


def test_a_connection_is_closed(broker_state: BrokerState, console: Console) -> None:
    other = Peer(broker_state)
    name = console.objects("connection")[-1]["_values"]["address"]
    console.call("close", {}, f"org.apache.qpid.broker:connection:{name}")
    other.exchange()
    assert other.last("connection.close").number("reply_code") == 320


def browsing_10(broker: Broker) -> Amqp10Connection:
    """A connection of AMQP 1.0 whose link `r` browses the queue."""
    context = ConnectionContext(broker, Authenticator(), lambda: None, lambda _: None)
    conversation = Amqp10Connection(context, ConnectionOptions("broker"), False, START_MS)
    source = Source(address="q", distribution_mode="copy")
    said = (
        Open(container_id="peer"),
        Begin(next_outgoing_id=0, incoming_window=100, outgoing_window=100),
        Attach(name="r", handle=0, role=ROLE_RECEIVER, source=source, target=Target()),
    )
    for data in (AMQP_HEADER, *(encode_frame(encode_performative(each), 0) for each in said)):
        conversation.receive(data, START_MS, START_MS)
    return conversation


def test_connections_of_other_protocols_are_told_with_what_they_read(
    broker_state: BrokerState, console: Console
) -> None:
    rabbit = Amqp091Peer(broker_state.broker).open()
    rabbit.publish(b"1", "q").publish(b"2", "q")
    rabbit.say(Basic.Qos(prefetch_count=1), Basic.Consume(queue="q", consumer_tag="c"))
    proton = browsing_10(broker_state.broker)
    connections = {each["_values"]["protocol"]: each["_values"] for each in console.objects("connection")}
    assert connections.keys() == {"AMQP 0-10", "AMQP 0-9-1", "AMQP 1.0"}
    assert connections["AMQP 0-9-1"]["saslMechanism"] == "PLAIN"
    assert connections["AMQP 1.0"]["remoteProcessName"] == "peer"
    sessions = {each["_values"]["name"]: each["_values"] for each in console.objects("session")}
    reads = {each["_values"]["name"]: each["_values"] for each in console.objects("subscription")}
    for name, protocol, browses, held in (("c", "AMQP 0-9-1", False, 1), ("r", "AMQP 1.0", True, 0)):
        session = sessions[reads[name]["sessionRef"]["_object_name"].rpartition("session:")[2]]
        assert session["connectionRef"]["_object_name"].endswith(f":{connections[protocol]['address']}")
        assert (reads[name]["browsing"], session["unackedMessages"]) == (browses, held)
        assert reads[name]["queueRef"]["_object_name"].endswith("queue:q")
    proton.lost(START_MS, START_MS)
    assert len(console.objects("connection")) == 2


def test_connections_of_other_protocols_are_closed_and_then_told_no_more(
    broker_state: BrokerState, console: Console
) -> None:
    rabbit = Amqp091Peer(broker_state.broker).open()
    name = console.objects("connection")[-1]["_values"]["address"]
    console.call("close", {}, f"org.apache.qpid.broker:connection:{name}")
    assert rabbit.turn().expect(Connection.Close, channel=0).reply_code == 320
    rabbit.conversation.lost(rabbit.now, rabbit.now)
    assert len(console.objects("connection")) == 1


def test_groups_are_told(console: Console) -> None:
    """S-147."""
    arguments = {"qpid.group_header_key": "g", "qpid.shared_msg_group": 1}
    console.peer.do("queue.declare", queue="grouped", arguments=arguments)
    for headers in ({"g": "a"}, {"g": "a"}, {"g": "b"}, {"none": "x"}):
        console.peer.send("grouped", b"", properties={"application_headers": headers})
    console.peer.do("message.subscribe", queue="grouped", destination="one")
    console.peer.do("message.flow", destination="one", unit=0, value=1)
    console.peer.do("message.flow", destination="one", unit=1, value=0xFFFFFFFF)
    console.peer.take()
    told = console.call("query", {"type": "queue", "name": "grouped"})["results"]
    groups = told["qpid.message_group_queue"]["group_state"]
    assert [(each["group_id"], each["msg_count"], each["consumer"] != "") for each in groups] == [
        ("a", 2, True),
        ("b", 1, False),
        ("qpid.no-group", 1, False),
    ]
