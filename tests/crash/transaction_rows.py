"""Transactions that are open when the broker ends: what they took is back, and what they sent never was."""

from typing import Final

from node_steps import (
    ANYCAST,
    BEFORE,
    Clients,
    Declare,
    Row,
    Send,
    core_queue,
    core_sent,
    queue,
    queue010,
    queue091,
    sent,
    sent010,
    sent091,
)
from raw_amqp010 import RawAmqp010
from raw_core import RawCore
from served_broker import HOST

from lastvalue.client import Message
from lastvalue.codec.core import packets

LOST: Final = "lost"


def left_open(send: Send, begin: Declare) -> Send:
    """Sends; then a transaction takes the first text, sends another one, and is never committed."""

    def step(it: Clients, text: str) -> None:
        send(it, text)
        if text == BEFORE:
            begin(it)

    return step


def begun(name: str) -> Declare:
    def begin(it: Clients) -> None:
        taken = it.own.queue(name)
        transaction = it.own.transaction().__enter__()
        with taken.receive(credit=1, limit=1) as receiver:
            next(iter(receiver)).accept(transaction=transaction)
        taken.send(Message(LOST, durable=True), transaction=transaction)

    return begin


def begun091(name: str) -> Declare:
    def begin(it: Clients) -> None:
        channel = it.pika.connection.channel()
        channel.tx_select()
        method, *_ = channel.basic_get(name)
        channel.basic_ack(method.delivery_tag)
        channel.basic_publish("", name, LOST)
        channel.queue_declare(name, passive=True)

    return begin


def begun010(name: str) -> Declare:
    def begin(it: Clients) -> None:
        peer = RawAmqp010(HOST, it.port)
        it.ends(peer.socket.close)
        peer.command("tx.select")
        peer.consume(name, accept_mode=0, messages=1)
        peer.expect_message()
        peer.command("message.accept", transfers=[(0, 0)])
        peer.publish(name, LOST.encode())
        peer.query_queue(name)

    return begin


def begun_core(name: str) -> Declare:
    def begin(it: Clients) -> None:
        peer = RawCore(HOST, it.port)
        it.ends(peer.socket.close)
        peer.create_session(auto_commit_sends=False, auto_commit_acks=False)
        peer.read(name)
        peer.expect(packets.RECEIVE)
        peer.ask(packets.ACKNOWLEDGE, consumer=1, message=1)
        peer.publish_confirmed(name, LOST.encode(), durable=True)

    return begin


OPEN: Final = [
    Row("AMQP 1.0", "open transaction", queue("10 tx"), left_open(sent("10 tx"), begun("10 tx")), "10 tx"),
    Row(
        "AMQP 0-9-1", "open transaction",
        queue091("091 tx"), left_open(sent091("", "091 tx"), begun091("091 tx")), "091 tx",
    ),
    Row(
        "AMQP 0-10", "open transaction",
        queue010("010 tx"), left_open(sent010("", "010 tx"), begun010("010 tx")), "010 tx",
    ),
    Row(
        "CORE", "open transaction",
        core_queue("core.tx", routing=ANYCAST), left_open(core_sent("core.tx"), begun_core("core.tx")),
        "core.tx",
    ),
]  # fmt: skip
