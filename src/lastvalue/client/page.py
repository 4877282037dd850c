"""A part of a list of queues or exchanges."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Which names of a list.

    Attributes:
        after: names after this one, in the order of their characters.
        contains: names with this text.
        count: at most this many; None is all.
        matches: queues whose names this regular expression matches; it has `^`, `$`, `.`, `.*` and `.+` among
            literals.
        virtual_host: queues that were declared under this name of the virtual host.
        sort: of queues: in the order of this statistic, `type` or `conflation_ratio`, with `-` before it the
            highest first.
        offset: how many of the first names to leave out.
    """

    after: str = ""
    contains: str = ""
    count: int | None = None
    matches: str = ""
    virtual_host: str = ""
    sort: str = ""
    offset: int = 0

    def __post_init__(self) -> None:
        if self.count is not None and self.count < 1:
            raise ValueError(f"a page has 1 or more names, not {self.count}")

    def body(self) -> dict[str, object]:
        """The body of a request for this page."""
        asked: dict[str, object] = {
            "after": self.after,
            "contains": self.contains,
            "matches": self.matches,
            "virtual_host": self.virtual_host,
            "sort": self.sort,
            "offset": self.offset,
        }
        if self.count is not None:
            asked["count"] = self.count
        return {name: value for name, value in asked.items() if value}


EVERY_NAME: Final = Page()

QUEUES_AT_ONCE: Final = 500
"""How many queues one answer has where all are asked for: some 400 KB, a millisecond of the broker."""
