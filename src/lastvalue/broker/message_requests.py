"""Management of messages: those of a queue are moved, copied, deleted, or given another priority.

The body says which: `selector`, `messageIds` (sequences on the queue), `limit`; all of them must agree.
Messages that a consumer holds are left to it.
"""

from collections.abc import Mapping
from typing import Any, Final

from lastvalue.broker.broker import Broker
from lastvalue.broker.owner import Owner
from lastvalue.broker.reading import HostedQueue
from lastvalue.broker.requests import Request, Response
from lastvalue.model.errors import InvalidSpecError, LastvalueError
from lastvalue.model.message import Message, MessageFilter
from lastvalue.queues.effects import Reason
from lastvalue.queues.entry import ACQUIRED, Entry
from lastvalue.selectors import parse_selector

_HIGHEST: Final = 255


def move(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """To `destination`; what it does not take stays."""
    del owner
    hosted = broker.lookup(request.name)
    destination = _destination(broker, request)
    moved = [entry for entry in _chosen(hosted, request.body) if give(destination, entry.message, now)]
    hosted.queue.remove(moved, Reason.MOVED)
    hosted.touch()
    return _told(moved, hosted, destination)


def copy(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """To `destination`, as far as it takes them."""
    del owner
    hosted = broker.lookup(request.name)
    destination = _destination(broker, request)
    copied = [entry for entry in _chosen(hosted, request.body) if give(destination, entry.message, now)]
    return _told(copied, destination)


def delete(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """Remove them; they go to no alternate."""
    del now, owner
    hosted = broker.lookup(request.name)
    chosen = _chosen(hosted, request.body)
    hosted.queue.remove(chosen, Reason.PURGED)
    hosted.touch()
    return _told(chosen, hosted)


def change_priority(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """Enqueue them anew with `newPriority`; the ones that have it already stay where they are."""
    del owner
    hosted = broker.lookup(request.name)
    priority = request.body.get("newPriority")
    if not isinstance(priority, int) or not 0 <= priority <= _HIGHEST:
        raise InvalidSpecError(f"newPriority is {priority!r}; expected 0 to {_HIGHEST}")
    changed = []
    for entry in _chosen(hosted, request.body):
        if entry.message.priority != priority:
            hosted.queue.remove([entry], Reason.MOVED)
            if give(hosted, entry.message.with_priority(priority), now):
                changed.append(entry)
    hosted.touch()
    return _told(changed, hosted)


def _destination(broker: Broker, request: Request) -> HostedQueue:
    name = request.body.get("destination")
    if not isinstance(name, str):
        raise InvalidSpecError(f"destination is {name!r}; expected the name of a queue")
    if name == request.name:
        raise InvalidSpecError(f"{name!r} is where the messages are; give another destination")
    return broker.lookup(name)


def give(destination: HostedQueue, message: Message, now: int) -> bool:
    """Move a message to a queue; false where it is not taken."""
    destination.touch()
    try:
        # Whoever moves messages means each of them, whatever the destination has had before.
        return destination.queue.enqueue(message, now)
    except LastvalueError:
        # The destination cannot read or hold it.
        return False


def _chosen(hosted: HostedQueue, body: Mapping[str, Any]) -> list[Entry]:
    text, limit, ids = body.get("selector"), body.get("limit"), body.get("messageIds")
    if text is not None and not isinstance(text, str):
        raise InvalidSpecError(f"selector is {text!r}; expected text")
    if ids is not None and not isinstance(ids, list | tuple):
        raise InvalidSpecError(f"messageIds is {ids!r}; expected a list of sequences")
    if limit is not None and not isinstance(limit, int):
        raise InvalidSpecError(f"limit is {limit!r}; expected a number")
    wanted = None if not text else parse_selector(str(text))
    sequences = None if ids is None else {int(each) for each in ids if isinstance(each, int)}
    most = -1 if limit is None else int(limit)
    chosen: list[Entry] = []
    for entry in hosted.queue.entries():
        if 0 <= most <= len(chosen):
            break
        if entry.state == ACQUIRED or (sequences is not None and entry.sequence not in sequences):
            continue
        if wanted is None or _matches(wanted, entry.message):
            chosen.append(entry)
    return chosen


def _matches(wanted: MessageFilter, message: Message) -> bool:
    try:
        return wanted.matches(message)
    except LastvalueError:
        return False


def _told(entries: list[Entry], *changed: HostedQueue) -> Response:
    kept = bool(entries) and any(hosted.queue.spec.durable for hosted in changed)
    return Response(200, "OK", {"messages": [int(entry.sequence) for entry in entries]}, kept=kept)
