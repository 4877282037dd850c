"""Exchanges and their bindings as resources: /exchanges."""

from dataclasses import asdict
from http import HTTPStatus
from typing import Annotated, Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Body, Query
from pydantic import BaseModel, ConfigDict, Field

from lastvalue.client import Message, Page
from lastvalue.client.message_codec import encode_message
from lastvalue.http.broker_access import BrokerConnection, NodeName
from lastvalue.http.named_options import named_options
from lastvalue.model.jsonable import jsonable

MOST_LISTED: Final = 1000

exchange_routes = APIRouter(prefix="/exchanges", tags=["exchanges"])


class Binding(BaseModel):
    """A binding: where messages of an exchange go, and which."""

    model_config = ConfigDict(extra="forbid")

    destination: str = Field(description="A queue or an exchange.")
    key: str = ""
    arguments: dict[str, Any] = {}


class Routed(BaseModel):
    """A message that is not published: only where it would go is asked."""

    model_config = ConfigDict(extra="forbid")

    key: str = Field("", description="The routing key, or the subject.")
    properties: dict[str, str | bool | int | float] = {}


@exchange_routes.get("")
async def list_exchanges(
    broker: BrokerConnection,
    *,
    after: Annotated[str, Query(description="Exchanges after this name.")] = "",
    contains: Annotated[str, Query(description="Exchanges with this text in their name.")] = "",
    limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 100,
) -> dict[str, Any]:
    """A page of the exchanges that the caller may see; `next` is the next page."""
    exchanges = await broker.exchanges(page=Page(after=after, contains=contains, count=limit))
    listed: dict[str, Any] = {"exchanges": [jsonable(asdict(each)) for each in exchanges]}
    if len(exchanges) == limit:
        asked = {"after": exchanges[-1].name, "contains": contains, "limit": limit}
        listed["next"] = "/exchanges?" + urlencode({name: value for name, value in asked.items() if value})
    return listed


@exchange_routes.put("/{name}", status_code=HTTPStatus.NO_CONTENT)
async def declare_exchange(
    name: NodeName, broker: BrokerConnection, options: Annotated[dict[str, Any], Body()]
) -> None:
    """Declare the exchange."""
    await broker.declare_exchange(name, **named_options(options))


@exchange_routes.delete("/{name}", status_code=HTTPStatus.NO_CONTENT)
async def delete_exchange(name: NodeName, broker: BrokerConnection) -> None:
    """Delete the exchange and its bindings; the queues stay."""
    await broker.delete_exchange(name)


@exchange_routes.post("/{name}/route")
async def explain_route(name: NodeName, broker: BrokerConnection, routed: Routed) -> Any:
    """Where a message published to this name would go, by which bindings, and why not by others."""
    encoded = encode_message(Message(properties=routed.properties, subject=routed.key or None))
    rows = await broker.manage("ROUTE", name, {"key": routed.key, "message": encoded}, kind="exchange")
    bindings: Any = jsonable(rows)
    queues = dict.fromkeys(row["destination"] for row in bindings if row["gets"] and row["to"] == "queue")
    return {"queues": list(queues), "bindings": bindings}


@exchange_routes.post("/{name}/bindings", status_code=HTTPStatus.NO_CONTENT)
async def bind(name: NodeName, broker: BrokerConnection, binding: Binding) -> None:
    """Bind a queue or an exchange to the exchange."""
    await broker.bind(name, binding.destination, binding.key, binding.arguments)


@exchange_routes.delete("/{name}/bindings", status_code=HTTPStatus.NO_CONTENT)
async def unbind(
    name: NodeName, broker: BrokerConnection, *, destination: Annotated[str, Query()], key: str = ""
) -> None:
    """Remove a binding."""
    await broker.unbind(name, destination, key)
