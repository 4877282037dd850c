"""Requests that ask whether a declaration would be carried out."""

import pytest
from bare_queue import START_MS
from broker_desk import made

from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.management import Request, manage
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.permissions import Permissions, parse_rule
from lastvalue.broker.routing.exchange_spec import ExchangeSpec

ANN = Owner(principal="ann")


@pytest.fixture
def broker() -> Broker:
    return made("there", ExchangeSpec("x"))


def checked(broker: Broker, kind: str, name: str, /, **body: object) -> object:
    """The status, or what a check that passes says."""
    before = (len(broker.queues()), len(list(broker.exchanges.every())))
    operation = "CHECK_BIND" if "destination" in body else "CHECK"
    response = manage(broker, Request(operation, kind, name, body), START_MS, ANN)
    assert (len(broker.queues()), len(list(broker.exchanges.every()))) == before
    return response.body if response.status == 200 else response.status


def test_a_check_says_whether_the_node_is_there(broker: Broker) -> None:
    assert checked(broker, "queue", "new") == {"exists": False}
    assert checked(broker, "queue", "there") == {"exists": True}
    assert checked(broker, "exchange", "y", type="topic") == {"exists": False}
    assert checked(broker, "exchange", "x") == {"exists": True}
    assert checked(broker, "exchange", "x", destination="there") == {"exists": False}


@pytest.mark.parametrize(
    ("kind", "name", "body", "create"),
    [
        ("queue", "new", {"colour": "red"}, 422),
        ("queue", "there", {"durable": True}, 412),
        ("exchange", "x", {"type": "topic"}, 409),
        ("exchange", "amq.mine", {}, 409),
    ],
)
def test_a_check_refuses_as_the_declaration_does(
    broker: Broker, kind: str, name: str, body: dict[str, object], create: int
) -> None:
    assert checked(broker, kind, name, **body) == create
    assert manage(broker, Request("CREATE", kind, name, body), START_MS, ANN).status == create


def test_rights_are_those_of_the_declaration(broker: Broker) -> None:
    permissions = Permissions([parse_rule("configure new"), parse_rule("read x")])
    broker.authorization.permissions = lambda _: permissions
    assert checked(broker, "queue", "new") == {"exists": False}
    assert checked(broker, "queue", "other") == 403
    assert checked(broker, "queue", "new", alternate="there") == 403
    assert checked(broker, "exchange", "x", destination="there") == 403


def test_the_queues_of_a_user_are_counted_with_those_to_come(broker: Broker) -> None:
    broker.quotas.most = 2
    assert checked(broker, "queue", "new", besides=1) == {"exists": False}
    assert checked(broker, "queue", "new", besides=2) == 429


def test_names_that_will_be_there_count_as_there(broker: Broker) -> None:
    assert checked(broker, "queue", "new", alternate="later") == {"exists": False}
    assert checked(broker, "exchange", "y", alternate="later") == {"exists": False}
    assert checked(broker, "exchange", "x", destination="later") == 404
    later = {"destination": "later", "assumed": ["later"]}
    assert checked(broker, "exchange", "x", **later) == {"exists": False}


@pytest.mark.parametrize(
    "body", [{"assumed": "x"}, {"assumed": [1]}, {"besides": -1}, {"besides": True}, {"besides": "1"}]
)
def test_a_check_that_cannot_be_read_is_refused(broker: Broker, body: dict[str, object]) -> None:
    assert checked(broker, "queue", "new", **body) == 422
