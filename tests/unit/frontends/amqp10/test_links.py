"""Which links are attached, and why others are refused."""

import pytest
from bare_queue import encoded
from wired_broker import Clock, Line

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp10.performatives import (
    Source,
    Target,
)
from lastvalue.protocols.amqp10.connection import ConnectionClosed
from lastvalue.protocols.amqp10.events import LinkDetached
from lastvalue.protocols.amqp10.options import ConnectionOptions


def publish(line: Line, address: str, body: str, key: str = "k") -> None:
    link = line.session.attach_sender(f"to {address} {body}", Target(address=address))
    line.exchange()
    link.send(encoded(body, {"k": key}, None), settled=True)
    line.exchange()


@pytest.mark.spec("amqp-1.0", "2.6.5", "a link that fails is detached with the error")
@pytest.mark.parametrize(
    ("source", "condition"),
    [
        (Source(address="nosuch"), "amqp:not-found"),
        (Source(address=None), "amqp:not-found"),
    ],
)
def test_a_source_that_is_not_to_be_had_is_refused_with_the_reason(
    line: Line, source: Source, condition: str
) -> None:
    line.session.attach_receiver("r", source)
    (detached,) = line.take(LinkDetached)
    assert detached.error.condition == condition
    assert detached.closed


@pytest.mark.parametrize(
    ("target", "condition"),
    [
        (Target(address="nosuch"), "amqp:not-found"),
        (Target(address="nosuch/subject"), "amqp:not-found"),
    ],
)
def test_a_target_that_is_not_to_be_had_is_refused_with_the_reason(
    line: Line, target: Target, condition: str
) -> None:
    line.session.attach_sender("s", target)
    (detached,) = line.take(LinkDetached)
    assert detached.error.condition == condition


@pytest.mark.spec("amqp-1.0", "2.6.5", "a fault of one link leaves its session alone")
def test_a_refused_link_leaves_the_session_and_its_links_alone(line: Line) -> None:
    line.session.attach_receiver("r", Source(address="nosuch"))
    line.exchange()
    publish(line, "q", "1")
    assert line.session.open


LEADER = {"hostname": "one", "network-host": "one", "port": 5673}


def test_at_a_follower_a_link_is_sent_to_the_leader(broker: Broker, line: Line) -> None:
    broker.authorization.leader = "one:5673"
    line.session.attach_sender("s", Target(address="q"))
    (detached,) = line.take(LinkDetached)
    assert (detached.error.condition, detached.error.info) == ("amqp:link:redirect", LEADER)


def test_at_a_follower_the_connection_of_a_client_that_does_not_know_that_is_closed(broker: Broker) -> None:
    broker.authorization.leader = "one:5673"
    line = Line(broker, Clock(), ConnectionOptions("jms", properties={"product": "QpidJMS"}))
    relay = line.session.attach_sender("relay", Target(address=None))
    line.exchange()
    relay.send(encoded("1", {}, None, to="q"), settled=False)
    (closed,) = line.take(ConnectionClosed)
    assert (closed.error.condition, closed.error.info) == ("amqp:connection:redirect", LEADER)
    line = Line(broker, Clock(), ConnectionOptions("jms", properties={"product": "QpidJMS"}))
    line.session.attach_sender("s", Target(address="q"))
    (closed,) = line.take(ConnectionClosed)
    assert (closed.error.condition, closed.error.info) == ("amqp:connection:redirect", LEADER)
    assert line.take(LinkDetached) == []
