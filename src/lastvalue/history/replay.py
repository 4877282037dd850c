"""Replay: publishes a period of a queue's history again, at the recorded speed, faster, or conflated."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from lastvalue.client import ConnectionLostError, InvalidMessageError, Message, Reconnection, connect
from lastvalue.client.message_codec import decode_message
from lastvalue.history.recorded_history import RecordedHistory
from lastvalue.history.records import Record
from lastvalue.model.errors import LastvalueError
from lastvalue.model.property_names import DUPLICATE_ID

MOST_AT_ONCE: Final = 1000
"""Fewer than the ids that a queue remembers, so that it detects the duplicates of an interrupted batch."""


class InvalidReplayPlanError(LastvalueError):
    """The plan of a replay is invalid."""


@dataclass(frozen=True, slots=True)
class ReplayPlan:
    """The period and the speed of a replay.

    Attributes:
        start_ms, end_ms: the period, without its end; milliseconds since the epoch.
        speed: a factor of the recorded speed; 0 does not wait.
        every_ms: publish only the last message of a key per interval of recorded time; 0: every message.
        name: the replay's name; the queue takes each message of a replay of one name once.
    """

    start_ms: int
    end_ms: int
    speed: float = 1.0
    every_ms: int = 0
    name: str = ""

    def __post_init__(self) -> None:
        if self.end_ms <= self.start_ms:
            raise InvalidReplayPlanError("a replay's end must be later than its start")
        if self.speed < 0:
            raise InvalidReplayPlanError(f"speed is {self.speed}; expected 1, a factor, or max")
        if self.every_ms < 0:
            raise InvalidReplayPlanError("the interval of conflation must be longer than 0")

    def name_for(self, queue: str) -> str:
        """The name of the replay of a queue; without one of its own it is made of the period."""
        return self.name or f"replay-{queue}-{self.start_ms}-{self.end_ms}-{self.every_ms}"


@dataclass
class Replayed:
    """The progress of a replay.

    Attributes:
        messages: how many messages it publishes in all.
        published: how many the queue has confirmed, in this run or an earlier one.
        updates: how many updates all the messages stand for.
        lost: why the broker is away, or None.
    """

    messages: int = 0
    published: int = 0
    updates: int = 0
    lost: ConnectionLostError | None = None


@dataclass(frozen=True, slots=True)
class DueMessage:
    """A message to publish, and its time in milliseconds after the start of the period."""

    after_ms: int
    record: Record
    updates: int


def due_messages(records: Iterable[Record], plan: ReplayPlan) -> Iterator[DueMessage]:
    """The messages to publish, in order.

    With conflation, a message is due at the end of its interval and stands for its key's updates in it.
    Messages without a key are not conflated.
    """
    if not plan.every_ms:
        for record in records:
            yield DueMessage(record.time_ms - plan.start_ms, record, 1)
        return
    interval = 0
    waiting: dict[object, DueMessage] = {}
    for record in records:
        mine = (record.time_ms - plan.start_ms) // plan.every_ms
        if mine != interval:
            yield from waiting.values()
            waiting = {}
            interval = mine
        key: object = record.key if record.key is not None else record.offset
        # It goes behind messages that came after the one that it replaces.
        previous = waiting.pop(key, None)
        updates = 1 if previous is None else previous.updates + 1
        waiting[key] = DueMessage((mine + 1) * plan.every_ms, record, updates)
    yield from waiting.values()


def message_of(due: DueMessage, name: str) -> Message:
    """The message to publish: as recorded, with an id for duplicate detection that is the same in every run.

    Raises:
        InvalidMessageError: the recorded message cannot be decoded.
    """
    message = decode_message(due.record.message)
    return replace(
        message,
        properties={**message.properties, DUPLICATE_ID: f"{name}:{due.record.offset}"},
        updates=max(message.updates, due.updates),
        sequence=None,
        arrival_time_ms=None,
        delivery_count=0,
    )


async def replay(
    recorded_history: RecordedHistory,
    url: str,
    into: str,
    plan: ReplayPlan,
    on_progress: Callable[[Replayed], None] | None = None,
    progress: Path | None = None,
) -> Replayed:
    """Publish a period of a queue's history again.

    Each message has an id for duplicate detection, so that runs of the same name publish nothing twice: as
    far as the queue remembers ids, and for any length with a progress file.

    Args:
        recorded_history: the queue's history.
        url: the broker's URL.
        into: the queue to publish to.
        plan: the period, and how fast.
        on_progress: called with the progress after each batch, and when the broker is lost or there again.
        progress: a file for the progress, from which a run continues an interrupted one.

    Raises:
        HistoryUnavailableError, InvalidTimeError: the history does not include the whole period.
        InvalidReplayPlanError: the progress file is that of another replay.
        InvalidMessageError: a recorded message cannot be decoded.
        ClientError: the connection or a request failed.
    """
    if into == recorded_history.queue:
        raise InvalidReplayPlanError(f"queue {into!r} cannot be replayed into itself; name another queue")
    name = plan.name_for(recorded_history.queue)
    due = list(due_messages(recorded_history.published(plan.start_ms, plan.end_ms), plan))
    for each in due:
        if not each.record.message:
            raise InvalidMessageError(f"message {each.record.sequence} is in the history without its content")
    done = Replayed(messages=len(due), published=_published(progress, name, into))

    def noted(error: ConnectionLostError | None) -> None:
        done.lost = error
        if on_progress is not None:
            on_progress(done)

    reconnection = Reconnection(on_change=noted)
    async with (
        connect(url, reconnect=reconnection) as connection,
        connection.queue(into).sender(once=True) as sender,
    ):
        async for batch in _paced(due[done.published :], plan.speed, resumed=done.published > 0):
            await sender.send_many([message_of(each, name) for each in batch])
            done.published += len(batch)
            done.updates += sum(each.updates for each in batch)
            if progress is not None:
                state = {"name": name, "into": into, "published": done.published}
                _write(progress, {**state, "start_ms": plan.start_ms, "end_ms": plan.end_ms})
            if on_progress is not None:
                on_progress(done)
    return done


def _published(progress: Path | None, name: str, into: str) -> int:
    """How many messages earlier runs have published."""
    if progress is None or not progress.exists():
        return 0
    left = _read(progress)
    known, published = (left["name"], left["into"]), int(left["published"])
    if known != (name, into):
        raise InvalidReplayPlanError(
            f"{progress} is of the replay {known[0]!r} into {known[1]!r}, not of {name!r} into {into!r}; "
            "name another file, or delete it"
        )
    return published


def _write(progress: Path, state: dict[str, object]) -> None:
    beside = progress.with_name(progress.name + ".part")
    try:
        beside.write_text(json.dumps(state))
        beside.replace(progress)
    except OSError as error:
        raise InvalidReplayPlanError(f"{progress} cannot be written: {error.strerror}") from None


def continued(plan: ReplayPlan, progress: Path | None) -> ReplayPlan:
    """The plan with the period of the run whose progress is in the file, if there was one.

    Raises:
        InvalidReplayPlanError: the file is not a progress file.
    """
    if progress is None or not progress.exists():
        return plan
    left = _read(progress)
    return replace(
        plan,
        start_ms=int(left.get("start_ms", plan.start_ms)),
        end_ms=int(left.get("end_ms", plan.end_ms)),
    )


def _read(progress: Path) -> dict[str, Any]:
    try:
        left = json.loads(progress.read_text())
        return {
            **left,
            "name": str(left["name"]),
            "into": str(left["into"]),
            "published": int(left["published"]),
        }
    except (ValueError, KeyError, TypeError) as fault:
        raise InvalidReplayPlanError(f"{progress} is not the progress file of a replay: {fault}") from None


async def _paced(due: list[DueMessage], speed: float, *, resumed: bool) -> AsyncIterator[list[DueMessage]]:
    """Batches of messages that are due together, each at its time."""
    # A run that continues publishes its first message at once.
    skipped_s = due[0].after_ms / 1000 / speed if due and speed and resumed else 0.0
    began = time.monotonic() - skipped_s
    position = 0
    while position < len(due):
        end = min(position + MOST_AT_ONCE, len(due))
        if speed:
            wait_s = due[position].after_ms / 1000 / speed - (time.monotonic() - began)
            if wait_s > 0:
                await asyncio.sleep(wait_s)
            now_ms = (time.monotonic() - began) * 1000 * speed
            end = position + 1
            while end < len(due) and due[end].after_ms <= now_ms and end - position < MOST_AT_ONCE:
                end += 1
        yield due[position:end]
        position = end
