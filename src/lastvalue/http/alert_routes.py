"""The alerts of queues: /alerts."""

from contextlib import suppress
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request

from lastvalue.client import QueueNotFoundError, RefusedError
from lastvalue.http.broker_access import BrokerConnection, access_of

alert_routes = APIRouter(tags=["monitoring"])


@alert_routes.get("/alerts")
async def list_alerts(request: Request, broker: BrokerConnection) -> dict[str, Any]:
    """Thresholds that queues have crossed, of those that the caller may see; as of some ten seconds ago."""
    shown = []
    for alert in access_of(request).alerts.current:
        with suppress(QueueNotFoundError, RefusedError):
            await broker.queue(str(alert["queue"])).info()
            shown.append(alert)
    return {"alerts": shown}
