"""How a route gets its caller's connection to the broker."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import Depends
from starlette.requests import HTTPConnection, Request

from lastvalue.client import Connection
from lastvalue.client.management import on_behalf_of
from lastvalue.http.alerts import Alerts
from lastvalue.http.broker_connections import BrokerConnections
from lastvalue.http.caller import ANONYMOUS, Caller, read_caller
from lastvalue.http.encoded_paths import segment
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.http.origin_check import SAFE_METHODS
from lastvalue.http.problems import Problem
from lastvalue.http.recent_figures import RecentFigures
from lastvalue.http.session_file import SessionFile
from lastvalue.http.sessions import Session, Sessions, is_same_token
from lastvalue.http.shared_watch import SharedWatches
from lastvalue.model.peer_host import canonical_host

MOST_LOOKING_BACK: Final = 2
CSRF_HEADER: Final = "X-CSRF-Token"


class BrokerAccess:
    """The state of a gateway.

    Attributes:
        connections: its connections to the broker.
        sessions: of browsers.
        recent: figures of the last hour.
        alerts: of queues.
        followers: how many follow a queue.
        watches: of queues, which followers share.
        own_watches: how many followers have one of their own.
        looking_back: held by requests that read a history, which takes memory.
    """

    def __init__(self, settings: GatewaySettings) -> None:
        self.settings = settings
        self.connections = BrokerConnections(settings)
        self.sessions = Sessions(self.connections, SessionFile(settings.sessions))
        self.recent = RecentFigures()
        self.alerts = Alerts(settings.webhook)
        self.followers = 0
        self.watches = SharedWatches()
        self.own_watches = 0
        self.looking_back = asyncio.Semaphore(MOST_LOOKING_BACK)

    def identify(self, request: HTTPConnection) -> Caller:
        """The caller of a request.

        Raises:
            Problem: the request has no credentials and needs some, they cannot be read, or its session has
                ended; or it would change something by a session without the session's token.
        """
        session = self.session_of(request)
        if session is not None:
            method = request.scope.get("method", "GET")
            if method not in SAFE_METHODS and not is_same_token(request.headers.get(CSRF_HEADER), session):
                raise Problem(
                    HTTPStatus.FORBIDDEN,
                    f"a change by a session needs its token in {CSRF_HEADER}; GET /session tells it",
                )
            secret = request.cookies[self.settings.session_cookie]
            caller = self.sessions.caller_of(session, secret)
            return replace(caller, address=address_of(request))
        caller = read_caller(request.headers.get("authorization"))
        if caller == ANONYMOUS and not self.settings.serves_anonymous:
            raise Problem(HTTPStatus.UNAUTHORIZED, "this gateway needs a user and a password, or a token")
        return replace(caller, address=address_of(request))

    def session_of(self, request: HTTPConnection) -> Session | None:
        """The session of a request that has its cookie and no other credentials.

        Raises:
            Problem: it has ended.
        """
        secret = request.cookies.get(self.settings.session_cookie)
        if secret is None or "authorization" in request.headers:
            return None
        return self.sessions.find(secret)

    async def close(self) -> None:
        """End all sessions and watches, and close all connections."""
        self.sessions.close()
        await self.watches.close()
        await self.connections.close()


def address_of(request: HTTPConnection) -> str:
    """From where a request came; a proxy that is trusted says so itself."""
    return canonical_host(request.client.host) if request.client is not None else ""


def access_of(request: HTTPConnection) -> BrokerAccess:
    """The gateway's state."""
    access: BrokerAccess = request.app.state.access
    return access


async def _connection(request: Request) -> AsyncIterator[Connection]:
    access = access_of(request)
    on_behalf_of.set(address_of(request))
    async with access.connections.use(access.identify(request)) as connection:
        yield connection


def _name_in_path(name: str) -> str:
    return segment(name)


def _queue_name(queue: str) -> str:
    return segment(queue)


def _host_name(host: str) -> str:
    return segment(host)


def _key_text(key: str) -> str:
    return segment(key)


BrokerConnection = Annotated[Connection, Depends(_connection)]
"""The caller's connection to the broker."""

QueueName = Annotated[str, Depends(_queue_name)]
KeyText = Annotated[str, Depends(_key_text)]
NodeName = Annotated[str, Depends(_name_in_path)]
HostName = Annotated[str, Depends(_host_name)]
