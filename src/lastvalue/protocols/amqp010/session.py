"""A session's engine: command ids, completion, results and exceptions [0-10 part 3, sessions]."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp010.command_layouts import (
    EXECUTION_EXCEPTION,
    EXECUTION_RESULT,
    SESSION_ATTACHED,
    SESSION_COMMAND_POINT,
    SESSION_COMPLETED,
    SESSION_CONFIRMED,
    SESSION_DETACH,
    SESSION_DETACHED,
    SESSION_EXPECTED,
    SESSION_KNOWN_COMPLETED,
    SESSION_TIMEOUT,
)
from lastvalue.codec.amqp010.layouts import Layout, Ranges, Record
from lastvalue.codec.amqp10.values import Array, Value
from lastvalue.protocols.amqp010.spans import Spans
from lastvalue.protocols.amqp010.wire import Event, Wire, command_frame

NORMAL: Final = 0
BUSY: Final = 1
CHANNEL_BUSY: Final = 2
NOT_ATTACHED: Final = 3
UNKNOWN_IDS: Final = 4
"""Why a session is detached."""

SESSION_BYTES: Final = 8192
RUN_BYTES: Final = 256
"""The memory of a session, and of a run of command ids."""

_WRAP: Final = 2**32
_HALF: Final = 2**31
_MANY_RUNS: Final = 16
"""Runs of completed commands beyond which the peer is asked to confirm which of them it knows."""


@final
class SessionAttached(Event):
    """The peer asks for a session; the owner accepts or refuses it."""

    __slots__ = ("force", "session")

    def __init__(self, session: "Session", force: bool) -> None:
        self.session = session
        self.force = force


@final
class SessionEnded(Event):
    """A session is over, whichever side ended it."""

    __slots__ = ("session",)

    def __init__(self, session: "Session") -> None:
        self.session = session


@final
class Command(Event):
    """A command other than a transfer; the owner completes it once it is carried out.

    Attributes:
        number: its id, which does not wrap.
    """

    __slots__ = ("number", "record", "session")

    def __init__(self, session: "Session", number: i64, record: Record) -> None:
        self.session = session
        self.number: i64 = number
        self.record = record


@final
class MessagesTransferred(Event):
    """Consecutive message.transfer commands to one exchange.

    Attributes:
        first: the id of the first; the others follow.
        destination: the exchange.
        headers: the header segments; empty where a message has none.
        bodies: of the messages; None if a message has no body segment.
        taken: how many of them the owner has processed.
    """

    __slots__ = ("bodies", "destination", "first", "headers", "session", "taken")

    def __init__(self, session: "Session", first: i64, destination: str) -> None:
        self.session = session
        self.first: i64 = first
        self.taken: i64 = 0
        self.destination = destination
        self.headers: list[bytes] = []
        self.bodies: list[bytes | None] = []


@final
class TransferBegan(Event):
    """The command and the header of a message have come, and the first part of its body.

    Attributes:
        number: the id that its command will have.
        destination: the exchange.
        header: the header segment; empty where the message has none.
    """

    __slots__ = ("destination", "header", "number", "session")

    def __init__(self, session: "Session", number: i64, destination: str, header: bytes) -> None:
        self.session = session
        self.number: i64 = number
        self.destination = destination
        self.header = header


@final
class CommandsCompleted(Event):
    """The peer has completed commands of this side, as runs of ids that do not wrap."""

    __slots__ = ("runs", "session")

    def __init__(self, session: "Session", runs: Ranges) -> None:
        self.session = session
        self.runs = runs


def nearest(number: i64, to: i64) -> i64:
    """The number with these 32 bits that is nearest to another one and not negative."""
    base = to - (to & (_WRAP - 1))
    nearest: i64 = base + number
    if nearest - to > _HALF:
        nearest -= _WRAP
    elif to - nearest > _HALF:
        nearest += _WRAP
    return nearest if nearest >= 0 else number


@final
class Session:
    """One session of a connection, attached to a channel.

    Attributes:
        name: from the peer.
        attached: it has been accepted, and is not over.
        over: it was refused, has failed or is detached.
        context: of the owner.
    """

    __slots__ = (
        "_completed",
        "_next_in",
        "_next_out",
        "_pointed",
        "_run_first",
        "_run_last",
        "_syncs",
        "_told",
        "_untold",
        "_wire",
        "attached",
        "channel",
        "context",
        "name",
        "over",
    )

    def __init__(self, wire: Wire, channel: i64, name: bytes) -> None:
        self.name = name
        self.channel: i64 = channel
        self.attached = False
        self.over = False
        self.context: object = None
        self._wire = wire
        # Completed ids that the peer has not confirmed to know.
        self._completed = Spans()
        self._told = Spans()
        self._untold = False
        # The last run of them, which grows command by command.
        self._run_first: i64 = 0
        self._run_last: i64 = -1
        self._next_in: i64 = 0
        self._next_out: i64 = 0
        self._pointed = False
        self._syncs: list[int] = []

    @property
    def open_bytes(self) -> i64:
        """The memory that it takes, with the ids of commands that it has to remember."""
        runs: i64 = len(self._completed.runs) + len(self._told.runs) + len(self._syncs)
        return SESSION_BYTES + runs * RUN_BYTES

    # ------------------------------------------------------------------ the owner's calls

    def accept(self) -> None:
        """Accept the session."""
        self.attached = True
        self._wire.control(self.channel, Record(SESSION_ATTACHED, {"name": self.name}))

    def refuse(self, code: int) -> None:
        """Refuse the session."""
        self.over = True
        self._wire.control(self.channel, Record(SESSION_DETACHED, {"name": self.name, "code": code}))

    def complete(self, number: i64) -> None:
        """Complete a command of the peer; the completion is sent at the end of the turn."""
        self.complete_all(number, number)

    def complete_all(self, first: i64, last: i64) -> None:
        """Complete the commands from first to last."""
        if not self.attached:
            return
        if self._untold and first == self._run_last + 1:
            self._run_last = last
        else:
            self._gather()
            self._untold = True
            self._run_first = first
            self._run_last = last
        if self._syncs:
            self._complete_syncs()

    def _gather(self) -> None:
        """Add the growing run to the completed ids."""
        if self._run_last >= self._run_first:
            self._completed.add(self._run_first, self._run_last)
            self._told.add(self._run_first, self._run_last)
            self._run_first = 0
            self._run_last = -1

    def complete_sync(self, number: i64) -> None:
        """`execution.sync` is complete when every command before it is."""
        self._syncs.append(number)
        self._complete_syncs()

    def _complete_syncs(self) -> None:
        self._gather()
        while self._syncs:
            number = self._syncs[0]
            before = number - 1
            # The ids from the first command on are one run where none is missing.
            runs = self._completed.runs
            if number > 0 and not (runs and runs[0][0] == 0 and runs[0][1] >= before):
                return
            self._syncs.pop(0)
            self._completed.add(number, number)
            self._told.add(number, number)
            self._untold = True

    def result(self, number: i64, value: Record | None) -> None:
        """Send the result of a command, and complete it."""
        values: dict[str, Value] = {"command_id": int(number) % _WRAP}
        if value is not None:
            values["value"] = value
        self.send(Record(EXECUTION_RESULT, values))
        self.complete(number)

    def fail(self, number: i64, layout: Layout, code: int, text: str) -> None:
        """Refuse a command with an exception, which ends the session."""
        self._end(
            {
                "error_code": code,
                "command_id": int(number) % _WRAP,
                "class_code": layout.code >> 8,
                "command_code": layout.code & 0xFF,
                "description": text[:10000],
            }
        )

    def end_by_fault(self, code: int, text: str) -> None:
        """End the session with an exception that no command of the peer has caused."""
        self._end({"error_code": code, "description": text})

    def _end(self, exception: dict[str, Value]) -> None:
        if not self.attached:
            return
        self.send(Record(EXECUTION_EXCEPTION, exception))
        self.tell_completed()
        self.attached = False
        self.over = True
        self._wire.control(self.channel, Record(SESSION_DETACH, {"name": self.name}))
        self._wire.events.append(SessionEnded(self))

    def send(self, record: Record, sync: bool = False) -> i64:
        """Send a command without a message; its id."""
        number = self._number()
        self._wire.command(self.channel, record, sync)
        return number

    def transfer(self, record: Record, header: bytes, body: bytes | None) -> i64:
        """Send a message; the id of its command."""
        number = self._number()
        self._wire.transfer(self.channel, record, header, body)
        return number

    def transfer_frames(self, frames: list[bytes]) -> i64:
        """Send a message in frames that the owner has made, see `frame_of`, in parts; its command's id."""
        number = self._number()
        for part in frames:
            self._wire.put(part)
        return number

    def frame_of(self, record: Record) -> bytes:
        """The frame of a command that a message follows."""
        return command_frame(self.channel, record)

    @property
    def largest_frame(self) -> int:
        """Bytes of the largest frame that the peer takes."""
        return self._wire.max_frame_size

    def _number(self) -> i64:
        if not self._pointed:
            self._pointed = True
            # [0-10] The sender chooses the first id.
            point: dict[str, Value] = {"command_id": 0, "command_offset": 0}
            self._wire.control(self.channel, Record(SESSION_COMMAND_POINT, point))
        number = self._next_out
        self._next_out += 1
        return number

    def numbers_sent(self, ranges: Ranges) -> Ranges:
        """Runs of ids of this side's commands, as they stand on the wire, as ids that do not wrap."""
        last = self._next_out
        runs: Ranges = []
        for low, high in ranges:
            first = nearest(low, last)
            runs.append((int(first), int(first + ((high - low) % _WRAP))))
        return runs

    # ------------------------------------------------------------------ the connection's calls

    @property
    def next_command(self) -> i64:
        """The id of the command that comes next."""
        return self._next_in

    def arrived(self) -> i64:
        """The id of the command that has come."""
        number = self._next_in
        self._next_in += 1
        return number

    def take_control(self, record: Record) -> None:  # noqa: C901 - a table
        """Process a control for an attached session."""
        self._gather()
        name = record.layout.name
        if name == "session.command-point":
            self._next_in = nearest(record.number("command_id"), self._next_in)
            if self._next_in > 0:
                # Nothing waits for the commands before it.
                self._completed.add(0, self._next_in - 1)
        elif name == "session.completed":
            runs = record.ranges("commands")
            if record.has("timely_reply"):
                self._wire.control(self.channel, Record(SESSION_KNOWN_COMPLETED, {"commands": runs}))
            self._wire.events.append(CommandsCompleted(self, self.numbers_sent(runs)))
        elif name == "session.known-completed":
            for low, high in record.ranges("commands"):
                first = nearest(low, self._next_in)
                self._told.discard(first, first + ((high - low) % _WRAP))
        elif name == "session.flush":
            self._flush(record)
        elif name == "session.request-timeout":
            # A detached session is over: it cannot be resumed.
            self._wire.control(self.channel, Record(SESSION_TIMEOUT, {"timeout": 0}))
        elif name == "session.gap":
            for low, high in record.ranges("commands"):
                self._skip(nearest(low, self._next_in), (high - low) % _WRAP)

    def _skip(self, first: i64, more: i64) -> None:
        self._completed.add(first, first + more)
        if first <= self._next_in <= first + more:
            self._next_in = first + more + 1

    def _flush(self, record: Record) -> None:
        if record.has("expected"):
            number = int(self._next_in) % _WRAP
            self._wire.control(
                self.channel,
                Record(SESSION_EXPECTED, {"commands": [(number, number)], "fragments": Array("struct32")}),
            )
        if record.has("confirmed"):
            self._wire.control(
                self.channel,
                Record(SESSION_CONFIRMED, {"commands": self._wired(), "fragments": Array("struct32")}),
            )
        if record.has("completed"):
            self._untold = True

    def tell_completed(self) -> None:
        """Send the completed commands, where there are new ones."""
        if not self._untold or not self.attached:
            return
        self._gather()
        self._untold = False
        values: dict[str, Value] = {"commands": self._wired()}
        if len(self._told.runs) > _MANY_RUNS:
            values["timely_reply"] = True
        self._wire.control(self.channel, Record(SESSION_COMPLETED, values))

    def _wired(self) -> Ranges:
        """The completed commands that the peer may not know, as they stand on the wire."""
        runs: Ranges = []
        for first, last in self._told.runs[-4096:]:
            low, high = first % _WRAP, last % _WRAP
            if low <= high:
                runs.append((low, high))
            else:
                runs.append((low, _WRAP - 1))
                runs.append((0, high))
        return runs
