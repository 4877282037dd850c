"""Without a right on a name, nobody learns by any verb or protocol whether there is such a node."""

import re
from collections.abc import Mapping
from typing import Any, Final

from amqp091_peer import vars_of
from pamqp.commands import Basic, Exchange, Queue
from qmf_console import Console
from rights_world import NOW, World
from test_rights import attribute, command, core, links, management, path, qmf, request, say

from lastvalue.broker.administration.request import Request
from lastvalue.broker.requests.management import manage
from lastvalue.broker.rights.permissions import Permissions, parse_rule
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.core import packets
from lastvalue.compat.artemis.management.address_control import ADDRESS_ATTRIBUTES, ADDRESS_OPERATIONS
from lastvalue.compat.artemis.management.broker_control import BROKER_ATTRIBUTES, BROKER_OPERATIONS
from lastvalue.compat.artemis.management.queue_attributes import QUEUE_ATTRIBUTES
from lastvalue.compat.artemis.management.queue_control import QUEUE_OPERATIONS
from lastvalue.frontends.amqp091.consumer_terms import BROWSE

NAME: Final = "secret"
OBJECT: Final = f"org.apache.qpid.broker:queue:{NAME}"
BODY: Final = encode_content(MessageContent(body="x", application_properties={"k": "a"}))

Act = Any


def writes(address: str) -> Act:
    return lambda world: world.v10.writes(address=address)


def sends_10(address: str) -> Act:
    def act(world: World) -> None:
        world.v10.writes(address=None)
        world.v10.transfer(0, encode_content(MessageContent(body="x", to=address)))

    return act


OF_A_QUEUE: Final[dict[str, dict[str, Any]]] = {
    "READ": {},
    "CREATE": {},
    "UPDATE": {"ttl_ms": 1},
    "DELETE": {},
    "PURGE": {},
    "SEQUENCES": {},
    "GET": {"keys": ["a"]},
    "PUT": {"message": BODY},
    "PUT_MANY": {"messages": [BODY]},
    "DELETE_KEY": {"key": "a"},
    "WHY": {"key": "a"},
    "HELD": {},
    "KEYS": {},
    "EXTENT": {},
    "AS_OF": {"time": NOW},
    "TIMELINE": {"queue": "mine", "key": "a"},
    "moveMessages": {"destination": "mine"},
    "copyMessages": {"destination": "mine"},
    "retryMessages": {},
    "deleteMessages": {},
    "reenqueueMessagesForPriorityChange": {"newPriority": 1},
    "deliverScheduledMessages": {},
}
OF_AN_EXCHANGE: Final[dict[str, dict[str, Any]]] = {
    "READ": {},
    "CREATE": {},
    "UPDATE": {},
    "DELETE": {},
    "CHECK": {},
    "BIND": {"destination": "mine"},
    "UNBIND": {"destination": "mine"},
}
"""The requests of `$management`, with their bodies."""

PARAMETERS: Final[dict[str, tuple[Any, ...]]] = {
    **dict.fromkeys(("removeMessages", "changeMessagesPriority", "sendMessagesToDeadLetterAddress"), ("",)),
    **dict.fromkeys(("removeMessage", "retryMessage", "deliverScheduledMessage"), (1,)),
    "moveMessages": ("", "mine"),
    "moveMessage": (1, "mine"),
    "copyMessage": (1, "mine"),
    "changeMessagesPriority": ("", 9),
    "changeMessagePriority": (1, 9),
    "sendMessageToDeadLetterAddress": (1,),
    "sendMessage": (None, 3, "x", False, None, None),
    "updateQueue": (f'{{"name": "{NAME}", "max-consumers": 3}}',),
    "createQueue": (f'{{"name": "{NAME}"}}', True),
    "deployQueue": (NAME, NAME, None),
    "destroyQueue": (NAME,),
    "createAddress": (NAME, "MULTICAST"),
    "updateAddress": (NAME, "MULTICAST"),
    "deleteAddress": (NAME,),
    "getAddressInfo": (NAME,),
    "listBindingsForAddress": (NAME,),
    "listAddresses": ("", 1, 100),
    "listQueues": ("", 1, 100),
}
"""Of the operations of Artemis's management that take some."""

DEAD_LETTERS: Final = "x-dead-letter-exchange"


def queries(kind: str, name: str = "") -> Act:
    """A query of QMF for the objects of a kind, or for the one of a name."""
    query: dict[str, Any] = {"_what": "OBJECT", "_schema_id": {"_class_name": kind}}
    if name:
        query["_object_id"] = {"_object_name": f"org.apache.qpid.broker:{kind}:{name}"}

    return lambda world: world.console.ask("_query_request", query)


OF_QUEUES: Final[dict[str, Act]] = {
    "1.0 consume": links(address=NAME),
    "1.0 browse": links(address=NAME, distribution_mode="copy"),
    "1.0 subject": links(address=f"{NAME}/subject"),
    "1.0 address and queue": links(address=f"{NAME}::{NAME}"),
    "1.0 path": links(address=f"/queues/{NAME}"),
    "1.0 options": links(address=f"{NAME}; {{create: always}}"),
    "1.0 asserted": links(address=f"{NAME}; {{assert: always, node: {{type: topic}}}}"),
    "1.0 publish": writes(NAME),
    "1.0 publish without target": sends_10(NAME),
    "1.0 publish without target to a subject": sends_10(f"{NAME}/subject"),
    "0-10 declare": command("queue.declare", queue=NAME),
    "0-10 passive": command("queue.declare", queue=NAME, passive=True),
    "0-10 alternate": command("queue.declare", queue="mine", alternate_exchange=NAME),
    "0-10 delete": command("queue.delete", queue=NAME),
    "0-10 purge": command("queue.purge", queue=NAME),
    "0-10 query": command("queue.query", queue=NAME),
    "0-10 bind": command("exchange.bind", exchange="mine.x", queue=NAME),
    "0-10 unbind": command("exchange.unbind", exchange="mine.x", queue=NAME),
    "0-10 bound": command("exchange.bound", exchange="mine.x", queue=NAME),
    "0-10 consume": lambda world: world.v010.subscribe(NAME),
    "0-10 browse": lambda world: world.v010.subscribe(NAME, acquire_mode=1),
    "0-10 publish": lambda world: world.v010.send(NAME, b"x"),
    "QMF create": qmf("create", type="queue", name=NAME),
    "QMF delete": qmf("delete", type="queue", name=NAME),
    "QMF purge": qmf("purge", OBJECT, request=0),
    "QMF move": qmf("queueMoveMessages", srcQueue=NAME, destQueue="mine", qty=0),
    "0-9-1 declare": say(Queue.Declare(queue=NAME)),
    "0-9-1 passive": say(Queue.Declare(queue=NAME, passive=True)),
    "0-9-1 delete": say(Queue.Delete(queue=NAME)),
    "0-9-1 purge": say(Queue.Purge(queue=NAME)),
    "0-9-1 bind": say(Queue.Bind(queue=NAME, exchange="mine.x")),
    "0-9-1 unbind": say(Queue.Unbind(queue=NAME, exchange="mine.x")),
    "0-9-1 consume": say(Basic.Consume(queue=NAME)),
    "0-9-1 browse": say(Basic.Consume(queue=NAME, arguments={BROWSE: True})),
    "0-9-1 get": say(Basic.Get(queue=NAME)),
    "0-9-1 publish": lambda world: world.v091.publish(b"x", NAME),
    "CORE query": core(packets.QUEUE_QUERY, queue=NAME),
    "CORE query of an address": core(packets.BINDING_QUERY, address=NAME),
    "CORE create": core(packets.CREATE_QUEUE_V2, queue=NAME, address=NAME, routing_type=1),
    "CORE create shared": core(packets.CREATE_SHARED_QUEUE_V2, queue=NAME, address=NAME, routing_type=1),
    "CORE create address": core(packets.CREATE_ADDRESS, address=NAME, routing_types=[0]),
    "CORE delete": core(packets.DELETE_QUEUE, queue=NAME),
    "CORE consume": core(packets.CREATE_CONSUMER, consumer=1, queue=NAME),
    "CORE browse": core(packets.CREATE_CONSUMER, consumer=1, queue=NAME, browse=True),
    "CORE publish": lambda world: world.core.send("x", NAME),
    "CORE's management of addresses": attribute(f"address.{NAME}", "queueCount"),
    **{
        f"CORE's management {name}": management(f"queue.{NAME}", name, *PARAMETERS.get(name, ()))
        for name in QUEUE_OPERATIONS
    },
    **{f"CORE's management's {name}": attribute(f"queue.{NAME}", name) for name in QUEUE_ATTRIBUTES},
    **{
        f"CORE's management {name} of the broker": management("broker", name, *PARAMETERS.get(name, ()))
        for name in BROKER_OPERATIONS
    },
    **{f"CORE's management's {name} of the broker": attribute("broker", name) for name in BROKER_ATTRIBUTES},
    "list": request("QUERY", "queue"),
    "move to it": request("moveMessages", "queue", "mine", destination=NAME),
    "copy to it": request("copyMessages", "queue", "mine", destination=NAME),
    "to redirect": request("UPDATE", "queue", "mine", redirect=NAME),
    "unbind": request("UNBIND", "exchange", "mine.x", destination=NAME),
    "0-9-1 publish mandatorily": lambda world: world.v091.publish(b"x", NAME, mandatory=True),
    "0-9-1 dead letters": say(Queue.Declare(queue="mine.new", arguments={DEAD_LETTERS: NAME})),
    "QMF query": queries("queue"),
    "QMF object": queries("queue", NAME),
    "QMF bind": qmf("create", type="binding", name=f"mine.x/{NAME}/k"),
    "QMF unbind": qmf("delete", type="binding", name=f"mine.x/{NAME}/k"),
    "QMF redirect": qmf("queueRedirect", sourceQueue="mine", targetQueue=NAME),
    "QMF move to it": qmf("queueMoveMessages", srcQueue="mine", destQueue=NAME, qty=0),
    "CORE credit": core(packets.REQUEST_CREDIT, credits=1, address=NAME),
    "CORE create at it": core(packets.CREATE_QUEUE_V2, queue="mine.new", address=NAME, routing_type=1),
    "list of RabbitMQ": path("GET", f"/queues/{NAME}"),
    "delete of RabbitMQ": path("DELETE", f"/queues/{NAME}"),
    "purge of RabbitMQ": path("DELETE", f"/queues/{NAME}/messages"),
    "route": request("ROUTE", "exchange", NAME, message=BODY),
    "route behind": request("ROUTE", "exchange", "mine.x", message=BODY, key=NAME),
    "exchange": request("READ", "exchange", "mine.x"),
    "bind": request("BIND", "exchange", "mine.x", destination=NAME),
    "check of a binding": request("CHECK_BIND", "exchange", "mine.x", destination=NAME),
    "as alternate": request("CREATE", "queue", "mine.new", alternate=NAME),
    "as history": request("CREATE", "queue", "mine.new", history=NAME),
    "as redirect": request("CREATE", "queue", "mine.new", redirect=NAME),
    "check": request("CHECK", "queue", NAME),
    **{operation: request(operation, "queue", NAME, **body) for operation, body in OF_A_QUEUE.items()},
}

OF_EXCHANGES: Final[dict[str, Act]] = {
    "1.0 subscribe": links(address=NAME),
    "1.0 subject": links(address=f"{NAME}/subject"),
    "1.0 path": links(address=f"/exchanges/{NAME}/k"),
    "1.0 publish": writes(NAME),
    "0-10 declare": command("exchange.declare", exchange=NAME, type="topic"),
    "0-10 passive": command("exchange.declare", exchange=NAME, type="topic", passive=True),
    "0-10 alternate": command("exchange.declare", exchange="mine.y", type="topic", alternate_exchange=NAME),
    "0-10 query": lambda world: world.v010.do("exchange.query", name=NAME),
    "0-10 bind": command("exchange.bind", exchange=NAME, queue="mine"),
    "0-10 bound": command("exchange.bound", exchange=NAME, queue="mine"),
    "0-10 publish": lambda world: world.v010.send("k", b"x", exchange=NAME),
    "QMF create": qmf("create", type="exchange", name=NAME),
    "QMF bind": qmf("create", type="binding", name=f"{NAME}/mine/k"),
    "0-10 delete": command("exchange.delete", exchange=NAME),
    "0-10 unbind": command("exchange.unbind", exchange=NAME, queue="mine"),
    "QMF query": queries("exchange"),
    "QMF object": queries("exchange", NAME),
    "QMF bindings": queries("binding"),
    "QMF delete": qmf("delete", type="exchange", name=NAME),
    "QMF unbind": qmf("delete", type="binding", name=f"{NAME}/mine/k"),
    "0-9-1 declare": say(Exchange.Declare(exchange=NAME, exchange_type="topic")),
    "0-9-1 unbind from it": say(Exchange.Unbind(destination="mine.x", source=NAME)),
    "0-9-1 publish mandatorily": lambda world: world.v091.publish(b"x", "k", NAME, mandatory=True),
    "0-9-1 alternate": say(Exchange.Declare(exchange="mine.y", arguments={"alternate-exchange": NAME})),
    "0-9-1 dead letters": say(Queue.Declare(queue="mine.new", arguments={DEAD_LETTERS: NAME})),
    "0-9-1 passive": say(Exchange.Declare(exchange=NAME, passive=True)),
    "0-9-1 delete": say(Exchange.Delete(exchange=NAME)),
    "0-9-1 bind": say(Queue.Bind(queue="mine", exchange=NAME)),
    "0-9-1 bind to it": say(Exchange.Bind(destination=NAME, source="mine.x")),
    "0-9-1 unbind": say(Queue.Unbind(queue="mine", exchange=NAME)),
    "0-9-1 publish": lambda world: world.v091.publish(b"x", "k", NAME),
    "CORE query": core(packets.BINDING_QUERY, address=NAME),
    "CORE subscribe": core(packets.CREATE_QUEUE_V2, queue="s", address=NAME, routing_type=0),
    "CORE publish": lambda world: world.core.send("x", NAME),
    "CORE create address": core(packets.CREATE_ADDRESS, address=NAME, routing_types=[0]),
    "CORE credit": core(packets.REQUEST_CREDIT, credits=1, address=NAME),
    **{f"CORE's management {name}": management(f"address.{NAME}", name) for name in ADDRESS_OPERATIONS},
    **{f"CORE's management's {name}": attribute(f"address.{NAME}", name) for name in ADDRESS_ATTRIBUTES},
    **{
        f"CORE's management {name} of the broker": management("broker", name, *PARAMETERS[name])
        for name in BROKER_OPERATIONS
        if "Address" in name and name in PARAMETERS
    },
    "declare of RabbitMQ": path("PUT", f"/exchanges/{NAME}", durable=False),
    "delete of RabbitMQ": path("DELETE", f"/exchanges/{NAME}"),
    "bind of RabbitMQ": path("POST", "/bindings", source=NAME, destination_queue="mine", binding_key="k"),
    "bind to it of RabbitMQ": path("POST", "/bindings", source="mine.x", destination_exchange=NAME),
    "bindings of RabbitMQ": path("GET", f"/bindings?src={NAME}&dstq=mine&key=k"),
    "list": request("QUERY", "exchange"),
    "route": request("ROUTE", "exchange", NAME, message=BODY),
    "route by an alternate": request("ROUTE", "exchange", "mine.x", message=BODY),
    "route by a path": request("ROUTE", "exchange", f"/exchanges/{NAME}", message=BODY),
    **{operation: request(operation, "exchange", NAME, **body) for operation, body in OF_AN_EXCHANGE.items()},
}


class Hearing(World):
    """A world in which somebody hears what QMF answers."""

    def __init__(self) -> None:
        super().__init__()
        self.console = Console(self.broker_state, self.v010)


def heard(act: Act, kind: str, options: dict[str, Any]) -> str:
    """All that a user hears who has rights on other names alone; the name is there if it has a kind."""
    world = Hearing()
    for each, name in (("queue", "mine"), ("exchange", "mine.x")):
        manage(world.broker, Request("CREATE", each, name, {}), NOW)
    if kind:
        assert manage(world.broker, Request("CREATE", kind, NAME, options), NOW).status == 201
    rules = ("all mine*", "all new", "all answers", "write qmf.default.direct")
    permissions = Permissions([parse_rule(each) for each in rules])
    world.broker.authorization.permissions = lambda user: permissions
    act(world)
    answers = [(each.status, each.description, each.condition, each.body) for each in world.replies]
    said_010 = [(each.layout.name, each.values) for each in (*world.v010.failures, *world.v010.controls)]
    of_010 = (said_010, world.v010.results, [each.body for each in world.v010.transfers])
    of_10 = [each.performative for each in world.v10.frames()]
    of_091 = [(each.name, vars_of(each)) for _, each in world.v091.frames]
    of_core = [(kind.name, data) for _, kind, data in world.core.heard]
    return repr((answers, of_10, of_010, of_091, of_core, world.managed))


def told_apart(acts: Mapping[str, Act], kind: str, *options: dict[str, Any]) -> dict[str, list[str]]:
    """What a user hears of a name that is there, by act, where it differs from what there is without it."""
    answers = {
        name: [heard(act, "", {}), *(heard(act, kind, each) for each in options)]
        for name, act in acts.items()
    }
    return {name: each for name, each in answers.items() if len(set(each)) > 1}


def test_a_queue_that_is_there_is_answered_as_one_that_is_not() -> None:
    assert told_apart(OF_QUEUES, "queue", {}, {"lvq_key": "k"}) == {}


def test_an_exchange_that_is_there_is_answered_as_one_that_is_not() -> None:
    assert told_apart(OF_EXCHANGES, "exchange", {"type": "topic"}) == {}


def test_the_tables_have_every_request_about_a_node() -> None:
    world = World()
    for kind, rows in (("queue", OF_A_QUEUE), ("exchange", OF_AN_EXCHANGE)):
        world.request("NONE", kind, NAME)
        known = set(re.findall(r"\w+", world.replies[-1].description.partition("one of ")[2]))
        # Written out in the tables of acts, with what they are about.
        assert known - {"QUERY", "CHECK", "CHECK_BIND", "ROUTE", "bind", "unbind"} == set(rows) - {"CHECK"}


def test_whoever_has_any_right_on_a_name_is_told_that_there_is_no_such_queue() -> None:
    world = World()
    world.broker.authorization.permissions = lambda user: Permissions([parse_rule("write secret")])
    for operation in ("GET", "KEYS", "HELD", "WHY"):
        world.request(operation, "queue", NAME)
    assert [each.status for each in world.replies] == [404] * 4
