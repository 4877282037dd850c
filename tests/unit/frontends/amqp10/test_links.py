"""Which links are attached, and why others are refused."""

import pytest
from bare_queue import encoded
from wired_broker import Clock, Line

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp10.performatives import AmqpError, Source, Target
from lastvalue.codec.amqp10.values import Described, Symbol
from lastvalue.protocols.amqp10.connection import ConnectionClosed
from lastvalue.protocols.amqp10.options import ConnectionOptions
from lastvalue.protocols.amqp10.session import LinkDetached


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


@pytest.mark.spec("amqp-1.0", "2.8.15", "frame-size-too-small: the answer is larger than the peer's frames")
def test_a_link_whose_answer_is_too_long_for_the_peer_is_refused_and_reads_nothing(
    line: Line, broker: Broker
) -> None:
    small = Line(broker, Clock(), ConnectionOptions("small", max_frame_size=1000))
    keys = Described(Symbol("lastvalue:watch:map"), {"keys": [f"key {number:03}" for number in range(200)]})
    source = Source(address="lvq", distribution_mode="copy", filter={"watch": keys})
    small.session.attach_receiver("r", source)
    (detached,) = small.take(LinkDetached)
    assert detached.error.condition == "amqp:frame-size-too-small"
    assert not broker.lookup("lvq").queue.subscriptions
    small.session.attach_receiver("r", Source(address="lvq", distribution_mode="copy"))
    small.exchange()
    assert small.session.open


def told(line: Line, changes: object) -> list[LinkDetached]:
    """What comes of a flow whose properties ask a watching link to change."""
    watch = Described(Symbol("lastvalue:watch:map"), {"removals": True})
    source = Source(address="lvq", distribution_mode="copy", filter={"watch": watch})
    link = line.session.attach_receiver("r", source)
    link.add_credit(1)
    line.exchange()
    link.tell_properties({"lastvalue:watch:map": changes})
    return line.take(LinkDetached)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"rate": -1}, "rate of a watch is a number from 0 to 1e9, not -1"),
        ({"rate": 1, "interval_ms": 1}, "a watch has a rate or an interval_ms; not both"),
        ({"prefix": "a"}, "is a map of rate, interval_ms, full_values; not {'prefix': 'a'}"),
        (5, "is a map of rate, interval_ms, full_values; not 5"),
    ],
)
def test_a_flow_that_asks_for_what_a_watch_cannot_change_ends_the_link_with_the_reason(
    line: Line, broker: Broker, changes: object, fault: str
) -> None:
    (detached,) = told(line, changes)
    assert isinstance(detached.error, AmqpError)
    assert detached.error.condition == "amqp:invalid-field"
    assert fault in str(detached.error.description)
    assert not broker.lookup("lvq").queue.subscriptions


def test_a_flow_changes_the_pace_of_a_watch(line: Line) -> None:
    assert told(line, {"rate": 5.0, "full_values": True}) == []


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
