"""Clients of every protocol, and what they say to a broker to make its nodes and to use them."""

import json
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cached_property
from types import TracebackType
from typing import Any, Final, Self, TypeAlias

import httpx
import pika
from core_peer import message
from pika.exceptions import AMQPError
from proton import Data, ProtonException, Terminus, symbol
from proton import Message as ProtonMessage
from proton.reactor import LinkOption
from proton.utils import BlockingConnection
from raw_amqp010 import RawAmqp010
from raw_core import RawCore
from served_broker import HOST
from served_gateway import gateway_client

from lastvalue.client import Message, blocking
from lastvalue.codec.amqp010.command_layouts import DTX_XID
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.core import packets
from lastvalue.codec.core.typed_properties import BYTES, STRING
from lastvalue.codec.core.writer import CoreWriter
from lastvalue.model.errors import LastvalueError

ANYCAST: Final = 1
MULTICAST: Final = 0
CONTAINER: Final = "reader"
JMS: Final = "jms"
"""The container that names shared subscriptions as Qpid JMS does."""
BEFORE: Final = "before"
AFTER: Final = "after"
AGAIN: Final = "again"
_GOODBYE_S: Final = 0.1
_XID: Final = (1, b"global", b"branch")


class Clients:
    """Connections of every protocol to a broker, each made when it is used first."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._open = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def ends(self, close: Callable[[], object]) -> None:
        """Close a connection at the end; the broker may be gone by then."""

        def end() -> None:
            with suppress(OSError, AMQPError, ProtonException, LastvalueError):
                close()

        self._open.callback(end)

    @cached_property
    def own(self) -> blocking.Connection:
        connection = blocking.connect(f"amqp://{HOST}:{self.port}", reconnect=False)
        self.ends(connection.close)
        return connection

    @cached_property
    def proton(self) -> BlockingConnection:
        return self._proton(CONTAINER)

    @cached_property
    def jms(self) -> BlockingConnection:
        return self._proton(JMS, desired_capabilities=[symbol("SHARED-SUBS")])

    def _proton(self, container: str, **options: Any) -> BlockingConnection:
        url = f"amqp://{HOST}:{self.port}"
        connection = BlockingConnection(url, timeout=60, container_id=container, **options)

        def close() -> None:
            # Proton waits for a broker that was killed, and takes a whole processor meanwhile.
            connection.timeout = _GOODBYE_S
            connection.close()

        self.ends(close)
        return connection

    @cached_property
    def http(self) -> httpx.Client:
        """A caller of a gateway of this process."""
        return self._open.enter_context(gateway_client(f"amqp://{HOST}:{self.port}"))

    @cached_property
    def pika(self) -> Any:
        connection = pika.BlockingConnection(pika.ConnectionParameters(HOST, self.port))
        self.ends(connection.close)
        channel = connection.channel()
        channel.confirm_delivery()
        return channel

    @cached_property
    def amqp010(self) -> RawAmqp010:
        peer = RawAmqp010(HOST, self.port)
        self.ends(peer.socket.close)
        return peer

    @cached_property
    def core(self) -> RawCore:
        peer = RawCore(HOST, self.port)
        self.ends(peer.socket.close)
        peer.create_session()
        return peer

    def texts(self, queue: str) -> list[str]:
        """The bodies on a queue, oldest first."""
        bodies = [each.body for each in self.own.queue(queue).browse()]
        return [each.decode() if isinstance(each, bytes) else str(each) for each in bodies]


Declare: TypeAlias = Callable[[Clients], object]
Send: TypeAlias = Callable[[Clients, str], object]


@dataclass(frozen=True)
class Row:
    """A kind of node of a protocol.

    Attributes:
        declare: makes it; said again after a restart, as clients do.
        send: a text, and returns when it is confirmed.
        queue: where the text arrives.
        held: the text of before the restart arrives only once the next one is sent.
        name: of the row.
    """

    protocol: str
    kind: str
    declare: Declare
    send: Send
    queue: str
    held: bool = False

    @property
    def name(self) -> str:
        return f"{self.protocol}, {self.kind}"


def every(*steps: Declare) -> Declare:
    """All of these, in their order."""
    return lambda clients: [step(clients) for step in steps]


# ---------------------------------------------------------------------- AMQP 1.0


def queue(name: str, **options: Any) -> Declare:
    return lambda it: it.own.declare(name, durable=True, **options)


def exchange(name: str, **options: Any) -> Declare:
    return lambda it: it.own.declare_exchange(name, durable=True, **options)


def address(name: str) -> Declare:
    """An address that nobody says is durable."""
    return lambda it: it.own.declare_exchange(name, type="address")


def bound(to: str, destination: str, key: str = "", **arguments: Any) -> Declare:
    return lambda it: it.own.bind(to, destination, key, arguments)


def sent(name: str, subject: str | None = None, **more: Any) -> Send:
    return lambda it, text: it.own.queue(name).send(Message(text, subject=subject, durable=True, **more))


class Subscribed(LinkOption):  # type: ignore[misc] # proton has no types
    """The source of a durable subscription, with these capabilities."""

    def __init__(self, *capabilities: str) -> None:
        self._capabilities = capabilities

    def apply(self, receiver: Any) -> None:
        receiver.source.durability = Terminus.DELIVERIES
        receiver.source.expiry_policy = Terminus.EXPIRE_NEVER
        receiver.source.distribution_mode = Terminus.DIST_MODE_COPY
        receiver.source.capabilities.put_array(False, Data.SYMBOL)
        receiver.source.capabilities.enter()
        for each in ("topic", *self._capabilities):
            receiver.source.capabilities.put_symbol(symbol(each))
        receiver.source.capabilities.exit()


class Shared(LinkOption):  # type: ignore[misc] # proton has no types
    """The source of a shared subscription that is not durable, with further capabilities."""

    def __init__(self, *capabilities: str) -> None:
        self._capabilities = capabilities

    def apply(self, receiver: Any) -> None:
        receiver.source.capabilities.put_array(False, Data.SYMBOL)
        receiver.source.capabilities.enter()
        for each in ("topic", "shared", *self._capabilities):
            receiver.source.capabilities.put_symbol(symbol(each))
        receiver.source.capabilities.exit()


def subscribed(topic: str, name: str, *capabilities: str) -> Declare:
    """A durable subscription, whose link ends with its connection and not before."""

    def attach(it: Clients) -> None:
        it.proton.create_receiver(topic, credit=0, name=name, options=Subscribed(*capabilities))

    return attach


def subscribed_by_jms(topic: str, name: str, *capabilities: str) -> Declare:
    """A durable subscription by a container that has SHARED-SUBS."""

    def attach(it: Clients) -> None:
        it.jms.create_receiver(topic, credit=0, name=name, options=Subscribed(*capabilities))

    return attach


def made_by_use(text: str) -> Declare:
    """A node that the address of a sender creates."""
    return lambda it: it.proton.create_sender(text).close()


def sent_by_proton(text: str) -> Send:
    def send(it: Clients, body: str) -> None:
        sender = it.proton.create_sender(text)
        sender.send(ProtonMessage(body=body, durable=True))
        sender.close()

    return send


def rejected_by_proton(name: str) -> Send:
    """Sends to a queue, and rejects what comes of it."""

    def send(it: Clients, body: str) -> None:
        sent_by_proton(name)(it, body)
        receiver = it.proton.create_receiver(name)
        receiver.receive()
        receiver.reject()
        receiver.close()

    return send


# ---------------------------------------------------------------------- AMQP 0-9-1


def queue091(name: str, **arguments: Any) -> Declare:
    return lambda it: it.pika.queue_declare(name, durable=True, arguments=_dashed(arguments))


def exchange091(name: str, kind: str, **arguments: Any) -> Declare:
    return lambda it: it.pika.exchange_declare(name, kind, durable=True, arguments=_dashed(arguments))


def _dashed(arguments: dict[str, Any]) -> dict[str, Any]:
    return {name.replace("_", "-"): value for name, value in arguments.items()}


def bound091(to: str, name: str, key: str = "") -> Declare:
    return lambda it: it.pika.queue_bind(name, to, key)


def sent091(to: str, key: str = "", **more: Any) -> Send:
    properties = pika.BasicProperties(delivery_mode=2, **more)
    return lambda it, text: it.pika.basic_publish(to, key, text, properties)


def rejected091(name: str) -> Send:
    """Sends to a queue, and rejects what comes of it."""

    def send(it: Clients, text: str) -> None:
        sent091("", name)(it, text)
        method, *_ = it.pika.basic_get(name)
        it.pika.basic_reject(method.delivery_tag, requeue=False)
        it.pika.queue_declare(name, passive=True)

    return send


# ---------------------------------------------------------------------- AMQP 0-10


def done010(name: str, **fields: Any) -> Declare:
    """A command, when the broker has carried it out."""

    def do(it: Clients) -> None:
        it.amqp010.command(name, **fields)
        it.amqp010.query_queue("any")

    return do


def queue010(name: str, **more: Any) -> Declare:
    return done010("queue.declare", queue=name, durable=True, **more)


def exchange010(name: str, kind: str, **more: Any) -> Declare:
    return done010("exchange.declare", exchange=name, type=kind, durable=True, **more)


def bound010(to: str, name: str, key: str = "") -> Declare:
    return done010("exchange.bind", exchange=to, queue=name, binding_key=key)


def sent010(to: str, key: str = "", **properties: int) -> Send:
    return lambda it, text: it.amqp010.publish_confirmed(key, text.encode(), to, **properties)


def rejected010(name: str) -> Send:
    """Sends to a queue, and rejects what comes of it."""

    def send(it: Clients, text: str) -> None:
        sent010("", name)(it, text)
        with RawAmqp010(HOST, it.port) as peer:
            peer.consume(name, accept_mode=0, messages=1)
            peer.expect_message()
            peer.command("message.reject", transfers=[(0, 0)])
            peer.query_queue(name)

    return send


def qmf_created(kind: str, name: str, **properties: Any) -> Declare:
    """An object that QMF creates; nothing happens if there is one of the name."""
    return lambda it: it.amqp010.create_by_qmf(kind, name, properties)


_XID010: Final = {"xid": Record(DTX_XID, {"format": 2, "global_id": _XID[1], "branch_id": _XID[2]})}


def prepared010(name: str) -> Send:
    """Prepares what is sent first in a branch; the next one commits it, and is sent by itself."""

    def send(it: Clients, text: str) -> None:
        if text != BEFORE:
            if text == AFTER:
                done010("dtx.commit", **_XID010)(it)
            sent010("", name)(it, text)
            return
        done010("dtx.select")(it)
        done010("dtx.start", **_XID010)(it)
        sent010("", name)(it, text)
        done010("dtx.end", **_XID010)(it)
        done010("dtx.prepare", **_XID010)(it)

    return send


# ---------------------------------------------------------------------- CORE


def core_address(name: str) -> Declare:
    """An address, as a client makes it that finds none."""
    return lambda it: it.core.ask(
        packets.CREATE_ADDRESS, address=name, routing_types=bytes([MULTICAST]), auto_created=True
    )


def core_queue(name: str, to: str = "", routing: int = MULTICAST, **more: Any) -> Declare:
    asked = {"queue": name, "address": to or name, "routing_type": routing, "durable": True, **more}
    return lambda it: it.core.ask(packets.CREATE_SHARED_QUEUE_V2, **asked)


def core_sent(to: str, **properties: str) -> Send:
    typed = {name: (STRING, value) for name, value in properties.items()}
    return lambda it, text: it.core.publish_confirmed(to, text.encode(), durable=True, properties=typed)


def core_managed(operation: str, *parameters: Any) -> Declare:
    """An operation of Artemis's management, on the broker."""
    body = CoreWriter()
    body.nullable_simple_string(json.dumps(parameters))

    def ask(it: Clients) -> None:
        named = {"_AMQ_ResourceName": (STRING, "broker"), "_AMQ_OperationName": (STRING, operation)}
        it.core.publish_confirmed("activemq.management", body.data(), properties=named)

    return ask


def core_once(to: str) -> Send:
    """Sends the first text again before each one; the queue takes it once."""

    def send(it: Clients, text: str) -> None:
        for each in dict.fromkeys((BEFORE, text)):
            named = {"_AMQ_DUPL_ID": (BYTES, each.encode())}
            it.core.publish_confirmed(to, each.encode(), durable=True, properties=named)

    return send


def core_prepared(to: str) -> Send:
    """Prepares what is sent first in a branch; the next one commits it, and is sent by itself."""

    def branch(it: Clients, *kinds: packets.PacketType) -> None:
        for kind in kinds:
            it.core.ask(kind, packets.XA_RESPONSE, channel=_XA_SESSION, xid=_XID)

    def send(it: Clients, text: str) -> None:
        if text in (BEFORE, AFTER):
            it.core.create_session(_XA_SESSION, xa=True, auto_commit_sends=False, auto_commit_acks=False)
        if text == BEFORE:
            branch(it, packets.XA_START)
            body = message(text.encode(), to, kind=4, durable=True)
            it.core.ask(packets.SEND, channel=_XA_SESSION, message=body, correlation=1)
            branch(it, packets.XA_END, packets.XA_PREPARE)
            return
        if text == AFTER:
            branch(it, packets.XA_COMMIT)
        core_sent(to)(it, text)

    return send


_XA_SESSION: Final = 11


# ---------------------------------------------------------------------- HTTP


def requested(method: str, path: str, **body: Any) -> Declare:
    """A request to the gateway, which is not refused."""
    return lambda it: it.http.request(method, path, json=body).raise_for_status()
