"""The operations on one queue, as Artemis's `QueueControl` has them."""

from collections.abc import Callable
from typing import Any, Final

from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.requests.message_requests import chosen_messages
from lastvalue.compat.artemis.management.broker_lists import consumers_of_queue
from lastvalue.compat.artemis.management.management_call import (
    ManagementCall,
    ManagementError,
    Operation,
    number,
    text,
)
from lastvalue.compat.artemis.management.message_rows import message_row, published
from lastvalue.compat.artemis.management.rows import Row, Rows
from lastvalue.frontends.core.filter_text import jms_selector
from lastvalue.model.jsonable import strict_json
from lastvalue.queues.entry import HELD_BACK, Entry
from lastvalue.queues.subscription import Mode

_NONE_SHOWN: Final = (1, 0)


def _chosen(filter_text: object) -> dict[str, Any]:
    return {"selector": jms_selector(filter_text)} if isinstance(filter_text, str) and filter_text else {}


def _counted(body: dict[str, Any]) -> Callable[[], int]:
    # The list is complete at the end of the command.
    return lambda: len(body["messages"])


def _found(body: dict[str, Any]) -> Callable[[], bool]:
    return lambda: len(body["messages"]) > 0


def _remove(call: ManagementCall, name: str, *parameters: object) -> Callable[[], int]:
    return _counted(call.ask("deleteMessages", name, _chosen(parameters[-1] if parameters else None)))


def _remove_all(call: ManagementCall, name: str) -> int:
    return int(call.ask("PURGE", name)["messages"])


def _move(call: ManagementCall, name: str, *parameters: object) -> Callable[[], int]:
    """(filter, queue[, rejectDuplicates[, messageCount]]), or with the flush limit before them."""
    has_flush_limit = isinstance(parameters[0], int) if parameters else False
    return _move_chosen(call, name, *parameters[int(has_flush_limit) :])


def _move_chosen(
    call: ManagementCall,
    name: str,
    filter_text: object,
    queue: object,
    reject_duplicates: object = False,
    count: object = -1,
) -> Callable[[], int]:
    del reject_duplicates
    body = _chosen(filter_text) | {"destination": text(queue, "otherQueueName")}
    limit = number(count, "messageCount")
    if limit >= 0:
        body["limit"] = limit
    return _counted(call.ask("moveMessages", name, body))


def _one(operation: str, *more: str) -> Operation:
    """An operation on the message of an id; the further parameters are its, by their names in requests."""

    def carry_out(
        call: ManagementCall, name: str, message: object, *parameters: object
    ) -> Callable[[], bool]:
        body: dict[str, Any] = {"messageIds": [number(message, "messageID")]}
        body |= dict(zip(more, parameters, strict=False))
        return _found(call.ask(operation, name, body))

    return carry_out


def _retry(call: ManagementCall, name: str, filter_text: object = None) -> Callable[[], int]:
    return _counted(call.ask("retryMessages", name, _chosen(filter_text)))


def _change_priority(
    call: ManagementCall, name: str, filter_text: object, priority: object
) -> Callable[[], int]:
    body = _chosen(filter_text) | {"newPriority": number(priority, "newPriority")}
    return _counted(call.ask("reenqueueMessagesForPriorityChange", name, body))


def _deliver_scheduled(call: ManagementCall, name: str, filter_text: object = None) -> None:
    call.ask("deliverScheduledMessages", name, _chosen(filter_text))


def _deliver_one_scheduled(call: ManagementCall, name: str, message: object) -> None:
    call.ask("deliverScheduledMessages", name, {"messageIds": [number(message, "messageID")]})


def _dead_letter(call: ManagementCall, name: str, filter_text: object) -> Callable[[], int]:
    return _counted(
        call.ask("moveMessages", name, _chosen(filter_text) | {"destination": _alternate(call, name)})
    )


def _one_dead_letter(call: ManagementCall, name: str, message: object) -> Callable[[], bool]:
    body = {"messageIds": [number(message, "messageID")], "destination": _alternate(call, name)}
    return _found(call.ask("moveMessages", name, body))


def _alternate(call: ManagementCall, name: str) -> str:
    alternate = call.broker.show(name, call.owner).queue.spec.alternate
    if alternate is None:
        raise ManagementError(f"queue {name!r} has no dead letter address")
    return alternate


def _paused(paused: bool) -> Operation:
    def carry_out(call: ManagementCall, name: str, *persist: object) -> None:
        del persist
        call.ask("UPDATE", name, {"paused": paused})

    return carry_out


def _messages(
    call: ManagementCall,
    name: str,
    filter_text: object,
    held_back: bool | None = None,
    *,
    counted: bool = False,
) -> Rows:
    hosted = _browsed(call, name)
    admits = chosen_messages(_chosen(filter_text)).admits

    def shown(entry: Entry) -> Row | None:
        fits = held_back is None or held_back == (entry.state == HELD_BACK)
        if not fits or not admits(entry):
            return None
        return {} if counted else message_row(entry)

    return Rows(call, map(shown, hosted.queue.entries()), page=_NONE_SHOWN if counted else (-1, -1))


def _browsed(call: ManagementCall, name: str) -> HostedQueue:
    hosted = call.broker.show(name, call.owner)
    call.broker.authorization.check_reader(hosted, Mode.BROWSE, call.owner)
    return hosted


def _peek(call: ManagementCall, name: str) -> str:
    entries = _browsed(call, name).queue.entries()
    return strict_json([message_row(entry) for entry in entries[:1]])


def _list(call: ManagementCall, name: str, filter_text: object = None) -> Callable[[], str]:
    return _messages(call, name, filter_text).array


def _list_scheduled(call: ManagementCall, name: str) -> Callable[[], str]:
    return _messages(call, name, None, True).array


def _count(call: ManagementCall, name: str, filter_text: object = None, *by: object) -> Callable[[], int]:
    if by and by[0]:
        raise ManagementError("messages are not counted by a property; list them and count")
    return _messages(call, name, filter_text, counted=True).count


QUEUE_OPERATIONS: Final[dict[str, Operation]] = {
    "removeAllMessages": _remove_all,
    "removeMessages": _remove,
    "removeMessage": _one("deleteMessages"),
    "moveMessages": _move,
    "moveMessage": _one("moveMessages", "destination"),
    "copyMessage": _one("copyMessages", "destination"),
    "retryMessages": _retry,
    "retryMessage": _one("retryMessages"),
    "changeMessagesPriority": _change_priority,
    "changeMessagePriority": _one("reenqueueMessagesForPriorityChange", "newPriority"),
    "deliverScheduledMessages": _deliver_scheduled,
    "deliverScheduledMessage": _deliver_one_scheduled,
    "sendMessagesToDeadLetterAddress": _dead_letter,
    "sendMessageToDeadLetterAddress": _one_dead_letter,
    "sendMessage": published,
    "pause": _paused(True),
    "resume": _paused(False),
    "disable": _paused(True),
    "enable": _paused(False),
    "listMessagesAsJSON": _list,
    "listScheduledMessagesAsJSON": _list_scheduled,
    "countMessages": _count,
    "listConsumersAsJSON": consumers_of_queue,
    "peekFirstMessageAsJSON": _peek,
    "getFirstMessageAsJSON": _peek,
}
"""By name; each takes the queue's name and the parameters."""
