"""Management requests about messages of a queue: move, copy, retry, delete, priority, delivery time.

The body chooses messages by `selector`, `messageIds` (sequences on the queue) and `limit`; all must hold.
Messages that a consumer has acquired are left out.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from mypy_extensions import i64

from lastvalue.broker.administration.request import Request, Response
from lastvalue.broker.authorization import Target
from lastvalue.broker.broker import Broker
from lastvalue.broker.message_walk import Choice, MessageWalk, give, moving
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.rights.owner import NOBODY, Owner
from lastvalue.broker.rights.verbs import Verb
from lastvalue.model.errors import InvalidSpecError, LastvalueError
from lastvalue.model.message import Message, PropertyName, selects
from lastvalue.model.property_names import ORIGINAL_QUEUE
from lastvalue.queues.effects import Reason, RemovalCommand
from lastvalue.queues.entry import HELD_BACK, Entry
from lastvalue.queues.subscription import UNBOUNDED
from lastvalue.selectors import parse_selector

_HIGHEST: Final = 255
_ORIGINAL_QUEUE: Final = PropertyName(ORIGINAL_QUEUE)


def move(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """Move them to `destination`; messages that it refuses stay."""
    destination = _destination(request)
    moved = move_messages(broker, request.name, destination, chosen_messages(request.body), now, owner)
    return _result(moved, broker.lookup(request.name), broker.lookup(destination))


def copy(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """Copy them to `destination`, unless it refuses them."""
    name = _destination(request)
    broker.authorize(owner, Verb.COPY, request.name, name)
    hosted, destination = broker.lookup(request.name), broker.lookup(name)

    def visit(entry: Entry, now: i64) -> bool:
        return give(destination, entry.message, now)

    broker.authorization.note(owner, Verb.COPY, request.name, name)
    copied = MessageWalk(hosted, chosen_messages(request.body), visit, owner.connection).begin(
        broker.long_commands, now
    )
    return _result(copied, destination)


def retry(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """Move dead letters back to the queues that they left.

    One stays if that queue is gone or does not take it, or if the caller may not publish to it.
    """
    source = request.name
    broker.authorize(owner, Verb.MOVE, source, None)
    hosted = broker.lookup(source)

    def visit(entry: Entry, now: i64) -> bool:
        origin = _original_queue(entry.message)
        if origin == source or not broker.has_queue(origin):
            return False
        if not broker.authorization.allows(owner, Verb.MOVE, (source, origin)):
            return False
        taken = give(broker.lookup(origin), entry.message, now)
        command = RemovalCommand(owner.user, origin)
        return taken and hosted.queue.remove([entry], Reason.MOVED, command) > 0

    walk = MessageWalk(hosted, chosen_messages(request.body), visit, owner.connection)
    # Where they go is not known yet, so the answer always waits for the disk.
    return _result(walk.begin(broker.long_commands, now), hosted, awaits_flush=True)


def delete(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """Remove them; they do not go to the alternate."""
    removed = delete_messages(broker, request.name, chosen_messages(request.body), now, owner)
    return _result(removed, broker.lookup(request.name))


def change_priority(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """Enqueue them again with `newPriority`; messages that have it already stay in their places."""
    broker.authorize(owner, Verb.CHANGE_PRIORITY, request.name)
    hosted = broker.lookup(request.name)
    priority = request.body.get("newPriority")
    if not isinstance(priority, int) or not 0 <= priority <= _HIGHEST:
        raise InvalidSpecError(f"newPriority is {priority!r}; expected 0 to {_HIGHEST}")
    command = RemovalCommand(owner.user, priority=priority)

    def visit(entry: Entry, now: i64) -> bool:
        if entry.message.priority == priority:
            return False
        hosted.queue.remove([entry], Reason.MOVED, command)
        return give(hosted, entry.message.with_priority(priority), now)

    broker.authorization.note(owner, Verb.CHANGE_PRIORITY, request.name, "", f"to {priority}")
    changed = MessageWalk(hosted, chosen_messages(request.body), visit, owner.connection).begin(
        broker.long_commands, now
    )
    return _result(changed, hosted)


def deliver_early(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """Make those available whose delivery time has not come."""
    broker.authorize(owner, Verb.DELIVER_EARLY, request.name)
    hosted = broker.lookup(request.name)
    choice = chosen_messages(request.body)

    def admits(entry: Entry) -> bool:
        return entry.state == HELD_BACK and choice.admits(entry)

    broker.authorization.note(owner, Verb.DELIVER_EARLY, request.name)
    walk = MessageWalk(hosted, Choice(admits, choice.most), hosted.queue.show_early, owner.connection)
    return _result(walk.begin(broker.long_commands, now), hosted)


# ---------------------------------------------------------------------- commands

# With very many messages these take several turns (`Broker.long_commands`). The sequences of the walk that
# they return are complete at the end.


def move_messages(
    broker: Broker, source: str, destination: str, choice: Choice, now: i64, owner: Owner = NOBODY
) -> MessageWalk:
    """Move messages from one queue to another; those that the destination does not take stay.

    Raises:
        NotPermittedError: the caller lacks a right.
        QueueNotFoundError: one of the queues does not exist.
    """
    broker.authorize(owner, Verb.MOVE, source, destination)
    walk = moving(broker.lookup(source), broker.lookup(destination), choice, owner)
    broker.authorization.note(owner, Verb.MOVE, source, destination)
    return walk.begin(broker.long_commands, now)


def reroute_messages(
    broker: Broker,
    source: str,
    target: Target,
    choice: Choice,
    give: Callable[[Target, Entry, i64], bool],
    now: i64,
) -> None:
    """Move messages from a queue to an exchange: those for which `give` is true. The others stay.

    The target's owner is the caller; the target is released at the end.

    Raises:
        NotPermittedError: the caller lacks a right.
        QueueNotFoundError: the queue does not exist.
    """
    broker.authorize(target.owner, Verb.MOVE, source, target.name)
    hosted = broker.lookup(source)
    command = RemovalCommand(target.owner.user, target.name)

    def visit(entry: Entry, now: i64) -> bool:
        if not give(target, entry, now):
            return False
        hosted.counts.rerouted += hosted.queue.remove([entry], Reason.MOVED, command)
        return True

    broker.authorization.note(target.owner, Verb.MOVE, source, target.name)
    MessageWalk(hosted, choice, visit, target.owner.connection, lambda: broker.release(target)).begin(
        broker.long_commands, now
    )


def delete_messages(
    broker: Broker, name: str, choice: Choice, now: i64, owner: Owner = NOBODY
) -> MessageWalk:
    """Remove messages from a queue.

    Raises:
        NotPermittedError: the caller lacks a right.
        QueueNotFoundError: the queue does not exist.
    """
    broker.authorize(owner, Verb.DELETE_MESSAGES, name)
    hosted = broker.lookup(name)
    command = RemovalCommand(owner.user)

    def visit(entry: Entry, now: i64) -> bool:
        del now
        return hosted.queue.remove([entry], Reason.PURGED, command) > 0

    broker.authorization.note(owner, Verb.DELETE_MESSAGES, name)
    return MessageWalk(hosted, choice, visit, owner.connection).begin(broker.long_commands, now)


def _destination(request: Request) -> str:
    name = request.body.get("destination")
    if not isinstance(name, str):
        raise InvalidSpecError(f"destination is {name!r}; expected the name of a queue")
    if name == request.name:
        raise InvalidSpecError(f"{name!r} is the queue that the messages are on; name another destination")
    return name


def chosen_messages(body: Mapping[str, Any]) -> Choice:
    """The messages that a request's body chooses.

    Raises:
        InvalidSpecError, InvalidSelectorError: a property has a wrong type, or the selector is not valid.
    """
    text, limit, ids = body.get("selector"), body.get("limit"), body.get("messageIds")
    if text is not None and not isinstance(text, str):
        raise InvalidSpecError(f"selector is {text!r}; expected text")
    if ids is not None and not isinstance(ids, list | tuple):
        raise InvalidSpecError(f"messageIds is {ids!r}; expected a list of sequences")
    if limit is not None and not isinstance(limit, int):
        raise InvalidSpecError(f"limit is {limit!r}; expected a number")
    wanted = None if not text else parse_selector(str(text))
    sequences = None if ids is None else {int(each) for each in ids if isinstance(each, int)}

    def admits(entry: Entry) -> bool:
        if sequences is not None and entry.sequence not in sequences:
            return False
        return selects(wanted, entry.message)

    return Choice(admits, UNBOUNDED if limit is None else max(0, limit))


def _original_queue(message: Message) -> str:
    try:
        return message.text(_ORIGINAL_QUEUE) or ""
    except LastvalueError:
        return ""


def _result(walk: MessageWalk, *changed: HostedQueue, awaits_flush: bool = False) -> Response:
    awaits_flush = awaits_flush or any(hosted.queue.spec.durable for hosted in changed)
    return Response(200, "OK", {"messages": walk.sequences, "stayed": walk.stayed}, awaits_flush=awaits_flush)
