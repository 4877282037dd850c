"""RabbitMQ's management API below /api: what its users' tools ask for."""

from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from pydantic import BaseModel, BeforeValidator
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from lastvalue import __version__
from lastvalue.client import Connection, ExchangeInfo, Page, RefusedError
from lastvalue.http.broker_access import BrokerConnection, NodeName, QueueName, access_of
from lastvalue.http.encoded_paths import segment
from lastvalue.http.json_objects import json_model
from lastvalue.http.problems import Problem
from lastvalue.http.rabbitmq import resources
from lastvalue.http.rabbitmq.list_page import ListPage
from lastvalue.http.rabbitmq.messages import MessageGet, PublishedMessage
from lastvalue.model.errors import QueueNotFoundError

PREFIX: Final = "/api"
AUTO_DELETE: Final = "delete-on-no-outbound-links"

management_routes = APIRouter(prefix=PREFIX, tags=["RabbitMQ"])
Listed = Annotated[ListPage, Query()]


def _given(arguments: object) -> object:
    return {} if arguments is None else arguments


Arguments = Annotated[dict[str, Any], BeforeValidator(_given)]
"""Tools send null for none."""


class Node(BaseModel):
    """A declaration of a queue or an exchange."""

    type: str | None = None
    durable: bool = True
    auto_delete: bool = False
    arguments: Arguments = {}


class Binding(BaseModel):
    """A binding."""

    routing_key: str = ""
    arguments: Arguments = {}


# ---------------------------------------------------------------------- the broker


@management_routes.get("/overview")
async def overview(broker: BrokerConnection) -> Any:
    """The whole broker."""
    return await resources.overview(broker, __version__)


@management_routes.get("/cluster-name")
async def cluster_name(broker: BrokerConnection) -> dict[str, str]:
    """The name of the node, which is alone."""
    await broker.clock_ms()
    return {"name": resources.NODE}


@management_routes.get("/nodes")
async def nodes(broker: BrokerConnection) -> list[dict[str, Any]]:
    """The one node."""
    await broker.clock_ms()
    return [{"name": resources.NODE, "type": "disc", "running": True}]


@management_routes.get("/nodes/{name}")
async def node(name: NodeName, broker: BrokerConnection) -> dict[str, Any]:
    """The node, by its name."""
    return _one(await nodes(broker), name, "node")


@management_routes.get("/whoami")
async def whoami(broker: BrokerConnection, request: Request) -> dict[str, Any]:
    """The user who asks; a tag says whether that one may administer the broker."""
    await broker.clock_ms()
    user = access_of(request).identify(request).user or "anonymous"
    return {"name": user, "tags": ["administrator" if await _administers(broker) else "management"]}


@management_routes.get("/vhosts")
async def hosts(broker: BrokerConnection) -> list[dict[str, str]]:
    """The one virtual host."""
    await broker.clock_ms()
    return [{"name": resources.HOST}]


@management_routes.get("/vhosts/{name}")
async def show_host(name: NodeName, broker: BrokerConnection) -> dict[str, str]:
    """A virtual host; every name stands for the one there is."""
    await broker.clock_ms()
    return {"name": name}


@management_routes.put("/vhosts/{name}", status_code=HTTPStatus.NO_CONTENT)
async def name_host(name: NodeName, broker: BrokerConnection) -> None:
    """Use a name of the one virtual host; nothing is made."""
    del name
    await broker.broker_statistics()


@management_routes.delete("/vhosts/{name}", status_code=HTTPStatus.NO_CONTENT)
async def leave_host(name: NodeName, broker: BrokerConnection) -> None:
    """Use a name of the virtual host no more; its queues stay, which other names have, too."""
    await broker.broker_statistics()
    if name == resources.HOST:
        raise Problem(
            HTTPStatus.METHOD_NOT_ALLOWED, "the broker has one virtual host, which cannot be deleted"
        )


@management_routes.get("/aliveness-test/{host}")
async def is_alive(broker: BrokerConnection) -> dict[str, str]:
    """Whether the broker answers."""
    await broker.clock_ms()
    return {"status": "ok"}


@management_routes.get("/healthchecks/node")
@management_routes.get("/healthchecks/node/{name}")
@management_routes.get("/health/checks/{name}")
@management_routes.get("/health/checks/{name}/{parameter:path}")
async def check_health(broker: BrokerConnection) -> JSONResponse:
    """Whether the broker answers and nothing makes its producers wait."""
    await broker.clock_ms()
    told = await broker.broker_statistics() if await _administers(broker) else {}
    alarms = [name for name in ("memory_alarm", "store_alarm", "store_fault") if told.get(f"{name}_since_ms")]
    if alarms:
        return JSONResponse({"status": "failed", "reason": ", ".join(alarms)}, HTTPStatus.SERVICE_UNAVAILABLE)
    return JSONResponse({"status": "ok"})


# ---------------------------------------------------------------------- queues


@management_routes.get("/queues")
@management_routes.get("/queues/{host}")
async def list_queues(broker: BrokerConnection, page: Listed) -> Any:
    """The queues that the caller may see."""
    if page.page is None or page.use_regex:
        return page.of([resources.queue_resource(each) for each in await broker.queues()])
    chosen = Page(
        contains=page.name, sort="name", offset=(page.page - 1) * page.page_size, count=page.page_size
    )
    queues = await broker.queues(page=chosen)
    filtered = (await broker.queue_sums((), contains=page.name))["queues"]
    total = (await broker.queue_sums(()))["queues"]
    return page.document([resources.queue_resource(each) for each in queues], filtered, total)


@management_routes.get("/queues/{host}/{queue}")
async def show_queue(queue: QueueName, broker: BrokerConnection) -> Any:
    """A queue."""
    return resources.queue_resource(await broker.queue(queue).info())


@management_routes.put("/queues/{host}/{queue}", responses={201: {"description": "It was declared."}})
async def declare_queue(queue: QueueName, broker: BrokerConnection, request: Request) -> Response:
    """Declare a queue; its arguments are RabbitMQ's, or options by our names."""
    node = await json_model(request, Node)
    options = {**node.arguments, "durable": node.durable}
    if node.auto_delete:
        options["lifetime"] = AUTO_DELETE
    try:
        await broker.queue(queue).info()
        status = HTTPStatus.NO_CONTENT
    except QueueNotFoundError:
        status = HTTPStatus.CREATED
    await broker.declare(queue, **options)
    return Response(status_code=status)


@management_routes.delete("/queues/{host}/{queue}", status_code=HTTPStatus.NO_CONTENT)
async def delete_queue(queue: QueueName, broker: BrokerConnection) -> None:
    """Delete a queue."""
    await broker.delete(queue)


@management_routes.delete("/queues/{host}/{queue}/contents", status_code=HTTPStatus.NO_CONTENT)
async def purge_queue(queue: QueueName, broker: BrokerConnection) -> None:
    """Purge a queue."""
    await broker.purge(queue)


@management_routes.post("/queues/{host}/{queue}/get")
async def get_messages(queue: QueueName, broker: BrokerConnection, request: Request) -> Any:
    """Get messages of a queue."""
    return await (await json_model(request, MessageGet)).get(queue, broker)


@management_routes.get("/queues/{host}/{queue}/bindings")
async def queue_bindings(queue: QueueName, broker: BrokerConnection) -> Any:
    """The bindings of a queue, with that to the exchange without a name."""
    await broker.queue(queue).info()
    own = {
        "source": "",
        "vhost": resources.HOST,
        "destination": queue,
        "destination_type": "queue",
        "routing_key": queue,
        "arguments": {},
        "properties_key": queue,
    }
    return [own, *(each for each in await _bindings(broker) if each["destination"] == queue)]


# ---------------------------------------------------------------------- exchanges


@management_routes.get("/exchanges")
@management_routes.get("/exchanges/{host}")
async def list_exchanges(broker: BrokerConnection, page: Listed) -> Any:
    """The exchanges that the caller may see."""
    shown = [resources.exchange_resource(each) for each in await broker.exchanges()]
    return page.of([resources.default_exchange(), *shown])


@management_routes.get("/exchanges/{host}/{name}")
async def show_exchange(name: NodeName, broker: BrokerConnection) -> Any:
    """An exchange."""
    if name == resources.DEFAULT_EXCHANGE:
        return resources.default_exchange()
    return resources.exchange_resource(await _exchange(name, broker))


@management_routes.put("/exchanges/{host}/{name}", responses={201: {"description": "It was declared."}})
async def declare_exchange(name: NodeName, broker: BrokerConnection, request: Request) -> Response:
    """Declare an exchange."""
    node = await json_model(request, Node)
    existed = any(each.name == name for each in await broker.exchanges(page=Page(contains=name)))
    options = {**node.arguments, "type": node.type or "direct", "durable": node.durable}
    if node.auto_delete:
        options["auto_delete"] = True
    await broker.declare_exchange(name, **options)
    return Response(status_code=HTTPStatus.NO_CONTENT if existed else HTTPStatus.CREATED)


@management_routes.delete("/exchanges/{host}/{name}", status_code=HTTPStatus.NO_CONTENT)
async def delete_exchange(name: NodeName, broker: BrokerConnection) -> None:
    """Delete an exchange."""
    await broker.delete_exchange(name)


@management_routes.post("/exchanges/{host}/{name}/publish")
async def publish(name: NodeName, broker: BrokerConnection, request: Request) -> dict[str, bool]:
    """Publish a message and wait for its confirmation; whether a queue got it."""
    message = await json_model(request, PublishedMessage)
    return {"routed": await message.publish(name, broker)}


@management_routes.get("/exchanges/{host}/{name}/bindings/source")
async def exchange_bindings(name: NodeName, broker: BrokerConnection) -> Any:
    """The bindings of an exchange."""
    await _exchange(name, broker)
    return [each for each in await _bindings(broker) if each["source"] == name]


# ---------------------------------------------------------------------- bindings


@management_routes.get("/bindings")
@management_routes.get("/bindings/{host}")
async def list_bindings(broker: BrokerConnection) -> Any:
    """The bindings of the exchanges that the caller may see."""
    return await _bindings(broker)


@management_routes.post("/bindings/{host}/e/{source}/{kind}/{name}", status_code=HTTPStatus.CREATED)
async def bind(source: str, name: NodeName, broker: BrokerConnection, request: Request) -> Response:
    """Bind a queue (`q`) or an exchange (`e`) to an exchange."""
    binding = await json_model(request, Binding)
    await broker.bind(segment(source), name, binding.routing_key, binding.arguments)
    return Response(status_code=HTTPStatus.CREATED, headers={"Location": binding.routing_key or "~"})


@management_routes.delete(
    "/bindings/{host}/e/{source}/{kind}/{name}/{key}", status_code=HTTPStatus.NO_CONTENT
)
async def unbind(source: str, name: NodeName, key: str, broker: BrokerConnection) -> None:
    """Remove a binding; its key is `~` where it is empty."""
    await broker.unbind(segment(source), name, "" if key == "~" else segment(key))


# ---------------------------------------------------------------------- peers


@management_routes.get("/connections")
async def list_connections(broker: BrokerConnection, page: Listed) -> Any:
    """The connections that the caller may see."""
    return page.of([resources.connection_resource(each) for each in await broker.statistics("connection")])


@management_routes.get("/connections/{name}")
async def show_connection(name: NodeName, broker: BrokerConnection) -> Any:
    """A connection."""
    shown = [resources.connection_resource(each) for each in await broker.statistics("connection")]
    return _one(shown, name, "connection")


@management_routes.delete("/connections/{name}", status_code=HTTPStatus.NO_CONTENT)
async def close_connection(name: NodeName, broker: BrokerConnection) -> None:
    """Close a connection."""
    await broker.close_connection(name)


@management_routes.get("/channels")
async def list_channels(broker: BrokerConnection, page: Listed) -> Any:
    """The sessions of these connections."""
    return page.of([resources.channel_resource(each) for each in await broker.statistics("session")])


@management_routes.get("/channels/{name}")
async def show_channel(name: NodeName, broker: BrokerConnection) -> Any:
    """A session, by its connection and channel."""
    shown = [resources.channel_resource(each) for each in await broker.statistics("session")]
    return _one(shown, name, "channel")


@management_routes.get("/consumers")
@management_routes.get("/consumers/{host}")
async def list_consumers(broker: BrokerConnection) -> Any:
    """The consumers on these connections."""
    return [resources.consumer_resource(each) for each in await broker.statistics("consumer")]


@management_routes.get("/definitions")
async def definitions(broker: BrokerConnection) -> dict[str, Any]:
    """The queues, exchanges and bindings, as a file that RabbitMQ's tools and `lastvalue import` read."""
    exchanges = [each for each in await broker.exchanges() if not each.name.startswith("amq.")]
    queues = [resources.queue_resource(each) for each in await broker.queues()]
    return {
        "rabbit_version": __version__,
        "product_name": "lastvalue",
        "vhosts": [{"name": resources.HOST}],
        "queues": [_chosen(each, "name", "vhost", "durable", "auto_delete", "arguments") for each in queues],
        "exchanges": [
            _chosen(
                resources.exchange_resource(each),
                "name", "vhost", "type", "durable", "auto_delete", "internal", "arguments",
            )
            for each in exchanges
        ],
        "bindings": [
            _chosen(each, "source", "vhost", "destination", "destination_type", "routing_key", "arguments")
            for each in await _bindings(broker)
        ],
    }  # fmt: skip


async def _administers(broker: Connection) -> bool:
    try:
        await broker.broker_statistics()
    except RefusedError:
        return False
    return True


async def _exchange(name: str, broker: Connection) -> ExchangeInfo:
    for each in await broker.exchanges(page=Page(contains=name)):
        if each.name == name:
            return each
    raise Problem(HTTPStatus.NOT_FOUND, f"there is no exchange named {name!r}")


async def _bindings(broker: Connection) -> list[dict[str, Any]]:
    exchanges = await broker.exchanges()
    queues = {each.name for each in await broker.queues()}
    return list(resources.binding_resources(exchanges, queues, {each.name for each in exchanges}))


def _one(shown: list[dict[str, Any]], name: str, kind: str) -> dict[str, Any]:
    for each in shown:
        if each["name"] == name:
            return each
    raise Problem(HTTPStatus.NOT_FOUND, f"there is no {kind} named {name!r}")


def _chosen(resource: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: resource[name] for name in names}
