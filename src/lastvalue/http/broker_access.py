"""How a route gets its caller's connection to the broker."""

from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from lastvalue.client import Connection
from lastvalue.http.broker_connections import BrokerConnections
from lastvalue.http.caller import ANONYMOUS, Caller, read_caller
from lastvalue.http.encoded_paths import segment
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.http.problems import Problem


class BrokerAccess:
    """The state of a gateway: its settings, its connections to the broker, and how many follow a queue."""

    def __init__(self, settings: GatewaySettings) -> None:
        self.settings = settings
        self.connections = BrokerConnections(settings)
        self.followers = 0

    def identify(self, request: Request) -> Caller:
        """The caller of a request.

        Raises:
            Problem: the request has no credentials and needs some, or they cannot be read.
        """
        caller = read_caller(request.headers.get("authorization"))
        if caller == ANONYMOUS and not self.settings.serves_anonymous:
            raise Problem(HTTPStatus.UNAUTHORIZED, "this gateway needs a user and a password, or a token")
        return caller


def access_of(request: Request) -> BrokerAccess:
    """The gateway's state."""
    access: BrokerAccess = request.app.state.access
    return access


async def _connection(request: Request) -> AsyncIterator[Connection]:
    access = access_of(request)
    async with access.connections.use(access.identify(request)) as connection:
        yield connection


def _name_in_path(name: str) -> str:
    return segment(name)


def _queue_name(queue: str) -> str:
    return segment(queue)


def _key_text(key: str) -> str:
    return segment(key)


BrokerConnection = Annotated[Connection, Depends(_connection)]
"""The caller's connection to the broker."""

QueueName = Annotated[str, Depends(_queue_name)]
KeyText = Annotated[str, Depends(_key_text)]
NodeName = Annotated[str, Depends(_name_in_path)]
