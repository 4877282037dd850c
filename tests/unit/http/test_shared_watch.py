"""lastvalue.http.shared_watch."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

import pytest
from waiting import until

from lastvalue.http.follow_events import FollowBatch, FollowEvent, follow_event, snapshot_end
from lastvalue.http.problems import Problem
from lastvalue.http.shared_watch import SharedWatch, SharedWatches
from lastvalue.model.errors import QueueNotFoundError


class Source:
    """What a queue's watch says when a test lets it."""

    def __init__(self) -> None:
        self.opened = self.closed = 0
        self._said: asyncio.Queue[list[FollowEvent] | Exception | None] = asyncio.Queue()

    def say(self, *events: FollowEvent) -> None:
        self._said.put_nowait(list(events))

    def fail(self, error: Exception) -> None:
        self._said.put_nowait(error)

    async def __call__(self) -> AsyncGenerator[list[FollowEvent]]:
        self.opened += 1
        try:
            while (said := await self._said.get()) is not None:
                if isinstance(said, Exception):
                    raise said
                yield said
        finally:
            self.closed += 1


def value(key: str, sequence: int, removals: int = 0) -> FollowEvent:
    return FollowEvent("value", f'"{key}{sequence}"', f"1-{sequence}-{removals}", key, sequence)


def removal(key: str, sequence: int, number: int) -> FollowEvent:
    return FollowEvent("removed", f'"no {key}"', f"1-{sequence}-{number}", key, sequence)


def marker(sequence: int, removals: int = 0) -> FollowEvent:
    return snapshot_end(sequence, f"1-{sequence}-{removals}", resumed=False)


@pytest.fixture
def source() -> Source:
    source = Source()
    source.say(value("A", 1), value("B", 2), marker(2))
    return source


@pytest.fixture
async def watches() -> AsyncIterator[SharedWatches]:
    watches = SharedWatches()
    yield watches
    await watches.close()


async def told(batches: AsyncGenerator[FollowBatch], count: int) -> list[str]:
    """The next so many batches."""
    found = [await anext(batches) for _ in range(count)]
    return [
        event.data if event.kind in ("value", "removed") else event.kind
        for batch in found
        for event in batch.events
    ]


def follow(watch: SharedWatch, token: str | None = None) -> AsyncGenerator[FollowBatch]:
    return watch.follow(token)


async def test_followers_share_a_watch_and_each_gets_values_a_marker_and_changes(
    watches: SharedWatches, source: Source
) -> None:
    with watches.following("q", source) as watch, watches.following("q", source) as same:
        assert same is watch
        async with aclosing(follow(watch)) as first, aclosing(follow(watch)) as second:
            assert await told(first, 2) == ['"A1"', '"B2"', "snapshot-end"]
            source.say(value("A", 3))
            assert await told(first, 1) == ['"A3"']
            assert await told(second, 2) == ['"B2"', '"A3"', "snapshot-end"]
            assert source.opened == 1


async def test_who_is_slow_gets_the_newest_value_and_removals(watches: SharedWatches, source: Source) -> None:
    with watches.following("q", source) as watch:
        async with aclosing(follow(watch)) as slow, aclosing(follow(watch)) as quick:
            await told(slow, 2)
            await told(quick, 2)
            for sequence in range(3, 9):
                source.say(value("A", sequence))
                assert await told(quick, 1) == [f'"A{sequence}"']
            source.say(removal("B", 8, 1))
            await told(quick, 1)
            assert await told(slow, 1) == ['"A8"', '"no B"']


async def test_followers_at_the_same_place_get_the_same_batch(watches: SharedWatches, source: Source) -> None:
    with watches.following("q", source) as watch:
        async with aclosing(follow(watch)) as first, aclosing(follow(watch)) as second:
            assert await anext(first) is await anext(second)


async def test_who_comes_back_goes_on_after_its_token(watches: SharedWatches, source: Source) -> None:
    with watches.following("q", source) as watch:
        async with aclosing(follow(watch)) as events:
            await told(events, 2)
            source.say(value("B", 3), removal("A", 3, 1))
            await told(events, 1)
        assert watches.knows("q", "1-2-0")
        async with aclosing(follow(watch, "1-2-0")) as events:
            assert await told(events, 1) == ['"B3"', '"no A"']
            end = (await anext(events)).events[0]
            assert end.data == '{"sequence":3,"resumed":true}'


async def test_who_comes_with_an_unknown_token_gets_values_without_tokens(
    watches: SharedWatches, source: Source
) -> None:
    with watches.following("q", source) as watch:
        async with aclosing(follow(watch, "9-9-9")) as events:
            batch, end = await anext(events), await anext(events)
            assert [event.token for event in batch.events] == [None, None]
            assert end.events[0].token == "1-2-0"
            assert '"resumed":false' in end.events[0].data


async def test_a_watch_that_begins_anew_lets_its_followers_begin_anew(
    watches: SharedWatches, source: Source
) -> None:
    with watches.following("q", source) as watch:
        async with aclosing(follow(watch)) as events:
            await told(events, 2)
            source.say(follow_event("snapshot-begin", {}), value("C", 7, 2), marker(7, 2))
            assert await told(events, 1) == ["snapshot-begin"]
            batch = await anext(events)
            assert [(event.data, event.token) for event in batch.events] == [('"C7"', None)]
            assert await told(events, 1) == ["snapshot-end"]


async def test_what_fails_fails_for_all_and_the_next_one_opens_another(
    watches: SharedWatches, source: Source
) -> None:
    with watches.following("q", source) as watch:
        async with aclosing(follow(watch)) as first, aclosing(follow(watch)) as second:
            await told(first, 2)
            source.fail(QueueNotFoundError("q"))
            with pytest.raises(QueueNotFoundError):
                await anext(first)
            await told(second, 2)
            with pytest.raises(QueueNotFoundError):
                await anext(second)
        with watches.following("q", source) as another:
            assert another is not watch


async def test_a_watch_with_too_much_in_it_is_not_shared(
    watches: SharedWatches, source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lastvalue.http.shared_watch.MOST_BYTES", 1)
    with watches.following("q", source) as watch:
        assert [batch async for batch in follow(watch)] == []
        assert (watch.is_shared, watch.size_bytes, source.closed) == (False, 0, 1)
        with watches.following("q", source) as same:
            assert same is watch


async def test_it_ends_some_time_after_its_last_follower(
    watches: SharedWatches, source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lastvalue.http.shared_watch.LINGER_S", 0.01)
    with watches.following("q", source) as watch:
        async with aclosing(follow(watch)) as events:
            await told(events, 1)
    await until(lambda: source.closed == 1)
    assert not watches.knows("q", "1-2-0")


async def test_its_followers_are_told_when_the_gateway_stops(watches: SharedWatches, source: Source) -> None:
    with watches.following("q", source) as watch:
        async with aclosing(follow(watch)) as events:
            await told(events, 2)
            await watches.close()
            with pytest.raises(Problem, match="the gateway stops"):
                await anext(events)


async def test_what_is_new_is_shown_later_the_more_followers_there_are(
    watches: SharedWatches, source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lastvalue.http.shared_watch.SHOWN_EACH_S", 3600.0)
    with watches.following("q", source) as watch:
        async with aclosing(follow(watch)) as events:
            await told(events, 2)
            source.say(value("A", 3))
            next_batch = asyncio.ensure_future(anext(events))
            await until(lambda: watch._log.end == 3)
            assert not next_batch.done()
            watch._show()
            assert [event.data for event in (await next_batch).events] == ['"A3"']


async def test_the_marker_comes_after_values_that_changed_while_a_follower_read(
    watches: SharedWatches, source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lastvalue.http.shared_watch.BATCH_BYTES", 1)
    with watches.following("q", source) as watch:
        batches = follow(watch)
        assert await told(batches, 1) == ['"A1"']
        source.say(value("new", 3), value("B", 4))
        await until(lambda: watch.knows("1-4-0"))
        source.say(value("B", 5))
        await until(lambda: watch.knows("1-5-0"))
        assert await told(batches, 3) == ['"new3"', '"B5"', "snapshot-end"]
        source.say(value("A", 6))
        assert await told(batches, 1) == ['"A6"']
        await batches.aclose()


async def test_a_token_of_before_what_came_out_of_turn_does_not_stand_for_it(
    watches: SharedWatches, source: Source
) -> None:
    """The watch gives B and C out of turn, without a token."""
    early = Source()
    early.say(
        value("A", 1),
        FollowEvent("value", '"B5"', None, "B", 5),
        FollowEvent("value", '"C4"', None, "C", 4),
        marker(3),
        value("D", 6),
    )
    with watches.following("early", early) as watch:
        await until(lambda: watch.knows("1-6-0"))
        async with aclosing(follow(watch, "1-1-0")) as batches:
            assert await told(batches, 2) == ['"B5"', '"C4"', '"D6"', "snapshot-end"]
        async with aclosing(follow(watch, "1-6-0")) as batches:
            assert await told(batches, 1) == ["snapshot-end"]
