"""Which queues of a list, and in what order."""

from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from lastvalue.client import Connection, Page, QueueInfo
from lastvalue.model.queue_statistics import OF_NAME

MOST_LISTED: Final = 1000
MOST_SORTED: Final = 10_000
"""This many queues at most come before the page of a sorted list."""

SORTED_BY: Final = ("name", "type", "conflation_ratio", *OF_NAME)


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
    offset: int = Field(
        0, ge=0, le=MOST_SORTED, description="Of a sorted list without its first ones, this many."
    )

    @field_validator("sort")
    @classmethod
    def _known(cls, sort: str) -> str:
        if sort.removeprefix("-") not in SORTED_BY:
            raise ValueError(f"queues are sorted by {', '.join(SORTED_BY)}, not by {sort!r:.80}")
        return sort

    @model_validator(mode="after")
    def _one_way_to_go_on(self) -> "QueuePage":
        if self.is_by_name and self.offset:
            raise ValueError("a list by name continues `after` a name, without `offset`")
        if not self.is_by_name and self.after:
            raise ValueError("a sorted list continues at an `offset`, without `after`")
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
        # One more tells whether there is another page.
        page = Page(contains=self.contains, count=self.limit + 1, sort=self.sort, offset=self.offset)
        queues = await broker.queues(page=page)
        rest = asked | {"offset": self.offset + self.limit} if len(queues) > self.limit else None
        return queues[: self.limit], rest
