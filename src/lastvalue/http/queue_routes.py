"""Queues as resources: /queues and /queues/NAME."""

from dataclasses import asdict
from http import HTTPStatus
from typing import Annotated, Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Body, Query
from starlette.requests import Request
from starlette.responses import Response

from lastvalue.client import QueueInfo
from lastvalue.http.broker_access import BrokerConnection, QueueName, access_of
from lastvalue.http.leader_queues import CallersQueues, brokers_of
from lastvalue.http.merged_queues import merged_queues
from lastvalue.http.named_options import named_options
from lastvalue.http.queue_pages import QueuePage
from lastvalue.model.errors import QueueNotFoundError
from lastvalue.model.jsonable import jsonable

Partition = Annotated[
    int, Query(ge=0, lt=2**31, description="Of the brokers that have its keys; else the own one.")
]
Options = Annotated[dict[str, Any], Body(description="Options, as `lastvalue queue add` has them.")]

queue_routes = APIRouter(prefix="/queues", tags=["queues"])


@queue_routes.get("")
async def list_queues(
    request: Request, broker: BrokerConnection, page: Annotated[QueuePage, Query()]
) -> dict[str, Any]:
    """A page of the queues that the caller may see, by name or by a statistic; `next` is the next page."""
    listed: dict[str, Any]
    if brokers := await brokers_of(request, broker):
        merged = await merged_queues(access_of(request), brokers, page)
        listed = {
            "queues": [{**queue_document(each.info), "broker": each.broker} for each in merged.queues],
            "unreachable": merged.unreachable,
        }
        rest = merged.rest
    else:
        queues, rest = await page.read(broker)
        listed = {"queues": [queue_document(each) for each in queues]}
    if rest is not None:
        listed["next"] = "/queues?" + urlencode(rest)
    return listed


@queue_routes.get("/{queue}")
async def show_queue(queue: QueueName, queues: CallersQueues, *, partition: Partition | None = None) -> Any:
    """The queue's options and statistics."""
    return queue_document(await (await queues.shown(queue, partition)).info())


@queue_routes.put("/{queue}", responses={201: {"description": "The queue was declared."}})
async def declare_queue(
    queue: QueueName, broker: BrokerConnection, response: Response, options: Options
) -> Any:
    """Declare the queue; where it exists with other options the answer is 412, and nothing changes."""
    try:
        await broker.queue(queue).info()
    except QueueNotFoundError:
        response.status_code = HTTPStatus.CREATED
        response.headers["Location"] = f"/queues/{quote(queue, safe='')}"
    declared = await broker.declare(queue, **named_options(options))
    return queue_document(await declared.info())


@queue_routes.patch("/{queue}")
async def update_queue(queue: QueueName, broker: BrokerConnection, options: Options) -> Any:
    """Change these options; the others and the messages stay."""
    return queue_document(await broker.queue(queue).update(**named_options(options)))


@queue_routes.delete("/{queue}", status_code=HTTPStatus.NO_CONTENT)
async def delete_queue(queue: QueueName, broker: BrokerConnection) -> None:
    """Delete the queue and its messages."""
    await broker.delete(queue)


@queue_routes.post("/{queue}/purge")
async def purge_queue(queue: QueueName, broker: BrokerConnection) -> dict[str, int]:
    """Remove the messages that a consumer could get; `messages` is how many these were."""
    return {"messages": await broker.purge(queue)}


def queue_document(queue: QueueInfo) -> Any:
    """A queue as JSON, with the names of docs/operate/statistics.md."""
    return jsonable(asdict(queue))
