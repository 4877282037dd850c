"""Containers that want one connection."""

from typing import Any

import pytest

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp10.values import Symbol, UInt
from lastvalue.frontends.amqp10.frontend import Frontend
from lastvalue.protocols.amqp10.connection import Connection, ConnectionClosed
from lastvalue.protocols.amqp10.options import ConnectionOptions, Role
from lastvalue.protocols.sasl import Authenticator, Credentials

REFUSED = [("amqp:invalid-field", {"invalid-field": "container-id"})]


class Peer:
    """A connection of the container `jms` that asks to be the only one, by a policy if one is given."""

    def __init__(
        self,
        broker: Broker,
        policy: int | None,
        user: str = "ann",
        full: str | None = None,
        *,
        asks: bool = True,
    ) -> None:
        properties: dict[str, Any] = {}
        if policy is not None:
            properties[Symbol("sole-connection-enforcement-policy")] = UInt(policy)
        asked = ConnectionOptions(
            "jms",
            credentials=Credentials(user, "secret"),
            desired_capabilities=("sole-connection-for-container",) if asks else (),
            properties=properties,
        )
        everyone = Authenticator(check=lambda user, password: True)
        self.client = Connection(Role.CLIENT, asked, 0)
        self.server = Connection(Role.SERVER, ConnectionOptions("broker", authenticator=everyone), 0)
        self.frontend = Frontend(self.server, broker, lambda: None)
        self.frontend.open_policy.enter = lambda user: full
        self.client.open()
        self.exchange()

    def exchange(self) -> None:
        for _ in range(6):
            self.server.receive(self.client.data_to_send(), 0)
            self.frontend.handle(0)
            self.client.receive(self.server.data_to_send(), 0)

    def closed_with(self) -> list[tuple[str, Any]]:
        """Why the broker has closed the connection."""
        self.exchange()
        errors = [event.error for event in self.client.events() if isinstance(event, ConnectionClosed)]
        return [(error.condition, error.info) for error in errors if error is not None]


@pytest.mark.parametrize("policy", [None, 0])
def test_the_second_connection_is_refused_unless_it_asks_to_close_the_first(policy: int | None) -> None:
    broker = Broker()
    first = Peer(broker, policy)
    assert Peer(broker, policy).closed_with() == REFUSED
    assert first.closed_with() == []
    first.frontend.close(0)
    assert Peer(broker, policy).closed_with() == []


def plain(broker: Broker, user: str = "ann") -> Peer:
    """A connection of the container that does not ask."""
    return Peer(broker, None, user, asks=False)


CLOSED = [("amqp:resource-locked", {"sole-connection-enforcement": True})]


@pytest.mark.parametrize("policy", [None, 0, 1])
def test_the_second_connection_closes_the_first_if_the_first_asked_for_that(policy: int | None) -> None:
    broker = Broker()
    first, second = Peer(broker, 1), Peer(broker, policy)
    assert first.closed_with() == CLOSED
    assert second.closed_with() == []
    # The end of the first one makes no room for a third.
    first.frontend.close(0)
    assert broker.connections.containers.rivals("jms", "ann", True) != []


def test_the_first_connection_stays_if_it_asked_for_that() -> None:
    broker = Broker()
    first, second = Peer(broker, 0), Peer(broker, 1)
    assert second.closed_with() == REFUSED
    assert first.closed_with() == []


def test_a_connection_that_does_not_ask_is_detected() -> None:
    broker = Broker()
    first = Peer(broker, 0)
    assert plain(broker).closed_with() == REFUSED
    first.frontend.close(0)
    others = [plain(broker), plain(broker)]
    assert Peer(broker, 0).closed_with() == REFUSED
    last = Peer(broker, 1)
    assert [each.closed_with() for each in others] == [CLOSED, CLOSED]
    assert last.closed_with() == []
    third = plain(broker)
    assert last.closed_with() == CLOSED
    assert third.closed_with() == []


def test_nobody_is_shut_out_by_another_user_without_asking_to_be_alone() -> None:
    broker = Broker()
    first = Peer(broker, 0, "bob")
    second = plain(broker)
    assert (first.closed_with(), second.closed_with()) == ([], [])
    assert Peer(broker, 1, "eve").closed_with() == REFUSED


@pytest.mark.parametrize(("policy", "said"), [(None, 0), (0, 0), (1, 1)])
def test_the_answer_has_the_policies(policy: int | None, said: int) -> None:
    remote = Peer(Broker(), policy).client.remote
    assert remote is not None
    policies = {"sole-connection-detection-policy": 0, "sole-connection-enforcement-policy": said}
    assert {name: remote.properties.get(Symbol(name)) for name in policies} == policies


def test_a_policy_that_there_is_not_is_refused() -> None:
    assert Peer(Broker(), 2).closed_with() == [("amqp:invalid-field", {})]


def test_the_connection_of_another_user_is_not_closed() -> None:
    broker = Broker()
    first = Peer(broker, 1, "ann")
    assert Peer(broker, 1, "bob").closed_with() == REFUSED
    assert first.closed_with() == []


def test_a_connection_that_may_not_enter_closes_none() -> None:
    broker = Broker()
    first = Peer(broker, 1)
    assert Peer(broker, 1, full="there are enough").closed_with() == [("amqp:resource-limit-exceeded", {})]
    assert first.closed_with() == []
