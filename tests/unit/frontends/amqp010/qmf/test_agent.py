"""The management of a broker over AMQP 0-10: QMF v2, and what consoles of v1 ask."""

from typing import Any
from uuid import UUID

import pytest
from amqp010_peer import START_MS, Peer, Transfer
from amqp091_peer import Peer as Amqp091Peer
from pamqp.commands import Basic, Connection

from lastvalue.broker.broker import Broker
from lastvalue.broker.exchange_spec import ExchangeSpec
from lastvalue.codec.amqp010.command_layouts import MESSAGE_REPLY_TO
from lastvalue.codec.amqp010.decoder import decode_list, decode_map
from lastvalue.codec.amqp010.encoder import encode_list, encode_map
from lastvalue.codec.amqp010.layouts import Record
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
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.frontends.amqp010.qmf.agent import Agent
from lastvalue.frontends.amqp10.connection import Amqp10Connection
from lastvalue.frontends.protocol_connection import ConnectionContext
from lastvalue.protocols.amqp10.options import ConnectionOptions
from lastvalue.protocols.sasl import Authenticator
from lastvalue.queues.spec import LastValue, Limit, QueueSpec

BROKER = "org.apache.qpid.broker:broker:amqp-broker"
INSTANCE = UUID(int=7)
RING = {"qpid.max_count": 1, "qpid.policy_type": "ring"}


@pytest.fixture
def broker_state() -> BrokerState:
    broker = Broker()
    broker_state = BrokerState(broker, INSTANCE)
    Agent(broker_state, "1.2")
    broker.declare(QueueSpec("q"))
    return broker_state


class Console:
    """Asks over a peer's session, and reads the answers."""

    def __init__(self, broker_state: BrokerState) -> None:
        self.peer = Peer(broker_state)
        self.peer.do("queue.declare", queue="answers", exclusive=True, auto_delete=True)
        self.peer.do("exchange.bind", exchange="qmf.default.direct", queue="answers", binding_key="me")
        self.peer.do("exchange.bind", exchange="amq.direct", queue="answers", binding_key="me")
        self.peer.subscribe("answers", "answers", accept_mode=1)

    def ask(self, opcode: str, body: Any, exchange: str = "qmf.default.direct", key: str = "broker") -> None:
        is_map = isinstance(body, dict)
        self.peer.send(
            key,
            encode_map(body) if is_map else encode_list(body),
            exchange=exchange,
            properties={
                "content_type": "amqp/map" if is_map else "amqp/list",
                "correlation_id": b"9",
                "reply_to": Record(MESSAGE_REPLY_TO, {"exchange": "qmf.default.direct", "routing_key": "me"}),
                "app_id": b"qmf2",
                "application_headers": {"method": "request", "qmf.opcode": opcode},
            },
        )

    def answers(self) -> list[Transfer]:
        return [each for each in self.peer.take() if each.destination == "answers"]

    def call(self, method: str, arguments: dict[str, Any], name: str = BROKER) -> dict[str, Any]:
        """The results of a method, or the values of the exception that it is refused with."""
        body = {"_object_id": {"_object_name": name}, "_method_name": method, "_arguments": arguments}
        self.ask("_method_request", body)
        (answer,) = self.answers()
        told: Any = decode_map(answer.body or b"")
        if answer.headers["qmf.opcode"] == "_exception":
            return dict(told["_values"])
        assert answer.headers["qmf.opcode"] == "_method_response"
        return dict(told["_arguments"])

    def objects(self, kind: str) -> list[dict[str, Any]]:
        query = {"_what": "OBJECT", "_schema_id": {"_class_name": kind}}
        self.ask("_query_request", query)
        return [each for answer in self.answers() for each in _listed(answer)]

    def values(self, kind: str, name: str) -> dict[str, Any]:
        (found,) = [each["_values"] for each in self.objects(kind) if each["_values"]["name"] == name]
        return dict(found)

    def old(self, opcode: bytes, content: bytes = b"", key: str = "broker") -> list[bytes]:
        reply = Record(MESSAGE_REPLY_TO, {"exchange": "amq.direct", "routing_key": "me"})
        body = b"AM2" + opcode + b"\0\0\0\5" + content
        self.peer.send(key, body, exchange="qpid.management", properties={"reply_to": reply})
        return [answer.body or b"" for answer in self.answers()]


def _listed(answer: Transfer) -> list[Any]:
    return decode_list(answer.body or b"")


@pytest.fixture
def console(broker_state: BrokerState) -> Console:
    return Console(broker_state)


# ---------------------------------------------------------------------- answers


def test_an_answer_says_whose_it_is_and_what_it_answers(console: Console) -> None:
    console.ask("_query_request", {"_what": "OBJECT", "_schema_id": {"_class_name": "broker"}})
    (answer,) = console.answers()
    assert answer.properties["correlation_id"] == b"9"
    assert answer.properties["content_type"] == "amqp/list"
    assert answer.properties["app_id"] == b"qmf2"
    assert answer.headers == {
        "method": "response",
        "qmf.opcode": "_query_response",
        "qmf.agent": "broker",
        "qmf.content": "_data",
    }


def test_more_objects_than_fit_come_in_parts_and_all_but_the_last_say_so(console: Console) -> None:
    for number in range(150):
        console.peer.broker.declare(QueueSpec(f"many-{number}"))
    console.ask("_query_request", {"_what": "OBJECT", "_schema_id": {"_class_name": "queue"}})
    answers = console.answers()
    assert [len(_listed(answer)) for answer in answers] == [100, 52]
    assert ["partial" in answer.headers for answer in answers] == [True, False]


def test_the_agent_is_found_by_who_looks_for_agents(console: Console) -> None:
    console.ask("_agent_locate_request", [], "qmf.default.topic", "console.request.agent_locate")
    (answer,) = console.answers()
    told: Any = decode_map(answer.body or b"")
    assert told["_values"]["_name"] == f"apache.org:qpidd:{INSTANCE}"
    assert told["_values"]["_timestamp"] == START_MS * 1_000_000


@pytest.mark.parametrize(
    ("opcode", "body", "code"),
    [
        ("_method_request", {"_method_name": "echo"}, 4),
        ("_method_request", {"_object_id": {"_object_name": "x:queue:none"}, "_method_name": "purge"}, 1),
        ("_method_request", {"_object_id": {"_object_name": BROKER}, "_method_name": "none"}, 2),
        ("_method_request", {"_object_id": {"_object_name": BROKER}, "_method_name": "shutdown"}, 3),
        ("_query_request", {"_what": "SCHEMA"}, 7),
        ("_none", {}, 7),
    ],
)
def test_a_request_that_cannot_be_answered_gets_an_exception(
    console: Console, opcode: str, body: dict[str, Any], code: int
) -> None:
    console.ask(opcode, body)
    (answer,) = console.answers()
    told: Any = decode_map(answer.body or b"")
    assert (answer.headers["qmf.opcode"], told["_values"]["error_code"]) == ("_exception", code)


def test_an_object_that_there_is_not_is_an_empty_list(console: Console) -> None:
    name = "org.apache.qpid.broker:queue:none"
    console.ask("_query_request", {"_what": "OBJECT", "_object_id": {"_object_name": name}})
    (answer,) = console.answers()
    assert _listed(answer) == []  # S-317


# ---------------------------------------------------------------------- methods


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


# ---------------------------------------------------------------------- figures


def test_bytes_count_as_they_came_with_their_properties(console: Console) -> None:
    console.peer.send("q", b"0123456789")
    values = console.values("queue", "q")
    assert (values["msgTotalEnqueues"], values["byteTotalEnqueues"], values["byteDepth"]) == (1, 21, 21)


def test_what_left_is_counted_by_its_reason(console: Console) -> None:
    """S-243; purges and reroutes are counted above."""
    console.peer.do(
        "queue.declare", queue="ring", arguments={"qpid.max_count": 1, "qpid.policy_type": "ring"}
    )
    console.peer.send("ring", b"1")
    console.peer.send("ring", b"2")
    console.peer.subscribe("ring", "r", accept_mode=1)
    console.peer.take()
    values = console.values("queue", "ring")
    assert (values["discardsRing"], values["msgTotalDequeues"], values["acquires"]) == (1, 2, 1)
    for number in range(4):
        console.peer.send("q", b"%d" % number, delivery={"ttl": 1000} if number == 3 else {})
    console.peer.subscribe("q", "mixed")
    accepted, rejected, released, expires = [each.number for each in console.peer.take()]
    console.peer.do("message.cancel", destination="mixed")
    console.peer.do("message.accept", transfers=[(accepted, accepted)])
    console.peer.do("message.reject", transfers=[(rejected, rejected)])
    console.peer.do("message.release", transfers=[(released, expires)])
    console.peer.now += 1000
    console.peer.broker.advance(console.peer.now)
    values = console.values("queue", "q")
    assert (values["discardsSubscriber"], values["discardsTtl"], values["releases"]) == (1, 1, 2)


def test_replacements_are_counted(console: Console) -> None:
    """S-318."""
    arguments = {"qpid.last_value_queue_key": "k"}
    console.peer.do("queue.declare", queue="lvq", arguments=arguments)
    for number in range(4):
        console.peer.send("lvq", b"%d" % number, properties={"application_headers": {"k": "a"}})
    assert console.values("queue", "lvq")["discardsLvq"] == 3


def test_a_transaction_is_counted_when_it_is_committed(console: Console) -> None:
    console.peer.do("tx.select")
    console.peer.send("q", b"1")
    assert console.values("queue", "q")["msgTxnEnqueues"] == 0
    console.peer.do("tx.commit")
    assert console.values("queue", "q")["msgTxnEnqueues"] == 1


# ---------------------------------------------------------------------- events


def listen(console: Console, event: str) -> None:
    key = f"agent.ind.event.org_apache_qpid_broker.{event}.#"
    console.peer.do("queue.declare", queue="events", exclusive=True, auto_delete=True)
    console.peer.do("exchange.bind", exchange="qmf.default.topic", queue="events", binding_key=key)
    console.peer.subscribe("events", "events", accept_mode=1)


def events(console: Console) -> list[dict[str, Any]]:
    told = [_listed(each)[0] for each in console.peer.take() if each.destination == "events"]
    return [{"name": each["_schema_id"]["_class_name"], **each["_values"]} for each in told]


def test_a_queue_that_comes_and_goes_is_told(console: Console) -> None:
    listen(console, "*")
    console.peer.do("queue.declare", queue="brief")
    console.peer.do("queue.delete", queue="brief")
    told = [(each["name"], each["qName"]) for each in events(console) if each.get("qName") == "brief"]
    assert told == [("queueDeclare", "brief"), ("queueDelete", "brief")]


def test_bindings_and_exchanges_are_told(console: Console) -> None:
    listen(console, "*")
    events(console)
    console.peer.do("exchange.declare", exchange="x", type="direct")
    console.peer.do("exchange.bind", exchange="x", queue="q", binding_key="k")
    console.peer.do("exchange.unbind", exchange="x", queue="q", binding_key="k")
    console.peer.do("exchange.delete", exchange="x")
    assert [each["name"] for each in events(console)] == [
        "exchangeDeclare",
        "bind",
        "unbind",
        "exchangeDelete",
    ]


def test_an_alert_is_told_once_up_and_once_down(console: Console) -> None:
    """S-250."""
    listen(console, "queueThresholdCrossed*")
    listen_all = "agent.ind.event.org_apache_qpid_broker.#"
    console.peer.do("exchange.bind", exchange="qmf.default.topic", queue="events", binding_key=listen_all)
    arguments = {"qpid.alert_count_up": 2, "qpid.alert_count_down": 1}
    console.peer.do("queue.declare", queue="alarmed", arguments=arguments)
    for number in range(4):
        console.peer.send("alarmed", b"%d" % number)
    console.peer.subscribe("alarmed", "alarmed", accept_mode=1)
    told = [each for each in events(console) if each["name"].startswith("queueThreshold")]
    assert [(each["name"], each["msgDepth"]) for each in told] == [
        ("queueThresholdCrossedUpward", 2),
        ("queueThresholdCrossedDownward", 1),
    ]


def test_who_listens_for_objects_gets_them_when_it_looks_for_agents_and_from_time_to_time(
    console: Console,
) -> None:
    key = "agent.ind.data.org_apache_qpid_broker.queue.#"
    console.peer.do("queue.declare", queue="data", exclusive=True, auto_delete=True)
    console.peer.do("exchange.bind", exchange="qmf.default.topic", queue="data", binding_key=key)
    console.peer.subscribe("data", "data", accept_mode=1)
    console.ask("_agent_locate_request", [], "qmf.default.topic", "console.request.agent_locate")
    *_, told = console.peer.take()
    assert {"q", "data"} <= {each["_values"]["name"] for each in _listed(told)}
    deadline = console.peer.conversation.next_deadline()
    console.peer.conversation.advance(deadline, console.peer.now)
    assert [each.destination for each in console.peer.take()] == ["data"]
    assert console.peer.conversation.next_deadline() == deadline + 10_000


# ---------------------------------------------------------------------- QMF v1


def test_an_old_console_asks_for_the_broker_and_its_schema(console: Console) -> None:
    assert console.old(b"B") == [b"AM2b\0\0\0\5" + INSTANCE.bytes]
    package, done = console.old(b"P")
    assert package[8:] == b"\x16org.apache.qpid.broker"
    assert done[:4] == b"AM2z"
    *classes, done = console.old(b"Q", b"\x16org.apache.qpid.broker")
    assert len(classes) == 29
    queue = next(each for each in classes if b"\x05queue" in each)
    (schema,) = console.old(b"S", queue[9:])
    assert schema[:4] == b"AM2s"
    assert b"msgDepth" in schema


def test_an_old_console_gets_objects_and_calls_methods(console: Console) -> None:
    found, done = console.old(b"G", encode_map({"_class": "broker"}), "agent.1.0")
    assert (found[:4], done[:4]) == (b"AM2g", b"AM2z")
    key = found[8 : 8 + 23 + 7 + 16]
    identity = found[8 + 46 + 24 : 8 + 46 + 40]
    call = identity + key + b"\x04echo" + (3).to_bytes(4, "big") + b"\x00\x02hi"
    (answer,) = console.old(b"M", call, "agent.1.0")
    assert answer == b"AM2m\0\0\0\5" + bytes(4) + b"\x00\x02OK" + b"\0\0\0\3" + b"\x00\x02hi"


@pytest.mark.parametrize("content", [b"", b"\xff", b"\x05ab"])
def test_what_an_old_console_says_badly_is_not_answered(console: Console, content: bytes) -> None:
    assert console.old(b"S", content) == []
