"""Messages whose failed deliveries, or whose time, began before the restart and end after it."""

import time
from collections.abc import Callable
from typing import Final

from node_steps import (
    AFTER,
    ANYCAST,
    BEFORE,
    Clients,
    Declare,
    Row,
    Send,
    bound010,
    bound091,
    core_queue,
    core_sent,
    every,
    exchange010,
    exchange091,
    queue,
    queue010,
    queue091,
    sent,
    sent010,
    sent091,
)
from proton import Delivery
from raw_amqp010 import RawAmqp010
from raw_core import RawCore
from served_broker import HOST

from lastvalue.codec.core import packets


def failed_twice(send: Send, fail: Declare) -> Send:
    """Sends, and has each delivery fail twice; the second one of the first text is after the restart."""

    def step(it: Clients, text: str) -> None:
        if text == AFTER:
            fail(it)
        send(it, text)
        fail(it)
        if text != BEFORE:
            fail(it)

    return step


def failed(name: str) -> Declare:
    """Takes a message by AMQP 1.0, and says that its delivery failed."""

    def fail(it: Clients) -> None:
        receiver = it.proton.create_receiver(name, credit=1)
        receiver.receive()
        receiver.fetcher.unsettled[0].local.failed = True
        receiver.settle(Delivery.MODIFIED)
        receiver.close()

    return fail


def failed091(name: str) -> Declare:
    """Takes a message by AMQP 0-9-1, and puts it back."""

    def fail(it: Clients) -> None:
        method, *_ = it.pika.basic_get(name)
        it.pika.basic_nack(method.delivery_tag, requeue=True)
        it.pika.queue_declare(name, passive=True)

    return fail


def failed010(name: str) -> Declare:
    """Takes a message by AMQP 0-10, and gives it back as redelivered."""

    def fail(it: Clients) -> None:
        with RawAmqp010(HOST, it.port) as peer:
            peer.consume(name, accept_mode=0, messages=1)
            peer.expect_message()
            peer.command("message.release", transfers=[(0, 0)], set_redelivered=True)
            peer.query_queue("any")

    return fail


def failed_core(name: str) -> Declare:
    """Takes a message by CORE, and rolls back as a client of JMS does."""

    def fail(it: Clients) -> None:
        with RawCore(HOST, it.port) as peer:
            peer.create_session(auto_commit_acks=False)
            peer.read(name)
            peer.expect(packets.RECEIVE)
            peer.ask(packets.STOP)
            peer.ask(packets.ROLLBACK, last_delivered=True)
            peer.ask(packets.CLOSE)

    return fail


ATTEMPTS: Final = [
    Row(
        "AMQP 1.0", "delivery attempts",
        every(queue("10 gave up"), queue("10 tried", max_delivery_attempts=2, alternate="10 gave up")),
        failed_twice(sent("10 tried"), failed("10 tried")), "10 gave up", held=True,
    ),
    Row(
        "AMQP 0-9-1", "delivery limit",
        every(
            exchange091("091 limit", "fanout"), queue091("091 gave up"), bound091("091 limit", "091 gave up"),
            queue091("091 tried", x_delivery_limit=1, x_dead_letter_exchange="091 limit"),
        ),
        failed_twice(sent091("", "091 tried"), failed091("091 tried")), "091 gave up", held=True,
    ),
    Row(
        "AMQP 0-10", "delivery attempts",
        every(
            exchange010("010 limit", "fanout"), queue010("010 gave up"), bound010("010 limit", "010 gave up"),
            queue010(
                "010 tried", alternate_exchange="010 limit",
                arguments={"x-qpid-maximum-delivery-count": 2},
            ),
        ),
        failed_twice(sent010("", "010 tried"), failed010("010 tried")), "010 gave up", held=True,
    ),
    Row(
        "CORE", "delivery attempts",
        every(
            core_queue("core.gave.up", routing=ANYCAST),
            queue("core.tried", max_delivery_attempts=2, alternate="core.gave.up"),
        ),
        failed_twice(core_sent("core.tried"), failed_core("core.tried")), "core.gave.up", held=True,
    ),
]  # fmt: skip

LIVES_MS: Final = 3000
"""Longer than it takes to end a broker, once the last rows are sent."""


def core_expiring(to: str, ttl_ms: int) -> Send:
    """Sends over CORE, whose messages say when they expire."""

    def send(it: Clients, text: str) -> None:
        expires_ms = time.time_ns() // 1_000_000 + ttl_ms
        it.core.publish_confirmed(to, text.encode(), durable=True, expiration=expires_ms)

    return send


def short_lived(name: str, send: Callable[[str, int], Send]) -> Send:
    """Sends what expires about when the broker is down, and after the restart what expires at once."""
    return lambda it, text: send(name, LIVES_MS if text == BEFORE else 1)(it, text)


EXPIRIES: Final = [
    Row(
        "AMQP 1.0", "expiry after the restart",
        every(queue("10 late"), queue("10 brief", expiry_alternate="10 late")),
        short_lived("10 brief", lambda name, ttl_ms: sent(name, ttl_ms=ttl_ms)), "10 late",
    ),
    Row(
        "AMQP 0-9-1", "expiry after the restart",
        every(
            exchange091("091 late x", "fanout"), queue091("091 late"), bound091("091 late x", "091 late"),
            queue091("091 brief", x_dead_letter_exchange="091 late x"),
        ),
        short_lived("091 brief", lambda name, ttl_ms: sent091("", name, expiration=str(ttl_ms))), "091 late",
    ),
    Row(
        "AMQP 0-10", "expiry after the restart",
        every(queue010("010 late"), queue("010 brief", expiry_alternate="010 late")),
        short_lived("010 brief", lambda name, ttl_ms: sent010("", name, ttl=ttl_ms)), "010 late",
    ),
    Row(
        "CORE", "expiry after the restart",
        every(
            core_queue("core.late", routing=ANYCAST), queue("core.brief", expiry_alternate="core.late")
        ),
        short_lived("core.brief", core_expiring), "core.late",
    ),
]  # fmt: skip

DELIVERIES: Final = [*ATTEMPTS, *EXPIRIES]
