"""The management of a broker over AMQP 0-10: QMF v2, and what consoles of v1 ask."""

from typing import Any
from uuid import UUID

import pytest
from amqp010_peer import START_MS
from qmf_console import BROKER, Console, objects_in

from lastvalue.broker.observers import Observer
from lastvalue.codec.amqp010.decoder import decode_map
from lastvalue.queues.spec import QueueSpec

INSTANCE = UUID(int=7)


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


def test_the_broker_says_how_long_it_has_run(console: Console) -> None:
    assert console.values("broker", "amqp-broker")["uptime"] == 1000 * 1_000_000


def test_more_objects_than_fit_come_in_parts_and_all_but_the_last_say_so(console: Console) -> None:
    for number in range(15):
        console.peer.broker.declare(QueueSpec(f"many-{number}"))
    console.ask("_query_request", {"_what": "OBJECT", "_schema_id": {"_class_name": "queue"}})
    answers = console.answers()
    assert [len(objects_in(answer)) for answer in answers] == [10, 7]
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
    assert objects_in(answer) == []  # S-317


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


def listen(console: Console, event: str) -> None:
    key = f"agent.ind.event.org_apache_qpid_broker.{event}.#"
    console.peer.do("queue.declare", queue="events", exclusive=True, auto_delete=True)
    console.peer.do("exchange.bind", exchange="qmf.default.topic", queue="events", binding_key=key)
    console.peer.subscribe("events", "events", accept_mode=1)


def events(console: Console) -> list[dict[str, Any]]:
    told = [objects_in(each)[0] for each in console.peer.take() if each.destination == "events"]
    return [{"name": each["_schema_id"]["_class_name"], **each["_values"]} for each in told]


def test_a_queue_that_comes_and_goes_is_told(console: Console) -> None:
    listen(console, "*")
    console.peer.do("queue.declare", queue="brief")
    console.peer.do("queue.delete", queue="brief")
    told = [(each["name"], each["qName"]) for each in events(console) if each.get("qName") == "brief"]
    assert told == [("queueDeclare", "brief"), ("queueDelete", "brief")]


def test_a_redirect_that_begins_and_ends_is_told(console: Console) -> None:
    listen(console, "*")
    console.peer.do("queue.declare", queue="other", arguments={"redirect": "q"})
    console.peer.do("queue.delete", queue="other")
    assert [each for each in events(console) if each.get("qTarget") == "q"] == [
        {"name": name, "qName": "other", "qTarget": "q"}
        for name in ("queueRedirect", "queueRedirectCancelled")
    ]


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
    assert {"q", "data"} <= {each["_values"]["name"] for each in objects_in(told)}
    deadline = console.peer.conversation.next_deadline()
    console.peer.conversation.advance(deadline, console.peer.now)
    assert [each.destination for each in console.peer.take()] == ["data"]
    assert console.peer.conversation.next_deadline() == deadline + 10_000


class TurnCounter(Observer):
    """Counts turns."""

    def __init__(self) -> None:
        self.turns = 0

    def end_turn(self, now: int) -> bool:
        self.turns += 1
        return False


MANY = 120


@pytest.fixture
def counter(console: Console) -> TurnCounter:
    """Counts the turns of a broker with many queues."""
    for number in range(MANY):
        console.peer.broker.declare(QueueSpec(f"many-{number}"))
    counter = TurnCounter()
    console.peer.broker.observers.append(counter)
    return counter


@pytest.mark.parametrize("kind", ["queue", "binding"])
def test_a_query_over_many_objects_takes_several_turns(
    console: Console, counter: TurnCounter, kind: str
) -> None:
    console.ask("_query_request", {"_what": "OBJECT", "_schema_id": {"_class_name": kind}})
    assert sum(len(objects_in(answer)) for answer in console.answers()) >= MANY
    assert counter.turns >= MANY / 10


def test_objects_are_indicated_in_several_turns(console: Console, counter: TurnCounter) -> None:
    listened = {"exchange": "qmf.default.topic", "queue": "answers", "binding_key": "agent.ind.data.#"}
    console.peer.do("exchange.bind", **listened)
    console.ask("_agent_locate_request", [], "qmf.default.topic", "console.request.agent_locate")
    indications = [each for each in console.answers() if each.headers.get("qmf.content") == "_data"]
    shown = [each for answer in indications for each in objects_in(answer)]
    assert len([each for each in shown if each["_schema_id"]["_class_name"] == "queue"]) >= MANY
    assert counter.turns >= MANY / 10


def test_a_request_that_would_take_long_to_decode_is_refused(console: Console) -> None:
    console.ask("_query_request", {"_what": "OBJECT", "more": ["x"] * 400_000})
    (answer,) = console.answers()
    told: Any = decode_map(answer.body or b"")
    assert "at most 262144 are decoded" in told["_values"]["error_text"]
