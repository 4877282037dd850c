"""Reads the history queues of a broker."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Final

from lastvalue.client import Connection, QueueNotFoundError, Wanted
from lastvalue.history.records import Record, read_record

AHEAD: Final = 2000
_DECLARED_WITH: Final = "history"


@dataclass(frozen=True, slots=True)
class HistoryRange:
    """The range of a history's records that a broker has.

    Attributes:
        first: the lowest offset that it still has; one more than `last` if it has none.
        last: the highest offset that it has assigned.
    """

    first: int
    last: int


async def history_of(connection: Connection, queue: str) -> str | None:
    """The name of a queue's history, or None if the queue has none or does not exist."""
    try:
        info = await connection.queue(queue).info()
    except QueueNotFoundError:
        return None
    name = info.options.get(_DECLARED_WITH)
    return name if isinstance(name, str) else None


async def range_of(connection: Connection, history: str) -> HistoryRange:
    """The range of a history's records that the broker has.

    Raises:
        QueueNotFoundError: the history does not exist.
    """
    info = await connection.queue(history).info()
    async with connection.queue(history).browse(limit=1) as browser:
        payloads = await browser.payloads(1)
    first = read_record(payloads[0]).offset if payloads else info.published + 1
    return HistoryRange(first, info.published)


async def stored_records(connection: Connection, history: str, after: int = 0) -> list[Record]:
    """The records of a history after an offset that exist now.

    Raises:
        QueueNotFoundError: the history does not exist.
        HistoryRecordError: a message on it is not a record.
    """
    records: list[Record] = []
    wanted = Wanted(after=after)
    async with connection.queue(history).browse(prefetch=AHEAD, wanted=wanted) as browser:
        while payloads := await browser.payloads(AHEAD):
            records += [read_record(payload) for payload in payloads]
    return records


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
