"""A page of a queue's messages, found with a bounded amount of work.

Where a queue is in the order of its sequences a page is a part of that order.
A queue with an order of its own has no place to go on from, so its pages go by sequence, each in the queue's
order; only the first page without a place is what is delivered first, where that can be found so.
"""

from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel

from lastvalue.client import Message, Queue, QueueInfo, Wanted

MOST_LOOKED_AT: Final = 50_000
"""How many messages a page compares with a selector at most: some tenths of a second of the broker."""


@dataclass(frozen=True, slots=True)
class FoundPage:
    """Messages, and after which sequence the next page goes on, or None at the end."""

    messages: list[Message]
    next_after: int | None


async def find_page(
    queue: Queue, info: QueueInfo, after: int | None, limit: int, selector: str | None
) -> FoundPage:
    """At most so many messages after a sequence that a selector selects.

    There may be fewer, or none, before the end, where the selector matches little: see MOST_LOOKED_AT.
    """
    if info.by_sequence:
        return await _find_in_order(queue, after or 0, limit, selector)
    if after is None and (selector is None or info.depth <= MOST_LOOKED_AT):
        found = await _browse(queue, limit, Wanted(selector=selector))
        return FoundPage(found, 0 if len(found) == limit else None)
    return await _find_by_sequence(queue, after or 0, limit, selector)


def next_page(asked: BaseModel, after: int | None) -> dict[str, Any] | None:
    """The parameters of the next page of a request; None where there is none."""
    return None if after is None else asked.model_dump(exclude_defaults=True) | {"after": after}


async def _find_in_order(queue: Queue, after: int, limit: int, selector: str | None) -> FoundPage:
    if selector is None:
        found = await _browse(queue, limit, Wanted(after=after or None))
        return FoundPage(found, found[-1].sequence if len(found) == limit else None)
    bounds = await queue.sequences(after=after, messages=MOST_LOOKED_AT)
    found = await _browse(queue, limit, Wanted(selector=selector, after=after or None, until=bounds.end))
    if len(found) == limit:
        return FoundPage(found, found[-1].sequence)
    return FoundPage(found, bounds.end if bounds.end < bounds.last else None)


async def _find_by_sequence(queue: Queue, after: int, limit: int, selector: str | None) -> FoundPage:
    """A part of the sequences in which at most so many are selected: in another order none can be cut off."""
    looked_at = limit if selector is None else max(limit, MOST_LOOKED_AT)
    while True:
        bounds = await queue.sequences(after=after, messages=looked_at)
        wanted = Wanted(selector=selector, after=after or None, until=bounds.end)
        found = await _browse(queue, limit + 1, wanted)
        if len(found) <= limit:
            return FoundPage(found, bounds.end if bounds.end < bounds.last else None)
        looked_at = max(limit, looked_at // 4)


async def _browse(queue: Queue, limit: int, wanted: Wanted) -> list[Message]:
    async with queue.browse(limit=limit, prefetch=limit, wanted=wanted) as browser:
        return [each async for each in browser]
