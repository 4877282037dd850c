"""A period of a queue's history published again into another queue: /queues/NAME/replay.

The caller reads the history and publishes with its own rights. `lastvalue replay` does it for any length, and
at the recorded speed.
"""

import time
from http import HTTPStatus
from typing import Any, Final

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request

from lastvalue.history.documents import record_document
from lastvalue.history.replay import (
    MOST_AT_ONCE,
    DueMessage,
    InvalidReplayPlanError,
    ReplayPlan,
    due_messages,
    message_of,
)
from lastvalue.history.times import print_time, read_time
from lastvalue.http.broker_access import BrokerConnection, QueueName
from lastvalue.http.history_routes import Time, history_until
from lastvalue.http.problems import FieldProblem, Problem

MOST_REPLAYED: Final = 10_000
MOST_PREVIEWED: Final = 20

replay_routes = APIRouter(prefix="/queues/{queue}", tags=["history"])


class Replay(BaseModel):
    """Which period is published again, and where to."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    start: Time = Field(alias="from")
    end: Time = Field("now", alias="to", description="The period ends before it.")
    into: str = Field("", max_length=255, description="The queue that gets the messages.")
    every_ms: int = Field(
        0,
        ge=0,
        le=86_400_000,
        description="Of each key only the last message in this many ms; 0: every message.",
    )
    dry_run: bool = Field(default=False, description="Only tell what would be published.")


@replay_routes.post("/replay")
async def replay_period(
    queue: QueueName, broker: BrokerConnection, request: Request, asked: Replay
) -> dict[str, Any]:
    """Publish a period of the history again, without waiting; once more it publishes nothing twice."""
    now_ms = time.time_ns() // 1_000_000
    start_ms, end_ms = read_time(asked.start, now_ms), read_time(asked.end, now_ms)
    try:
        plan = ReplayPlan(start_ms, end_ms, speed=0, every_ms=asked.every_ms)
    except InvalidReplayPlanError as error:
        raise FieldProblem("from", str(error)) from None
    if not asked.dry_run and asked.into in ("", queue):
        raise FieldProblem("into", f"name another queue than {queue!r}, which gets the messages")
    async with history_until(request, broker, queue, end_ms) as history:
        due = list(due_messages(history.published(start_ms, end_ms), plan))
    period = {"from": print_time(start_ms), "to": print_time(end_ms), "messages": len(due)}
    if asked.dry_run:
        return period | {
            "keys": len({each.record.key for each in due}),
            "first": [_described(each) for each in due[:MOST_PREVIEWED]],
        }
    if len(due) > MOST_REPLAYED:
        raise Problem(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            f"the period has {len(due)} messages, and {MOST_REPLAYED} are published at most; choose a "
            "shorter one, a longer interval, or `lastvalue replay`",
        )
    if any(not each.record.message for each in due):
        raise Problem(HTTPStatus.CONFLICT, "a message of the period is in the history without its content")
    name = plan.name_for(queue)
    async with broker.queue(asked.into).sender(once=True) as sender:
        for begin in range(0, len(due), MOST_AT_ONCE):
            await sender.send_many([message_of(each, name) for each in due[begin : begin + MOST_AT_ONCE]])
    return period | {"into": asked.into}


def _described(due: DueMessage) -> dict[str, Any]:
    return {"key": due.record.key, **record_document(due.record), "updates": due.updates}
