"""Periods of a history, published again."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from waiting import until

from lastvalue.client import Connection, Message, connect
from lastvalue.history.errors import HistoryUnavailableError
from lastvalue.history.recorded_history import RecordedHistory, read_history
from lastvalue.history.records import Record
from lastvalue.history.replay import (
    DueMessage,
    InvalidReplayPlanError,
    Replayed,
    ReplayPlan,
    continued,
    due_messages,
    replay,
)
from lastvalue.server.broker_server import BrokerServer, ServerOptions


def at(time_ms: int, key: str | None, offset: int = 0) -> Record:
    return Record(offset or time_ms, "added", "q", time_ms, time_ms, key=key, arrival_ms=time_ms)


def summary(due: list[DueMessage]) -> list[tuple[int, int, int]]:
    return [(each.after_ms, each.record.offset, each.updates) for each in due]


def test_messages_are_due_as_they_came() -> None:
    plan = ReplayPlan(100, 200)
    assert summary(list(due_messages([at(100, "a"), at(130, "a")], plan))) == [(0, 100, 1), (30, 130, 1)]


def test_conflated_a_key_is_due_once_at_the_end_of_each_interval() -> None:
    records = [at(100, "a"), at(101, "b"), at(103, "a"), at(104, None), at(105, None), at(125, "a")]
    plan = ReplayPlan(100, 200, every_ms=10)
    assert summary(list(due_messages(records, plan))) == [
        (10, 101, 1),
        (10, 103, 2),
        (10, 104, 1),
        (10, 105, 1),
        (30, 125, 1),
    ]


@pytest.mark.parametrize(
    "plan", [{"end_ms": 100}, {"end_ms": 200, "speed": -1}, {"end_ms": 200, "every_ms": -1}]
)
def test_a_plan_that_cannot_be_is_refused(plan: dict[str, float]) -> None:
    with pytest.raises(InvalidReplayPlanError):
        ReplayPlan(100, **plan)  # type: ignore[arg-type]  # the names are those of its fields


async def recorded(connection: Connection, url: str) -> RecordedHistory:
    await connection.declare("q", lvq_key="k", history="h")
    for number in range(5):
        message = Message(number, {"k": "a"}, message_id=f"m{number}", subject="s", priority=7)
        await connection.queue("q").send(message)
    await connection.declare("again")
    return await read_history("q", url=url)


def whole(recorded_history: RecordedHistory, **more: Any) -> ReplayPlan:
    return ReplayPlan(recorded_history.records[0].time_ms, recorded_history.records[-1].time_ms + 1, **more)


async def again(connection: Connection) -> list[Message]:
    return [message async for message in connection.queue("again").browse()]


async def test_messages_are_as_they_came(connection: Connection, url: str) -> None:
    recorded_history = await recorded(connection, url)
    done = await replay(recorded_history, url, "again", whole(recorded_history, speed=0))
    assert (done.messages, done.published) == (5, 5)
    told = await again(connection)
    assert [message.body for message in told] == [0, 1, 2, 3, 4]
    assert (told[0].message_id, told[0].subject, told[0].priority) == ("m0", "s", 7)


async def test_a_run_that_was_cut_short_goes_on(connection: Connection, url: str, tmp_path: Path) -> None:
    recorded_history = await recorded(connection, url)
    progress = tmp_path / "progress"

    def cut_short(done: Replayed) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await replay(recorded_history, url, "again", whole(recorded_history, speed=0), cut_short, progress)
    with pytest.raises(InvalidReplayPlanError, match="is of the replay"):
        await replay(recorded_history, url, "other", whole(recorded_history, speed=0), None, progress)
    await replay(recorded_history, url, "again", whole(recorded_history, speed=0), None, progress)
    # Also where how far it came is forgotten: the queue knows the ids.
    await replay(recorded_history, url, "again", whole(recorded_history, speed=0))
    assert len(await again(connection)) == 5


async def test_a_queue_is_not_replayed_into_itself(connection: Connection, url: str) -> None:
    recorded_history = await recorded(connection, url)
    with pytest.raises(InvalidReplayPlanError, match="queue 'q' cannot be replayed into itself"):
        await replay(recorded_history, url, "q", whole(recorded_history, speed=0))


async def test_a_run_with_a_progress_file_has_the_period_of_the_first_one(
    connection: Connection, url: str, tmp_path: Path
) -> None:
    recorded_history = await recorded(connection, url)
    progress, first = tmp_path / "progress", whole(recorded_history, speed=0)
    later = replace(first, end_ms=first.end_ms + 1000)
    assert continued(later, progress) == later
    await replay(recorded_history, url, "again", first, None, progress)
    assert continued(later, progress) == first
    progress.write_text("[]")
    with pytest.raises(InvalidReplayPlanError, match="not the progress file"):
        continued(later, progress)


async def test_a_progress_file_that_cannot_be_written_is_told(
    connection: Connection, url: str, tmp_path: Path
) -> None:
    recorded_history = await recorded(connection, url)
    with pytest.raises(InvalidReplayPlanError, match="cannot be written: No such file or directory"):
        await replay(
            recorded_history, url, "again", whole(recorded_history, speed=0), None, tmp_path / "no" / "file"
        )


async def test_the_recorded_speed_is_kept_or_scaled(connection: Connection, url: str) -> None:
    recorded_history = await recorded(connection, url)
    first = recorded_history.records[1].time_ms
    slow = RecordedHistory(
        "q",
        [
            _moved(record, first + 100 * number) if record.message else record
            for number, record in enumerate(recorded_history.records)
        ],
        first + 10_000,
    )
    began = time.monotonic()
    await replay(slow, url, "again", ReplayPlan(first, first + 2000, speed=4))
    # The last one is 700 ms after the start of the period.
    assert 0.15 < time.monotonic() - began < 5


def _moved(record: Record, time_ms: int) -> Record:
    return replace(record, time_ms=time_ms)


def test_a_period_that_the_history_does_not_hold_is_refused() -> None:
    recorded_history = RecordedHistory("q", [at(500, "a", 7), at(600, "a", 8)], 1000)
    with pytest.raises(HistoryUnavailableError):
        recorded_history.published(100, 1000)
    assert len(recorded_history.published(500, 1000)) == 2


async def test_a_broker_that_is_away_is_told_and_waited_for() -> None:
    async with BrokerServer(ServerOptions(port=0)) as server:
        url = f"amqp://127.0.0.1:{server.port}"
        told: list[str | None] = []

        def take(done: Replayed) -> None:
            told.append(None if done.lost is None else str(done.lost))
            if told == [None]:
                for each in list(server._connections):
                    assert each._transport is not None
                    each._transport.abort()

        async with connect(url) as connection:
            await recorded(connection, url)
            later_ms = await connection.clock_ms() + 5
            await until(lambda: time.time_ns() // 1_000_000 > later_ms)
            await connection.queue("q").send(Message(5, {"k": "a"}))
            recorded_history = await read_history("q", url=url)
            done = await replay(recorded_history, url, "again", whole(recorded_history, speed=0.01), take)
            assert [message.body for message in await again(connection)] == [0, 1, 2, 3, 4, 5]
        assert (done.published, done.lost) == (6, None)
        assert [each for each in told if each is not None] == told[1:2]
        assert len(told) > 2
