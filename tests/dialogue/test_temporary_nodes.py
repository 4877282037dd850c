"""Temporary queues and topics of every protocol: their connection alone reads them, whoever may answers."""

from collections.abc import Callable
from typing import Any, Final
from urllib.parse import quote

import pytest
from amqp010_peer import Peer as Amqp010Peer
from amqp091_peer import Peer as Amqp091Peer
from broker_peer import BrokerPeer
from core_peer import Peer as CorePeer
from pamqp.commands import Basic, Queue
from rights_world import World
from test_rights import command, core, links, management, path, qmf, request, say

from lastvalue.broker.rights.permissions import Permissions, parse_rule
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.performatives import Source
from lastvalue.codec.amqp10.values import Symbol
from lastvalue.codec.core import packets
from lastvalue.frontends.amqp091.consumer_terms import BROWSE

Act = Callable[[World], object]


def made_by(peer: BrokerPeer, **more: Any) -> str:
    """The name of a dynamic node, which the peer reads."""
    source = peer.reads(address=None, dynamic=True, **more).source
    assert isinstance(source, Source)
    return str(source.address)


def made_10(world: World) -> str:
    return made_by(BrokerPeer(world.broker, world.clock), credit=0)


def made_core(world: World) -> str:
    CorePeer(world.broker, shared=world.core_state).open(name="maker").declare("temp", temporary=True)
    return "temp"


def made_091(world: World) -> str:
    Amqp091Peer(world.broker).open().say(Queue.Declare(queue="temp", exclusive=True))
    return "temp"


def made_091_unnamed(world: World) -> str:
    peer = Amqp091Peer(world.broker).open()
    peer.say(Queue.Declare(exclusive=True, auto_delete=True))
    return str(peer.expect(Queue.DeclareOk).queue)


def made_010(world: World) -> str:
    peer = Amqp010Peer(world.broker_state, opens=False)
    peer.open(b"maker")
    peer.do("queue.declare", queue="temp", exclusive=True, auto_delete=True)
    return "temp"


MAKERS: Final = {
    "1.0": made_10,
    "CORE": made_core,
    "0-9-1": made_091,
    "0-9-1 without a name": made_091_unnamed,
    "0-10": made_010,
}

REQUESTS: Final[dict[str, dict[str, Any]]] = {
    "UPDATE": {"max_consumers": 3},
    "DELETE": {},
    "PURGE": {},
    "WHY": {"sequence": 1},
    "HELD": {},
    "moveMessages": {"destination": "other"},
    "copyMessages": {"destination": "other"},
    "retryMessages": {},
    "deleteMessages": {},
    "reenqueueMessagesForPriorityChange": {"newPriority": 1},
    "deliverScheduledMessages": {},
}
"""Those of `$management`, with their bodies."""


def asks(operation: str, **body: Any) -> Callable[[str], Act]:
    return lambda name: request(operation, "queue", name, **body)


def sends_10(name: str) -> Act:
    def act(world: World) -> None:
        world.v10.writes(address=name)
        world.v10.transfer(0, encode_content(MessageContent(body="x")), settled=True)

    return act


ATTACKS: Final[dict[str, Callable[[str], Act]]] = {
    "1.0 consume": lambda name: links(address=name),
    "1.0 browse": lambda name: links(address=name, distribution_mode="copy"),
    "0-10 consume": lambda name: lambda world: world.v010.subscribe(name),
    "0-10 browse": lambda name: lambda world: world.v010.subscribe(name, acquire_mode=1),
    "0-10 purge": lambda name: command("queue.purge", queue=name),
    "0-10 delete": lambda name: command("queue.delete", queue=name),
    "0-10 bind": lambda name: command("exchange.bind", exchange="x", queue=name),
    "QMF purge": lambda name: qmf("purge", f"org.apache.qpid.broker:queue:{name}", request=0),
    "QMF delete": lambda name: qmf("delete", type="queue", name=name),
    "QMF move": lambda name: qmf("queueMoveMessages", srcQueue=name, destQueue="other", qty=0),
    "0-9-1 consume": lambda name: say(Basic.Consume(queue=name)),
    "0-9-1 browse": lambda name: say(Basic.Consume(queue=name, arguments={BROWSE: True})),
    "0-9-1 get": lambda name: say(Basic.Get(queue=name, no_ack=True)),
    "0-9-1 purge": lambda name: say(Queue.Purge(queue=name)),
    "0-9-1 delete": lambda name: say(Queue.Delete(queue=name)),
    "CORE consume": lambda name: core(packets.CREATE_CONSUMER, consumer=1, queue=name),
    "CORE browse": lambda name: core(packets.CREATE_CONSUMER, consumer=1, queue=name, browse=True),
    "CORE delete": lambda name: core(packets.DELETE_QUEUE, queue=name),
    "CORE's management list": lambda name: management(f"queue.{name}", "listMessagesAsJSON", ""),
    "CORE's management move": lambda name: management(f"queue.{name}", "moveMessages", "", "other"),
    "RabbitMQ's purge": lambda name: path("DELETE", f"/queues/{quote(name, safe='')}/messages"),
    "RabbitMQ's delete": lambda name: path("DELETE", f"/queues/{quote(name, safe='')}"),
    **{operation: asks(operation, **body) for operation, body in REQUESTS.items()},
}


def allow(world: World, *rules: str) -> None:
    permissions = Permissions([parse_rule(rule) for rule in rules])
    world.broker.authorization.permissions = lambda user: permissions


def with_reply(maker: Callable[[World], str]) -> tuple[World, str]:
    """A temporary queue of another connection, with a reply on it."""
    world = World()
    name = maker(world)
    message = read_message(encode_content(MessageContent(body="secret")))
    world.broker.publish(world.broker.queue_target(name), message, 0)
    return world, name


@pytest.mark.parametrize("rules", [None, ("all *",)], ids=["no rights are set", "every right on every name"])
@pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)
def test_a_temporary_queue_is_used_by_its_connection_alone(
    maker: Callable[[World], str], rules: tuple[str, ...] | None
) -> None:
    assert [name for name, attack in ATTACKS.items() if succeeds(attack, maker, rules)] == []


def succeeds(
    attack: Callable[[str], Act], maker: Callable[[World], str], rules: tuple[str, ...] | None
) -> bool:
    """Whether an attack on a temporary queue does something, or is not told that it may not."""
    world, name = with_reply(maker)
    if rules is not None:
        allow(world, *rules)
    hosted = world.broker.lookup(name)
    before = (world.state(), hosted.queue.published, len(hosted.readers))
    attack(name)(world)
    changed = (world.state(), hosted.queue.published, len(hosted.readers)) != before
    refused = all(each.status in (403, 404, 409, 423) for each in world.replies)
    return changed or not refused or any(world.succeeded)


@pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)
def test_lists_and_answers_show_it_to_administrators_of_connections_alone(
    maker: Callable[[World], str],
) -> None:
    world, name = with_reply(maker)
    asks = [
        request("READ", "queue", name),
        request("SEQUENCES", "queue", name),
        request("WHY", "queue", name),
    ]
    allow(world, "all *")
    for ask in (request("QUERY", "queue"), *asks):
        ask(world)
    assert name not in [each["name"] for each in world.replies[0].body]
    assert all(each.status >= 400 for each in world.replies[1:])
    world.replies.clear()
    allow(world, "all *", "administer $connections")
    for ask in (request("QUERY", "queue"), *asks[:2]):
        ask(world)
    assert name in [each["name"] for each in world.replies[0].body]
    assert all(each.status == 200 for each in world.replies[1:])


ANSWERS: Final[dict[str, Callable[[str], Act]]] = {
    "1.0": sends_10,
    "0-10": lambda name: lambda world: world.v010.send(name, b"x"),
    "0-9-1": lambda name: lambda world: world.v091.publish(b"x", name),
    "CORE": lambda name: lambda world: world.core.send("x", name),
}


@pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_whoever_may_write_answers_and_others_do_not(
    answer: Callable[[str], Act], maker: Callable[[World], str]
) -> None:
    world, name = with_reply(maker)
    allow(world, f"write {name}")
    answer(name)(world)
    assert world.depth(name) == 2
    world, name = with_reply(maker)
    allow(world, f"read,browse,manage,configure {name}")
    answer(name)(world)
    assert world.depth(name) == 1


@pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)
def test_whoever_answers_finds_it_as_clients_look_before_they_send(maker: Callable[[World], str]) -> None:
    world, name = with_reply(maker)
    allow(world, f"write {name}")
    world.core.say(packets.BINDING_QUERY, address=name)
    assert world.core.expect(packets.BINDING_QUERIED).flag("exists")
    found = world.v010.do("queue.query", queue=name)
    assert found is not None
    assert found.text("queue") == name


TOPIC_ATTACKS: Final[dict[str, Callable[[str], Act]]] = {
    "1.0": lambda name: links(address=name),
    "0-10": lambda name: command("exchange.bind", exchange=name, queue="other"),
    "0-9-1": lambda name: say(Queue.Bind(queue="other", exchange=name)),
    "CORE": lambda name: core(
        packets.CREATE_QUEUE_V2, queue="s", address=name, routing_type=0, max_consumers=-1
    ),
    "BIND": lambda name: request("BIND", "exchange", name, destination="other"),
    "DELETE": lambda name: request("DELETE", "exchange", name),
}


def made_topic(world: World) -> tuple[BrokerPeer, str]:
    """A temporary topic, and its connection, which subscribes to it."""
    maker = BrokerPeer(world.broker, world.clock)
    name = made_by(maker, capabilities=(Symbol("temporary-topic"),))
    assert name.startswith("TempTopic")
    return maker, name


@pytest.mark.parametrize("rules", [(), ("all *", "all $subscription/*")], ids=["no rights are set", "rights"])
@pytest.mark.parametrize("attack", TOPIC_ATTACKS.values(), ids=TOPIC_ATTACKS)
def test_a_temporary_topic_is_subscribed_to_by_its_connection_alone(
    attack: Callable[[str], Act], rules: tuple[str, ...]
) -> None:
    world = World()
    _, name = made_topic(world)
    if rules:
        allow(world, *rules)
    before = world.state()
    attack(name)(world)
    assert world.state() == before


def test_whoever_may_write_publishes_to_a_temporary_topic_that_no_list_shows() -> None:
    world = World()
    maker, name = made_topic(world)
    allow(world, "all *")
    world.request("QUERY", "exchange", "", contains=name)
    assert world.replies[-1].body == []
    sends_10(name)(world)
    assert [body for *_, body in maker.got()] == ["x"]
