"""Commands on very many messages: one step is carried out in a turn, so that nobody waits for the whole."""

from collections import deque
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

STEP: Final = 1000
"""How many messages a step handles: a few milliseconds."""

FORWARDING_STEP: Final = 100
"""How many it handles where each may go to an alternate or to another queue."""


@mypyc_attr(allow_interpreted_subclasses=True)
class LongCommand:
    """A command that is carried out in steps.

    Attributes:
        connection: the number of the connection that gave it, or 0. What it confirms meanwhile waits.
    """

    __slots__ = ("connection",)

    def __init__(self, connection: i64) -> None:
        self.connection: i64 = connection

    def step(self, now: i64) -> bool:
        """Carry out a part; false when nothing is left."""
        raise NotImplementedError


@final
class LongCommands:
    """The commands that are under way."""

    __slots__ = ("_commands",)

    def __init__(self) -> None:
        self._commands: deque[LongCommand] = deque()

    @property
    def busy(self) -> bool:
        """Whether any is under way."""
        return len(self._commands) > 0

    def begin(self, command: LongCommand, now: i64) -> None:
        """Carry out the first step; the others follow in later turns."""
        if command.step(now):
            self._commands.append(command)

    def step(self, now: i64) -> None:
        """Carry out a step of one command; all of them take turns."""
        if self._commands:
            self.begin(self._commands.popleft(), now)

    def runs_for(self, connection: i64) -> bool:
        """Whether a command of this connection is under way."""
        return len(self._commands) > 0 and any(each.connection == connection for each in self._commands)
