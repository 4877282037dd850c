"""Commands on very many messages: a turn carries out a few steps of one, so that nobody waits for the whole.

Nobody knows before what a message, a node or a record costs. So a step is small, and after each the clock
says whether there is time for another; without a clock, and in any case, the number of steps ends it.
"""

from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.faults import Fault, Faults

TURN_S: Final = 0.000_1
"""For how long a turn carries out steps: who sends a message meanwhile waits for them."""

STEPS: Final = 50
"""How many steps a turn carries out at most of a command whose steps are these parts of what a turn does."""

HANDLED_AT_ONCE: Final = 1000
"""How many messages a turn handles."""
HANDLED_IN_A_STEP: Final = HANDLED_AT_ONCE // STEPS

LOOKED_AT_ONCE: Final = 500
"""How many it looks at that it does not change."""
LOOKED_IN_A_STEP: Final = LOOKED_AT_ONCE // STEPS

FORWARDED_AT_ONCE: Final = 100
"""How many it handles where each may go to an alternate or to another queue."""
FORWARDED_IN_A_STEP: Final = FORWARDED_AT_ONCE // STEPS

ENDED_AT_ONCE: Final = 200
"""How many links or consumers end in a turn, or queues whose lifetime does."""
ENDED_IN_A_STEP: Final = ENDED_AT_ONCE // STEPS


@mypyc_attr(allow_interpreted_subclasses=True)
class LongCommand:
    """A command that is carried out in steps.

    Attributes:
        connection: the number of the connection that gave it, or 0. What it confirms meanwhile waits.
        at_once: how many steps a turn carries out at most.
        changes: it may change what the journal records, so its answer waits for that, too.
        is_long: a turn has left steps to others.
        pauses: the last step took so much that the next one is for another turn.
    """

    __slots__ = ("at_once", "changes", "connection", "is_long", "pauses")

    def __init__(self, connection: i64, at_once: i64 = 1, changes: bool = True) -> None:
        self.connection: i64 = connection
        self.at_once: i64 = at_once
        self.changes = changes
        self.is_long = self.pauses = False

    @abstractmethod
    def step(self, now: i64) -> bool:
        """Carry out a small part; false when nothing is left."""
        raise NotImplementedError


@final
class Steps(LongCommand):
    """A command whose steps an iterator makes."""

    __slots__ = ("_steps",)

    def __init__(
        self, steps: Iterator[None], connection: i64, at_once: i64 = STEPS, changes: bool = True
    ) -> None:
        super().__init__(connection, at_once, changes)
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

    Attributes:
        clock_s: the monotonic time in seconds; without it only the number of steps ends a turn.
    """

    __slots__ = ("_changing", "_commands", "_faults", "_queued", "clock_s")

    def __init__(self, faults: Faults) -> None:
        self.clock_s: Callable[[], float] | None = None
        self._faults = faults
        self._commands: deque[LongCommand] = deque()
        # By connection: the commands that wait until the one that is under way is over.
        self._queued: dict[int, deque[LongCommand]] = {}
        # The connections of those that are under way or wait, one of which changes something.
        self._changing: set[int] = set()

    @property
    def busy(self) -> bool:
        """Whether any is under way."""
        return len(self._commands) > 0

    def begin(self, command: LongCommand, now: i64) -> None:
        """Carry out the first steps; the others follow in later turns.

        It is carried out later where another command of the connection is under way.
        """
        queued = self._queued.get(command.connection)
        if queued is None:
            self._step(command, now)
        else:
            queued.append(command)
            if command.changes:
                self._changing.add(command.connection)

    def step(self, now: i64) -> None:
        """Carry out some steps of one command; all of them take turns."""
        if self._commands:
            self._step(self._commands.popleft(), now)

    def runs_for(self, connection: i64) -> bool:
        """Whether a command of this connection is under way."""
        return len(self._queued) > 0 and connection in self._queued

    def changes_for(self, connection: i64) -> bool:
        """Whether a command of this connection is under way that changes something, or waits for one."""
        return len(self._changing) > 0 and connection in self._changing

    def _step(self, command: LongCommand, now: i64) -> None:
        connection = command.connection
        queued = self._queued.get(connection)
        try:
            more = self._carry_out(command, now)
        except Exception as error:  # noqa: BLE001 - see `lastvalue.broker.faults`
            self._faults.note(Fault("", "a step of a long command", error, connection))
            more = False
        if more:
            self._commands.append(command)
            if queued is None and connection > 0:
                self._queued[connection] = deque()
                if command.changes:
                    self._changing.add(connection)
        elif queued:
            self._commands.append(queued.popleft())
        elif queued is not None:
            del self._queued[connection]
            self._changing.discard(connection)

    def _carry_out(self, command: LongCommand, now: i64) -> bool:
        clock_s = self.clock_s
        ends_s = 0.0 if clock_s is None else clock_s() + TURN_S
        left: i64 = command.at_once
        while command.step(now):
            left -= 1
            if left == 0 or command.pauses or (clock_s is not None and clock_s() >= ends_s):
                command.is_long = True
                return True
        return False
