"""Management requests that read and write the values of keys on a last-value queue.

GET     `keys`: a list of keys. The answer has `values`, one for each of the first of them, until the
        answer is long enough; a value is null where the key has none that a browser would see.
PUT     `message`: an AMQP 1.0 message, as bytes. With `if_sequence` it is taken only while the value of its
        key has that sequence; 0 is a key without a value. The answer has the `sequence` of the key's value,
        and `taken`, which is false where `order_by` or duplicate detection dropped the message.
PUT_MANY `messages`: a list of messages, each of another key; `delete`: a list of other keys, whose values
        leave; `if_sequences`: a list of [key, sequence]. All of it happens if every key of the last list has
        that sequence and the queue has room for all; otherwise none. The answer has `results`, for each
        message what PUT answers, and `deleted`, for each key of `delete` the sequence of its value, or 0.
DELETE_KEY  `key`: the value of this key leaves, even if a consumer holds it; with `if_sequence` as for PUT.
        The answer has `deleted`, whether there was one, and the `sequence` that it had, or 0.
"""

from collections.abc import Mapping
from typing import Any, Final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.administration.request import Request, Response, whole_number_in
from lastvalue.broker.broker import Broker
from lastvalue.broker.canonical_keys import canonical_key, key_property
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.transaction_duplicates import TransactionDuplicates
from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError, InvalidSpecError, LastvalueError, ResourceLimitError
from lastvalue.model.message import NEVER, Message
from lastvalue.queues.effects import Reason, RemovalCommand
from lastvalue.queues.entry import AVAILABLE, Entry
from lastvalue.queues.spec import LastValue
from lastvalue.queues.subscription import Mode

MOST_KEYS: Final = 1000
"""Of one GET."""

MOST_BYTES: Final = 256 * 1024
"""Of the messages in the answer to a GET; the first value may be longer."""

_UNREADABLE: Final = "the message cannot be read"


@mypyc_attr(native_class=False)
class ValueChangedError(BrokerError):
    """The value of the key has another sequence than the request expects."""

    condition = Condition.PRECONDITION_FAILED

    def __init__(self, name: str, expected: int, sequence: int, key: object = None) -> None:
        which = "the key" if key is None else f"the key {key!r:.60}"
        now = f"has sequence {sequence}" if sequence else "does not exist"
        was = f"sequence {expected}" if expected else "no value"
        super().__init__(f"queue {name!r}: the value of {which} {now}; the request expects {was}")


def get(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """Answer GET. The caller needs the right to browse."""
    hosted = last_value_queue(browsed(broker, request.name, owner))
    keys = request.body.get("keys")
    if not isinstance(keys, list | tuple) or not 0 < len(keys) <= MOST_KEYS:
        raise InvalidSpecError(f"keys must be a list of 1 to {MOST_KEYS} keys")
    _expire(hosted, now)
    values: list[object] = []
    size = 0
    for key in keys:
        entry = _value(hosted, _canonical(hosted, key))
        if entry is not None:
            size += len(entry.encoded)
            if size > MOST_BYTES and values:
                break
        values.append(None if entry is None else described(entry))
    return Response(200, "OK", {"values": values})


def put(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """Answer PUT. The caller needs the right to publish, and with `if_sequence` also to browse."""
    target = broker.queue_target(request.name, owner)
    try:
        # What is published to a queue may go to another one.
        hosted = last_value_queue(broker.lookup(request.name).taker())
        message = message_in(request.body, owner)
        key = _key_of(hosted, message)
        _check_alarms(broker, hosted, message)
        _expire(hosted, now)
        expected = _expected(request.body)
        if expected is not None:
            broker.authorization.check_reader(hosted, Mode.BROWSE, owner)
            sequence = _sequence(hosted, key)
            if sequence != expected:
                raise ValueChangedError(request.name, expected, sequence)
        before = hosted.queue.sequence
        if not broker.publish(target, message, now):
            raise ResourceLimitError(f"queue {request.name!r} is full")
    finally:
        broker.release(target)
    awaits_flush = hosted.queue.spec.durable and hosted.queue.sequence > before
    return Response(200, "OK", _result(hosted, key, message, before), awaits_flush=awaits_flush)


def delete(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """Answer DELETE_KEY. The caller needs the right to publish, and with `if_sequence` also to browse."""
    target = broker.queue_target(request.name, owner)
    broker.release(target)
    hosted = last_value_queue(broker.lookup(request.name).taker())
    key = _canonical(hosted, request.body.get("key"))
    _expire(hosted, now)
    expected = _expected(request.body)
    sequence = _sequence(hosted, key)
    if expected is not None:
        broker.authorization.check_reader(hosted, Mode.BROWSE, owner)
        if sequence != expected:
            raise ValueChangedError(request.name, expected, sequence)
    leaving = hosted.queue.contents.values_of(key)
    deleted = hosted.queue.remove(leaving, Reason.KEY_DELETED, RemovalCommand(owner.user)) > 0
    if deleted:
        hosted.mark_changed()
    durable = hosted.queue.spec.durable
    return Response(200, "OK", {"deleted": deleted, "sequence": sequence}, awaits_flush=durable and deleted)


def put_many(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """Answer PUT_MANY. The caller needs the right to publish, and with `if_sequences` also to browse."""
    target = broker.queue_target(request.name, owner)
    try:
        hosted = last_value_queue(broker.lookup(request.name).taker())
        messages = [message_in({"message": each}, owner) for each in _listed(request.body, "messages")]
        put_keys = [_key_of(hosted, each) for each in messages]
        gone_keys = [_canonical(hosted, each) for each in _listed(request.body, "delete")]
        _check_changes(request.body, put_keys, gone_keys)
        _expire(hosted, now)
        conditions = _listed(request.body, "if_sequences")
        if conditions:
            broker.authorization.check_reader(hosted, Mode.BROWSE, owner)
        for condition in conditions:
            _check_condition(hosted, condition)
        _check_all_taken(broker, hosted, messages, now)
        before = hosted.queue.sequence
        gone = [hosted.queue.contents.current.get(key) for key in gone_keys]
        leaving = [entry for entry in gone if entry is not None]
        if leaving:
            hosted.queue.remove(leaving, Reason.KEY_DELETED, RemovalCommand(owner.user))
        for message in messages:
            if not broker.publish(target, message, now):
                raise AssertionError("a queue does not take a value; there was room before the first one")
        hosted.mark_changed()
    finally:
        broker.release(target)
    changed = hosted.queue.sequence > before or leaving != []
    results = [_result(hosted, key, message, before) for key, message in zip(put_keys, messages, strict=True)]
    deleted = [0 if entry is None else int(entry.sequence) for entry in gone]
    body = {"results": results, "deleted": deleted}
    return Response(200, "OK", body, awaits_flush=hosted.queue.spec.durable and changed)


def _listed(body: Mapping[str, Any], name: str) -> list[Any]:
    given = body.get(name)
    if given is None:
        return []
    if not isinstance(given, list | tuple) or len(given) > MOST_KEYS:
        raise InvalidSpecError(f"{name} must be a list of at most {MOST_KEYS}")
    return list(given)


def _check_changes(body: Mapping[str, Any], put_keys: list[bytes], gone_keys: list[bytes]) -> None:
    unknown = body.keys() - {"messages", "delete", "if_sequences"}
    if unknown:
        raise InvalidSpecError(
            f"there is no {min(unknown)!r:.60}; expected messages, delete and if_sequences"
        )
    keys = [*put_keys, *gone_keys]
    if not keys:
        raise InvalidSpecError(
            "the body has no value to put and no key to delete; there is nothing to change"
        )
    if len(set(keys)) < len(keys):
        raise InvalidSpecError("one key is changed twice; each may be put or deleted once")


def _check_condition(hosted: HostedQueue, condition: object) -> None:
    if not isinstance(condition, list | tuple) or len(condition) != 2:
        raise InvalidSpecError(f"{condition!r:.60} is no condition; expected [key, sequence]")
    key, sequence = condition
    expected = _expected({"if_sequence": sequence})
    if expected is None:
        raise InvalidSpecError(f"the condition on the key {key!r:.60} has no sequence")
    present = _sequence(hosted, _canonical(hosted, key))
    if present != expected:
        raise ValueChangedError(hosted.queue.spec.name, expected, present, key)


def _check_all_taken(broker: Broker, hosted: HostedQueue, messages: list[Message], now: int) -> None:
    repeats = TransactionDuplicates()
    for message in messages:
        _check_alarms(broker, hosted, message)
        repeats.check(hosted.queue, message)
        hosted.queue.admission.examine(message, now)
    if not hosted.queue.admission.takes(messages, [], now):
        raise ResourceLimitError(
            f"queue {hosted.queue.spec.name!r} has no room for the {len(messages)} values"
        )


def _result(hosted: HostedQueue, key: bytes, message: Message, before: i64) -> dict[str, object]:
    """What became of a message that was put when this was the queue's last sequence."""
    entry = hosted.queue.contents.current.get(key)
    ordering = hosted.queue.spec.ordering
    taken = entry is not None and entry.message is message
    if isinstance(ordering, LastValue) and ordering.conflates:
        taken = hosted.queue.sequence > before
    return {"sequence": 0 if entry is None else int(entry.sequence), "taken": taken}


def browsed(broker: Broker, name: str, owner: Owner) -> HostedQueue:
    """The queue of a name, for a caller that browses it; raises as `check_reader`, and `find`."""
    hosted = broker.authorization.find(owner, Verb.BROWSE, name)
    broker.authorization.check_reader(hosted, Mode.BROWSE, owner)
    return hosted


def last_value_queue(hosted: HostedQueue) -> HostedQueue:
    """The queue, which has keys.

    Raises:
        InvalidSpecError: it has none.
    """
    spec = hosted.queue.spec
    if not isinstance(spec.ordering, LastValue):
        raise InvalidSpecError(f"queue {spec.name!r} has no keys; it is not a last-value queue")
    return hosted


def _expire(hosted: HostedQueue, now: i64) -> None:
    if hosted.queue.next_deadline() <= now:
        hosted.queue.advance(now)
        hosted.mark_changed()


def _key_of(hosted: HostedQueue, message: Message) -> bytes:
    try:
        key = hosted.queue.remake(message, 0, 0).key
    except LastvalueError as error:
        raise InvalidSpecError(f"{_UNREADABLE}: {error}") from None
    if key is None:
        raise InvalidSpecError(
            f"the message has no key; it needs the property {key_property(hosted.queue)!r}"
        )
    if hosted.partition is not None:
        hosted.partition.check_key(hosted.queue, key)
    return key


def _canonical(hosted: HostedQueue, key: object) -> bytes:
    """The canonical bytes of a key that this broker has.

    Raises:
        InvalidSpecError: the value cannot be a key.
        OtherPartitionError: another broker has it.
    """
    canonical = canonical_key(hosted.queue, key)
    if hosted.partition is not None:
        hosted.partition.check_key(hosted.queue, canonical)
    return canonical


def _value(hosted: HostedQueue, key: bytes) -> Entry | None:
    entry = hosted.queue.contents.current.get(key)
    return entry if entry is not None and entry.state == AVAILABLE else None


def _sequence(hosted: HostedQueue, key: bytes) -> int:
    entry = hosted.queue.contents.current.get(key)
    return 0 if entry is None else int(entry.sequence)


def described(entry: Entry) -> dict[str, object]:
    """An entry with its message, as an answer has it."""
    return {
        "sequence": int(entry.sequence),
        "arrival_time_ms": int(entry.arrival_ms),
        "expires_ms": None if entry.expires_ms == NEVER else int(entry.expires_ms),
        "updates": int(entry.updates),
        "delivery_count": int(entry.delivery_count),
        "message": entry.encoded,
    }


def message_in(body: Mapping[str, Any], owner: Owner) -> Message:
    """The message in the body of a request.

    Raises:
        InvalidSpecError: there is none, or it cannot be read.
    """
    encoded = body.get("message")
    if not isinstance(encoded, bytes):
        raise InvalidSpecError("message must be an AMQP 1.0 message, as binary")
    try:
        message = read_message(bytes(encoded))
    except LastvalueError as error:
        raise InvalidSpecError(f"{_UNREADABLE}: {error}") from None
    message.origin = owner.container
    return message


def _expected(body: Mapping[str, Any]) -> int | None:
    return None if body.get("if_sequence") is None else whole_number_in(body, "if_sequence", 0)


def _check_alarms(broker: Broker, hosted: HostedQueue, message: Message) -> None:
    """Refuse where a producer would wait: a request cannot."""
    alarms = broker.alarms
    durable = hosted.queue.spec.durable
    if alarms.fault is not None and durable and message.durable:
        raise alarms.fault.with_traceback(None)
    if alarms.stops(durable):
        raise ResourceLimitError("the broker takes no messages now: memory is short, or the store is slow")
