"""RabbitMQ's health checks."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final, Literal

from fastapi import APIRouter
from starlette.responses import JSONResponse

from lastvalue.client import Connection
from lastvalue.compat.rabbitmq.refusing_route import RefusingRoute
from lastvalue.compat.rabbitmq.resources import broker_statistics
from lastvalue.http.broker_access import BrokerConnection
from lastvalue.http.problems import FieldProblem

health_routes = APIRouter(prefix="/api", tags=["RabbitMQ"], route_class=RefusingRoute)

Check = Literal[
    "alarms", "local-alarms", "virtual-hosts", "node-is-mirror-sync-critical", "node-is-quorum-critical"
]
_ALARMS: Final = ("memory_alarm", "store_alarm", "store_fault")
_UNITS_S: Final = {
    "days": 86_400, "weeks": 7 * 86_400, "months": 30 * 86_400, "years": 365 * 86_400
}  # fmt: skip
Unit = Literal["days", "weeks", "months", "years"]


@health_routes.get("/aliveness-test/{host}")
async def is_alive(broker: BrokerConnection) -> dict[str, str]:
    """Whether the broker answers."""
    await broker.clock_ms()
    return {"status": "ok"}


@health_routes.get("/healthchecks/node")
@health_routes.get("/healthchecks/node/{name}")
async def check_node(broker: BrokerConnection) -> JSONResponse:
    """Whether the broker answers and nothing makes its producers wait."""
    return await _alarms(broker)


@health_routes.get("/health/checks/{check}")
async def check_health(check: Check, broker: BrokerConnection) -> JSONResponse:
    """Whether the broker answers and nothing makes its producers wait."""
    del check
    return await _alarms(broker)


@health_routes.get("/health/checks/certificate-expiration/{within}/{unit}")
async def check_certificate(within: int, unit: Unit, broker: BrokerConnection) -> JSONResponse:
    """Whether the listeners' certificate is valid for longer; without TLS there is none that could end."""
    statistics: Mapping[str, Any] = await broker.broker_statistics()
    ends_ms = statistics.get("certificate_expires_ms")
    if ends_ms is not None and ends_ms < statistics["now_ms"] + within * _UNITS_S[unit] * 1000:
        return _failed(f"the certificate ends within {within} {unit}")
    return JSONResponse({"status": "ok"})


@health_routes.get("/health/checks/port-listener/{port}", responses={503: {"description": "It does not."}})
async def check_port(port: int, broker: BrokerConnection) -> JSONResponse:
    """Whether the broker listens on a port."""
    listeners = (await broker.broker_statistics()).get("listeners")
    ports = list(listeners.values()) if isinstance(listeners, dict) else []
    return JSONResponse({"status": "ok"}) if port in ports else _failed(f"it listens on {ports}")


@health_routes.get("/health/checks/protocol-listener/{protocol}")
async def check_protocol(protocol: str, broker: BrokerConnection) -> None:
    """All protocols share a port, and each may be off: 400."""
    await broker.clock_ms()
    raise FieldProblem("protocol", f"connect by {protocol!r:.80} to see whether it is served")


async def _alarms(broker: Connection) -> JSONResponse:
    await broker.clock_ms()
    statistics = await broker_statistics(broker)
    alarms = [name for name in _ALARMS if statistics.get(f"{name}_since_ms")]
    return _failed(", ".join(alarms)) if alarms else JSONResponse({"status": "ok"})


def _failed(reason: str) -> JSONResponse:
    return JSONResponse({"status": "failed", "reason": reason}, HTTPStatus.SERVICE_UNAVAILABLE)
