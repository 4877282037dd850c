"""The gateway's application: its routes, and what holds for all of them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from fastapi import APIRouter, FastAPI
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lastvalue import __version__
from lastvalue.compat.broker_j.object_routes import OTHER_PREFIXES, PREFIX, object_routes
from lastvalue.compat.rabbitmq.absent_routes import absent_routes
from lastvalue.compat.rabbitmq.definition_routes import definition_routes
from lastvalue.compat.rabbitmq.health_routes import health_routes
from lastvalue.compat.rabbitmq.management_routes import management_routes
from lastvalue.compat.rabbitmq.peer_routes import peer_routes
from lastvalue.compat.rabbitmq.user_routes import user_routes
from lastvalue.http.administration_routes import administration_routes
from lastvalue.http.alert_routes import alert_routes
from lastvalue.http.broker_access import BrokerAccess
from lastvalue.http.connection_routes import connection_routes
from lastvalue.http.console_routes import console_routes
from lastvalue.http.encoded_paths import EncodedPaths
from lastvalue.http.exchange_routes import exchange_routes
from lastvalue.http.explanation_routes import explanation_routes
from lastvalue.http.follow_routes import follow_routes
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.http.head_requests import HeadAsGet
from lastvalue.http.history_routes import history_routes
from lastvalue.http.message_routes import message_routes
from lastvalue.http.monitoring_routes import monitoring_routes
from lastvalue.http.option_routes import option_routes
from lastvalue.http.origin_check import OriginCheck
from lastvalue.http.problems import add_problem_handlers
from lastvalue.http.queue_routes import queue_routes
from lastvalue.http.recent_figures import keep_figures
from lastvalue.http.replay_routes import replay_routes
from lastvalue.http.request_bounds import RequestBounds
from lastvalue.http.session_routes import session_routes
from lastvalue.http.table_routes import table_routes
from lastvalue.http.value_routes import value_routes

ROUTES: Final = (
    queue_routes,
    option_routes,
    value_routes,
    message_routes,
    follow_routes,
    table_routes,
    history_routes,
    replay_routes,
    alert_routes,
    explanation_routes,
    exchange_routes,
    connection_routes,
    session_routes,
    monitoring_routes,
    console_routes,
    administration_routes,
)
RABBITMQ_ROUTES: Final = (
    user_routes,
    definition_routes,
    health_routes,
    peer_routes,
    management_routes,
    absent_routes,
)


def _broker_j_routes() -> APIRouter:
    routes = APIRouter()
    routes.include_router(object_routes, prefix=PREFIX)
    for prefix in OTHER_PREFIXES:
        routes.include_router(object_routes, prefix=prefix, include_in_schema=False)
    return routes


BROKER_J_ROUTES: Final = _broker_j_routes()
SECURITY_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def make_gateway(settings: GatewaySettings) -> FastAPI:
    """The application; it connects to the broker when a caller asks for something."""
    access = BrokerAccess(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        keeping = asyncio.create_task(keep_figures(settings.url, access.connections, access.recent))
        yield
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        await access.close()

    gateway = FastAPI(
        title="lastvalue",
        version=__version__,
        summary="Queues, values and statistics of a lastvalue broker.",
        # Their pages load scripts from elsewhere.
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    gateway.state.access = access
    for routes in (*ROUTES, *RABBITMQ_ROUTES, BROKER_J_ROUTES):
        # What is included is made again at the first request, and the gateway's other callers wait meanwhile.
        gateway.router.routes.extend(routes.routes)
    add_problem_handlers(gateway)
    gateway.add_middleware(EncodedPaths)
    gateway.add_middleware(OriginCheck, settings=settings)
    gateway.add_middleware(RequestBounds, access=access)
    gateway.add_middleware(_SecurityHeaders)
    gateway.add_middleware(HeadAsGet)
    return gateway


class _SecurityHeaders:
    """Adds SECURITY_HEADERS to each response that does not have its own."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._application(scope, receive, send_with_headers)
