"""Peers in RabbitMQ's management API: connections, channels and consumers."""

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Query

from lastvalue.client import Connection
from lastvalue.compat.rabbitmq import resources
from lastvalue.compat.rabbitmq.list_page import ListPage
from lastvalue.compat.rabbitmq.refusing_route import RefusingRoute
from lastvalue.http.broker_access import BrokerConnection, NodeName
from lastvalue.http.encoded_paths import segment

peer_routes = APIRouter(prefix="/api", tags=["RabbitMQ"], route_class=RefusingRoute)
Listed = Annotated[ListPage, Query()]


@peer_routes.get("/connections")
@peer_routes.get("/vhosts/{host}/connections")
async def list_connections(broker: BrokerConnection, page: Listed) -> Any:
    """The connections that the caller may see."""
    return page.of(await _connections(broker))


@peer_routes.get("/connections/{name}")
async def show_connection(name: NodeName, broker: BrokerConnection) -> Any:
    """A connection."""
    shown = await _connections(broker)
    return resources.one_named(shown, name, "connection")


@peer_routes.delete("/connections/{name}", status_code=HTTPStatus.NO_CONTENT)
async def close_connection(name: NodeName, broker: BrokerConnection) -> None:
    """Close a connection."""
    await broker.close_connection(name)


@peer_routes.get("/connections/{name}/channels")
async def connection_channels(name: NodeName, broker: BrokerConnection) -> Any:
    """The sessions of a connection."""
    await show_connection(name, broker)
    return [each for each in await _channels(broker) if each["connection_details"]["name"] == name]


@peer_routes.get("/connections/username/{user}")
async def user_connections(user: str, broker: BrokerConnection) -> Any:
    """The connections of a user."""
    return [each for each in await _connections(broker) if each["user"] == segment(user)]


@peer_routes.delete("/connections/username/{user}", status_code=HTTPStatus.NO_CONTENT)
async def close_user_connections(user: str, broker: BrokerConnection) -> None:
    """Close the connections of a user."""
    for each in await user_connections(user, broker):
        await broker.close_connection(each["name"])


@peer_routes.get("/channels")
@peer_routes.get("/vhosts/{host}/channels")
async def list_channels(broker: BrokerConnection, page: Listed) -> Any:
    """The sessions of these connections."""
    return page.of(await _channels(broker))


@peer_routes.get("/channels/{name}")
async def show_channel(name: NodeName, broker: BrokerConnection) -> Any:
    """A session, by its connection and channel."""
    shown = await _channels(broker)
    return resources.one_named(shown, name, "channel")


@peer_routes.get("/consumers")
@peer_routes.get("/consumers/{host}")
async def list_consumers(broker: BrokerConnection) -> Any:
    """The consumers on these connections."""
    return [resources.consumer_resource(each) for each in await broker.statistics("consumer")]


async def _connections(broker: Connection) -> list[dict[str, Any]]:
    return [resources.connection_resource(each) for each in await broker.statistics("connection")]


async def _channels(broker: Connection) -> list[dict[str, Any]]:
    return [resources.channel_resource(each) for each in await broker.statistics("session")]
