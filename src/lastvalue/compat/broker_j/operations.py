"""The operations of Broker-J on queues, exchanges and virtual hosts."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from starlette.responses import JSONResponse, Response

from lastvalue.client import Connection, Message, Queue, Wanted
from lastvalue.client.choice import Choice
from lastvalue.client.receiver import DEFAULT_AHEAD
from lastvalue.compat.broker_j.message_objects import message_content, message_object, published_message
from lastvalue.compat.broker_j.queue_attributes import queue_statistics
from lastvalue.http.held_messages import held_messages
from lastvalue.http.page_size import ahead_of
from lastvalue.http.problems import FieldProblem, Problem
from lastvalue.http.publish import publish
from lastvalue.http.stored_content import checked_message, stored_content
from lastvalue.http.user_rules import credentials_of, rules_of, write_user
from lastvalue.model.nested_json import parse_json

MOST_MESSAGES: Final = 10_000

Arguments = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation: what it does, and whether it changes nothing, so that GET may ask for it."""

    run: Callable[[Connection, str, Arguments], Awaitable[Response]]
    changes: bool = True


async def clear_queue(broker: Connection, name: str, arguments: Arguments) -> Response:
    """Remove the available messages; answers how many."""
    del arguments
    return JSONResponse(await broker.purge(name))


async def move_messages(broker: Connection, name: str, arguments: Arguments) -> Response:
    """Move messages to `destination`; answers the ids of those that it took."""
    handled = await broker.queue(name).move_messages(_text(arguments, "destination"), _choice(arguments))
    return JSONResponse(list(handled.messages))


async def copy_messages(broker: Connection, name: str, arguments: Arguments) -> Response:
    """Copy messages to `destination`; answers their ids."""
    handled = await broker.queue(name).copy_messages(_text(arguments, "destination"), _choice(arguments))
    return JSONResponse(list(handled.messages))


async def delete_messages(broker: Connection, name: str, arguments: Arguments) -> Response:
    """Remove messages; answers their ids."""
    handled = await broker.queue(name).delete_messages(_choice(arguments))
    return JSONResponse(list(handled.messages))


async def change_priorities(broker: Connection, name: str, arguments: Arguments) -> Response:
    """Enqueue messages again with `newPriority`; answers their ids."""
    priority = _number(arguments, "newPriority", None)
    handled = await broker.queue(name).change_priority(priority, _choice(arguments))
    return JSONResponse(list(handled.messages))


async def change_priority(broker: Connection, name: str, arguments: Arguments) -> Response:
    """The same for one message, `messageId`; answers its new id, or -1 where it was not changed."""
    sequence = _number(arguments, "messageId", None)
    priority = _number(arguments, "newPriority", None)
    queue = broker.queue(name)
    before = (await queue.sequences()).last
    handled = await queue.change_priority(priority, Choice(sequences=[sequence]))
    return JSONResponse(before + 1 if handled.messages else -1)


async def get_message_info(broker: Connection, name: str, arguments: Arguments) -> Response:
    """What the messages from `first` to `last` are, counted from 0; `last` -1 is the end.

    Those that consumers have come first.
    """
    first, last = _number(arguments, "first", -1), _number(arguments, "last", -1)
    start = max(0, first)
    end = start + MOST_MESSAGES - 1 if last < 0 else min(last, start + MOST_MESSAGES - 1)
    headers = _flag(arguments, "includeHeaders", default=False)
    queue = broker.queue(name)
    info = await queue.info()
    shown = [
        message_object(each.message, includes_headers=headers, held_by=each.user)
        for each in (await held_messages(broker, name, 0, end + 1))[0]
    ]
    if len(shown) <= end:
        listed = {each["id"] for each in shown}
        ahead = ahead_of(info, DEFAULT_AHEAD)
        async with queue.browse(limit=end + 1 - len(shown), prefetch=ahead) as browser:
            shown += [
                message_object(each, includes_headers=headers)
                async for each in browser
                # A message may have been released meanwhile.
                if each.sequence not in listed
            ]
    shown = shown[start:]
    depth = info.available + info.statistics.get("unsettled", 0)
    reach = f"{start}-{start + len(shown) - 1}" if shown else "*"
    return JSONResponse(shown, headers={"Content-Range": f"messages {reach}/{depth}"})


async def get_message_info_by_id(broker: Connection, name: str, arguments: Arguments) -> Response:
    """What the message `messageId` is."""
    headers = _flag(arguments, "includeHeaders", default=True)
    sequence = _number(arguments, "messageId", None)
    for each in (await held_messages(broker, name, max(0, sequence - 1), 1))[0]:
        if each.message.sequence == sequence:
            return JSONResponse(message_object(each.message, includes_headers=headers, held_by=each.user))
    message = await _message(broker.queue(name), arguments)
    return JSONResponse(message_object(message, includes_headers=headers))


async def get_message_content(broker: Connection, name: str, arguments: Arguments) -> Response:
    """The body of the message `messageId`, at most `limit` bytes of it."""
    message = await _message(broker.queue(name), arguments)
    body, media_type = message_content(message)
    limit = _number(arguments, "limit", -1)
    truncated = 0 <= limit < len(body)
    headers = {"X-Content-Truncated": str(truncated).lower()}
    shown = body[:limit] if truncated else body
    return stored_content(shown, media_type, headers, f"message-{message.sequence}")


async def get_statistics(broker: Connection, name: str, arguments: Arguments) -> Response:
    """The statistics of a queue; with `statistics`, those of that list."""
    shown = queue_statistics(await broker.queue(name).info(), await broker.clock_ms())
    wanted = arguments.get("statistics")
    if isinstance(wanted, str) and wanted.startswith("["):
        # A list in a URL is JSON.
        try:
            wanted = parse_json(wanted)
        except ValueError:
            raise _wrong("statistics", wanted, "a list of names") from None
    names = wanted if isinstance(wanted, list) else [wanted] if wanted else shown
    return JSONResponse({each: shown[each] for each in names if each in shown})


async def reset_statistics(broker: Connection, name: str, arguments: Arguments) -> Response:
    """Refused: metrics and the accounting of queues need counts that never go back."""
    del arguments
    await broker.queue(name).info()
    raise Problem(
        HTTPStatus.NOT_IMPLEMENTED,
        "counts are never reset, since others read them; take the difference to those of now",
    )


async def set_password(broker: Connection, name: str, arguments: Arguments) -> Response:
    """Give a user another `password`."""
    password = _text(arguments, "password")
    await rules_of(broker, name)
    await write_user(broker, name, None, await credentials_of(password))
    return Response(status_code=HTTPStatus.OK)


async def bind(broker: Connection, name: str, arguments: Arguments) -> Response:
    """Bind `destination` by `bindingKey`; answers whether it is bound."""
    extra = arguments.get("arguments") or {}
    if not isinstance(extra, dict):
        raise _wrong("arguments", extra, "a map")
    await broker.bind(name, _text(arguments, "destination"), str(arguments.get("bindingKey") or ""), extra)
    return JSONResponse(content=True)


async def unbind(broker: Connection, name: str, arguments: Arguments) -> Response:
    """Remove the binding of `destination` by `bindingKey`; answers true."""
    await broker.unbind(name, _text(arguments, "destination"), str(arguments.get("bindingKey") or ""))
    return JSONResponse(content=True)


async def publish_message(broker: Connection, name: str, arguments: Arguments) -> Response:
    """Publish `message` to its `address`; answers 1 if a queue got it, else 0."""
    del name
    fields = arguments.get("message")
    if not isinstance(fields, dict):
        raise _wrong("message", fields, "a map")
    address = _text(fields, "address")
    message = checked_message(published_message(fields, await broker.clock_ms()), "message.mimeType")
    return JSONResponse(int(await publish(broker, address, message)))


OPERATIONS: Final[dict[str, dict[str, Operation]]] = {
    "queue": {
        "clearQueue": Operation(clear_queue),
        "moveMessages": Operation(move_messages),
        "copyMessages": Operation(copy_messages),
        "deleteMessages": Operation(delete_messages),
        "reenqueueMessageForPriorityChange": Operation(change_priority),
        "reenqueueMessagesForPriorityChange": Operation(change_priorities),
        "getMessageInfo": Operation(get_message_info, changes=False),
        "getMessageInfoById": Operation(get_message_info_by_id, changes=False),
        "getMessageContent": Operation(get_message_content, changes=False),
        "getStatistics": Operation(get_statistics, changes=False),
        "resetStatistics": Operation(reset_statistics),
    },
    "user": {"setPassword": Operation(set_password)},
    "exchange": {"bind": Operation(bind), "unbind": Operation(unbind)},
    "virtualhost": {"publishMessage": Operation(publish_message)},
}
"""By category and name."""


async def _message(queue: Queue, arguments: Arguments) -> Message:
    sequence = _number(arguments, "messageId", None)
    wanted = Wanted(after=sequence - 1, until=sequence)
    async with queue.browse(limit=1, wanted=wanted) as browser:
        async for message in browser:
            return message
    raise Problem(HTTPStatus.NOT_FOUND, f"queue {queue.name!r} has no available message {sequence}")


def _choice(arguments: Arguments) -> Choice:
    ids = arguments.get("messageIds")
    if ids is not None and not (isinstance(ids, list) and all(type(each) is int for each in ids)):
        raise _wrong("messageIds", ids, "a list of numbers")
    selector = arguments.get("selector")
    if selector is not None and not isinstance(selector, str):
        raise _wrong("selector", selector, "text")
    limit = _number(arguments, "limit", -1)
    return Choice(selector=selector or None, sequences=ids, limit=None if limit < 0 else limit)


def _text(arguments: Arguments, name: str) -> str:
    value = arguments.get(name)
    if not isinstance(value, str) or not value:
        raise _wrong(name, value, "text")
    return value


def _number(arguments: Arguments, name: str, default: int | None) -> int:
    value = arguments.get(name, default)
    if isinstance(value, str) and value.removeprefix("-").isascii() and value.removeprefix("-").isdigit():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not -1 <= value < 2**62:
        raise _wrong(name, value, "a whole number, or -1 for none")
    return value


def _flag(arguments: Arguments, name: str, *, default: bool) -> bool:
    value = arguments.get(name, default)
    return value == "true" if isinstance(value, str) else bool(value)


def _wrong(name: str, value: object, expected: str) -> FieldProblem:
    return FieldProblem(name, f"{name} is {value!r:.80}; expected {expected}")
