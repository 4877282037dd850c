"""Tokens that are shown to `$cbs`, as Azure's clients do."""

from collections.abc import Mapping

import pytest
from wired_broker import Clock, Line

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.permissions import Permissions, parse_rule
from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.performatives import Source, Target
from lastvalue.protocols.amqp10.receiver import Delivery
from lastvalue.protocols.amqp10.session import LinkDetached
from lastvalue.protocols.sasl import Authenticator
from lastvalue.queues.spec import QueueSpec

TOKENS = {"ann's": "ann", "bob's": "bob"}
NOTHING = Permissions(())
MAY: Mapping[str, Permissions] = {"ann": Permissions([parse_rule("read q")])}


@pytest.fixture
def broker() -> Broker:
    broker = Broker()
    broker.declare(QueueSpec("q"))
    broker.authorization.permissions = lambda user: MAY.get(user, NOTHING)
    return broker


@pytest.fixture
def line(broker: Broker) -> Line:
    line = Line(broker, Clock())
    line.server.authenticate_by(Authenticator(token=TOKENS.get))
    line.server.identify("anonymous")
    return line


class Shower:
    """The two links to the node."""

    def __init__(self, line: Line) -> None:
        self._line = line
        replies = line.session.attach_receiver("replies", Source(address="$cbs"), Target(address="$cbs"))
        replies.add_credit(100)
        self._requests = line.session.attach_sender("requests", Target(address="$cbs"))
        line.exchange()
        line.events.clear()

    def show(self, token: object, kind: str = "jwt", operation: str = "put-token") -> object:
        """The status that it is answered with."""
        properties = {"operation": operation, "type": kind, "name": "amqp://broker/q"}
        content = MessageContent(message_id=7, application_properties=properties, body=token)
        self._requests.send(encode_content(content), settled=True)
        (reply,) = self._line.take(Delivery)
        answer = decode_content(reply.payload)
        assert answer.correlation_id == 7
        return answer.application_properties["status-code"]


def refusals(line: Line) -> list[str]:
    line.session.attach_receiver("r", Source(address="q"))
    return [detached.error.condition for detached in line.take(LinkDetached)]


def test_who_shows_a_token_may_do_what_its_user_may(line: Line) -> None:
    shower = Shower(line)
    assert refusals(line) == ["amqp:unauthorized-access"]
    assert shower.show("ann's") == 202
    assert refusals(line) == []
    # The same user shows a newer one.
    assert shower.show(b"ann's") == 202


@pytest.mark.parametrize(
    ("token", "kind", "operation", "status"),
    [
        ("nobody's", "jwt", "put-token", 401),
        (None, "jwt", "put-token", 401),
        ("ann's", "servicebus.windows.net:sastoken", "put-token", 400),
        ("ann's", "jwt", "delete-token", 501),
    ],
)
def test_what_proves_nothing_changes_nothing(
    line: Line, token: object, kind: str, operation: str, status: int
) -> None:
    assert Shower(line).show(token, kind, operation) == status
    assert refusals(line) == ["amqp:unauthorized-access"]


@pytest.mark.parametrize("known", ["ann", "carl"])
def test_nobody_becomes_another_user(line: Line, known: str) -> None:
    line.server.identify(known)
    shower = Shower(line)
    assert shower.show("bob's") == 401
    assert shower.show("ann's") == (202 if known == "ann" else 401)
    assert line.server.identity == known


def test_where_no_tokens_are_taken_there_is_no_such_node(line: Line) -> None:
    line.server.authenticate_by(Authenticator())
    line.session.attach_sender("requests", Target(address="$cbs"))
    (detached,) = line.take(LinkDetached)
    assert detached.error.condition in ("amqp:not-found", "amqp:unauthorized-access")


def test_the_connection_counts_as_one_of_the_user_who_may_not_have_too_many(line: Line) -> None:
    entered: list[str] = []
    full: list[str] = []

    def enter(user: str) -> str | None:
        entered.append(user)
        return "too many" if user in full else None

    line.frontend.open_policy.enter = enter
    shower = Shower(line)
    full.append("ann")
    assert shower.show("ann's") == 429
    assert refusals(line) == ["amqp:unauthorized-access"]
    full.clear()
    assert [shower.show("ann's") for _ in range(2)] == [202, 202]
    assert set(entered) == {"ann"}
