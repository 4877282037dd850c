"""What administrators look after: the store, users, the configuration, pipelines and the log.

Each needs the right `administer` on one of the broker's own names, see docs/operate/security.md.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import APIRouter, Body, Query
from pydantic import BaseModel, ConfigDict, Field, model_validator
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.requests import Request
from starlette.responses import Response

from lastvalue.client import Connection
from lastvalue.http.broker_access import BrokerConnection, NodeName, access_of
from lastvalue.http.problems import status_of
from lastvalue.http.user_rules import MOST_PASSWORD, credentials_of, remove_user, user_rules, write_user
from lastvalue.model.errors import LastvalueError
from lastvalue.model.jsonable import jsonable

FOLLOW_S: Final = 1.0
"""How often the broker is asked for new lines of the log that somebody follows."""

administration_routes = APIRouter(tags=["administration"])


class Changes(BaseModel):
    """How a configuration file is applied."""

    model_config = ConfigDict(extra="forbid")

    prune: bool = Field(default=False, description="Also remove what only the broker has.")
    dry_run: bool = Field(default=False, description="Only tell what would change.")


class NamedUser(BaseModel):
    """What a user gets."""

    model_config = ConfigDict(extra="forbid")

    password: str | None = Field(None, min_length=1, max_length=MOST_PASSWORD)
    rules: list[str] | None = Field(None, description="Such as `read,browse prices.*`; without one nothing.")

    @model_validator(mode="after")
    def _something(self) -> "NamedUser":
        if self.password is None and self.rules is None:
            raise ValueError("a user needs a `password` or `rules`")
        return self


class LogPage(BaseModel):
    """Which lines of the log."""

    after: int = Field(0, ge=0, lt=2**62, description="Lines after this number.")
    level: str = Field("info", description="Of at least this level: debug, info, warning, error, critical.")
    event: str = Field("", description="Lines with this text in their event or component, such as `audit`.")
    limit: int = Field(100, ge=1, le=1000, description="The newest of these, at most this many.")


@administration_routes.get("/store")
async def show_store(broker: BrokerConnection) -> Any:
    """The store's segments with their sizes, its syncs and its disk, and the last snapshot."""
    segments = await broker.manage("SEGMENTS", kind="store")
    snapshot = await broker.manage("READ", kind="store")
    answer = await broker.broker_statistics()
    statistics = {name: value for name, value in answer.items() if name.startswith("store_")}
    return jsonable({"statistics": statistics, "segments": segments, "snapshot": snapshot})


@administration_routes.post("/store/snapshots", status_code=HTTPStatus.ACCEPTED)
async def begin_snapshot(
    broker: BrokerConnection,
    directory: Annotated[str, Body(embed=True, description="New or empty, on its machine; or a URL.")],
) -> Any:
    """Begin to write a snapshot of the store; `GET /store` tells how far it is."""
    return jsonable(await broker.manage("SNAPSHOT", body={"directory": directory}, kind="store"))


@administration_routes.get("/cluster")
async def show_cluster(broker: BrokerConnection) -> Any:
    """Who leads and who follows how far behind; 409 where the broker shares no log."""
    return jsonable(await broker.manage("READ", kind="cluster"))


@administration_routes.post("/cluster/step-down", status_code=HTTPStatus.ACCEPTED)
async def step_down(
    broker: BrokerConnection,
    *,
    alone: Annotated[bool, Body(embed=True, description="Also where no broker follows this one.")] = False,
) -> Any:
    """Let the leader hand over to a follower at once, and end; its service manager starts it again."""
    return jsonable(await broker.manage("STEP_DOWN", body={"alone": alone}, kind="cluster"))


@administration_routes.get("/users")
async def list_users(broker: BrokerConnection) -> Any:
    """The users of the users file and their rules; without a file everybody may do everything."""
    return {"users": [{"user": name, "rules": rules} for name, rules in (await user_rules(broker)).items()]}


@administration_routes.put("/users/{name}", status_code=HTTPStatus.NO_CONTENT, responses={201: {}})
async def write_named_user(name: NodeName, broker: BrokerConnection, user: NamedUser) -> Response:
    """Make a user of the users file, who needs `rules`, or change one; what is not there stays as it is."""
    await user_rules(broker)
    credentials = None if user.password is None else await credentials_of(user.password)
    made = await write_user(broker, name, user.rules, credentials)
    return Response(status_code=HTTPStatus.CREATED if made else HTTPStatus.NO_CONTENT)


@administration_routes.delete("/users/{name}", status_code=HTTPStatus.NO_CONTENT)
async def remove_named_user(name: NodeName, broker: BrokerConnection) -> None:
    """Remove a user, whose connections end within a second."""
    await remove_user(broker, name)


@administration_routes.get("/rights")
async def show_rights(
    broker: BrokerConnection,
    *,
    user: Annotated[str, Query(description="A user's name; empty is the caller.")] = "",
    name: Annotated[str, Query(description="Of a queue, an exchange or an address.")] = "",
    destination: Annotated[str, Query(description="Where something is moved, copied or bound to.")] = "",
) -> Any:
    """Whether a user may do each verb, and which right is missing; others than oneself need `administer`."""
    body = {"user": user, "name": name, "destination": destination}
    return jsonable(await broker.manage("MAY", body=body, kind="permission"))


@administration_routes.get("/configuration")
async def show_configuration(broker: BrokerConnection) -> Any:
    """The settings in force with their origins, and the path and tables of the file, if any; no secrets."""
    return jsonable(await broker.manage("READ", kind="configuration"))


@administration_routes.post("/configuration")
async def apply_configuration(broker: BrokerConnection, changes: Changes) -> Any:
    """Apply what differs between the broker and its configuration file; with `dry_run` only tell it."""
    answer = await broker.manage("RELOAD", body=changes.model_dump(), kind="configuration")
    return {"changes": jsonable(answer)}


@administration_routes.get("/pipeline")
async def show_pipeline(broker: BrokerConnection) -> Any:
    """The parts of the pipeline that the broker's configuration file declares, and their status."""
    return jsonable(await broker.manage("READ", kind="pipeline"))


@administration_routes.post("/pipeline/{name}/restart", status_code=HTTPStatus.ACCEPTED)
async def restart_part(name: NodeName, broker: BrokerConnection) -> None:
    """Ask the pipeline's runner to begin a part again."""
    await broker.manage("RESTART", name, kind="pipeline")


@administration_routes.get("/log")
async def list_lines(broker: BrokerConnection, page: Annotated[LogPage, Query()]) -> Any:
    """Lines of the broker's log, oldest first; `last` is the number of the newest one."""
    return jsonable(await _lines(broker, page))


@administration_routes.get("/log/follow", response_class=EventSourceResponse)
async def follow_log(request: Request, page: Annotated[LogPage, Query()]) -> EventSourceResponse:
    """The newest lines, then further ones within a second, as server-sent events `line`."""
    access = access_of(request)
    caller = access.identify(request)
    async with access.connections.use(caller) as broker:
        # Errors that occur at once are an answer, not an event.
        first = await _lines(broker, page)

    async def events() -> AsyncIterator[ServerSentEvent]:
        async with access.connections.use(caller) as broker:
            async for event in _following(broker, page, first):
                yield event

    return EventSourceResponse(events())


async def _following(
    broker: Connection, page: LogPage, answer: dict[str, Any]
) -> AsyncIterator[ServerSentEvent]:
    try:
        while True:
            for line in answer["lines"]:
                yield ServerSentEvent(json.dumps(jsonable(line)), event="line", id=str(line["number"]))
            await asyncio.sleep(FOLLOW_S)
            answer = await _lines(broker, page.model_copy(update={"after": answer["last"], "limit": 1000}))
    except LastvalueError as error:
        yield ServerSentEvent(json.dumps({"status": status_of(error), "detail": str(error)}), event="error")


async def _lines(broker: Connection, page: LogPage) -> dict[str, Any]:
    body = {"after": page.after, "level": page.level, "event": page.event, "count": page.limit}
    answer = await broker.manage("QUERY", body=body, kind="log")
    return dict(answer) if isinstance(answer, dict) else {"last": 0, "lines": []}
