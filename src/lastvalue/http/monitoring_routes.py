"""Metrics and probes: /metrics, /healthz, /readyz and /startupz."""

import asyncio
from collections.abc import Iterable, Mapping
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from pydantic import BeforeValidator
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from lastvalue.client import Connection, Page, QueueInfo, QueueNotFoundError, RefusedError
from lastvalue.client.errors import AuthenticationError
from lastvalue.client.url import parse_url
from lastvalue.history.recorded_history import open_tables
from lastvalue.history.unlanded import landed_offsets, lost_records, unlanded_records
from lastvalue.http.broker_access import BrokerAccess, BrokerConnection, access_of
from lastvalue.http.caller import ANONYMOUS, Caller
from lastvalue.http.metrics import CONTENT_TYPE, HistoryRecords, metrics_text
from lastvalue.http.queue_totals import all_queues, queue_totals
from lastvalue.model.errors import LastvalueError

MOST_QUEUES: Final = 1000
"""With more queues the metrics are those of all of them together."""

MOST_DETAILED: Final = 100_000
_FACTS: Final = (
    "version", "compiled", "connections", "queues", "held_bytes", "memory_limit_bytes", "store_bytes",
    "store_free_bytes", "event_loop_lag_ms", "certificate_expires_ms", "config_reload_ok",
)  # fmt: skip
_DAY_MS: Final = 86_400_000
_ENDS_SOON_DAYS: Final = 14


def _is_asked(given: object) -> object:
    """`?verbose` alone asks for it, as probes of Kubernetes are asked."""
    return True if given == "" else given


monitoring_routes = APIRouter(tags=["monitoring"])
_PLAIN: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {"text/plain": {}}, "description": "Prometheus text format."}
}


@monitoring_routes.get("/metrics", response_class=Response, responses=_PLAIN)
async def metrics(request: Request) -> Response:
    """The broker's metrics; per queue, or with more than 1,000 queues of all together.

    A caller without credentials reads them with the user of the gateway's own URL.
    """
    return await _metrics(request, "", detailed=False)


@monitoring_routes.get("/metrics/detailed", response_class=Response, responses=_PLAIN)
async def detailed_metrics(
    request: Request,
    *,
    queue: Annotated[str, Query(description="Only queues with this text in their name.")] = "",
) -> Response:
    """The metrics of each queue, however many there are."""
    return await _metrics(request, queue, detailed=True)


@monitoring_routes.get("/queue-totals")
async def show_totals(broker: BrokerConnection) -> dict[str, int]:
    """How many queues the caller may see, and the sums of their statistics."""
    return dict(await queue_totals(broker))


@monitoring_routes.get("/recent-figures")
async def show_recent(request: Request, broker: BrokerConnection) -> dict[str, Any]:
    """Sums over all queues, memory and lag of the last hour, each ten seconds; `since_ms` is the first."""
    # Who may see the broker's statistics may see what they were.
    await broker.broker_statistics()
    return access_of(request).recent.document()


@monitoring_routes.get("/healthz")
async def alive() -> dict[str, str]:
    """Whether the gateway's process works."""
    return {"status": "ok"}


Verbose = Annotated[bool, BeforeValidator(_is_asked), Query(description="With what the broker is.")]


@monitoring_routes.get("/readyz", responses={503: {"description": "The broker does not serve."}})
async def ready(request: Request, *, verbose: Verbose = False) -> JSONResponse:
    """Whether the broker answers and can write its store.

    `verbose` asks with the caller's credentials, and adds version, uptime, memory and the store's disk.
    """
    return await _probe(request, verbose=verbose)


@monitoring_routes.get("/startupz", responses={503: {"description": "The broker does not serve yet."}})
async def started(request: Request, *, verbose: Verbose = False) -> JSONResponse:
    """As /readyz, for a probe that waits for the start."""
    return await _probe(request, verbose=verbose)


async def _probe(request: Request, *, verbose: bool) -> JSONResponse:
    access = access_of(request)
    caller = access.identify(request) if verbose else ANONYMOUS
    checks: dict[str, str] = {}
    facts: dict[str, object] = {}
    try:
        async with access.connections.use(_own(access) if caller == ANONYMOUS else caller) as broker:
            await broker.clock_ms(timeout_s=5.0)
            checks["broker"] = "ok"
            statistics = await broker.broker_statistics()
            checks["store"] = "cannot be written" if statistics.get("store_fault_since_ms") else "ok"
            checks["memory"] = "producers wait" if statistics.get("memory_alarm_since_ms") else "ok"
            checks["disk"] = "durable producers wait" if statistics.get("store_alarm_since_ms") else "ok"
            checks["certificate"] = _certificate(statistics)
            if verbose:
                facts = {name: statistics[name] for name in _FACTS if name in statistics}
                facts["up_ms"] = int(str(statistics["now_ms"])) - int(str(statistics["started_ms"]))
    except AuthenticationError:
        # It answers, and serves those who have credentials.
        checks["broker"] = "ok"
    except RefusedError:
        checks["store"] = checks["memory"] = "not shown to this user"
    except LastvalueError as error:
        checks["broker"] = str(error)
    serves = checks["broker"] == "ok" and checks.get("store") != "cannot be written"
    status = HTTPStatus.OK if serves else HTTPStatus.SERVICE_UNAVAILABLE
    document = {"status": "ok" if serves else "unready", "checks": checks}
    return JSONResponse({**document, "facts": facts} if verbose else document, status)


def _certificate(statistics: Mapping[str, Any]) -> str:
    ends_ms = statistics.get("certificate_expires_ms")
    if ends_ms is None:
        return "none"
    days = (ends_ms - statistics["now_ms"]) // _DAY_MS
    return "ok" if days >= _ENDS_SOON_DAYS else f"ends in {days} days" if days >= 0 else "has ended"


async def _metrics(request: Request, contains: str, *, detailed: bool) -> Response:
    access = access_of(request)
    caller = access.identify(request)
    landed, lost = await asyncio.to_thread(_positions, access.settings.tables)
    async with access.connections.use(_own(access) if caller == ANONYMOUS else caller) as broker:
        statistics = await broker.broker_statistics()
        queues: list[QueueInfo] | QueueInfo
        if detailed or int(str(statistics.get("queues"))) <= MOST_QUEUES:
            queues = await broker.queues(page=Page(contains=contains, count=MOST_DETAILED))
            histories = [queue for queue in queues if queue.name in landed]
        else:
            queues = await all_queues(broker)
            histories = await _histories(broker, landed)
        parts = await _parts(broker)
    records = {
        each.name: HistoryRecords(
            unlanded_records(each, landed), int(str(each.options.get("max_messages") or 0)), lost[each.name]
        )
        for each in histories
    }
    return Response(metrics_text(statistics, queues, histories=records, parts=parts), media_type=CONTENT_TYPE)


async def _parts(broker: Connection) -> list[dict[str, Any]]:
    """The status of the pipeline's parts; none if there is no pipeline, or the user may not see it."""
    try:
        pipeline = await broker.manage("READ", kind="pipeline")
    except RefusedError:
        return []
    return list(pipeline["parts"]) if isinstance(pipeline, dict) else []


def _positions(tables: Path | str | None) -> tuple[dict[str, int], dict[str, int]]:
    """The offset of the last record that has landed, and how many were lost, by history."""
    if tables is None:
        return {}, {}
    landed = open_tables(tables)
    return landed_offsets(landed), lost_records(landed)


async def _histories(broker: Connection, names: Iterable[str]) -> list[QueueInfo]:
    """Those of these histories that there are, and that the user may see."""
    found = []
    for name in names:
        with suppress(QueueNotFoundError, RefusedError):
            found.append(await broker.queue(name).info())
    return found


def _own(access: BrokerAccess) -> Caller:
    """The user of the gateway's URL."""
    url = parse_url(access.settings.url)
    return Caller(url.user, url.password)
