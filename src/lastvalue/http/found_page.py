"""A page of a queue's messages, found with a bounded amount of work.

Where a queue is in the order of its sequences a page is a part of that order.
A queue with an order of its own has no place to go on from, so its pages go by sequence, each in the queue's
order; only the first page without a place is what is delivered first.
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
    in_order = info.by_sequence
    if selector is None and (in_order or after is None):
        found = await _browse(queue, limit, Wanted(after=after or None))
        if len(found) < limit:
            return FoundPage(found, None)
        return FoundPage(found, found[-1].sequence if in_order else 0)
    if not in_order and after is None:
        return await _search_in_own_order(queue, limit, selector)
    # The messages of a queue with an order of its own cannot be cut by sequence: all that are looked at fit.
    looked_at = MOST_LOOKED_AT if in_order else limit
    bounds = await queue.sequences(after=after or 0, messages=looked_at)
    found = await _browse(queue, limit, Wanted(selector=selector, after=after or None, until=bounds.end))
    if in_order and len(found) == limit:
        return FoundPage(found, found[-1].sequence)
    return FoundPage(found, bounds.end if bounds.end < bounds.last else None)


def next_page(asked: BaseModel, after: int | None) -> dict[str, Any] | None:
    """The parameters of the next page of a request; None where there is none."""
    return None if after is None else asked.model_dump(exclude_defaults=True) | {"after": after}


async def _search_in_own_order(queue: Queue, limit: int, selector: str | None) -> FoundPage:
    found = await _browse(queue, limit, Wanted(selector=selector))
    return FoundPage(found, 0 if len(found) == limit else None)


async def _browse(queue: Queue, limit: int, wanted: Wanted) -> list[Message]:
    async with queue.browse(limit=limit, prefetch=limit, wanted=wanted) as browser:
        return [each async for each in browser]
