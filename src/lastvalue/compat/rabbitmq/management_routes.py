"""RabbitMQ's management API below /api: what its users' tools ask for."""

from dataclasses import replace
from http import HTTPStatus
from typing import Annotated, Any, Final, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query
from pydantic import BaseModel, BeforeValidator
from starlette.requests import Request
from starlette.responses import Response

from lastvalue import __version__
from lastvalue.client import Connection, ExchangeInfo, Page
from lastvalue.client.page import EVERY_NAME
from lastvalue.compat.rabbitmq import resources
from lastvalue.compat.rabbitmq.list_page import ListPage
from lastvalue.compat.rabbitmq.messages import MessageGet, PublishedMessage
from lastvalue.compat.rabbitmq.refusing_route import RefusingRoute
from lastvalue.http.broker_access import BrokerConnection, HostName, NodeName, QueueName, access_of
from lastvalue.http.encoded_paths import segment
from lastvalue.http.json_objects import json_model
from lastvalue.http.named_options import named_options
from lastvalue.http.problems import FieldProblem, Problem
from lastvalue.model.errors import QueueNotFoundError

PREFIX: Final = "/api"
Kind = Literal["q", "e"]
_KINDS: Final = {"q": "queue", "e": "exchange"}
MATCH: Final = "x-match"
AUTO_DELETE: Final = "delete-on-no-outbound-links"

management_routes = APIRouter(prefix=PREFIX, tags=["RabbitMQ"], route_class=RefusingRoute)
Listed = Annotated[ListPage, Query()]


def _given(arguments: object) -> object:
    return {} if arguments is None or arguments == [] else arguments


Arguments = Annotated[dict[str, Any], BeforeValidator(_given)]
"""Tools send null for none, and those of languages without maps of their own an empty list."""


IfUnused = Annotated[bool, Query(alias="if-unused", description="Not while something uses it.")]
IfEmpty = Annotated[bool, Query(alias="if-empty", description="Not while it has messages.")]


class Node(BaseModel):
    """A declaration of a queue or an exchange."""

    type: str | None = None
    durable: bool = True
    auto_delete: bool = False
    internal: bool = False
    arguments: Arguments = {}

    async def declare_queue(self, name: str, broker: Connection) -> None:
        """Declare a queue; its arguments are RabbitMQ's, or options by our names."""
        await broker.declare(name, **self.queue_options())

    async def declare_exchange(self, name: str, broker: Connection) -> None:
        """Declare an exchange."""
        await broker.declare_exchange(name, **self.exchange_options())

    def queue_options(self) -> dict[str, Any]:
        """The options of a queue."""
        lifetime = {"lifetime": AUTO_DELETE} if self.auto_delete else {}
        return {**named_options(self.arguments), "durable": self.durable, **lifetime}

    def exchange_options(self) -> dict[str, Any]:
        """The options of an exchange."""
        options = {"type": self.type or "direct", **named_options(self.arguments), "durable": self.durable}
        flags = {"auto_delete": self.auto_delete, "internal": self.internal}
        return options | {name: True for name, given in flags.items() if given}


class Binding(BaseModel):
    """A binding."""

    routing_key: str = ""
    arguments: Arguments = {}

    async def bind(self, source: str, destination: str, broker: Connection) -> None:
        """Bind; to a headers exchange by all of the arguments where they do not say otherwise."""
        arguments = self.arguments
        if MATCH not in arguments and (await exchange_named(source, broker)).type == "headers":
            arguments = {MATCH: "all", **arguments}
        await broker.bind(source, destination, self.routing_key, arguments)


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
    """The one node; who may administer the broker sees what it uses."""
    return [resources.node_resource(await resources.broker_statistics(broker))]


@management_routes.get("/nodes/{name}")
async def node(name: NodeName, broker: BrokerConnection) -> dict[str, Any]:
    """The node, by its name."""
    return resources.one_named(await nodes(broker), name, "node")


@management_routes.get("/whoami")
async def whoami(broker: BrokerConnection, request: Request) -> dict[str, Any]:
    """The user who asks; a tag says whether that one may administer the broker."""
    await broker.clock_ms()
    access = access_of(request)
    user = access.connections.user_of(access.identify(request))
    return {
        "name": user or "anonymous",
        "tags": ["administrator" if await resources.broker_statistics(broker) else "management"],
    }


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
        raise FieldProblem("name", "the broker has one virtual host, which cannot be deleted")


@management_routes.get("/auth")
async def oauth() -> dict[str, bool]:
    """Whether a login asks another server."""
    return {"oauth_enabled": False}


@management_routes.get("/extensions")
async def extensions(broker: BrokerConnection) -> list[object]:
    """There are none."""
    await broker.clock_ms()
    return []


# ---------------------------------------------------------------------- queues


@management_routes.get("/queues")
async def list_queues(broker: BrokerConnection, page: Listed) -> Any:
    """The queues that the caller may see."""
    return await _listed_queues(EVERY_NAME, broker, page)


@management_routes.get("/queues/{host}")
async def list_queues_of_host(host: HostName, broker: BrokerConnection, page: Listed) -> Any:
    """The queues that were declared under a name of the virtual host; all where none was, and of `/`."""
    all_of = Page(virtual_host=host)
    if host == resources.HOST or not await _count(broker, all_of):
        all_of = EVERY_NAME
    return await _listed_queues(all_of, broker, page)


async def _listed_queues(all_of: Page, broker: Connection, page: ListPage) -> Any:
    if page.expression() is not None:
        filtered = replace(all_of, matches=page.name)
    else:
        filtered = replace(all_of, contains=page.name)
    if page.page is None:
        return [resources.queue_resource(each) for each in await broker.queues(page=filtered)]
    offset = (page.page - 1) * page.page_size
    queues = await broker.queues(page=replace(filtered, sort="name", offset=offset, count=page.page_size))
    shown = [resources.queue_resource(each) for each in queues]
    return page.document(shown, await _count(broker, filtered), await _count(broker, all_of))


async def _count(broker: Connection, page: Page) -> int:
    return (await broker.queue_sums((), page=page))["queues"]


@management_routes.get("/queues/{host}/{queue}")
async def show_queue(queue: QueueName, broker: BrokerConnection) -> Any:
    """A queue."""
    return resources.queue_resource(await broker.queue(queue).info())


@management_routes.put("/queues/{host}/{queue}", responses={201: {"description": "It was declared."}})
async def declare_queue(
    host: HostName, queue: QueueName, broker: BrokerConnection, request: Request
) -> Response:
    """Declare a queue; its arguments are RabbitMQ's, or options by our names. It keeps the host's name."""
    node = await json_model(request, Node)
    try:
        await broker.queue(queue).info()
        status = HTTPStatus.NO_CONTENT
    except QueueNotFoundError:
        status = HTTPStatus.CREATED
    await broker.declare(queue, **{"virtual_host": host, **node.queue_options()})
    return Response(status_code=status)


@management_routes.delete("/queues/{host}/{queue}", status_code=HTTPStatus.NO_CONTENT)
async def delete_queue(
    queue: QueueName, broker: BrokerConnection, *, if_unused: IfUnused = False, if_empty: IfEmpty = False
) -> None:
    """Delete a queue."""
    await broker.delete(queue, if_unused=if_unused, if_empty=if_empty)


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
    return [own, *(each for each in await resources.bindings(broker) if each["destination"] == queue)]


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
    return resources.exchange_resource(await exchange_named(name, broker))


@management_routes.put("/exchanges/{host}/{name}", responses={201: {"description": "It was declared."}})
async def declare_exchange(name: NodeName, broker: BrokerConnection, request: Request) -> Response:
    """Declare an exchange."""
    node = await json_model(request, Node)
    existed = any(each.name == name for each in await broker.exchanges(page=Page(contains=name)))
    await node.declare_exchange(name, broker)
    return Response(status_code=HTTPStatus.NO_CONTENT if existed else HTTPStatus.CREATED)


@management_routes.delete("/exchanges/{host}/{name}", status_code=HTTPStatus.NO_CONTENT)
async def delete_exchange(name: NodeName, broker: BrokerConnection, *, if_unused: IfUnused = False) -> None:
    """Delete an exchange."""
    await broker.delete_exchange(name, if_unused=if_unused)


@management_routes.post("/exchanges/{host}/{name}/publish")
async def publish(name: NodeName, broker: BrokerConnection, request: Request) -> dict[str, bool]:
    """Publish a message and wait for its confirmation; whether a queue got it."""
    message = await json_model(request, PublishedMessage)
    return {"routed": await message.publish(name, broker)}


@management_routes.get("/exchanges/{host}/{name}/bindings/source")
async def exchange_bindings(name: NodeName, broker: BrokerConnection) -> Any:
    """The bindings of an exchange."""
    await exchange_named(name, broker)
    return [each for each in await resources.bindings(broker) if each["source"] == name]


@management_routes.get("/exchanges/{host}/{name}/bindings/destination")
async def bindings_to_exchange(name: NodeName, broker: BrokerConnection) -> Any:
    """The bindings to an exchange."""
    await exchange_named(name, broker)
    found = await resources.bindings(broker)
    return [each for each in found if (each["destination_type"], each["destination"]) == ("exchange", name)]


# ---------------------------------------------------------------------- bindings


@management_routes.get("/bindings")
@management_routes.get("/bindings/{host}")
async def list_bindings(broker: BrokerConnection) -> Any:
    """The bindings of the exchanges that the caller may see."""
    return await resources.bindings(broker)


@management_routes.get("/bindings/{host}/e/{source}/{kind}/{name}")
async def bindings_between(source: str, kind: Kind, name: NodeName, broker: BrokerConnection) -> Any:
    """The bindings of a queue (`q`) or an exchange (`e`) to an exchange."""
    ends = (segment(source), name, _KINDS[kind])
    found = await resources.bindings(broker)
    return [each for each in found if (each["source"], each["destination"], each["destination_type"]) == ends]


@management_routes.get("/bindings/{host}/e/{source}/{kind}/{name}/{key}")
async def show_binding(source: str, kind: Kind, name: NodeName, key: str, broker: BrokerConnection) -> Any:
    """A binding, by its key; `~` where that is empty."""
    for each in await bindings_between(source, kind, name, broker):
        if each["properties_key"] == segment(key):
            return each
    raise Problem(HTTPStatus.NOT_FOUND, f"there is no binding with the key {segment(key)!r}")


@management_routes.post("/bindings/{host}/e/{source}/{kind}/{name}", status_code=HTTPStatus.CREATED)
async def bind(
    source: str, kind: Kind, name: NodeName, broker: BrokerConnection, request: Request
) -> Response:
    """Bind a queue (`q`) or an exchange (`e`) to an exchange."""
    del kind
    binding = await json_model(request, Binding)
    await binding.bind(segment(source), name, broker)
    place = quote(binding.routing_key or "~", safe="")
    return Response(status_code=HTTPStatus.CREATED, headers={"Location": place})


@management_routes.delete(
    "/bindings/{host}/e/{source}/{kind}/{name}/{key}", status_code=HTTPStatus.NO_CONTENT
)
async def unbind(source: str, kind: Kind, name: NodeName, key: str, broker: BrokerConnection) -> None:
    """Remove a binding; its key is `~` where it is empty."""
    del kind
    await broker.unbind(segment(source), name, "" if key == "~" else segment(key))


async def exchange_named(name: str, broker: Connection) -> ExchangeInfo:
    """The exchange of a name.

    Raises:
        Problem: there is none.
    """
    for each in await broker.exchanges(page=Page(contains=name)):
        if each.name == name:
            return each
    raise Problem(HTTPStatus.NOT_FOUND, f"there is no exchange named {name!r}")
