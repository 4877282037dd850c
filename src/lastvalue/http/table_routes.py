"""The values of a queue as a table that pandas, Polars and DuckDB read: /queues/NAME/values."""

import csv
import io
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from fnmatch import fnmatchcase
from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import APIRouter, Header, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import StreamingResponse

from lastvalue.client import Message, QueueInfo, Wanted
from lastvalue.client.message_key import message_key
from lastvalue.http.broker_access import BrokerAccess, QueueName, access_of
from lastvalue.http.caller import Caller
from lastvalue.http.leader_queues import callers_at
from lastvalue.http.problems import FieldProblem, Problem
from lastvalue.model.jsonable import jsonable

BATCH: Final = 1000
"""How many values are read at a time; the columns are those of the first ones."""

PLACE: Final = ("sequence", "arrival_time_ms", "updates")
"""The columns after the key, which each table has."""

BODY: Final = "body"

CSV: Final = "text/csv"
ARROW: Final = "application/vnd.apache.arrow.stream"
_ARROW: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {ARROW: {}}, "description": "An Arrow IPC stream."},
    501: {"description": "The gateway has no pyarrow."},
}
_TABLES: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {CSV: {}, ARROW: {}}, "description": "A table."},
    406: {"description": "The table has no such type."},
    501: {"description": "The gateway has no pyarrow."},
}

table_routes = APIRouter(prefix="/queues/{queue}", tags=["values"])


class TableTerms(BaseModel):
    """Which part of a table."""

    model_config = ConfigDict(extra="forbid")

    columns: Annotated[
        list[str] | None, Field(max_length=1000, description="Only these columns, in this order.")
    ] = None
    selector: Annotated[str | None, Field(description="Only values that a JMS selector selects.")] = None
    partition: Annotated[
        int | None, Field(ge=0, lt=2**31, description="Of the brokers that have the keys; else all of them.")
    ] = None


Terms = Annotated[TableTerms, Query()]


@table_routes.get("/values", response_class=StreamingResponse, responses=_TABLES)
async def negotiated_table(
    queue: QueueName, request: Request, terms: Terms, *, accept: Annotated[str, Header()] = "*/*"
) -> StreamingResponse:
    """The current values as a table, of the type that `Accept` prefers: CSV or an Arrow IPC stream."""
    kind = _preferred(accept)
    if kind is None:
        raise Problem(HTTPStatus.NOT_ACCEPTABLE, f"Accept is {accept!r:.80}; there are {CSV} and {ARROW}")
    return await (values_table if kind == CSV else arrow_table)(queue, request, terms)


@table_routes.get("/values.csv", response_class=StreamingResponse)
async def values_table(queue: QueueName, request: Request, terms: Terms) -> StreamingResponse:
    """The current values as CSV: key, sequence, time of arrival, updates, and a column for each field."""
    callers = await callers_at(request, queue, terms.partition)
    rows = _rows(access_of(request), callers, queue, terms.columns, Wanted(selector=terms.selector))
    # Errors that occur at once are an answer.
    heading = await anext(rows)
    return StreamingResponse(_lines(heading, rows), media_type=f"{CSV}; charset=utf-8")


@table_routes.get("/values.arrow", response_class=StreamingResponse, responses=_ARROW)
async def arrow_table(queue: QueueName, request: Request, terms: Terms) -> StreamingResponse:
    """The current values as an Arrow IPC stream, with the columns of the Spark source."""
    try:
        from lastvalue.http.arrow_stream import column_names  # noqa: PLC0415 - only this needs pyarrow
    except ModuleNotFoundError as missing:
        raise Problem(
            HTTPStatus.NOT_IMPLEMENTED,
            f"this gateway has no {missing.name}: pip install 'lastvalue[arrow]'; {CSV} needs nothing more",
        ) from None
    unknown = [each for each in terms.columns or () if each not in column_names()]
    if unknown:
        there_are = ", ".join(column_names())
        raise FieldProblem(
            "columns", f"columns: there is no column {unknown[0]!r:.80}; there are {there_are}"
        )
    callers = await callers_at(request, queue, terms.partition)
    parts = _arrow_parts(access_of(request), callers, queue, terms)
    first = await anext(parts)
    return StreamingResponse(_from(first, parts), media_type=ARROW)


async def _arrow_parts(
    access: BrokerAccess, callers: Sequence[Caller], queue: str, terms: TableTerms
) -> AsyncGenerator[bytes]:
    from lastvalue.http.arrow_stream import arrow_stream  # noqa: PLC0415 - the caller has done so, too

    columns = list(dict.fromkeys(terms.columns or ()))
    async with AsyncExitStack() as held:
        brokers = [await held.enter_async_context(access.connections.use(each)) for each in callers]
        queues = [each.queue(queue) for each in brokers]
        async for part in arrow_stream(queues, columns, Wanted(selector=terms.selector)):
            yield part


async def _from(first: bytes, rest: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    try:
        yield first
        async for part in rest:
            yield part
    finally:
        await rest.aclose()


def _preferred(accept: str) -> str | None:
    """The type of table that an Accept header prefers, or None [RFC 9110 §12.5.1]."""
    chosen: tuple[float, str] | None = None
    for each in accept.split(","):
        name, *parameters = (part.strip().lower() for part in each.split(";"))
        offered = next((kind for kind in (CSV, ARROW) if fnmatchcase(kind, name)), None)
        quality = next((part[2:] for part in parameters if part.startswith("q=")), "1")
        try:
            weight = float(quality)
        except ValueError:
            continue
        if offered is not None and weight > 0 and (chosen is None or weight > chosen[0]):
            chosen = weight, offered
    return None if chosen is None else chosen[1]


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
    access: BrokerAccess, callers: Sequence[Caller], name: str, columns: list[str] | None, wanted: Wanted
) -> AsyncIterator[Sequence[Any]]:
    """The heading, and then a row for each value, at one broker after the other."""
    fields, has_heading = columns, False
    async with aclosing(_batches(access, callers, name, wanted)) as batches:
        async for info, messages in batches:
            fields = _fields(info, messages) if fields is None else fields
            if not has_heading:
                has_heading = True
                yield ("key", *PLACE, *fields)
            for message in messages:
                yield _row(info, message, fields)
    if not has_heading:
        yield ("key", *PLACE, *(fields or ()))


async def _batches(
    access: BrokerAccess, callers: Sequence[Caller], name: str, wanted: Wanted
) -> AsyncGenerator[tuple[QueueInfo, Sequence[Message]]]:
    for caller in callers:
        async with access.connections.use(caller) as broker:
            queue = broker.queue(name)
            info = await queue.info()
            async with queue.browse(wanted=wanted, prefetch=BATCH) as browser:
                while messages := await browser.batch(BATCH):
                    yield info, messages


def _fields(info: QueueInfo, messages: Sequence[Message]) -> list[str]:
    key = info.options.get("lvq_key")
    names = {name: None for message in messages for name in _values(message) if name != key}
    return list(names)


def _row(info: QueueInfo, message: Message, fields: Sequence[str]) -> tuple[Any, ...]:
    values = _values(message)
    key = message_key(message.properties, str(info.options.get("lvq_key", "")))
    place = (message.sequence, message.arrival_time_ms, message.updates)
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
