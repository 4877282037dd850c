"""Durable subscriptions while nobody reads them: their user's alone, unless a rule names `$subscription`."""

import re
from collections.abc import Callable
from typing import Final

import pytest
from pamqp.commands import Basic
from pamqp.constants import DOMAIN_REGEX
from rights_world import NOW, OTHER, World
from test_rights import links
from test_temporary_nodes import ATTACKS, Act, allow

from lastvalue.broker.queue_names import subscription_queue
from lastvalue.broker.routing.bindings import Binding
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.core import packets
from lastvalue.queues.spec import QueueSpec

LINK: Final = "r"
"""The name of the link of the peers of these tests; their container is `peer`."""

SUBSCRIPTIONS: Final = {
    "1.0": ("peer", LINK),
    "1.0 shared": ("peer", f"{LINK}|shared"),
    "1.0 shared by all containers": ("", f"{LINK}|shared"),
    "CORE": ("", LINK),
}
"""Those of another user that the same names would open for that user, by container and name."""

OPENINGS: Final[dict[str, Act]] = {
    "1.0 resumes": lambda world: world.v10.reads(address=None),
    "1.0 subscribes": lambda world: world.v10.reads(address="x", expiry_policy="never", durable=2),
    "CORE consumes": lambda world: world.core.say(packets.CREATE_CONSUMER, consumer=1, queue=LINK),
    "CORE consumes with the address": lambda world: world.core.say(
        packets.CREATE_CONSUMER, consumer=1, queue=f"x::{LINK}"
    ),
    "CORE deletes": lambda world: world.core.say(packets.DELETE_QUEUE, queue=LINK),
    "0-10 consumes": lambda world: world.v010.subscribe(LINK),
    "0-9-1 consumes": lambda world: world.v091.say(Basic.Consume(queue=LINK)),
}
"""The names by which a user opens a subscription of its own."""


@pytest.fixture(autouse=True)
def _peer_that_sends_any_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library of the peer of AMQP 0-9-1 refuses names with a dollar sign; the broker does not."""
    monkeypatch.setitem(DOMAIN_REGEX, "queue-name", re.compile(".*"))


def subscribed(container: str, name: str) -> tuple[World, str]:
    """A detached durable subscription of another user to the exchange `x`, with a message."""
    world = World()
    queue = subscription_queue(OTHER.principal, container, name)
    world.broker.declare(QueueSpec(queue, durable=True), OTHER)
    world.broker.bind("x", Binding(queue, "subscribed"), OTHER, NOW)
    message = read_message(encode_content(MessageContent(body="secret")))
    world.broker.publish(world.broker.queue_target(queue), message, NOW)
    return world, queue


@pytest.mark.parametrize("subscription", SUBSCRIPTIONS.values(), ids=SUBSCRIPTIONS)
@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_rights_on_every_name_do_not_reach_the_subscription_of_another_user(
    attack: Callable[[str], Act], subscription: tuple[str, str]
) -> None:
    world, queue = subscribed(*subscription)
    allow(world, "all *")
    before = world.state()
    attack(queue)(world)
    assert world.state() == before
    assert all(each.status in (403, 404) for each in world.replies)


@pytest.mark.parametrize("rules", [("all *",), ("all *", "administer $*")], ids=["all", "administrator"])
@pytest.mark.parametrize("subscription", SUBSCRIPTIONS.values(), ids=SUBSCRIPTIONS)
@pytest.mark.parametrize("opening", OPENINGS.values(), ids=OPENINGS)
def test_the_name_of_a_subscription_opens_only_ones_own(
    opening: Act, subscription: tuple[str, str], rules: tuple[str, ...]
) -> None:
    world, queue = subscribed(*subscription)
    allow(world, *rules)
    opening(world)
    assert world.depth(queue) == 1
    assert not world.broker.lookup(queue).readers


READINGS: Final[dict[str, Callable[[str], Act]]] = {
    "1.0": lambda name: links(address=name),
    "0-10": lambda name: lambda world: world.v010.subscribe(name),
    "0-9-1": lambda name: lambda world: world.v091.say(Basic.Consume(queue=name)),
    "CORE": lambda name: lambda world: world.core.say(packets.CREATE_CONSUMER, consumer=1, queue=name),
}


@pytest.mark.parametrize("reading", READINGS.values(), ids=READINGS)
def test_a_rule_that_names_the_subscriptions_of_others_opens_them(reading: Callable[[str], Act]) -> None:
    world, queue = subscribed(*SUBSCRIPTIONS["1.0"])
    allow(world, "read x", f"read $subscription/{OTHER.principal}/*")
    reading(queue)(world)
    assert len(world.broker.lookup(queue).readers) == 1


@pytest.mark.parametrize("reading", READINGS.values(), ids=READINGS)
def test_such_a_rule_is_not_enough_without_the_right_to_read_the_exchange(
    reading: Callable[[str], Act],
) -> None:
    world, queue = subscribed(*SUBSCRIPTIONS["1.0"])
    allow(world, f"read $subscription/{OTHER.principal}/*")
    reading(queue)(world)
    assert not world.broker.lookup(queue).readers


@pytest.mark.parametrize(("rules", "readers"), [(("read x",), 0), (("read x", "read peer.news"), 1)])
def test_a_subscription_of_core_under_a_plain_name_is_read_by_who_may_read_the_name(
    rules: tuple[str, ...], readers: int
) -> None:
    world = World()
    world.broker.declare(QueueSpec("peer.news", durable=True), OTHER)
    world.broker.bind("x", Binding("peer.news", "subscribed"), OTHER, NOW)
    allow(world, *rules)
    world.core.say(packets.CREATE_CONSUMER, consumer=1, queue="peer.news")
    assert len(world.broker.lookup("peer.news").readers) == readers
