"""RabbitMQ's definitions: what the broker has, as a file, and such a file declared."""

from collections.abc import Awaitable
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from lastvalue import __version__
from lastvalue.client import Connection, RefusedError
from lastvalue.http.broker_access import BrokerConnection
from lastvalue.http.json_objects import json_model
from lastvalue.http.problems import Problem
from lastvalue.http.rabbitmq import resources
from lastvalue.http.rabbitmq.definitions import OWN, Definitions, check_definitions
from lastvalue.http.rabbitmq.user_resources import permission_resource, user_resource, with_permissions
from lastvalue.http.user_rules import rules_of, user_rules, write_user
from lastvalue.model.errors import LastvalueError

definition_routes = APIRouter(prefix="/api/definitions", tags=["RabbitMQ"])


@definition_routes.get("")
@definition_routes.get("/{host}")
async def definitions(broker: BrokerConnection) -> dict[str, Any]:
    """What the caller may see, as a file that RabbitMQ's tools and `lastvalue import` read; no passwords."""
    exchanges = [each for each in await broker.exchanges() if not each.name.startswith(OWN)]
    queues = [resources.queue_resource(each) for each in await broker.queues()]
    return {
        "rabbit_version": __version__,
        "rabbitmq_version": __version__,
        "product_name": "lastvalue",
        "vhosts": [{"name": resources.HOST}],
        **await _users(broker),
        "policies": [],
        "parameters": [],
        "global_parameters": [],
        "topic_permissions": [],
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
            for each in await resources.bindings(broker)
        ],
    }  # fmt: skip


@definition_routes.post("", status_code=HTTPStatus.NO_CONTENT)
@definition_routes.post("/{host}", status_code=HTTPStatus.NO_CONTENT)
async def define(broker: BrokerConnection, request: Request) -> Response:
    """Declare what a file of definitions has; what is there already stays.

    The broker is asked about each definition first, and one that it would refuse changes nothing. What it
    refuses only when it is declared is named, with how much was declared before it; sent again, the file goes
    on there.
    """
    file = await json_model(request, Definitions)
    patterns = [each.patterns() for each in file.permissions]
    credentials = [await each.credentials() for each in file.users]
    await check_definitions(broker, file)
    done = 0
    for user, checked_by in zip(file.users, credentials, strict=True):
        done = await _named(f"user {user.name!r}", user.write(user.name, checked_by, broker), done)
    for permission, given in zip(file.permissions, patterns, strict=True):
        what = f"permissions of user {permission.user!r}"
        done = await _named(what, _permit(permission.user, given, broker), done)
    for exchange in file.own_exchanges():
        declared = exchange.declare_exchange(exchange.name, broker)
        done = await _named(f"exchange {exchange.name!r}", declared, done)
    for queue in file.queues:
        done = await _named(f"queue {queue.name!r}", queue.declare_queue(queue.name, broker), done)
    for binding in file.own_bindings():
        made = binding.bind(binding.source, binding.destination, broker)
        done = await _named(binding.described, made, done)
    return Response(status_code=HTTPStatus.NO_CONTENT)


async def _named(what: str, change: Awaitable[object], done: int) -> int:
    """Make a change; how many there are now.

    Raises:
        Problem: it is refused.
    """
    try:
        await change
    except LastvalueError as error:
        detail = f"{what}: {error}; {done} definitions before it were declared"
        raise Problem(HTTPStatus(error.condition.http), detail) from None
    return done + 1


async def _permit(user: str, patterns: dict[str, list[str]], broker: Connection) -> None:
    await write_user(broker, user, with_permissions(await rules_of(broker, user), patterns), None)


async def _users(broker: Connection) -> dict[str, list[dict[str, Any]]]:
    """Users and permissions, of which only an administrator sees any."""
    try:
        users = await user_rules(broker)
    except RefusedError:
        return {"users": [], "permissions": []}
    permissions = (permission_resource(name, rules) for name, rules in users.items())
    return {
        "users": [_chosen(user_resource(name, rules), "name", "tags") for name, rules in users.items()],
        "permissions": [each for each in permissions if each is not None],
    }


def _chosen(resource: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: resource[name] for name in names}
