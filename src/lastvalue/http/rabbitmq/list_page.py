"""Which resources of a list a request asks for, and in what form."""

from collections.abc import Sequence
from typing import Any, Final

from pydantic import BaseModel, Field

from lastvalue.http.rabbitmq.name_pattern import NamePattern

MOST_PATTERN: Final = 200


class ListPage(BaseModel):
    """The parameters of a list.

    Without `page` the answer is the list alone, with it an object that says how many pages there are.
    """

    name: str = Field(default="", max_length=MOST_PATTERN, description="In the name, or as `use_regex` says.")
    use_regex: bool = False
    page: int | None = Field(default=None, ge=1)
    page_size: int = Field(default=100, ge=1, le=500)

    def of(self, resources: Sequence[dict[str, Any]]) -> Any:
        """The answer.

        Raises:
            Problem: the pattern is not one.
        """
        admits = NamePattern(self.name).admits if self.use_regex else lambda name: self.name in name
        chosen = [each for each in resources if admits(each["name"])]
        if self.page is None:
            return chosen
        items = chosen[(self.page - 1) * self.page_size : self.page * self.page_size]
        return self.document(items, len(chosen), len(resources))

    def document(self, items: Sequence[dict[str, Any]], filtered: int, total: int) -> dict[str, Any]:
        """A page, of so many resources with such a name, and so many in all."""
        return {
            "items": items,
            "item_count": len(items),
            "filtered_count": filtered,
            "total_count": total,
            "page": self.page,
            "page_size": self.page_size,
            "page_count": max(1, -(-filtered // self.page_size)),
        }
