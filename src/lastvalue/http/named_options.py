"""The options of a declaration, which the client's calls take as arguments by their names."""

from collections.abc import Mapping
from typing import Any, Final

from lastvalue.http.problems import FieldProblem

_OF_CALLS: Final = ("name", "timeout_s")


def named_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a caller, without names that the client's calls have for themselves.

    Raises:
        FieldProblem: there is one of those.
    """
    for name in _OF_CALLS:
        if name in options:
            raise FieldProblem(name, f"there is no option {name!r}")
    return dict(options)
