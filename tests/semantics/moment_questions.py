"""Brokers whose queue `q` has the history `h`, and what they are asked about it."""

from dataclasses import replace
from typing import Any

from bare_queue import START_MS
from broker_desk import made

from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.management import Request, Response, manage
from lastvalue.broker.rights.owner import NOBODY, Owner
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.value_codec import decode_value, encode_value
from lastvalue.queues.spec import LastValue, Limit, QueueSpec, WhenFull

RING = QueueSpec("h", limit=Limit(messages=6, when_full=WhenFull.DROP_OLDEST))
VALUES = QueueSpec("q", ordering=LastValue("k"), history="h")


def put(broker: Broker, key: str, body: str, now: int) -> None:
    content = MessageContent(body=body, application_properties={"k": key})
    assert broker.publish(broker.queue_target("q"), read_message(encode_content(content)), now)
    broker.pump(now)
    broker.drain(now)


def filled(*specs: QueueSpec, count: int = 10) -> Broker:
    """A broker whose queue took a value a millisecond, for two keys in turn."""
    broker = made(*specs)
    for number in range(count):
        put(broker, "ab"[number % 2], str(number), START_MS + number)
    return broker


def ask(broker: Broker, operation: str, name: str = "q", owner: Owner = NOBODY, **body: Any) -> Response:
    now = START_MS + 1000
    answer = manage(broker, Request(operation, "queue", name, body), now, owner)
    while broker.long_commands.busy:
        broker.long_commands.step(now)
    return replace(answer, body=received(answer.body)) if answer.status == 200 else answer


def received(body: dict[str, Any]) -> dict[str, Any]:
    """The body of an answer as a client reads it."""
    encoded = encode_value(body)
    decoded, _ = decode_value(encoded, 0, len(encoded))
    assert isinstance(decoded, dict)
    return {str(name): value for name, value in decoded.items()}


def put_many(broker: Broker, numbers: range) -> None:
    """As `filled`; nobody is served meanwhile."""
    for number in numbers:
        content = MessageContent(body=str(number), application_properties={"k": "ab"[number % 2]})
        broker.publish(broker.queue_target("q"), read_message(encode_content(content)), START_MS + number)
        broker.drain(START_MS + number)
