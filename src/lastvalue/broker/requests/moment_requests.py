"""The management requests about the history of a queue.

EXTENT  of a queue that has a history, or of a history. The answer:

    history     the name of the history; null if the queue has none, and then nothing else is there
    first_ms    when the oldest record happened that it has; what the queue held is known from then on
    last_ms     when the last record happened
    records     how many records it has
    base        how many more it keeps of those that it has dropped, because they are in force
    whole       whether it is known what the queue held at `first_ms`

A history without records has both times now. Times are milliseconds since the epoch.

AS_OF   of a queue that has a history: the records that say what it held at the end of `time`. With `until`
        only records up to that one count, with `after` it lists those after that one. The answer:

    known       whether the history knows it; if not, nothing else is there
    until       the last record that counted, to ask for the rest
    records     pairs of a number on the history and a record, as it is there, at most some mebibytes
    more        whether there are more

TIMELINE  of a history: the records about a `queue` and about the messages of a `key` of it, with `after` only
        those after that one. The answer:

    records     pairs, as above; first those that the history keeps of the ones that it has dropped
    more        whether there are more
    base_end    the last record that it has dropped, or 0
    first_ms    when the oldest record happened that it has
"""

import struct
from collections.abc import Iterator
from heapq import merge
from typing import Final

from mypy_extensions import i64

from lastvalue.broker.administration.request import Request, Response, text_in, whole_number_in
from lastvalue.broker.broker import Broker
from lastvalue.broker.history.history_base import HistoryBase, base_of
from lastvalue.broker.history.history_moments import HistoryMoment, find_moment
from lastvalue.broker.history.key_timeline import find_key_records, key_annotations
from lastvalue.broker.long_commands import LOOKED_IN_A_STEP, Steps
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.requests.value_requests import browsed
from lastvalue.broker.rights.owner import Owner
from lastvalue.codec.amqp10.encoded_values import encoded_list
from lastvalue.codec.amqp10.values import EncodedValue
from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.entry import Entry
from lastvalue.queues.subscription import Mode

MOST_BYTES: Final = 2 << 20
_HIGHEST: Final = 2**62
_SORTED_AT_ONCE: Final = 500
_PAIR: Final = struct.Struct(">cIIcqcI")
"""What is before a record in a pair, as AMQP 1.0: the pair's size, its two values, the number, the size."""
_SIZE_IN_PAIR: Final = 18
"""What a pair's size counts besides the record."""


def tell_extent(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """Answer EXTENT, at the same cost whatever the history has.

    The caller needs the right to see the queue and its history.
    """
    name = _history_of(broker.show(request.name, owner))
    if name is None:
        return Response(200, "OK", {"history": None})
    base = base_of(broker.show(name, owner).queue.contents)
    if base is None:
        return Response(200, "OK", {"history": None})
    body: dict[str, object] = {
        "history": name,
        "first_ms": int(base.first_ms) or now,
        "last_ms": int(base.last_ms) or now,
        "records": int(base.single),
        "base": max(0, int(base.count)),
        "whole": base.is_whole(request.name),
    }
    return Response(200, "OK", body)


def tell_moment(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """Answer AS_OF, in steps. The caller needs the right to browse the history."""
    time_ms = whole_number_in(request.body, "time", 0, 0, _HIGHEST)
    until = whole_number_in(request.body, "until", _HIGHEST, 0, _HIGHEST)
    after = whole_number_in(request.body, "after", 0, 0, _HIGHEST)
    name = _history_of(broker.show(request.name, owner))
    body: dict[str, object] = {"known": False}
    if name is None:
        return Response(200, "OK", body)
    hosted = broker.lookup(name)
    broker.authorization.check_reader(hosted, Mode.BROWSE, owner)
    base = base_of(hosted.queue.contents)
    if base is not None and base.is_whole(request.name) and time_ms >= (int(base.first_ms) or now):
        until = min(until, int(hosted.queue.sequence))
        steps = _moment(base, request.name, (time_ms, until, after), body)
        broker.long_commands.begin(Steps(steps, owner.connection, changes=False), now)
        # Its checkpoints take memory.
        hosted.mark_changed()
    return Response(200, "OK", body)


def _moment(
    base: HistoryBase, queue: str, asked: tuple[int, int, int], body: dict[str, object]
) -> Iterator[None]:
    time_ms, until, after = asked
    before = int(base.end)
    # On a follower nobody else forgets them.
    base.checkpoints.forget(before)
    found = HistoryMoment(base.records.copy())
    yield from find_moment(base.oldest(), base.checkpoints, time_ms, until, found)
    if found.is_lost:
        return
    yield from _list_records(found.in_force.entries_of(queue), after, body)
    body["until"] = before if found.last is None else int(found.last.sequence)
    body["known"] = True


def tell_timeline(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """Answer TIMELINE, in steps. The caller needs the right to browse the history."""
    queue, key = text_in(request.body, "queue"), text_in(request.body, "key")
    after = whole_number_in(request.body, "after", 0, 0, _HIGHEST)
    base = base_of(browsed(broker, request.name, owner).queue.contents)
    if base is None:
        raise InvalidSpecError(
            f"{request.name!r} is not a history; ask the history of the queue for TIMELINE"
        )
    body: dict[str, object] = {"first_ms": now}
    steps = _timeline(base, queue, key_annotations(key), after, body)
    broker.long_commands.begin(Steps(steps, owner.connection, changes=False), now)
    return Response(200, "OK", body)


def _timeline(
    base: HistoryBase, queue: str, key: tuple[bytes, ...], after: int, body: dict[str, object]
) -> Iterator[None]:
    found: list[Entry] = []
    yield from find_key_records(base, queue, key, after, found)
    body["base_end"] = int(base.end)
    body["first_ms"] = int(base.first_ms) or body["first_ms"]
    yield from _list_records(found, after, body)


def _list_records(entries: list[Entry], after: int, body: dict[str, object]) -> Iterator[None]:
    """Answer with the records after one, oldest first, of at most some mebibytes."""
    runs: list[list[Entry]] = []
    for begin in range(0, len(entries), _SORTED_AT_ONCE):
        part = [each for each in entries[begin : begin + _SORTED_AT_ONCE] if each.sequence > after]
        part.sort(key=_sequence)
        if runs and part and runs[-1][-1].sequence < part[0].sequence:
            # Contents come in order, and one run needs no merging.
            runs[-1] += part
        elif part:
            runs.append(part)
        yield
    # Each is encoded in its own step, as the answer may have very many.
    pairs: list[bytes] = []
    size = 0
    more = False
    for entry in merge(*runs, key=_sequence):
        if size > MOST_BYTES:
            more = True
            break
        encoded = entry.encoded
        size += len(encoded)
        pairs.append(_pair(entry.sequence, encoded))
        if len(pairs) % LOOKED_IN_A_STEP == 0:
            yield
    body["records"], body["more"] = EncodedValue(encoded_list(pairs)), more


def _pair(sequence: i64, record: bytes) -> bytes:
    """A list of AMQP 1.0 with the number of a record and the record."""
    size: i64 = len(record)
    return _PAIR.pack(b"\xd0", size + _SIZE_IN_PAIR, 2, b"\x81", sequence, b"\xb0", size) + record


def _sequence(entry: Entry) -> int:
    return entry.sequence


def _history_of(hosted: HostedQueue) -> str | None:
    spec = hosted.queue.spec
    return spec.name if spec.history is None and base_of(hosted.queue.contents) is not None else spec.history
