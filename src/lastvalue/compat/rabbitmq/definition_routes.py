"""RabbitMQ's definitions: what the broker has, as a file, and such a file declared."""

from functools import partial
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from lastvalue import __version__
from lastvalue.client import Connection, RefusedError
from lastvalue.compat.rabbitmq import resources
from lastvalue.compat.rabbitmq.definitions import (
    OWN,
    DefinedPermission,
    DefinedUser,
    Definitions,
    check_definitions,
)
from lastvalue.compat.rabbitmq.refusing_route import RefusingRoute
from lastvalue.compat.rabbitmq.reversible_changes import ReversibleChanges, Undo
from lastvalue.compat.rabbitmq.user_resources import permission_resource, user_resource, with_permissions
from lastvalue.http.broker_access import BrokerConnection
from lastvalue.http.json_objects import json_model
from lastvalue.http.user_rules import remove_user, user_rules, write_user

definition_routes = APIRouter(prefix="/api/definitions", tags=["RabbitMQ"], route_class=RefusingRoute)


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

    All of it is declared, or nothing: the broker is asked about each definition first, and what it refuses
    only when it is declared undoes those before it. A user's password cannot be undone, so users come last.
    """
    file = await json_model(request, Definitions)
    patterns = [each.patterns() for each in file.permissions]
    credentials = [await each.credentials() for each in file.users]
    new = await check_definitions(broker, file)
    changes = ReversibleChanges()
    for exchange in file.own_exchanges():
        declared = exchange.declare_exchange(exchange.name, broker)
        undo = partial(broker.delete_exchange, exchange.name) if exchange.name in new.exchanges else None
        await changes.make(f"exchange {exchange.name!r}", declared, undo)
    for queue in file.queues:
        undo = None
        if queue.name in new.queues:
            undo = partial(broker.delete, queue.name, if_unused=True, if_empty=True)
        await changes.make(f"queue {queue.name!r}", queue.declare_queue(queue.name, broker), undo)
    await _bind(broker, file, changes)
    await _write_users(broker, list(zip(file.users, credentials, strict=True)), changes)
    await _permit(broker, list(zip(file.permissions, patterns, strict=True)), changes)
    return Response(status_code=HTTPStatus.NO_CONTENT)


async def _bind(broker: Connection, file: Definitions, changes: ReversibleChanges) -> None:
    bindings = file.own_bindings()
    exchanges = await broker.exchanges() if bindings else []
    before = {
        (exchange.name, each.destination, each.key): each.arguments
        for exchange in exchanges
        for each in exchange.bindings
    }
    for binding in bindings:
        ends = (binding.source, binding.destination, binding.routing_key)
        undo: Undo = partial(broker.unbind, *ends)
        if ends in before:
            undo = partial(broker.bind, *ends, before[ends])
        made = binding.bind(binding.source, binding.destination, broker)
        await changes.make(binding.described, made, undo)


async def _write_users(
    broker: Connection, users: list[tuple[DefinedUser, dict[str, str] | None]], changes: ReversibleChanges
) -> None:
    before = await user_rules(broker) if users else {}
    for user, credentials in users:
        undo: Undo = partial(remove_user, broker, user.name)
        if user.name in before:
            undo = partial(write_user, broker, user.name, before[user.name], None)
        await changes.make(f"user {user.name!r}", user.write(user.name, credentials, broker), undo)


async def _permit(
    broker: Connection,
    permissions: list[tuple[DefinedPermission, dict[str, list[str]]]],
    changes: ReversibleChanges,
) -> None:
    rules = await user_rules(broker) if permissions else {}
    for permission, patterns in permissions:
        user = permission.user
        before = rules.get(user, [])
        rules[user] = with_permissions(before, patterns)
        written = write_user(broker, user, rules[user], None)
        undo = partial(write_user, broker, user, before, None)
        await changes.make(f"permissions of user {user!r}", written, undo)


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
