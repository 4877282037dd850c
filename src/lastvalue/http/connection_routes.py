"""Connections, sessions, consumers and producers as resources."""

from enum import StrEnum
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Query

from lastvalue.http.broker_access import BrokerConnection, NodeName
from lastvalue.model.jsonable import jsonable

connection_routes = APIRouter(tags=["connections"])


class PeerKind(StrEnum):
    """What there is of the broker's peers."""

    CONNECTIONS = "connections"
    SESSIONS = "sessions"
    CONSUMERS = "consumers"
    PRODUCERS = "producers"


@connection_routes.get("/peers/{kind}")
async def list_peers(kind: PeerKind, broker: BrokerConnection) -> Any:
    """The statistics of those that the caller may see, with the names of docs/operate/statistics.md."""
    return {kind.value: jsonable(await broker.statistics(kind.value.removesuffix("s")))}


@connection_routes.delete("/peers/connections/{name}", status_code=HTTPStatus.NO_CONTENT)
async def close_connection(name: NodeName, broker: BrokerConnection) -> None:
    """Close a connection; those of other users need the right `administer` on `$connections`."""
    await broker.close_connection(name)


@connection_routes.delete("/peers/consumers/{name}", status_code=HTTPStatus.NO_CONTENT)
async def close_consumer(
    name: NodeName,
    broker: BrokerConnection,
    *,
    connection: Annotated[str, Query(description="The name of its connection.")],
    session: Annotated[str, Query(description="The name of its session.")],
) -> None:
    """Close a consumer; those of other users need the right `administer` on `$connections`."""
    await broker.close_consumer(name, session=session, connection=connection)


@connection_routes.get("/broker")
async def show_broker(broker: BrokerConnection) -> Any:
    """The statistics of the broker and of its process, which need the right `administer` on `$broker`."""
    return jsonable(await broker.broker_statistics())
