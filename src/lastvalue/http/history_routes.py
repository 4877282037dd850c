"""The past of a queue that has a history: /queues/NAME/history, /as-of, /diff and /timeline.

The caller reads the broker's history queue with its own rights. What only the tables have is shown to those
who may browse the queue, and of a queue that is gone to those who may administer the broker.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Annotated, Any, Final, TypeVar
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Query
from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from starlette.requests import Request

from lastvalue.client import Connection
from lastvalue.history.documents import change_document, queued_message_document, record_document
from lastvalue.history.errors import InvalidTimeError
from lastvalue.history.recorded_history import RecordedHistory, landed_from_ms, no_history, read_history
from lastvalue.history.times import print_time, read_time
from lastvalue.http.broker_access import BrokerConnection, KeyText, QueueName, access_of
from lastvalue.model.errors import QueueNotFoundError

MOST_LISTED: Final = 10_000

_Item = TypeVar("_Item")

history_routes = APIRouter(prefix="/queues/{queue}", tags=["history"])


def _checked(text: str) -> str:
    try:
        read_time(text, 0)
    except InvalidTimeError as error:
        raise ValueError(str(error)) from None
    return text


Time = Annotated[
    str,
    AfterValidator(_checked),
    Field(description="ISO 8601, a time before now as in `-5m`, or `now`.", max_length=64),
]


class _Listed(BaseModel):
    """Which part of a list."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    offset: int = Field(0, ge=0, lt=2**62, description="Without this many at the beginning.")
    limit: int = Field(100, ge=1, le=MOST_LISTED)


class AsOf(_Listed):
    """A moment, and which part of what the queue held."""

    moment: Time = "now"


class Diff(_Listed):
    """Two moments, and which part of what is different."""

    start: Time = Field(alias="from")
    end: Time = Field("now", alias="to")


class Period(_Listed):
    """A period, and which part of what happened."""

    start: Time = Field("1970-01-01", alias="from")
    end: Time = Field("now", alias="to")
    newest_first: bool = False


@history_routes.get("/history")
async def extent(queue: QueueName, broker: BrokerConnection, request: Request) -> dict[str, Any]:
    """Between which moments the queue can be looked back at, and how many records its history has."""
    access = access_of(request)
    await _check_reader(broker, queue)
    found = await broker.queue(queue).history_extent()
    if found is None:
        raise no_history(queue)
    first_ms = await asyncio.to_thread(landed_from_ms, queue, access.settings.tables)
    return {
        "history": found.history,
        "history_from": print_time(found.first_ms if first_ms is None else min(first_ms, found.first_ms)),
        "history_to": print_time(time.time_ns() // 1_000_000),
        "records": found.records,
        "base_records": found.base,
        "is_whole": found.whole,
    }


@history_routes.get("/as-of")
async def as_of(
    queue: QueueName, broker: BrokerConnection, request: Request, asked: Annotated[AsOf, Query()]
) -> dict[str, Any]:
    """A page of what the queue held at the end of a moment, in the order of delivery."""
    time_ms = _time_ms(asked.moment)
    async with history_until(request, broker, queue, time_ms, since_ms=time_ms) as history:
        messages = await asyncio.to_thread(lambda: history.as_of(time_ms).in_order(time_ms))
    page = _page(queue, "as-of", messages, asked, {"moment": print_time(time_ms)})
    values = [queued_message_document(each) for each in page.pop("items")]
    return {"moment": print_time(time_ms), **_extent(history), **page, "values": values}


@history_routes.get("/diff")
async def diff(
    queue: QueueName, broker: BrokerConnection, request: Request, asked: Annotated[Diff, Query()]
) -> dict[str, Any]:
    """A page of how what the queue held at one moment differs from what it held at another."""
    start_ms, end_ms = _time_ms(asked.start), _time_ms(asked.end)
    async with history_until(request, broker, queue, end_ms, since_ms=start_ms) as history:
        changes = await asyncio.to_thread(history.diff, start_ms, end_ms)
    period = {"from": print_time(start_ms), "to": print_time(end_ms)}
    page = _page(queue, "diff", changes, asked, period)
    found = [change_document(each) for each in page.pop("items")]
    return {**period, **_extent(history), **page, "changes": found}


@history_routes.get("/timeline")
async def timeline(
    queue: QueueName, broker: BrokerConnection, request: Request, asked: Annotated[Period, Query()]
) -> dict[str, Any]:
    """A page of all that happened on the queue."""
    return await _timeline(request, broker, queue, asked, None)


@history_routes.get("/keys/{key:key}/timeline")
async def key_timeline(
    queue: QueueName,
    key: KeyText,
    broker: BrokerConnection,
    request: Request,
    asked: Annotated[Period, Query()],
) -> dict[str, Any]:
    """A page of what happened to the messages of a key, and to the queue."""
    return await _timeline(request, broker, queue, asked, key)


async def _timeline(
    request: Request,
    broker: Connection,
    queue: str,
    asked: Period,
    key: str | None,
) -> dict[str, Any]:
    start_ms, end_ms = _time_ms(asked.start), _time_ms(asked.end)
    async with history_until(request, broker, queue, end_ms, key=key) as history:
        found = history.records if key is None else history.timeline(key)
    records = [each for each in found if start_ms <= each.time_ms <= end_ms]
    if asked.newest_first:
        records.reverse()
    period = {"from": print_time(start_ms), "to": print_time(end_ms)}
    resource = "timeline" if key is None else f"keys/{quote(key, safe='')}/timeline"
    page = _page(queue, resource, records, asked, period)
    listed = [{"key": each.key, **record_document(each)} for each in page.pop("items")]
    return {**period, **_extent(history), **page, "records": listed}


@asynccontextmanager
async def history_until(
    request: Request,
    broker: Connection,
    queue: str,
    until_ms: int,
    *,
    since_ms: int | None = None,
    key: str | None = None,
) -> AsyncIterator[RecordedHistory]:
    """The history up to a time, for a caller who may read it; few at a time, because each is in memory."""
    access = access_of(request)
    await _check_reader(broker, queue)
    async with access.looking_back:
        yield await read_history(
            queue,
            url=broker,
            tables=access.settings.tables,
            until_ms=until_ms,
            since_ms=since_ms,
            key=key,
        )


async def _check_reader(broker: Connection, queue: str) -> None:
    try:
        await broker.queue(queue).info()
    except QueueNotFoundError:
        await broker.broker_statistics()
        return
    # A browser attaches with the right to browse only.
    async with broker.queue(queue).browse(limit=1, prefetch=1):
        pass


def _time_ms(text: str) -> int:
    return read_time(text, time.time_ns() // 1_000_000)


def _extent(history: RecordedHistory) -> dict[str, str | None]:
    """Between which times the history can be asked."""
    first = history.from_ms
    return {
        "history_from": None if first is None else print_time(first),
        "history_to": print_time(history.known_to_ms),
    }


def _page(
    queue: str, resource: str, found: Sequence[_Item], asked: _Listed, period: dict[str, str]
) -> dict[str, Any]:
    """A part of what was found; `next` is the next one, of the same times."""
    end = asked.offset + asked.limit
    page: dict[str, Any] = {"items": found[asked.offset : end], "total": len(found)}
    if end < len(found):
        rest = asked.model_dump(by_alias=True, exclude_defaults=True) | period | {"offset": end}
        page["next"] = f"/queues/{quote(queue, safe='')}/{resource}?{urlencode(rest)}"
    return page
