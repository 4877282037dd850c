"""A queue followed at all the brokers that have its keys.

Each event says by `partition` where it happened, and its id has a token of each broker, so a follower that
comes back continues at all of them. A broker that is away is named in an event and asked again from the place
at which it was lost; meanwhile the others continue.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from http import HTTPStatus
from typing import Final

from lastvalue.http.broker_access import BrokerAccess
from lastvalue.http.caller import Caller
from lastvalue.http.follow_events import FollowBatch, follow_event
from lastvalue.http.follower import FollowTerms, begun, followed_batches
from lastvalue.http.problems import Problem, text_of
from lastvalue.model.errors import LastvalueError

UNKNOWN: Final = "0-0-0"
"""A token that no queue knows: the follower gets all values, and keeps none that it had."""

FIRST_EVENTS_S: Final = 2.0
"""For so long the first events wait for those of the other brokers, so that a refusal is an answer."""

SHORTEST_WAIT_S: Final = 0.5
LONGEST_WAIT_S: Final = 8.0

_AWAY: Final = (
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
    # A follower that lags behind what was seen at its leader, or follows now.
    HTTPStatus.MISDIRECTED_REQUEST,
)
_SEPARATOR: Final = "."


async def follow_partitions(
    access: BrokerAccess, callers: Sequence[Caller | Problem], queue: str, terms: FollowTerms
) -> AsyncGenerator[FollowBatch]:
    """The events of all brokers as they come, of which the first have come: those of one key in their order.

    Of each broker at most one batch waits until the follower has read those before. A rate is shared out.

    Args:
        access: the state of the gateway.
        callers: the caller at each broker, or why the caller does not get there.
        queue: its name.
        terms: what is followed, and from where.

    Raises:
        Problem: it cannot begin, since a broker refuses; what fails later is an event.
    """
    return await begun(access, _merged(_Partitions(access, callers, queue, terms)))


class _Partitions:
    """What is followed at which brokers, and how far the follower has read at each."""

    def __init__(
        self, access: BrokerAccess, callers: Sequence[Caller | Problem], queue: str, terms: FollowTerms
    ) -> None:
        self.callers = callers
        self._access = access
        self._queue = queue
        self._rate = None if terms.rate is None else terms.rate / len(callers)
        self._terms = terms
        self._tokens = (terms.last_event_id or "").split(_SEPARATOR)
        if len(self._tokens) != len(callers) or not terms.last_event_id:
            self._tokens = [UNKNOWN] * len(callers)

    async def batches(self, number: int) -> AsyncGenerator[FollowBatch]:
        """What one broker sends, for ever; it ends only where the caller does not get there.

        Raises:
            Problem: the broker refuses.
        """
        caller = self.callers[number]
        if isinstance(caller, Problem):
            yield self._lost(number, caller)
            return
        wait_s, is_told = SHORTEST_WAIT_S, False
        token = None if self._terms.last_event_id is None else self._tokens[number]
        while True:
            asked = self._terms.model_copy(update={"last_event_id": token, "rate": self._rate})
            fault: LastvalueError | Problem = Problem(HTTPStatus.SERVICE_UNAVAILABLE, "the broker has ended")
            try:
                async with aclosing(followed_batches(self._access, caller, self._queue, asked)) as batches:
                    async for batch in batches:
                        wait_s, is_told = SHORTEST_WAIT_S, False
                        yield self._labelled(number, batch)
            except LastvalueError as error:
                fault = error
            status, text = text_of(fault)
            if status not in _AWAY:
                raise Problem(HTTPStatus(status), f"partition {number}: {text}")
            if not is_told:
                is_told = True
                yield self._lost(number, fault)
            await asyncio.sleep(wait_s)
            wait_s, token = min(2 * wait_s, LONGEST_WAIT_S), self._tokens[number]

    def _labelled(self, number: int, batch: FollowBatch) -> FollowBatch:
        events = []
        for event in batch.events:
            self._tokens[number] = event.token or UNKNOWN
            ends = event.kind == "snapshot-end"
            partition = f'"partition":{number}' + (f',"partitions":{len(self.callers)}' if ends else "")
            events.append(event.with_data(partition, self._place))
        return FollowBatch(events)

    def _lost(self, number: int, fault: LastvalueError | Problem) -> FollowBatch:
        status, text = text_of(fault)
        data = {"partition": number, "partitions": len(self.callers), "status": status, "detail": text}
        return FollowBatch([follow_event("partition-lost", data, self._place)])

    @property
    def _place(self) -> str:
        """The id of an event: where the follower is at each broker."""
        return _SEPARATOR.join(self._tokens)


async def _merged(partitions: _Partitions) -> AsyncGenerator[FollowBatch]:
    streams = [partitions.batches(number) for number in range(len(partitions.callers))]
    waiting = {asyncio.ensure_future(anext(stream)): stream for stream in streams}
    try:
        await asyncio.wait(waiting, timeout=FIRST_EVENTS_S, return_when=asyncio.ALL_COMPLETED)
        while waiting:
            done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            # A refusal comes before values: at the beginning it is the answer.
            for task in sorted(done, key=lambda each: each.exception() is None):
                stream = waiting.pop(task)
                try:
                    batch = task.result()
                except StopAsyncIteration:
                    continue
                yield batch
                waiting[asyncio.ensure_future(anext(stream))] = stream
    finally:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        for stream in streams:
            await stream.aclose()
