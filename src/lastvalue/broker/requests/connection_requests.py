"""Management of connections, sessions and links: their statistics; and closing a connection or a consumer."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from lastvalue.broker.administration.request import Request, Response, text_in
from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.listing import Listing
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.statistics import statistic as statistics
from lastvalue.broker.statistics.connections import ConnectionNotFoundError, ConnectionStatistics

_REASON: Final = "the connection was closed by management"


def _list(broker: Broker, found: Iterable[object], now: int, owner: Owner) -> Response:
    return Response(200, "OK", Listing(found, owner.connection).begin(broker.long_commands, now))


def _connections(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    del request

    def shown(connection: ConnectionStatistics) -> object:
        return statistics.describe(connection, statistics.CONNECTION)

    return _list(broker, map(shown, broker.connections.visible(owner)), now, owner)


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


def _close_consumer(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """End a consumer of that name in the `session` of the `connection`; what it holds is available again.

    Its peer hears of it as of a deleted queue, if the protocol can say that.
    """
    session, connection = text_in(request.body, "session"), text_in(request.body, "connection")
    reader = broker.connections.reader(request.name, session, connection, owner)
    broker.stop(reader, now)
    reader.receiver.closed()
    return Response(204, "closed", {})


def _sessions(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    del request
    return _list(broker, _shown_sessions(broker, owner), now, owner)


# The lists are made by functions, because compiled code makes a list of a generator expression at once.
def _shown_sessions(broker: Broker, owner: Owner) -> Iterator[object]:
    for connection in broker.connections.visible(owner):
        for session in connection.sessions:
            shown = statistics.describe(session, statistics.SESSION)
            yield {"connection": connection.name, "user": connection.user, **shown}


def _links(broker: Broker, request: Request, now: int, owner: Owner) -> Response:
    """Of the type `consumer` or `producer`, those; of the type `link`, both."""
    return _list(broker, _shown_links(broker, request.type, owner), now, owner)


def _shown_links(broker: Broker, kind: str, owner: Owner) -> Iterator[object]:
    for connection in broker.connections.visible(owner):
        for session in connection.sessions:
            for link in session.links:
                if kind in ("link", link.role):
                    yield {
                        "connection": connection.name,
                        "user": connection.user,
                        "session": session.name,
                        **statistics.describe(link, statistics.LINK),
                    }


CONNECTION_OPERATIONS: Final[dict[str, dict[str, Callable[[Broker, Request, int, Owner], Response]]]] = {
    "connection": {"QUERY": _connections, "READ": _read, "DELETE": _close, "close": _close},
    "session": {"QUERY": _sessions},
    "link": {"QUERY": _links},
    "consumer": {"QUERY": _links, "DELETE": _close_consumer},
    "producer": {"QUERY": _links},
}
"""By the type of the request."""
