"""Where a message would go, compared with where the router sends it."""

from typing import Any

import pytest
from bare_queue import START_MS
from broker_desk import made

from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.management import Request, manage
from lastvalue.broker.rights.owner import NOBODY, Owner
from lastvalue.broker.rights.permissions import Permissions, parse_rule
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message

SELECTOR = "x-filter-jms-selector"


def world() -> Broker:
    """Exchanges of every type that lead to each other."""
    broker = made("a", "b", "c", "spare")
    for name, kind in (("t", "topic"), ("d", "direct"), ("h", "headers"), ("f", "fanout")):
        ask(broker, "CREATE", name, type=kind)
    ask(broker, "CREATE", "strict", type="direct", unroutable="refuse")
    ask(broker, "CREATE", "back", type="direct", alternate="f")
    ask(broker, "CREATE", "last", type="direct", alternate="spare")
    ask(broker, "CREATE", "news.#", type="address")
    ask(broker, "BIND", "t", destination="a", key="x.*")
    ask(broker, "BIND", "t", destination="b", key="y.#", arguments={SELECTOR: "size > 3"})
    ask(broker, "BIND", "t", destination="d", key="#")
    ask(broker, "BIND", "d", destination="c", key="x.1")
    ask(broker, "BIND", "d", destination="t", key="x.1")
    ask(broker, "BIND", "h", destination="a", key="", arguments={"x-match": "all", "size": 5})
    ask(broker, "BIND", "f", destination="c")
    ask(broker, "BIND", "news.#", destination="a", arguments={"routing-type": "anycast"})
    ask(broker, "BIND", "news.#", destination="b", arguments={"routing-type": "anycast"})
    return broker


def ask(broker: Broker, operation: str, name: str, **body: Any) -> Any:
    response = manage(broker, Request(operation, "exchange", name, body), START_MS)
    assert response.status < 300, response.description
    return response.body


def explained(
    broker: Broker, name: str, key: str, size: int = 0, owner: Owner = NOBODY
) -> list[dict[str, Any]]:
    message = encode_content(MessageContent(subject=key, application_properties={"size": size}))
    request = Request("ROUTE", "exchange", name, {"key": key, "message": message})
    response = manage(broker, request, START_MS, owner)
    assert response.status == 200, response.description
    return list(response.body)


def queues(rows: list[dict[str, Any]]) -> set[str]:
    return {row["destination"] for row in rows if row["gets"] and row["to"] == "queue"}


@pytest.mark.parametrize(
    ("name", "key", "size", "expected"),
    [
        ("t", "x.1", 0, {"a", "c"}),
        ("t", "y.1", 4, {"b"}),
        ("t", "y.1", 3, set()),
        ("h", "", 5, {"a"}),
        ("h", "", 6, set()),
        ("f", "any", 0, {"c"}),
        ("back", "x", 0, {"c"}),
        ("last", "x", 0, {"spare"}),
        ("strict", "x", 0, set()),
        ("a", "", 0, {"a"}),
    ],
)
def test_the_queues_of_an_explanation_are_those_that_get_the_message(
    name: str, key: str, size: int, expected: set[str]
) -> None:
    broker = world()
    assert queues(explained(broker, name, key, size)) == expected
    before = {queue.spec.name: queue.published for queue in broker.queues()}
    assert set(before.values()) == {0}
    node = broker.resolve(name, True)
    assert node is not None
    content = MessageContent(subject=key, application_properties={"size": size})
    message = read_message(encode_content(content))
    broker.route(broker.target(node), key, message, START_MS)
    assert {queue.spec.name for queue in broker.queues() if queue.published} == expected


def test_each_binding_says_why() -> None:
    broker = world()
    told = {(row["destination"], row["key"]): row["reason"] for row in explained(broker, "t", "y.1", 1)}
    assert told["a", "x.*"] == "its pattern does not fit the routing key"
    assert told["b", "y.#"] == "its selector does not select it: size > 3"
    assert told["c", "x.1"] == "its key is not the routing key"
    assert told["", ""] == "no queue gets it: it is discarded"
    assert explained(broker, "strict", "x")[-1]["reason"] == "no queue gets it: it is rejected"


def test_a_circle_ends_and_anycast_queues_share() -> None:
    broker = world()
    circle = [row for row in explained(broker, "t", "x.1") if row["destination"] == "t"]
    assert circle[0]["reason"].endswith("the message was there before")
    shared = explained(broker, "news.today", "")
    assert [row["reason"] for row in shared] == ["one of the anycast queues gets it, in turn"] * 2


def test_an_exchange_that_the_caller_may_not_see_is_not_followed() -> None:
    broker = world()
    rules = [parse_rule("read t"), parse_rule("browse a")]
    broker.authorization.permissions = lambda user: Permissions(rules)
    rows = explained(broker, "t", "x.1")
    assert queues(rows) == {"a"}
    assert {row["destination"] for row in rows} == {"a", ""}
    assert rows[-1]["reason"].endswith("where that leads is not shown to you")


@pytest.mark.parametrize("name", ["back", "last"])
def test_an_alternate_that_the_caller_may_not_see_is_neither_named_nor_followed(name: str) -> None:
    broker = world()
    broker.authorization.permissions = lambda user: Permissions([parse_rule(f"read {name}")])
    (row,) = explained(broker, name, "x")
    assert (row["exchange"], row["destination"], row["gets"]) == (name, "", True)
    assert row["reason"].endswith("where that leads is not shown to you")


@pytest.mark.parametrize(
    ("name", "body", "status"),
    [
        ("nosuch", {"key": "k"}, 404),
        ("t", {"key": 5}, 422),
        ("t", {"message": "text"}, 422),
        ("t", {"message": b"\x00"}, 422),
    ],
)
def test_what_cannot_be_explained_is_refused(name: str, body: dict[str, Any], status: int) -> None:
    plain = {"message": encode_content(MessageContent())}
    answer = manage(world(), Request("ROUTE", "exchange", name, plain | body), START_MS)
    assert answer.status == status, answer.description
