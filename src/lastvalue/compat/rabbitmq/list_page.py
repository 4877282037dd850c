"""Which resources of a list a request asks for, and in what form."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, Final

from pydantic import BaseModel, Field

from lastvalue.addresses.name_expression import NameExpression
from lastvalue.http.problems import FieldProblem
from lastvalue.model.errors import InvalidSpecError

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
            FieldProblem: the name is not an expression.
        """
        expression = self.expression()
        admits = expression.admits if expression is not None else lambda name: self.name in name
        chosen = [each for each in resources if admits(each["name"])]
        if self.page is None:
            return chosen
        items = chosen[(self.page - 1) * self.page_size : self.page * self.page_size]
        return self.document(items, len(chosen), len(resources))

    def expression(self) -> NameExpression | None:
        """The regular expression over names, where one is asked for.

        Raises:
            FieldProblem: the name is none.
        """
        try:
            return NameExpression(self.name) if self.use_regex else None
        except InvalidSpecError as error:
            raise FieldProblem("name", f"name {error}", status=HTTPStatus.BAD_REQUEST) from None

    def document(self, items: Sequence[dict[str, Any]], filtered: int, total: int) -> dict[str, Any]:
        """A page, the number of resources with such a name, and the number of all."""
        return {
            "items": items,
            "item_count": len(items),
            "filtered_count": filtered,
            "total_count": total,
            "page": self.page,
            "page_size": self.page_size,
            "page_count": max(1, -(-filtered // self.page_size)),
        }
