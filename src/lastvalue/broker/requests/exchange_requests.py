"""Management requests that declare, show, bind, unbind and delete exchanges."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from lastvalue.broker.administration.request import Request, Response
from lastvalue.broker.broker import Broker
from lastvalue.broker.requests import check_requests
from lastvalue.broker.requests.listing import Listing, Page
from lastvalue.broker.requests.route_explanation import RouteExplanation
from lastvalue.broker.requests.value_requests import message_in
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.routing.bindings import Binding, BindingError
from lastvalue.broker.routing.exchange_spec import (
    changed_exchange,
    exchange_from_arguments,
    exchange_to_arguments,
)
from lastvalue.broker.routing.exchanges import Exchange

TYPES: Final[dict[str, dict[str, str]]] = {
    "exchange": {},
    "address": {"type": "address"},
    "org.apache.qpid.Exchange": {},
    "org.apache.qpid.DirectExchange": {"type": "direct"},
    "org.apache.qpid.TopicExchange": {"type": "topic"},
    "org.apache.qpid.FanoutExchange": {"type": "fanout"},
    "org.apache.qpid.HeadersExchange": {"type": "headers"},
}
"""The types of requests for exchanges, and the arguments that each type implies."""

_DESTINATION: Final = ("destination", "queue")
_KEY: Final = ("key", "bindingKey", "binding_key")


def _create(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    del now
    arguments: dict[str, Any] = dict(TYPES[request.type])
    arguments.update({name: value for name, value in request.body.items() if name != "name"})
    made = broker.declare_exchange(exchange_from_arguments(request.name, arguments), owner)
    shown = _described(broker, broker.exchanges.find(request.name), owner)
    return Response(201 if made else 200, "created" if made else "exists", shown)


def _read(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    del now
    broker.authorize(owner, Verb.QUERY, request.name)
    return Response(200, "OK", _described(broker, broker.exchanges.find(request.name), owner))


def _update(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """Options that are not in the body keep their values; `broker.reconfigure_exchange` checks the rights."""
    del now
    broker.authorize(owner, Verb.QUERY, request.name)
    exchange = broker.exchanges.find(request.name)
    changes: dict[str, Any] = {**TYPES[request.type], **request.body}
    changes.pop("name", None)
    broker.reconfigure_exchange(changed_exchange(exchange.spec, changes), owner)
    return Response(200, "updated", _described(broker, exchange, owner))


def _delete(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    del now
    broker.delete_exchange(request.name, owner, if_unused=request.body.get("if_unused") is True)
    return Response(204, "deleted", {})


def _query(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """The default exchange has no name and is not listed."""
    wanted = TYPES[request.type].get("type")
    names = (
        exchange.name
        for exchange in broker.exchanges.every()
        if exchange.name and wanted in (None, exchange.spec.type.value)
    )

    def shown(name: str) -> object:
        exchange = broker.exchanges.get(name)
        if exchange is None or not broker.authorization.shows(owner, name):
            return None
        return _described(broker, exchange, owner)

    page = Page(request.body)
    listing = Listing(map(shown, page.of(names)), owner.connection, page.count)
    return Response(200, "OK", listing.begin(broker.long_commands, now))


def _bind(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """The body has destination, key and arguments; a queue precedes an exchange of the same name."""
    binding = binding_in(broker, request.body)
    made = broker.bind(request.name, binding, owner, now)
    return Response(201 if made else 200, "bound" if made else "exists", {"bound": made})


def binding_in(broker: Broker, body: Mapping[str, Any]) -> Binding:
    """The binding that a request's body describes.

    Raises:
        BindingError: it describes none.
    """
    name = _text(body, _DESTINATION)
    arguments = body.get("arguments") or {}
    if not isinstance(arguments, Mapping):
        raise BindingError(f"arguments is {arguments!r}; expected a map")
    node = broker.resolve(name)
    to_exchange = (node is None or node.hosted is None) and broker.exchanges.get(name) is not None
    return Binding(
        name,
        _text(body, _KEY, ""),
        {str(key): value for key, value in arguments.items()},
        to_exchange,
    )


def _check_bind(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    del now
    binding = binding_in(broker, request.body)
    return check_requests.check_binding(broker, request, binding, owner)


def _unbind(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    del now
    destination, key = _text(request.body, _DESTINATION), _text(request.body, _KEY, "")
    if not broker.unbind(request.name, destination, key, owner):
        text = f"{destination!r} is not bound to exchange {request.name!r} by {key!r}"
        return Response(404, text, None, "amqp:not-found")
    return Response(204, "unbound", {})


def _route(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """Where a message published to the name would go; the body has the message and its routing key."""
    broker.authorize(owner, Verb.QUERY, request.name)
    message = message_in(request.body, owner)
    explanation = RouteExplanation(broker, _text(request.body, ("key",), ""), message, owner)
    listing = Listing(explanation.rows(request.name), owner.connection)
    return Response(200, "OK", listing.begin(broker.long_commands, now))


def _text(body: Mapping[str, Any], names: tuple[str, ...], default: str | None = None) -> str:
    for name in names:
        value = body.get(name, default)
        if value is not None and name in body:
            if not isinstance(value, str):
                raise BindingError(f"{name} is {value!r}; expected text")
            return str(value)
    if default is None:
        raise BindingError(f"the body needs {names[0]}, the name of the queue or exchange to bind")
    return default


def _described(broker: Broker, exchange: Exchange, owner: Owner) -> dict[str, object]:
    """An exchange as the caller sees it: without the bindings of queues that it may not see."""
    shows = broker.authorization.shows
    bindings = [each for each in exchange.bindings.values() if shows(owner, each.destination)]
    return describe_exchange(exchange, bindings)


def describe_exchange(exchange: Exchange, bindings: Iterable[Binding]) -> dict[str, object]:
    """An exchange's declaration and counts, with these of its bindings."""
    return {
        "name": exchange.name,
        "options": exchange_to_arguments(exchange.spec),
        "bindings": [
            {"destination": binding.destination, "key": binding.key, "arguments": dict(binding.arguments)}
            for binding in bindings
        ],
        "received": exchange.received,
        "unrouted": exchange.unrouted,
    }


OPERATIONS: Final[dict[str, Callable[[Broker, Request, int, Owner], Response]]] = {
    "CREATE": _create,
    "READ": _read,
    "UPDATE": _update,
    "DELETE": _delete,
    "QUERY": _query,
    "BIND": _bind,
    "UNBIND": _unbind,
    "ROUTE": _route,
    "CHECK": check_requests.check_exchange,
    "CHECK_BIND": _check_bind,
    "bind": _bind,
    "unbind": _unbind,
}
