"""Requests to the node `/management` in the form of RabbitMQ's AMQP 1.0 clients: a method, a path, a map.

Each becomes a request of `broker.management`. As in RabbitMQ, deleting a missing node succeeds.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias
from urllib.parse import unquote

from lastvalue.broker.administration.request import Request, Response
from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.management import manage
from lastvalue.broker.rights.owner import Owner
from lastvalue.model.errors import BrokerError
from lastvalue.queues.spec import Exclusive, Lifetime

PATH_NODE: Final = "/management"

_REFUSED: Final = 300
_NOT_FOUND: Final = 404
_NO_CONTENT: Final = 204
_OTHER_STATUS: Final = {412: 409, 422: 400}
"""[RabbitMQ] A declaration with other options is a conflict; a malformed request is a bad request."""
_EXPIRES: Final = "x-expires"


class _Context:
    """A request with its broker, its caller and the time."""

    def __init__(self, broker: Broker, owner: Owner, now: int) -> None:
        self.broker = broker
        self._owner = owner
        self._asked_ms = now

    def do(self, operation: str, kind: str, name: str, body: Mapping[str, Any] | None = None) -> Response:
        return manage(self.broker, Request(operation, kind, name, body or {}), self._asked_ms, self._owner)


def manage_path(broker: Broker, method: str, path: str, body: object, now: int, owner: Owner) -> Response:
    """Carry out a request. A refusal is a response too; its body is the reason."""
    content = {str(key): value for key, value in body.items()} if isinstance(body, Mapping) else {}
    parts = path.partition("?")[0].strip("/").split("/")
    context = _Context(broker, owner, now)
    try:
        response = _carry_out(context, method, parts, content)
    except BrokerError as fault:
        response = Response(fault.condition.http, str(fault))
    if response.status < _REFUSED:
        return response
    status = _OTHER_STATUS.get(response.status, response.status)
    return Response(status, response.description, response.description)


def _carry_out(context: _Context, method: str, parts: list[str], content: dict[str, Any]) -> Response:
    path = "/".join([part if index != 1 else "*" for index, part in enumerate(parts)])
    carry_out = _ROUTES.get(f"{method} {path}")
    if carry_out is None:
        return Response(501, f"{method} {path} is not supported")
    return carry_out(context, parts[1] if len(parts) > 1 else "", content)


# ---------------------------------------------------------------------- queues


def _put_queue(context: _Context, segment: str, content: dict[str, Any]) -> Response:
    name = unquote(segment)
    arguments = dict(content.get("arguments") or {})
    exclusive, auto_delete = content.get("exclusive") is True, content.get("auto_delete") is True
    if exclusive:
        # [Broker-J] A queue that lives as long as its connection is not durable.
        arguments["exclusive"] = Exclusive.CONNECTION.value
        if _EXPIRES not in arguments and not auto_delete:
            arguments["lifetime"] = Lifetime.CONNECTION_CLOSE.value
    elif content.get("durable") is not False:
        # [RabbitMQ] A queue is durable by default.
        arguments["durable"] = True
    if auto_delete:
        arguments["lifetime"] = Lifetime.NO_OUTBOUND_LINKS.value
    response = context.do("CREATE", "queue", name, arguments)
    return _shown(context, name, response)


def _shown(context: _Context, name: str, response: Response) -> Response:
    """A queue as RabbitMQ shows one."""
    if response.status >= _REFUSED:
        return response
    queue = context.broker.lookup(name).queue
    spec = queue.spec
    shown = {
        "name": name,
        "durable": spec.durable,
        "auto_delete": spec.lifetime is not Lifetime.PERMANENT,
        "exclusive": spec.exclusive is not Exclusive.NONE,
        "type": "classic",
        "arguments": dict(response.body["options"]),
        "leader": "",
        "replicas": [],
        "message_count": int(queue.depth),
        "consumer_count": len(queue.subscriptions),
    }
    return Response(response.status, response.description, shown, awaits_flush=response.awaits_flush)


def _get_queue(context: _Context, segment: str, content: dict[str, Any]) -> Response:
    del content
    name = unquote(segment)
    return _shown(context, name, context.do("READ", "queue", name))


def _delete_queue(context: _Context, segment: str, content: dict[str, Any]) -> Response:
    del content
    return _counted(context.do("DELETE", "queue", unquote(segment)), deleted=True)


def _purge_queue(context: _Context, segment: str, content: dict[str, Any]) -> Response:
    del content
    return _counted(context.do("PURGE", "queue", unquote(segment)), deleted=False)


def _counted(response: Response, *, deleted: bool) -> Response:
    if deleted and response.status == _NOT_FOUND:
        return Response(200, "OK", {"message_count": 0})
    if response.status >= _REFUSED:
        return response
    return Response(
        200, "OK", {"message_count": int(response.body["messages"])}, awaits_flush=response.awaits_flush
    )


# ---------------------------------------------------------------------- exchanges and bindings


def _silent(response: Response, *, deleted: bool) -> Response:
    """Drop the response's body; deleting a missing node counts as success."""
    if response.status < _REFUSED or (deleted and response.status == _NOT_FOUND):
        return Response(_NO_CONTENT, response.description, awaits_flush=response.awaits_flush)
    return response


def _put_exchange(context: _Context, segment: str, content: dict[str, Any]) -> Response:
    arguments = dict(content.get("arguments") or {})
    arguments["type"] = content.get("type", "direct")
    if content.get("durable") is not False:
        arguments["durable"] = True
    if content.get("auto_delete") is True:
        arguments["auto_delete"] = True
    if content.get("internal") is True:
        arguments["internal"] = True
    return _silent(context.do("CREATE", "exchange", unquote(segment), arguments), deleted=False)


def _delete_exchange(context: _Context, segment: str, content: dict[str, Any]) -> Response:
    del content
    return _silent(context.do("DELETE", "exchange", unquote(segment)), deleted=True)


def _bind(context: _Context, segment: str, content: dict[str, Any]) -> Response:
    del segment
    destination = content.get("destination_queue", content.get("destination_exchange"))
    binding = {"destination": destination, "key": content.get("binding_key", "")}
    arguments = content.get("arguments")
    if arguments:
        binding["arguments"] = arguments
    return _silent(context.do("BIND", "exchange", str(content.get("source", "")), binding), deleted=False)


def _unbind(context: _Context, segment: str, content: dict[str, Any]) -> Response:
    """The segment is `src=…;dstq=…;key=…;args=`, or with `dste` for an exchange."""
    del content
    fields: dict[str, str] = {}
    for part in segment.split(";"):
        name, _, value = part.partition("=")
        fields[name] = unquote(value)
    binding = {"destination": fields.get("dstq", fields.get("dste", "")), "key": fields.get("key", "")}
    return _silent(context.do("UNBIND", "exchange", fields.get("src", ""), binding), deleted=True)


_Route: TypeAlias = Callable[[_Context, str, dict[str, Any]], Response]
_ROUTES: Final[dict[str, _Route]] = {
    "PUT queues/*": _put_queue,
    "GET queues/*": _get_queue,
    "DELETE queues/*": _delete_queue,
    "DELETE queues/*/messages": _purge_queue,
    "PUT exchanges/*": _put_exchange,
    "DELETE exchanges/*": _delete_exchange,
    "POST bindings": _bind,
    "DELETE bindings/*": _unbind,
}
