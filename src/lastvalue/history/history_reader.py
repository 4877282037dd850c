"""Reads the history queues of a broker."""

import time
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Final

from lastvalue.client import Connection, HistoryExtent, Wanted
from lastvalue.client.errors import MalformedMessageError
from lastvalue.history.base_records import base_of
from lastvalue.history.records import Record, read_record

AHEAD: Final = 2000
_DECLARED_WITH: Final = "history"


@dataclass(frozen=True, slots=True)
class HistoryRange:
    """The range of a history's records that a broker has.

    Attributes:
        first: the lowest offset from which on it has all; one more than `last` if it has none.
        last: the highest offset that it has assigned.
        base_end: of a history that has dropped records and kept what is in force of them: the offset of the
            last one that it has dropped; else 0.
    """

    first: int
    last: int
    base_end: int = 0


@dataclass(frozen=True, slots=True)
class StoredRecords:
    """The records of a history that a broker has.

    Attributes:
        records: single records without a gap, oldest first.
        base: what stands for all earlier ones, up to `base_end`: what each queue held.
        base_end: 0 if no base is needed, because the records begin after the offset that was asked for.
    """

    records: list[Record]
    base: tuple[Record, ...] = ()
    base_end: int = 0


@dataclass(frozen=True, slots=True)
class RecordsInForce:
    """The records that say what a queue held at a moment, as the broker finds them.

    Attributes:
        extent: what the queue's history has.
        until: the offset of the last record up to the moment.
        records: those in force then, oldest first.
    """

    extent: HistoryExtent
    until: int
    records: list[Record]


async def records_in_force(connection: Connection, queue: str, time_ms: int) -> RecordsInForce | None:
    """The records that say what a queue held at the end of a millisecond; None if its history lacks them.

    Raises:
        QueueNotFoundError: the queue does not exist.
        RefusedError: the user may not browse the history.
    """
    extent = await connection.queue(queue).history_extent()
    if extent is None:
        return None
    asked: dict[str, object] = {"time": time_ms}
    records: list[Record] = []
    while True:
        answer = await connection.manage("AS_OF", queue, asked)
        if not isinstance(answer, dict) or answer.get("known") is not True:
            return None
        records += [read_record(payload, offset) for offset, payload in answer["records"]]
        until = int(answer["until"])
        if not answer["more"]:
            return RecordsInForce(extent, until, records)
        asked |= {"until": until, "after": records[-1].offset}


async def history_of(connection: Connection, queue: str) -> str | None:
    """The name of a queue's history, or None if the queue has none.

    Raises:
        QueueNotFoundError: the queue does not exist.
    """
    info = await connection.queue(queue).info()
    name = info.options.get(_DECLARED_WITH)
    return name if isinstance(name, str) else None


async def range_of(connection: Connection, history: str) -> HistoryRange:
    """The range of a history's records that the broker has.

    Raises:
        QueueNotFoundError: the history does not exist.
    """
    queue = connection.queue(history)
    base_end = (await queue.info()).statistics.get("base_end", 0)
    sequences = await queue.sequences(after=base_end)
    first = sequences.last + 1 if sequences.first is None else sequences.first
    return HistoryRange(base_end + 1 if base_end else first, sequences.last, base_end)


async def stored_records(connection: Connection, history: str, after: int = 0) -> StoredRecords:
    """The records of a history after an offset that exist now, or those after its base if that is later.

    Raises:
        QueueNotFoundError: the history does not exist.
        HistoryRecordError: a message on it is not a record.
    """
    base_end = (await range_of(connection, history)).base_end
    records = await present_records(connection, history, Wanted(after=max(after, base_end)))
    if base_end <= after and _follow(records, after):
        return StoredRecords(records)
    return await with_base(connection, history, records, after)


async def key_records(
    connection: Connection, history: str, queue: str, key: str, after: int
) -> StoredRecords:
    """As `stored_records`, only the records about a queue and the messages of a key of it.

    Raises:
        QueueNotFoundError: the history does not exist.
        HistoryRecordError: a message on it is not a record.
        MalformedMessageError: the broker's answer has no records.
    """
    records: list[Record] = []
    last, base_end = after, 0
    while True:
        asked: dict[str, object] = {"queue": queue, "key": key, "after": last}
        answer = await connection.manage("TIMELINE", history, asked)
        if not isinstance(answer, dict):
            raise MalformedMessageError("the broker's answer has no records")
        dropped = int(answer["base_end"])
        if records and last < dropped != base_end:
            # Records behind the last one were dropped meanwhile.
            records, last = [], after
            continue
        base_end = dropped
        records += [read_record(payload, offset) for offset, payload in answer["records"]]
        if not answer["more"]:
            break
        last = records[-1].offset
    if base_end <= after:
        return StoredRecords(records)
    kept = [each for each in records if each.offset <= base_end]
    base = tuple(base_of(kept, base_end, int(answer["first_ms"])))
    return StoredRecords(records[len(kept) :], base, base_end if base else 0)


async def with_base(
    connection: Connection, history: str, records: list[Record], after: int = 0
) -> StoredRecords:
    """Records that were read from a history, and its base if records after an offset are missing before them.

    The base is read after the records: what leaves it while it is read is ended by one of them.

    Raises:
        QueueNotFoundError: the history does not exist.
        HistoryRecordError: a message on it is not a record.
    """
    base_end = (await range_of(connection, history)).base_end
    if base_end <= after:
        return StoredRecords(records)
    kept = await present_records(connection, history, Wanted(until=base_end))
    rest = [record for record in records if record.offset > base_end]
    # Between the last record that was dropped and the next one nothing happened.
    time_ms = rest[0].time_ms if rest else max(time.time_ns() // 1_000_000, *(each.time_ms for each in kept))
    base = tuple(base_of(kept, base_end, time_ms))
    return StoredRecords(rest, base, base_end) if base else StoredRecords(records)


def _follow(records: Sequence[Record], after: int) -> bool:
    """Whether no record is missing between an offset and the last of these."""
    return not records or records[-1].offset == after + len(records)


async def present_records(connection: Connection, history: str, wanted: Wanted) -> list[Record]:
    """The records that a history has now.

    Raises:
        QueueNotFoundError: the history does not exist.
        HistoryRecordError: a message on it is not a record.
    """
    records: list[Record] = []
    async with connection.queue(history).browse(prefetch=AHEAD, wanted=wanted) as browser:
        while payloads := await browser.payloads(AHEAD):
            records += [read_record(payload) for payload in payloads]
    return records


async def records_until(connection: Connection, history: str, after: int, until_ms: int) -> list[Record]:
    """The records that a history has after an offset, up to a time.

    Raises:
        QueueNotFoundError: the history does not exist.
        HistoryRecordError: a message on it is not a record.
    """
    records: list[Record] = []
    wanted = Wanted(after=after)
    async with connection.queue(history).browse(prefetch=AHEAD, wanted=wanted) as browser:
        while payloads := await browser.payloads(AHEAD):
            records += [read_record(payload) for payload in payloads]
            if records[-1].time_ms > until_ms:
                break
    return [record for record in records if record.time_ms <= until_ms]


async def coming_records(
    connection: Connection, history: str, after: int = 0
) -> AsyncGenerator[list[Record]]:
    """The records of a history after an offset, followed by new ones as they come.

    Raises:
        QueueNotFoundError: the history does not exist or was deleted.
        HistoryRecordError: a message on it is not a record.
    """
    wanted = Wanted(after=after)
    async with connection.queue(history).browse(follow=True, prefetch=AHEAD, wanted=wanted) as browser:
        while payloads := await browser.payloads(AHEAD):
            yield [read_record(payload) for payload in payloads]


async def began_anew(connection: Connection, history: str, offset: int, time_ms: int) -> bool:
    """Whether the history is a new queue of the same name, which does not have this record.

    Raises:
        QueueNotFoundError: the history does not exist.
    """
    reach = await range_of(connection, history)
    if reach.last < offset:
        return True
    if reach.first > offset:
        return False
    wanted = Wanted(after=offset - 1)
    async with connection.queue(history).browse(limit=1, wanted=wanted) as browser:
        payloads = await browser.payloads(1)
    if not payloads:
        return True
    record = read_record(payloads[0])
    return (record.offset, record.time_ms) != (offset, time_ms)
