"""Changes of a broker of which all are made, or none."""

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Final

from lastvalue.http.problems import Problem
from lastvalue.model.errors import LastvalueError

Undo = Callable[[], Awaitable[object]]
_MOST_LEFT: Final = 10


class ReversibleChanges:
    """Makes changes one after the other; where one is refused, those before it are undone, last first."""

    def __init__(self) -> None:
        self._made: list[tuple[str, Undo]] = []

    async def make(self, what: str, change: Awaitable[object], undo: Undo | None = None) -> None:
        """Make a change; without `undo` it changed nothing.

        Raises:
            Problem: it is refused, and what was made before is undone; what could not be is named.
        """
        try:
            await change
        except (LastvalueError, Problem) as error:
            left = await self._undo()
            result = f"this stays of what was declared: {left}" if left else "nothing was declared"
            status, fault = (
                (error.status_code, error.detail)
                if isinstance(error, Problem)
                else (error.condition.http, str(error))
            )
            raise Problem(HTTPStatus(status), f"{what}: {fault}; {result}") from None
        if undo is not None:
            self._made.append((what, undo))

    async def _undo(self) -> str:
        """Undo the changes; those that cannot be, with the reason."""
        left = []
        while self._made:
            what, undo = self._made.pop()
            try:
                await undo()
            except LastvalueError as error:
                left.append(f"{what} ({error})")
        shown = ", ".join(left[:_MOST_LEFT])
        return shown if len(left) <= _MOST_LEFT else f"{shown} and {len(left) - _MOST_LEFT} more"
