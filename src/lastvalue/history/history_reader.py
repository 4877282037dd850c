"""A broker's history queues, read."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Final

from lastvalue.client import Connection, QueueNotFoundError, Wanted
from lastvalue.history.records import Record, read_record

AHEAD: Final = 2000
_DECLARED_WITH: Final = "history"


@dataclass(frozen=True, slots=True)
class HistoryRange:
    """What of a history a broker has.

    Attributes:
        first: the lowest offset that it still has; one more than `last` where it has none.
        last: the highest that it has given.
    """

    first: int
    last: int


async def history_of(connection: Connection, queue: str) -> str | None:
    """The queue that gets a queue's history, or None where it has none or does not exist."""
    try:
        info = await connection.queue(queue).info()
    except QueueNotFoundError:
        return None
    name = info.options.get(_DECLARED_WITH)
    return name if isinstance(name, str) else None


async def range_of(connection: Connection, history: str) -> HistoryRange:
    """What the broker has of a history.

    Raises:
        QueueNotFoundError: it does not exist.
    """
    info = await connection.queue(history).info()
    async with connection.queue(history).browse(limit=1) as browser:
        payloads = await browser.payloads(1)
    first = read_record(payloads[0]).offset if payloads else info.published + 1
    return HistoryRange(first, info.published)


async def stored_records(connection: Connection, history: str, after: int = 0) -> list[Record]:
    """What a history holds behind an offset, up to now.

    Raises:
        QueueNotFoundError: it does not exist.
        HistoryRecordError: a message on it is no record.
    """
    found: list[Record] = []
    wanted = Wanted(after=after)
    async with connection.queue(history).browse(prefetch=AHEAD, wanted=wanted) as browser:
        while payloads := await browser.payloads(AHEAD):
            found += [read_record(payload) for payload in payloads]
    return found


async def coming_records(
    connection: Connection, history: str, after: int = 0
) -> AsyncGenerator[list[Record]]:
    """What a history holds behind an offset, and what comes, as it comes.

    Raises:
        QueueNotFoundError: it does not exist, or not any more.
        HistoryRecordError: a message on it is no record.
    """
    wanted = Wanted(after=after)
    async with connection.queue(history).browse(follow=True, prefetch=AHEAD, wanted=wanted) as browser:
        while payloads := await browser.payloads(AHEAD):
            yield [read_record(payload) for payload in payloads]


async def began_anew(connection: Connection, history: str, offset: int, time_ms: int) -> bool:
    """Whether the history is another queue of the same name than the one that had this record.

    Raises:
        QueueNotFoundError: it does not exist.
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
