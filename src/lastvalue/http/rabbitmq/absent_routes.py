"""What RabbitMQ's management API has and the broker keeps elsewhere, or does not have: it says where."""

from http import HTTPStatus
from typing import Any, Final

from fastapi import APIRouter

from lastvalue.http.broker_access import BrokerConnection
from lastvalue.http.problems import Problem

_OF_USERS: Final = (
    ("GET", "/users"),
    ("GET", "/users/{name}"),
    ("PUT", "/users/{name}"),
    ("DELETE", "/users/{name}"),
    ("GET", "/users/{name}/permissions"),
    ("POST", "/users/bulk-delete"),
    ("GET", "/permissions"),
    ("GET", "/permissions/{host}/{name}"),
    ("PUT", "/permissions/{host}/{name}"),
    ("DELETE", "/permissions/{host}/{name}"),
    ("GET", "/vhosts/{host}/permissions"),
)
_OF_POLICIES: Final = (
    ("GET", "/policies/{host}/{name}"),
    ("PUT", "/policies/{host}/{name}"),
    ("DELETE", "/policies/{host}/{name}"),
    ("GET", "/parameters"),
)
_ABSENT: Final[dict[int | str, dict[str, Any]]] = {405: {"description": "The broker has it elsewhere."}}

absent_routes = APIRouter(prefix="/api", tags=["RabbitMQ"])


async def users(broker: BrokerConnection) -> None:
    """Users and permissions are in the broker's users file: 405."""
    await broker.clock_ms()
    raise Problem(
        HTTPStatus.METHOD_NOT_ALLOWED,
        "users and permissions are in the broker's users file; `lastvalue user` on its machine changes them",
    )


async def policy(broker: BrokerConnection) -> None:
    """Queues have options and no policies: 405."""
    await broker.clock_ms()
    raise Problem(
        HTTPStatus.METHOD_NOT_ALLOWED,
        "the broker has no policies or parameters for queues; declare queues with their options, "
        "or change them with PATCH /queues/NAME",
    )


@absent_routes.get("/policies")
@absent_routes.get("/policies/{host}")
async def policies(broker: BrokerConnection) -> list[object]:
    """There are no policies."""
    await broker.clock_ms()
    return []


for _endpoint, _requests in ((users, _OF_USERS), (policy, _OF_POLICIES)):
    for _method, _path in _requests:
        absent_routes.add_api_route(_path, _endpoint, methods=[_method], responses=_ABSENT)
