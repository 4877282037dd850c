"""A page of a queue's messages, found with a bounded amount of work and memory.

Where a queue is in the order of its sequences a page is a part of that order.
A queue with an order of its own has no place to continue from: its pages go by sequence, each in the queue's
order; only the first page without a place is what is delivered first, where that can be found so.
"""

from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel

from lastvalue.client import Message, Queue, QueueInfo, Wanted
from lastvalue.http.page_size import PageSize, ahead_of

MOST_LOOKED_AT: Final = 50_000
"""How many messages a page compares with a selector at most: some tenths of a second of the broker."""


@dataclass(frozen=True, slots=True)
class FoundPage:
    """Messages, and after which sequence the next page continues, or None at the end."""

    messages: list[Message]
    next_after: int | None


async def find_page(
    queue: Queue, info: QueueInfo, after: int | None, limit: int, selector: str | None
) -> FoundPage:
    """At most this many messages after a sequence that a selector selects.

    There may be fewer, or none, before the end, where the selector matches little: see MOST_LOOKED_AT.
    """
    browsed = _Browsed(queue, ahead_of(info, limit + 1))
    if info.by_sequence:
        return await _find_in_order(browsed, after or 0, limit, selector)
    if after is None and (selector is None or info.depth <= MOST_LOOKED_AT):
        found, whole = await browsed.first(limit, Wanted(selector=selector))
        return FoundPage(found, 0 if len(found) == limit or not whole else None)
    return await _find_by_sequence(browsed, after or 0, limit, selector)


def next_page(asked: BaseModel, after: int | None) -> dict[str, Any] | None:
    """The parameters of the next page of a request; None if there is none."""
    return None if after is None else asked.model_dump(exclude_defaults=True) | {"after": after}


@dataclass(frozen=True, slots=True)
class _Browsed:
    """A queue, and how many of its messages may be on their way."""

    queue: Queue
    ahead: int

    async def first(self, limit: int, wanted: Wanted) -> tuple[list[Message], bool]:
        """At most this many of these messages, and whether those are left out only that are too many."""
        size = PageSize()
        found: list[Message] = []
        prefetch = min(self.ahead, limit)
        async with self.queue.browse(limit=limit, prefetch=prefetch, wanted=wanted) as browser:
            async for message in browser:
                found.append(message)
                size.add(message)
                if size.is_full:
                    return found, len(found) == limit
        return found, True


async def _find_in_order(browsed: _Browsed, after: int, limit: int, selector: str | None) -> FoundPage:
    if selector is None:
        found, whole = await browsed.first(limit, Wanted(after=after or None))
        return FoundPage(found, found[-1].sequence if len(found) == limit or not whole else None)
    bounds = await browsed.queue.sequences(after=after, messages=MOST_LOOKED_AT)
    wanted = Wanted(selector=selector, after=after or None, until=bounds.end)
    found, whole = await browsed.first(limit, wanted)
    if len(found) == limit or not whole:
        return FoundPage(found, found[-1].sequence)
    return FoundPage(found, bounds.end if bounds.end < bounds.last else None)


async def _find_by_sequence(browsed: _Browsed, after: int, limit: int, selector: str | None) -> FoundPage:
    """A part of the sequences that select at most this many: in another order none can be cut off."""
    looked_at = limit if selector is None else max(limit, MOST_LOOKED_AT)
    while True:
        bounds = await browsed.queue.sequences(after=after, messages=looked_at)
        wanted = Wanted(selector=selector, after=after or None, until=bounds.end)
        found, whole = await browsed.first(limit + 1, wanted)
        if len(found) <= limit and (whole or looked_at == 1):
            return FoundPage(found, bounds.end if bounds.end < bounds.last else None)
        looked_at = max(1 if not whole else limit, looked_at // 4)
