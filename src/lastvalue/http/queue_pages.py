"""Which queues of a list, and in what order."""

import heapq
from collections.abc import Callable
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from lastvalue.client import Connection, Page, QueueInfo

MOST_LISTED: Final = 1000
MOST_SORTED: Final = 10_000
"""So many queues at most come before the page of a sorted list."""

SORTED_BY: Final = (
    "name",
    "type",
    "depth",
    "depth_bytes",
    "available",
    "subscriptions",
    "published",
    "refused",
    "keys",
    "conflated",
    "conflation_ratio",
    "unsettled",
    "oldest_ms",
    "last_in_ms",
)


class QueuePage(BaseModel):
    """A page of queues: by name, or by one of their statistics."""

    model_config = ConfigDict(extra="forbid")

    after: str = Field("", description="Queues after this name.")
    contains: str = Field("", description="Queues with this text in their name.")
    limit: int = Field(100, ge=1, le=MOST_LISTED)
    sort: str = Field(
        "name",
        max_length=64,
        description=f"One of {', '.join(SORTED_BY)}; with `-` before it the highest first.",
    )
    offset: int = Field(0, ge=0, le=MOST_SORTED, description="Of a sorted list without the first so many.")

    @field_validator("sort")
    @classmethod
    def _known(cls, sort: str) -> str:
        if sort.removeprefix("-") not in SORTED_BY:
            raise ValueError(f"queues are sorted by {', '.join(SORTED_BY)}, not by {sort!r:.80}")
        return sort

    @model_validator(mode="after")
    def _one_way_to_go_on(self) -> "QueuePage":
        if self.is_by_name and self.offset:
            raise ValueError("a list by name goes on `after` a name, without `offset`")
        if not self.is_by_name and self.after:
            raise ValueError("a sorted list goes on at an `offset`, without `after`")
        return self

    @property
    def is_by_name(self) -> bool:
        """Whether it is in the order in which the broker lists queues."""
        return self.sort == "name"

    async def read(self, broker: Connection) -> tuple[list[QueueInfo], dict[str, Any] | None]:
        """The queues of the page, and the parameters of the next page or None."""
        asked = self.model_dump(exclude_defaults=True)
        if self.is_by_name:
            page = Page(after=self.after, contains=self.contains, count=self.limit)
            queues = await broker.queues(page=page)
            return queues, asked | {"after": queues[-1].name} if len(queues) == self.limit else None
        end = self.offset + self.limit
        first = await self._first(broker, end + 1)
        return first[self.offset : end], asked | {"offset": end} if len(first) > end else None

    async def _first(self, broker: Connection, count: int) -> list[QueueInfo]:
        """The first queues in the order; in memory are no more than these and a page of the broker's."""
        choose = heapq.nlargest if self.sort.startswith("-") else heapq.nsmallest
        rank = _rank(self.sort.removeprefix("-"))
        first: list[QueueInfo] = []
        after = ""
        while True:
            page = await broker.queues(page=Page(after=after, contains=self.contains, count=MOST_LISTED))
            first = choose(count, [*first, *page], key=rank)
            if len(page) < MOST_LISTED:
                return first
            after = page[-1].name


def conflation_ratio(queue: QueueInfo) -> float:
    """Which part of what came was replaced by something newer before anything else became of it."""
    return queue.statistics.get("conflated", 0) / queue.published if queue.published else 0.0


def _rank(name: str) -> Callable[[QueueInfo], tuple[Any, str]]:
    if name == "conflation_ratio":
        return lambda queue: (conflation_ratio(queue), queue.name)
    # What a queue of its type does not count is 0.
    return lambda queue: (queue.statistics.get(name, getattr(queue, name, 0)), queue.name)
