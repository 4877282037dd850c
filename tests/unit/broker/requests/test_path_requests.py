"""Management by RabbitMQ's methods and paths."""

from typing import Any

import pytest

from lastvalue.broker.administration.request import Response
from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.path_requests import manage_path
from lastvalue.broker.rights.owner import Owner
from lastvalue.queues.spec import Exclusive, Lifetime, QueueSpec

OWNER = Owner(1)


class Asking:
    def __init__(self) -> None:
        self.broker = Broker()

    def ask(self, method: str, path: str, body: object = None) -> Response:
        return manage_path(self.broker, method, path, body, 0, OWNER)

    def status(self, method: str, path: str, body: object = None) -> int:
        return self.ask(method, path, body).status

    def spec(self, name: str) -> QueueSpec:
        return self.broker.lookup(name).queue.spec


@pytest.fixture
def asking() -> Asking:
    return Asking()


def test_a_queue_is_put_shown_and_deleted(asking: Asking) -> None:
    arguments = {"x-queue-type": "quorum", "x-max-length": 7}
    made = asking.ask("PUT", "/queues/a%2Fb", {"arguments": arguments})
    assert made.status == 201
    assert (asking.spec("a/b").durable, asking.spec("a/b").limit.messages) == (True, 7)
    assert asking.status("PUT", "/queues/a%2Fb", {"arguments": arguments}) == 200
    assert asking.status("PUT", "/queues/a%2Fb", {"arguments": {"x-max-length": 8}}) == 409
    shown = asking.ask("GET", "/queues/a%2Fb")
    assert shown.status == 200
    assert {name: shown.body[name] for name in ("name", "durable", "message_count", "consumer_count")} == {
        "name": "a/b",
        "durable": True,
        "message_count": 0,
        "consumer_count": 0,
    }
    assert asking.ask("DELETE", "/queues/a%2Fb").body == {"message_count": 0}
    # As with RabbitMQ, what is gone is deleted as well.
    assert asking.ask("DELETE", "/queues/a%2Fb").body == {"message_count": 0}
    assert asking.status("GET", "/queues/a%2Fb") == 404
    assert asking.status("DELETE", "/queues/a%2Fb/messages") == 404


@pytest.mark.parametrize(
    ("flags", "durable", "exclusive", "lifetime"),
    [
        ({"durable": False}, False, Exclusive.NONE, Lifetime.PERMANENT),
        ({"exclusive": True, "durable": True}, False, Exclusive.CONNECTION, Lifetime.CONNECTION_CLOSE),
        ({"auto_delete": True}, True, Exclusive.NONE, Lifetime.NO_OUTBOUND_LINKS),
    ],
)
def test_the_flags_of_a_queue(
    asking: Asking, flags: dict[str, Any], durable: bool, exclusive: Exclusive, lifetime: Lifetime
) -> None:
    made = asking.ask("PUT", "/queues/q", flags)
    spec = asking.spec("q")
    assert (spec.durable, spec.exclusive, spec.lifetime) == (durable, exclusive, lifetime)
    assert made.body["exclusive"] is (exclusive is Exclusive.CONNECTION)
    assert made.body["auto_delete"] is (lifetime is not Lifetime.PERMANENT)


def test_exchanges_and_bindings_come_and_go(asking: Asking) -> None:
    asking.ask("PUT", "/queues/q")
    for name in ("x", "y"):
        assert asking.status("PUT", f"/exchanges/{name}", {"type": "topic", "internal": False}) == 204
    assert asking.status("PUT", "/exchanges/x", {"type": "fanout"}) == 409
    assert asking.status("PUT", "/exchanges/x", {"type": "topic", "internal": True}) == 409
    assert asking.status("PUT", "/exchanges/inner", {"type": "topic", "internal": True}) == 204
    assert asking.broker.exchanges.find("inner").spec.internal
    to_queue = {"source": "x", "binding_key": "a.#", "destination_queue": "q", "arguments": {}}
    to_exchange = {"source": "x", "binding_key": "b", "destination_exchange": "y", "arguments": {}}
    bindings = asking.broker.exchanges.find("x").bindings
    for binding in (to_queue, to_queue, to_exchange):
        assert asking.status("POST", "/bindings", binding) == 204
    assert sorted((each.destination, each.key, each.to_exchange) for each in bindings.values()) == [
        ("q", "a.#", False),
        ("y", "b", True),
    ]
    for path in ("src=x;dstq=q;key=a.%23;args=", "src=x;dste=y;key=b;args="):
        assert asking.status("DELETE", f"/bindings/{path}") == 204
        assert asking.status("DELETE", f"/bindings/{path}") == 204
    assert bindings == {}
    assert asking.status("DELETE", "/exchanges/x") == 204
    assert asking.status("DELETE", "/exchanges/x") == 204


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("PUT", "/queues/q", {"arguments": {"x-unheard-of": 1}}, 400),
        ("PUT", "/queues/q", {"arguments": {"x-queue-type": "stream"}}, 400),
        ("PUT", "/exchanges/x", {"type": "odd"}, 400),
        ("POST", "/bindings", {"source": "none", "destination_queue": "q"}, 404),
        ("POST", "/bindings", {}, 400),
        ("PATCH", "/queues/q", None, 501),
        ("GET", "/", None, 501),
        ("", "", None, 501),
    ],
)
def test_a_refusal_says_why_in_its_body(
    asking: Asking, method: str, path: str, body: object, status: int
) -> None:
    response = asking.ask(method, path, body)
    assert response.status == status
    assert isinstance(response.body, str)
    assert response.body
