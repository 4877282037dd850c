"""Broker-J's REST API: /api/latest/CATEGORY/NODE/HOST/NAME, operations below it, and queries."""

import json
from collections.abc import Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Annotated, Any, Final
from urllib.parse import quote, unquote

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from lastvalue.client import Connection
from lastvalue.compat.broker_j.attribute_query import AttributeQuery, QueryRows
from lastvalue.compat.broker_j.nested_objects import depth_of, nested_objects
from lastvalue.compat.broker_j.object_tree import CATEGORIES, Objects, queue_named, queue_pages, queues
from lastvalue.compat.broker_j.operations import OPERATIONS
from lastvalue.compat.broker_j.queue_attributes import DEFAULT_KEY, SORTED_BY, options_of
from lastvalue.http.broker_access import BrokerConnection
from lastvalue.http.encoded_paths import segment
from lastvalue.http.json_objects import json_object
from lastvalue.http.named_options import named_options
from lastvalue.http.problems import FieldProblem, Problem
from lastvalue.http.user_rules import (
    MOST_PASSWORD,
    credentials_of,
    remove_user,
    rules_of,
    user_rules,
    write_user,
)
from lastvalue.model.errors import QueueNotFoundError

PREFIX: Final = "/api/latest"
OTHER_PREFIXES: Final = ("/api/v8.0", "/api/v9.0")
"""Of versions of the API that are the same."""

ANY: Final = "*"
CHANGEABLE: Final = ("queue", "exchange", "user")
NOT_FILTERS: Final = frozenset(
    {
        "depth",
        "actuals",
        "oversize",
        "excludeInheritedContext",
        "extractInitialConfig",
        "sort",
        "singletonModelObjectResponseAsList",
    }
)
"""Parameters of a list that are no attributes of objects."""

object_routes = APIRouter(tags=["Broker-J"])


class QueryParameters(BaseModel):
    """The parameters of a query."""

    model_config = ConfigDict(populate_by_name=True)

    select: str = ""
    where: str = ""
    order_by: str = Field("", alias="orderBy")
    limit: int = Field(-1, ge=-1, le=2**31)
    offset: int = Field(0, ge=0, le=2**31)


@object_routes.get("/querybroker/{category}")
async def query_broker(
    category: str, broker: BrokerConnection, query: Annotated[QueryParameters, Query()]
) -> dict[str, Any]:
    """The selected attributes of the objects of a category."""
    return await _queried(category, AttributeQuery(**query.model_dump()), broker)


@object_routes.get("/queryvhost/{node}/{host}/{category}")
async def query_host(
    category: str, broker: BrokerConnection, query: Annotated[QueryParameters, Query()]
) -> dict[str, Any]:
    """The same for the objects of a virtual host; every name of one stands for the broker's."""
    return await _queried(category, AttributeQuery(**query.model_dump()), broker)


@object_routes.get("/{category}")
async def list_objects(category: str, broker: BrokerConnection, request: Request) -> JSONResponse:
    """The objects of a category, with each parameter that is an attribute as a filter."""
    return await _listed(await _every(category, broker), category, broker, request)


@object_routes.get("/{category}/{path:path}")
async def read_object(category: str, path: str, broker: BrokerConnection, request: Request) -> Response:
    """An object, a list of those below a path, or the answer of an operation that changes nothing."""
    names, operation = _split(category, path)
    if operation:
        return await _operate(category, names, operation, broker, dict(request.query_params), read_only=True)
    depth, _ = CATEGORIES[category]
    if len(names) < depth or ANY in names:
        objects = await _every(category, broker)
        wanted = names[-1] if len(names) == depth and names[-1] != ANY else None
        found = [each for each in objects if wanted in (None, each["name"])]
        return await _listed(found, category, broker, request)
    found = await _at_path(category, names, broker)
    if not found:
        raise _missing(category, names)
    found = await nested_objects(found, category, depth_of(request.query_params.get("depth")), broker)
    as_list = request.query_params.get("singletonModelObjectResponseAsList") == "true"
    return JSONResponse(found if as_list or category == "binding" else found[0])


@object_routes.put("/{category}/{path:path}", responses={201: {"description": "The object was made."}})
async def put_object(category: str, path: str, broker: BrokerConnection, request: Request) -> Response:
    """Make an object, or change the one that is there."""
    names, operation = _split(category, path)
    if operation:
        raise Problem(HTTPStatus.METHOD_NOT_ALLOWED, "operations are asked for with POST")
    attributes = await json_object(request)
    if len(names) < CATEGORIES[category][0]:
        return await _create(category, [*names, _named(attributes)], attributes, broker)
    if category in CHANGEABLE and await _exists(category, names[-1], broker):
        return await _change(category, names[-1], attributes, broker)
    return await _create(category, names, attributes, broker)


@object_routes.post("/{category}/{path:path}", responses={201: {"description": "The object was made."}})
async def post_object(category: str, path: str, broker: BrokerConnection, request: Request) -> Response:
    """Run an operation, change an object, or make one below its parent."""
    names, operation = _split(category, path)
    arguments = await json_object(request)
    if operation:
        return await _operate(category, names, operation, broker, arguments, read_only=False)
    if len(names) < CATEGORIES[category][0]:
        return await _create(category, [*names, _named(arguments)], arguments, broker)
    return await _change(category, names[-1], arguments, broker)


@object_routes.delete("/{category}/{path:path}")
async def delete_object(category: str, path: str, broker: BrokerConnection, request: Request) -> Response:
    """Delete an object, by its path or by `name` or `id` below its parent."""
    names, _ = _split(category, path)
    asked = request.query_params
    wanted = asked.getlist("name") + asked.getlist("id")
    if len(names) == CATEGORIES[category][0]:
        wanted, objects = [names[-1]], await _at_path(category, names, broker)
    elif wanted:
        objects = await _every(category, broker)
    else:
        raise FieldProblem("name", "say which with the parameter `name` or `id`")
    for found in [_one_of(objects, category, each) for each in wanted]:
        await _delete(category, found, broker)
    return Response(status_code=HTTPStatus.OK)


_ONE_OF_ITS_KIND: Final = ("broker", "virtualhostnode", "virtualhost")


def _split(category: str, path: str) -> tuple[list[str], str]:
    """The names of a path, encoded once more than others, and the operation after them."""
    names = [unquote(segment(each)) for each in path.split("/") if each]
    depth = _category(category)
    if len(names) == depth + 1:
        return names[:-1], names[-1]
    if len(names) > depth:
        raise Problem(HTTPStatus.NOT_FOUND, f"a {category} has {depth} names in its path")
    return names, ""


def _category(category: str) -> int:
    if category not in CATEGORIES:
        known = ", ".join(CATEGORIES)
        raise Problem(HTTPStatus.NOT_FOUND, f"there is no category {category!r:.80}; there are {known}")
    return CATEGORIES[category][0]


async def _every(category: str, broker: Connection) -> Objects:
    _category(category)
    return await CATEGORIES[category][1](broker)


async def _at_path(category: str, names: list[str], broker: Connection) -> Objects:
    if category == "queue":
        return await queue_named(broker, names[-1])
    objects = await _every(category, broker)
    return (
        objects if category in _ONE_OF_ITS_KIND else [each for each in objects if each["name"] == names[-1]]
    )


async def _queried(category: str, query: AttributeQuery, broker: Connection) -> dict[str, Any]:
    """The answer to a query; of queues no more are read than are wanted, or some at a time."""
    if category != "queue":
        return query.answer(await _every(category, broker))
    rows = QueryRows(query)
    page = query.page(SORTED_BY)
    if page is not None:
        rows = QueryRows(replace(query, order_by="", offset=0))
        rows.add(await queues(broker, page))
        return rows.document((await broker.queue_sums(()))["queues"])
    async for some in queue_pages(broker):
        rows.add(some)
    return rows.document()


async def _exists(category: str, name: str, broker: Connection) -> bool:
    if category == "user":
        return name in await user_rules(broker)
    if category == "exchange":
        return any(each.name == name for each in await broker.exchanges())
    try:
        await broker.queue(name).info()
    except QueueNotFoundError:
        return False
    return True


async def _listed(objects: Objects, category: str, broker: Connection, request: Request) -> JSONResponse:
    depth = depth_of(request.query_params.get("depth"))
    return JSONResponse(await nested_objects(_filtered(objects, request), category, depth, broker))


def _filtered(objects: Objects, request: Request) -> Objects:
    filters = [(name, value) for name, value in request.query_params.multi_items() if name not in NOT_FILTERS]
    names = {name for name, _ in filters}
    found = [
        each
        for each in objects
        if all(any(name == n and _shown(each.get(n)) == value for n, value in filters) for name in names)
    ]
    for order in reversed(request.query_params.getlist("sort")):
        name = order.removeprefix("-")
        found.sort(key=lambda each: _shown(each.get(name)), reverse=order.startswith("-"))
    return found


def _shown(value: object) -> str:
    return json.dumps(value) if isinstance(value, bool | dict | list) else str(value)


async def _change(category: str, name: str, attributes: Mapping[str, Any], broker: Connection) -> Response:
    if category not in CHANGEABLE:
        raise _unchangeable(category)
    if attributes.get("name", name) != name:
        raise Problem(HTTPStatus.CONFLICT, f"{category} {name!r} has its name for life")
    if category == "user":
        await rules_of(broker, name)
        await _write_user(name, attributes, broker)
        return Response(status_code=HTTPStatus.OK)
    await broker.manage("UPDATE", name, options_of(attributes), kind=category)
    return Response(status_code=HTTPStatus.OK)


async def _create(
    category: str, names: list[str], attributes: Mapping[str, Any], broker: Connection
) -> Response:
    name = names[-1]
    if category == "queue":
        if await _exists(category, name, broker):
            raise Problem(HTTPStatus.CONFLICT, f"a queue named {name!r} exists already")
        key = {"lvqKey": DEFAULT_KEY} if attributes.get("type") == "lvq" else {}
        await broker.declare(name, **{"durable": True, **key, **_given(attributes)})
    elif category == "exchange":
        await broker.declare_exchange(name, **{"durable": True, **_given(attributes)})
    elif category == "user":
        if name in await user_rules(broker):
            raise Problem(HTTPStatus.CONFLICT, f"a user named {name!r} exists already")
        await _write_user(name, attributes, broker)
    else:
        raise _unchangeable(category)
    path = "/".join(quote(quote(each, safe=""), safe="") for each in names)
    return Response(status_code=HTTPStatus.CREATED, headers={"Location": f"{PREFIX}/{category}/{path}"})


def _given(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a declaration; null is what is not given."""
    return named_options({name: value for name, value in options_of(attributes).items() if value is not None})


async def _write_user(name: str, attributes: Mapping[str, Any], broker: Connection) -> None:
    """Make a user with `password`, or change it; `rules` are ours, of a new user none without them."""
    password, rules = attributes.get("password"), attributes.get("rules")
    if not isinstance(password, str) or not 0 < len(password) <= MOST_PASSWORD:
        raise FieldProblem("password", "a user needs a `password`, a text")
    if rules is not None and not (isinstance(rules, list) and all(isinstance(each, str) for each in rules)):
        raise FieldProblem("rules", f"rules is {rules!r:.80}; expected a list of texts")
    present = await user_rules(broker)
    wanted = [] if rules is None and name not in present else rules
    await write_user(broker, name, wanted, await credentials_of(password))


def _one_of(objects: Objects, category: str, wanted: str) -> dict[str, Any]:
    """The object of a name or an id.

    Raises:
        Problem: there is none, or several have that name.
    """
    found = [each for each in objects if wanted in (each["id"], each["name"])]
    if not found:
        raise _missing(category, [wanted])
    if len(found) > 1:
        raise Problem(
            HTTPStatus.CONFLICT,
            f"{len(found)} objects are named {wanted!r}; say which with the parameter `id`",
        )
    return found[0]


async def _delete(category: str, found: Mapping[str, Any], broker: Connection) -> None:
    name = found["name"]
    match category:
        case "queue":
            await broker.delete(name)
        case "exchange":
            await broker.delete_exchange(name)
        case "connection":
            await broker.close_connection(name)
        case "consumer":
            await broker.close_consumer(name, session=found["session"], connection=found["connection"])
        case "user":
            await remove_user(broker, name)
        case _:
            raise _unchangeable(category)


async def _operate(
    category: str,
    names: list[str],
    name: str,
    broker: Connection,
    arguments: Mapping[str, Any],
    *,
    read_only: bool,
) -> Response:
    operations = OPERATIONS.get(category, {})
    operation = operations.get(name)
    if operation is None:
        known = ", ".join(operations) or "none"
        raise Problem(HTTPStatus.NOT_FOUND, f"a {category} has no operation {name!r:.80}; there are {known}")
    if read_only and operation.changes:
        raise Problem(HTTPStatus.METHOD_NOT_ALLOWED, f"{name} changes something; ask with POST")
    return await operation.run(broker, names[-1], arguments)


def _named(attributes: Mapping[str, Any]) -> str:
    name = attributes.get("name")
    if not isinstance(name, str) or not name:
        raise FieldProblem("name", "the body needs `name`")
    return name


def _missing(category: str, names: list[str]) -> Problem:
    return Problem(HTTPStatus.NOT_FOUND, f"there is no {category} named {names[-1]!r}")


def _unchangeable(category: str) -> Problem:
    return Problem(HTTPStatus.NOT_IMPLEMENTED, f"a {category} cannot be made or changed here")
