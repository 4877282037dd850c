"""Requests to the broker's `$management` node, and their responses."""

import asyncio
from collections.abc import Mapping
from contextvars import ContextVar
from itertools import count
from typing import Final, final

from lastvalue.client.driver import Driver
from lastvalue.client.errors import ConnectionLostError, MalformedMessageError, RefusedError
from lastvalue.client.inbox import ACCEPTED, Inbox, ReceiveOptions
from lastvalue.client.message import Message
from lastvalue.client.message_codec import decode_message, encode_message
from lastvalue.client.outbox import Outbox, SenderOptions, SendOutcomes
from lastvalue.client.redirect import Redirect, redirect_in
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import QueueNotFoundError

NODE: Final = "$management"
QUEUE: Final = "queue"
EXCHANGE: Final = "exchange"
CLOCK: Final = "clock"
CONNECTION: Final = "connection"
CONSUMER: Final = "consumer"
STORE: Final = "store"
BROKER: Final = "broker"
on_behalf_of: Final = ContextVar("on_behalf_of", default="")
"""For whom requests are made, in a program that passes on what others ask; the broker's audit shows it."""

_NOT_FOUND: Final = 404
_FIRST_REFUSAL: Final = 300
_REPLY_ADDRESS: Final = "management-replies"
_REPEATABLE: Final = frozenset(
    {"AS_OF", "BIND", "CREATE", "EXTENT", "GET", "QUERY", "READ", "SEQUENCES", "TIMELINE", "WHY"}
)
"""Requests that change nothing when they are sent again."""


@final
class Management:
    """The two links to the node; the first request attaches them, and requests are sent one at a time."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._outbox, self._inbox = _links(driver)
        self._turn = asyncio.Lock()
        self._numbers = count(1)

    async def ask(
        self,
        operation: str,
        name: str = "",
        body: Mapping[str, object] | None = None,
        *,
        kind: str = QUEUE,
    ) -> object:
        """Send a request about a queue or an exchange; returns the body of the response.

        Raises:
            QueueNotFoundError: the request names a queue that does not exist.
            RefusedError: the broker refused the request.
            ConnectionLostError: that was while the answer was awaited, and the request changes something.
        """
        async with self._turn:
            answer = await self._answer(operation, name, dict(body or {}), kind)
        _check(answer, operation, name, kind)
        return answer.body

    async def _answer(self, operation: str, name: str, body: dict[str, object], kind: str) -> Message:
        while True:
            await self._driver.until_usable()
            if self._driver.failure is None and (self._inbox.has_ended or self._outbox.has_ended):
                self._outbox, self._inbox = _links(self._driver)
            number = str(next(self._numbers))
            properties = {"operation": operation, "type": kind, "name": name}
            if asker := on_behalf_of.get():
                properties["on-behalf-of"] = asker
            request = Message(body, properties, message_id=number, reply_to=_REPLY_ADDRESS)
            sent = False
            try:
                await self._inbox.attach()
                await self._outbox.attach()
                outcomes = SendOutcomes()
                payload = encode_message(request)
                sent = True
                await self._outbox.put(payload, outcomes)
                await self._outbox.until_settled(outcomes)
                answer = await self._answer_to(number)
                if not self._driver.follow(_redirect(answer)):
                    return answer
            except ConnectionLostError:
                if self._driver.failure is not None or (sent and operation not in _REPEATABLE):
                    raise

    async def _answer_to(self, number: str) -> Message:
        # Responses to cancelled requests come first.
        while True:
            for arrival in await self._inbox.take(1):
                if not arrival.settled:
                    self._inbox.settle(arrival, ACCEPTED)
                answer = decode_message(arrival.payload)
                if answer.malformed is not None:
                    raise MalformedMessageError(f"the broker's answer is malformed: {answer.malformed}")
                if answer.correlation_id == number:
                    return answer


def _links(driver: Driver) -> tuple[Outbox, Inbox]:
    options = ReceiveOptions(address=NODE, ahead=10, reply_address=_REPLY_ADDRESS)
    return Outbox(driver, NODE, SenderOptions(max_outstanding=1)), Inbox(driver, options)


def _redirect(answer: Message) -> Redirect | None:
    return redirect_in(answer.properties.get("errorCondition"), answer.body)


def _check(answer: Message, operation: str, name: str, kind: str) -> None:
    status = answer.properties.get("statusCode")
    if isinstance(status, int) and status < _FIRST_REFUSAL:
        return
    description = answer.properties.get("statusDescription") or f"status {status}"
    # The request may name another queue that does not exist, such as an alternate.
    if status == _NOT_FOUND and kind == QUEUE and description == str(QueueNotFoundError(name)):
        raise QueueNotFoundError(name)
    symbol = answer.properties.get("errorCondition") or Condition.INTERNAL_ERROR.amqp10
    raise RefusedError(f"the broker refused {operation} {name}".rstrip(), str(symbol), str(description))
