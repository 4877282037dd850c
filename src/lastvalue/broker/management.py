"""Requests to the `$management` node: queues are made, shown and deleted by message.

Requests carry `operation`, `type` and `name` as application properties, in the manner of the AMQP management
draft and of Broker-J; the body of a CREATE is a map of options in any dialect of `queues.options`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mypy_extensions import mypyc_attr

from lastvalue.broker.broker import Broker
from lastvalue.broker.owner import NOBODY, Owner
from lastvalue.model.errors import BrokerError, InvalidSpecError
from lastvalue.queues.declaration import spec_from_arguments, spec_to_arguments
from lastvalue.queues.effects import Reason
from lastvalue.queues.queue import Queue

MANAGEMENT_NODE = "$management"
_TYPES = {
    "queue": {},
    "standard": {"type": "standard"},
    "lvq": {"type": "lvq"},
    "org.apache.qpid.Queue": {},
    "org.apache.qpid.StandardQueue": {"type": "standard"},
    "org.apache.qpid.LastValueQueue": {"type": "lvq"},
}


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Request:
    """What a client asks: `name` and `type` may be empty where the operation does not need them."""

    operation: str
    type: str = ""
    name: str = ""
    body: Mapping[str, Any] = field(default_factory=dict)


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Response:
    """The answer: a status code in HTTP's numbers, what it means here, and a result."""

    status: int
    description: str
    body: Any = None
    condition: str = ""


def manage(broker: Broker, request: Request, now: int, owner: Owner = NOBODY) -> Response:
    """Carry out a request. A refusal is a response too; nothing is raised for what a client asks."""
    operation = _OPERATIONS.get(request.operation)
    if operation is None:
        known = ", ".join(_OPERATIONS)
        return Response(
            501, f"no operation {request.operation!r}; known are {known}", None, "amqp:not-implemented"
        )
    if request.type and request.type not in _TYPES:
        known = ", ".join(_TYPES)
        return Response(400, f"no type {request.type!r}; known are {known}", None, "amqp:invalid-field")
    if operation is not _query and not request.name:
        return Response(400, f"{request.operation} needs the property `name`", None, "amqp:invalid-field")
    try:
        return operation(broker, request, now, owner)
    except BrokerError as error:
        return Response(error.condition.http, str(error), None, error.condition.amqp10)


def _create(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    del now
    if not isinstance(request.body, Mapping):
        raise InvalidSpecError("the body of CREATE is a map of options")
    arguments = {**_TYPES[request.type], **request.body} if request.type else dict(request.body)
    arguments.pop("name", None)
    spec = spec_from_arguments(request.name, arguments)
    made = broker.declare(spec, owner)
    queue = broker.lookup(request.name).queue
    return Response(201 if made else 200, "created" if made else "exists", describe(queue))


def _read(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    del now, owner
    return Response(200, "OK", describe(broker.lookup(request.name).queue))


def _delete(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    return Response(204, "deleted", {"messages": broker.delete(request.name, now, owner)})


def _purge(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    del now, owner
    return Response(200, "purged", {"messages": broker.purge(request.name)})


def _query(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    del request, now, owner
    return Response(200, "OK", [describe(queue) for queue in broker.queues()])


def describe(queue: Queue) -> dict[str, object]:
    """A queue's declaration and its figures. `published` is `depth` and the sum of `removed`."""
    return {
        "name": queue.spec.name,
        "options": spec_to_arguments(queue.spec),
        "depth": queue.depth,
        "available": queue.available,
        "depth_bytes": queue.depth_bytes,
        "subscriptions": len(queue.subscriptions),
        "published": queue.published,
        "refused": queue.refused,
        "removed": {reason.name.lower(): queue.removed(reason) for reason in Reason if queue.removed(reason)},
    }


_OPERATIONS: dict[str, Callable[[Broker, Request, int, Owner], Response]] = {
    "CREATE": _create,
    "READ": _read,
    "DELETE": _delete,
    "PURGE": _purge,
    "QUERY": _query,
}
