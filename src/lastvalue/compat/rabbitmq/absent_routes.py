"""What RabbitMQ's management API has and the broker does not have: lists are empty, changes say why."""

from typing import Any, Final

from fastapi import APIRouter

from lastvalue.compat.rabbitmq.refusing_route import RefusingRoute
from lastvalue.http.broker_access import BrokerConnection
from lastvalue.http.problems import FieldProblem

_KINDS: Final = (
    "policies",
    "operator-policies",
    "parameters",
    "global-parameters",
    "vhost-limits",
    "user-limits",
    "topic-permissions",
    "federation-links",
)
_ABSENT: Final[dict[int | str, dict[str, Any]]] = {400: {"description": "The broker does not have it."}}

absent_routes = APIRouter(prefix="/api", tags=["RabbitMQ"], route_class=RefusingRoute)


async def none(broker: BrokerConnection) -> list[object]:
    """There are none."""
    await broker.clock_ms()
    return []


async def absent(broker: BrokerConnection) -> None:
    """The broker does not have this; queues have options: 400."""
    await broker.clock_ms()
    raise FieldProblem(
        "name",
        "the broker has no policies, parameters, limits or topic permissions; declare queues with "
        "their options, or change them with PATCH /queues/NAME",
    )


for _kind in _KINDS:
    absent_routes.add_api_route(f"/{_kind}", none, methods=["GET"])
    absent_routes.add_api_route(f"/{_kind}/{{host}}", none, methods=["GET"])
    for _method in ("PUT", "DELETE"):
        absent_routes.add_api_route(f"/{_kind}/{{name:path}}", absent, methods=[_method], responses=_ABSENT)
