"""Which links are attached, and why others are refused."""

import pytest
from bare_queue import encoded
from wired_broker import Line

from lastvalue.codec.amqp10.performatives import (
    Source,
    Target,
)
from lastvalue.protocols.amqp10.events import LinkDetached


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
