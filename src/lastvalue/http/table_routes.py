"""The values of a queue as a table that pandas, Polars and DuckDB read: /queues/NAME/values.csv."""

import csv
import io
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import StreamingResponse

from lastvalue.client import Message, QueueInfo, Wanted
from lastvalue.client.message_records import jsonable
from lastvalue.http.broker_access import BrokerAccess, QueueName, access_of
from lastvalue.http.caller import Caller

BATCH: Final = 1000
"""How many values are read at a time; the columns are those of the first ones."""

PLACE: Final = ("sequence", "enqueued_time_ms", "updates")
"""The columns after the key, which each table has."""

BODY: Final = "body"

table_routes = APIRouter(prefix="/queues/{queue}", tags=["values"])


@table_routes.get("/values.csv", response_class=StreamingResponse)
async def values_table(
    queue: QueueName,
    request: Request,
    *,
    columns: Annotated[
        list[str] | None,
        Query(description="Fields of bodies and properties."),
    ] = None,
    selector: Annotated[str | None, Query(description="Only values that a JMS selector selects.")] = None,
) -> StreamingResponse:
    """The current values as CSV: key, sequence, time of arrival, updates, and a column for each field."""
    access = access_of(request)
    rows = _rows(access, access.identify(request), queue, columns, Wanted(selector=selector))
    # Errors that occur at once are an answer.
    heading = await anext(rows)
    return StreamingResponse(_lines(heading, rows), media_type="text/csv; charset=utf-8")


async def _lines(heading: Sequence[Any], rows: AsyncIterator[Sequence[Any]]) -> AsyncIterator[str]:
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(heading)
    async for row in rows:
        writer.writerow(row)
        if buffer.tell() > 2**16:
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue()


async def _rows(
    access: BrokerAccess, caller: Caller, name: str, columns: list[str] | None, wanted: Wanted
) -> AsyncIterator[Sequence[Any]]:
    """The heading, and then a row for each value."""
    async with access.connections.use(caller) as broker:
        queue = broker.queue(name)
        info = await queue.info()
        async with queue.browse(wanted=wanted, prefetch=BATCH) as browser:
            first = await browser.batch(BATCH)
            fields = _fields(info, first) if columns is None else columns
            yield ("key", *PLACE, *fields)
            messages = first
            while messages:
                for message in messages:
                    yield _row(info, message, fields)
                messages = await browser.batch(BATCH)


def _fields(info: QueueInfo, messages: Sequence[Message]) -> list[str]:
    key = info.options.get("lvq_key")
    names = {name: None for message in messages for name in _values(message) if name != key}
    return list(names)


def _row(info: QueueInfo, message: Message, fields: Sequence[str]) -> tuple[Any, ...]:
    values = _values(message)
    key = message.properties.get(str(info.options.get("lvq_key", "")))
    place = (message.sequence, message.enqueued_time_ms, message.updates)
    return _cell(key), *place, *(_cell(values.get(name)) for name in fields)


def _values(message: Message) -> Mapping[str, object]:
    """The fields of a message: those of its properties, and of its body if that is a map."""
    body = message.body
    own = {str(name): value for name, value in body.items()} if isinstance(body, dict) else {BODY: body}
    return {**message.properties, **own}


def _cell(value: object) -> object:
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return jsonable(value)
    return json.dumps(jsonable(value)) if isinstance(value, dict | list) else value
