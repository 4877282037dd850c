"""Commands on very many messages: one step is carried out in a turn, so that nobody waits for the whole."""

from abc import abstractmethod
from collections import deque
from collections.abc import Iterator
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.faults import Fault, Faults

STEP: Final = 1000
"""How many messages a step handles: a few milliseconds."""

LOOK_STEP: Final = 500
"""How many a step looks at that changes nothing: half a millisecond of compiled code."""

FORWARDING_STEP: Final = 100
"""How many it handles where each may go to an alternate or to another queue."""

ENDED_AT_ONCE: Final = 200
"""How many links or consumers end in a step, or queues whose lifetime does."""


@mypyc_attr(allow_interpreted_subclasses=True)
class LongCommand:
    """A command that is carried out in steps.

    Attributes:
        connection: the number of the connection that gave it, or 0. What it confirms meanwhile waits.
    """

    __slots__ = ("connection",)

    def __init__(self, connection: i64) -> None:
        self.connection: i64 = connection

    @abstractmethod
    def step(self, now: i64) -> bool:
        """Carry out a part; false when nothing is left."""
        raise NotImplementedError


@final
class Steps(LongCommand):
    """A command whose steps an iterator makes."""

    __slots__ = ("_steps",)

    def __init__(self, steps: Iterator[None], connection: i64) -> None:
        super().__init__(connection)
        self._steps = steps

    def step(self, now: i64) -> bool:
        """See LongCommand."""
        del now
        return next(self._steps, _OVER) is not _OVER


_OVER: Final = object()


@final
class LongCommands:
    """The commands that are under way: one of each connection, and those of none.

    A command whose step raises an exception is over, and its connection with it: it gets no answer.
    """

    __slots__ = ("_commands", "_faults", "_queued")

    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._commands: deque[LongCommand] = deque()
        # By connection: the commands that wait until the one that is under way is over.
        self._queued: dict[int, deque[LongCommand]] = {}

    @property
    def busy(self) -> bool:
        """Whether any is under way."""
        return len(self._commands) > 0

    def begin(self, command: LongCommand, now: i64) -> None:
        """Carry out the first step; the others follow in later turns.

        It is carried out later where another command of the connection is under way.
        """
        queued = self._queued.get(command.connection)
        if queued is None:
            self._step(command, now)
        else:
            queued.append(command)

    def step(self, now: i64) -> None:
        """Carry out a step of one command; all of them take turns."""
        if self._commands:
            self._step(self._commands.popleft(), now)

    def runs_for(self, connection: i64) -> bool:
        """Whether a command of this connection is under way."""
        return len(self._queued) > 0 and connection in self._queued

    def _step(self, command: LongCommand, now: i64) -> None:
        connection = command.connection
        queued = self._queued.get(connection)
        try:
            more = command.step(now)
        except Exception as error:  # noqa: BLE001 - see `lastvalue.broker.faults`
            self._faults.note(Fault("", "a step of a long command", error, connection))
            more = False
        if more:
            self._commands.append(command)
            if queued is None and connection > 0:
                self._queued[connection] = deque()
        elif queued:
            self._commands.append(queued.popleft())
        elif queued is not None:
            del self._queued[connection]
