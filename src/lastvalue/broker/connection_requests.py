"""Management of connections: their statistics, and those of their sessions and links; and closing one."""

from collections.abc import Callable, Iterable
from typing import Final

from lastvalue.broker import statistics
from lastvalue.broker.broker import Broker
from lastvalue.broker.connections import ConnectionNotFoundError
from lastvalue.broker.listing import Listing
from lastvalue.broker.owner import Owner
from lastvalue.broker.requests import Request, Response

_REASON: Final = "the connection was closed by management"


def _list(broker: Broker, found: Iterable[object], now: int, owner: Owner) -> Response:
    return Response(200, "OK", Listing(found, owner.connection).begin(broker.long_commands, now))


def _connections(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    del request
    visible = broker.connections.visible(owner)
    return _list(broker, (statistics.describe(each, statistics.CONNECTION) for each in visible), now, owner)


def _read(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    del now
    for each in broker.connections.visible(owner):
        if each.name == request.name:
            return Response(200, "OK", statistics.describe(each, statistics.CONNECTION))
    raise ConnectionNotFoundError(request.name)


def _close(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    del now
    broker.connections.close(request.name, _REASON, owner)
    return Response(204, "closed", {})


def _sessions(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    del request
    shown = (
        {"connection": connection.name, **statistics.describe(session, statistics.SESSION)}
        for connection in broker.connections.visible(owner)
        for session in connection.sessions
    )
    return _list(broker, shown, now, owner)


def _links(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """Of the type `consumer` or `producer`, those; of the type `link`, both."""
    shown = (
        {
            "connection": connection.name,
            "user": connection.user,
            "session": session.name,
            **statistics.describe(link, statistics.LINK),
        }
        for connection in broker.connections.visible(owner)
        for session in connection.sessions
        for link in session.links
        if request.type in ("link", link.role)
    )
    return _list(broker, shown, now, owner)


CONNECTION_OPERATIONS: Final[dict[str, dict[str, Callable[[Broker, Request, int, Owner], Response]]]] = {
    "connection": {"QUERY": _connections, "READ": _read, "DELETE": _close, "close": _close},
    "session": {"QUERY": _sessions},
    "link": {"QUERY": _links},
    "consumer": {"QUERY": _links},
    "producer": {"QUERY": _links},
}
"""By the type of the request."""
