"""Requests to the management node about exchanges."""

from typing import Any

import pytest
from bare_queue import START_MS, body_of, encoded
from broker_desk import LimitedReceiver, made

from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.management import Request, manage
from lastvalue.broker.rights.owner import NOBODY, Owner
from lastvalue.codec.amqp10.message import read_message
from lastvalue.queues.subscription import ANY, Mode


def asked(broker: Broker, operation: str, name: str = "", kind: str = "", **body: Any) -> tuple[int, object]:
    response = manage(broker, Request(operation, kind, name, body), START_MS)
    return response.status, response.body


def test_an_exchange_is_made_bound_shown_and_deleted() -> None:
    broker = made("q")
    status, shown = asked(broker, "CREATE", "x", "exchange", type="topic", alternate="amq.fanout")
    assert status == 201
    assert asked(broker, "CREATE", "x", "org.apache.qpid.TopicExchange")[0] == 200
    assert asked(broker, "CREATE", "x", "org.apache.qpid.DirectExchange")[0] == 409
    assert asked(broker, "BIND", "x", "exchange", destination="q", key="a.*")[0] == 201
    assert asked(broker, "bind", "x", "exchange", queue="q", bindingKey="a.*")[0] == 200
    assert asked(broker, "BIND", "x", "exchange", destination="amq.direct")[0] == 201
    status, shown = asked(broker, "READ", "x", "exchange")
    assert shown == {
        "name": "x",
        "options": {"type": "topic", "alternate": "amq.fanout"},
        "bindings": [
            {"destination": "q", "key": "a.*", "arguments": {}},
            {"destination": "amq.direct", "key": "", "arguments": {}},
        ],
        "received": 0,
        "unrouted": 0,
    }
    _, every = asked(broker, "QUERY", "", "exchange")
    assert isinstance(every, list)
    predeclared = ["amq.direct", "amq.fanout", "amq.headers", "amq.match", "amq.topic"]
    assert [each["name"] for each in every] == [*predeclared, "x"]
    _, topics = asked(broker, "QUERY", "", "org.apache.qpid.TopicExchange")
    assert isinstance(topics, list)
    assert [each["name"] for each in topics] == ["amq.topic", "x"]
    assert asked(broker, "UNBIND", "x", "exchange", destination="q", key="a.*")[0] == 204
    assert asked(broker, "UNBIND", "x", "exchange", destination="q", key="a.*")[0] == 404
    assert asked(broker, "DELETE", "x", "exchange")[0] == 204
    assert asked(broker, "READ", "x", "exchange")[0] == 404


@pytest.mark.parametrize(
    ("operation", "name", "body", "status"),
    [
        ("CREATE", "amq.mine", {}, 409),
        ("DELETE", "amq.topic", {}, 409),
        ("BIND", "nosuch", {"destination": "q"}, 404),
        ("BIND", "amq.topic", {"destination": "nosuch"}, 404),
        ("BIND", "amq.topic", {}, 422),
        ("BIND", "amq.topic", {"destination": 1}, 422),
        ("BIND", "amq.topic", {"destination": "q", "arguments": 1}, 422),
        ("BIND", "amq.topic", {"destination": "q", "arguments": {"x-filter-jms-selector": "a ="}}, 422),
        ("BIND", "amq.match", {"destination": "q", "arguments": {"x-match": "all", "a": [1]}}, 422),
        ("PURGE", "amq.topic", {}, 501),
    ],
)
def test_what_an_exchange_cannot_do_is_told(
    operation: str, name: str, body: dict[str, Any], status: int
) -> None:
    response = manage(made("q"), Request(operation, "exchange", name, body), START_MS)
    assert response.status == status
    assert response.condition


def test_a_bindings_selector_picks_messages() -> None:
    broker = made("q")
    arguments = {"x-filter-jms-selector": "colour = 'red'"}
    asked(broker, "BIND", "amq.fanout", "exchange", destination="q", arguments=arguments)
    node = broker.resolve("amq.fanout")
    assert node is not None
    for colour in ("red", "blue"):
        about = read_message(encoded(colour, {"colour": colour}, None))
        broker.route(broker.target(node), "", about, START_MS)
    assert contents(broker, "q") == ["red"]


def test_who_does_not_own_a_queue_does_not_delete_it() -> None:
    broker = Broker()
    manage(broker, Request("CREATE", "queue", "q", {"exclusive": "connection"}), START_MS, Owner(1))
    assert manage(broker, Request("DELETE", "queue", "q"), START_MS, Owner(2)).status == 409
    assert manage(broker, Request("DELETE", "queue", "q"), START_MS, Owner(1)).status == 204


def contents(broker: Broker, name: str) -> list[str]:
    return [body_of(entry.message.encoded) for entry in broker.lookup(name).queue.entries()]


def shown(broker: Broker) -> list[str]:
    receiver = LimitedReceiver(10)
    reader = broker.read(broker.lookup("q"), Mode.BROWSE, receiver, ANY, NOBODY, START_MS)
    reader.wake()
    broker.pump(START_MS)
    return receiver.bodies
