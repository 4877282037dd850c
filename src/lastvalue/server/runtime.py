"""The turn: what runs once after each round of the event loop, or at once after input that comes alone.

where another process may write the journal, nothing; else:
input that waits → pump → drain the effects into the journal → flush → check the limits →
confirm what is flushed → one write per connection
"""

import asyncio
import contextlib
import time
from abc import abstractmethod
from collections.abc import Callable
from typing import Final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.broker import Broker
from lastvalue.broker.faults import Fault
from lastvalue.broker.long_commands import HANDLED_AT_ONCE
from lastvalue.model.message import NEVER
from lastvalue.queues.invariants import BrokenInvariantError
from lastvalue.server.clock import Clock, ManualClock
from lastvalue.server.connection_deadlines import ConnectionDeadlines
from lastvalue.server.input_queue import ROUND_S, InputQueue, InputSource
from lastvalue.server.limits import Limits
from lastvalue.server.log_events import SERVER_FAULT
from lastvalue.server.log_observations import log_audit, log_queue_warning
from lastvalue.server.socket_protocol import READ_SIZE
from lastvalue.store.journal import Journal
from lastvalue.store.segments import StoreError

SHARE_S: Final = 0.003
"""A share of a turn for readers: see `lastvalue.broker.turn_time`."""

CALM_S: Final = 0.000_1
"""After such a time without a turn, input is followed by one at once: nothing else waits to share it."""

_LOOKS_AGAIN_S: Final = 0.02


@mypyc_attr(allow_interpreted_subclasses=True)
class TurnMember(InputSource):
    """A connection, for the turn."""

    __slots__ = ()

    @abstractmethod
    def seal(self, position: int, now: int) -> None:
        """This turn's publishes are in the journal up to this position."""
        raise NotImplementedError

    @abstractmethod
    def confirm(self, flushed: int, now: int) -> bool:
        """Confirm what is flushed; true while more waits."""
        raise NotImplementedError

    @abstractmethod
    def write(self) -> bool:
        """Write what waits, at most once; true while the journal must have more before it may leave."""
        raise NotImplementedError


class Runtime:
    """Runs the turns of one broker on the running event loop.

    Args:
        broker: whose turns they are.
        journal: takes what happens.
        clock: the time of the queues.
        limits: looked at in each turn.
        round_s: how long messages expire in one go, as long as input is processed: they keep pace with it.

    Attributes:
        on_hold: called with true when nothing may be served for now, and with false when it may again.
        on_end: called once when the journal can never be written again.
        clock: the time of the queues.
        manual_time: it stands still until somebody moves it.
        wire_clock: the time of the connections, which cannot be moved.
        inputs: the connections whose input waits for the next turn.
        connection_deadlines: when they have something to do without input.
        read_view: what all sockets of this loop are read into; another thread's loop has its own, as it may
            read while this one has not looked yet.
    """

    def __init__(
        self, broker: Broker, journal: Journal, clock: Clock, limits: Limits, round_s: float = ROUND_S
    ) -> None:
        self.broker = broker
        self.on_hold: Callable[[bool], None] | None = None
        self.on_end: Callable[[StoreError], None] | None = None
        self.clock = clock
        self.manual_time = clock.is_manual
        self.wire_clock = Clock() if self.manual_time else clock
        self.inputs = InputQueue(self.schedule, time.monotonic)
        broker.long_commands.clock_s = self.inputs.clock_s
        self.connection_deadlines = ConnectionDeadlines(self.wire_clock)
        self.read_view = memoryview(bytearray(READ_SIZE))
        self._journal = journal
        self._limits = limits
        self._round_s = round_s
        self._pumps_s = 0.0
        self._loop = asyncio.get_running_loop()
        # Made once: a turn has many calls, and each binding costs as much as several of them.
        self._asks_time: Callable[[int], bool] = self._is_spent
        self._on_flush: Callable[[], None] = self._flushed_later
        self._members: list[TurnMember] = []
        self._unconfirmed_members: list[TurnMember] = []
        self._scheduled = False
        self._input_begun = False
        self._gathers = False
        self._turned_s = 0.0
        self._held = False
        self._ended = False
        self._failed: StoreError | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._timer_ms: i64 = NEVER
        self._position = 0
        self._confirmed: asyncio.Future[None] | None = None

    def use(self, journal: Journal) -> None:
        """Write to this journal from now on, of which nothing is appended; all before is flushed."""
        self._journal = journal
        self._position = 0

    def is_lasting(self, position: int, *, stored: bool) -> bool:
        """Whether the next leader surely has everything up to a position, and if `stored`, the next start."""
        return not (stored or self._journal.shared) or self._journal.flushed >= position

    @property
    def position(self) -> int:
        """The position of the journal after all that has happened."""
        return self._position

    def schedule_write(self, member: TurnMember) -> None:
        """Include a connection in the next turn, or in this one where its writes are still to come."""
        self._members.append(member)
        if not self._gathers:
            self.schedule()

    def schedule(self) -> None:
        """Schedule a turn at the end of this round of the loop."""
        if not self._scheduled:
            self._scheduled = True
            if not self._input_begun:
                self._loop.call_soon(self._turn)

    def begin_input(self) -> None:
        """A connection processes what came; `end_input` follows."""
        self._input_begun = not self._scheduled

    def end_input(self, began_s: float, ended_s: float) -> None:
        """It has been processed: the turn that it asked for follows at the end of this round, or at once."""
        asked = self._input_begun and self._scheduled
        self._input_begun = False
        if not asked:
            return
        if began_s - self._turned_s < CALM_S:
            self._loop.call_soon(self._turn)
        else:
            self._turn_at(ended_s)

    def _turn(self) -> None:
        self._turn_at(self.inputs.clock_s())

    def _turn_at(self, now_s: float) -> None:
        self._scheduled = False
        if self._holds():
            return
        self._gathers = True
        try:
            self._serve(now_s)
            now = self.clock.at(self._pumps_s)
            self._record(now)
            self._log_faults()
        finally:
            self._gathers = False
        if self._failed is None:
            self._confirm(now)
        if self.broker.busy:
            self.schedule()
        self._set_timer(now)
        self._turned_s = self.inputs.clock_s()
        # The journal's thread can run once this one waits: woken earlier it would only wait for that.
        self._journal.submit()

    def _confirm(self, now: int) -> None:
        """Confirm what is flushed, and write once to each connection."""
        all_members = self._members
        self._members = []
        flushed = self._journal.flushed
        if self._unconfirmed_members:
            all_members = list(dict.fromkeys([*self._unconfirmed_members, *all_members]))
            self._unconfirmed_members = []
        for member in all_members:
            member.seal(self._position, now)
        for member in all_members:
            if member.confirm(flushed, now):
                self._unconfirmed_members.append(member)
        # What readers were given leaves before what confirms it to those whose input came first.
        for member in reversed(all_members):
            if member.write():
                self._unconfirmed_members.append(member)
        if self._confirmed is not None and not self._unconfirmed_members and not self._confirmed.done():
            self._confirmed.set_result(None)

    def _serve(self, now_s: float) -> None:
        """Process the input that waits, and serve the readers; a fault ends nobody who has just sent."""
        self._pumps_s = now_s
        try:
            self._pumps_s = self.inputs.process(now_s)
            self.broker.pump(self.clock.at(self._pumps_s), self._asks_time)
        except Exception as error:  # noqa: BLE001 - see `lastvalue.broker.faults`
            self.broker.faults.note(Fault("", "serving the readers", error))

    def _log_faults(self) -> None:
        """Log the faults of the broker, and answer who waits for an answer that cannot come."""
        for fault in self.broker.faults.take():
            SERVER_FAULT.log(fault.error, part=fault.part, queue=fault.queue or None)
            if fault.connection:
                self.broker.connections.end_by_fault(fault.connection)

    def _is_spent(self, shares: int) -> bool:
        """Whether readers have had this many shares of this turn."""
        return self.inputs.clock_s() >= self._pumps_s + shares * SHARE_S

    def _holds(self) -> bool:
        """Whether this turn does nothing, because another process may write the journal, or does."""
        journal = self._journal
        if journal.leads and not self._held and self._failed is None:
            return False
        ended = self._failed or journal.ended
        if ended is not None:
            if not self._ended:
                self._ended = True
                if self.on_end is not None:
                    self.on_end(ended)
            return True
        if self._held is journal.leads:
            self._held = not self._held
            if self.on_hold is not None:
                self.on_hold(self._held)
        if self._held:
            self._limits.look()
            self._loop.call_later(_LOOKS_AGAIN_S, self.schedule)
        return self._held

    def _record(self, now: int) -> None:
        """Give the journal all that the turn has done, or nothing of it and never anything again."""
        if self._failed is not None:
            return
        try:
            self._append(now)
        except (Exception, BrokenInvariantError) as error:  # noqa: BLE001 - the journal would have half a turn
            self._journal.discard()
            self._failed = StoreError(
                "a turn could not be recorded, so nothing of it was; start the broker again: "
                "it has all that was confirmed"
            )
            self.broker.faults.note(Fault("", "recording the turn", error))
            self.schedule()

    def _append(self, now: int) -> None:
        drained = self.broker.drain(now)
        for definition in self.broker.definitions.drain():
            self._position = self._journal.define(definition.kind, definition.name, definition.arguments)
        for queue, effects in drained:
            self._position = self._journal.append(queue, effects)
        for record in self.broker.authorization.take_audit():
            log_audit(record)
        for warning in self.broker.take_warnings():
            log_queue_warning(warning)
        # Records that an earlier flush could not take, as it was under way, wait for this one.
        self._journal.prepare_flush(self._on_flush)
        self._limits.look()

    def _flushed_later(self) -> None:
        self._loop.call_soon_threadsafe(self._turn_after_flush)

    def _turn_after_flush(self) -> None:
        """Follow a flush by a turn: at once, as input that comes alone is, or at the end of this round."""
        if not self._scheduled and time.monotonic() - self._turned_s >= CALM_S:
            self._turn()
        else:
            self.schedule()

    def move_to(self, now_ms: int) -> None:
        """Move a manual clock; what falls due on the way happens, and is delivered, at its time."""
        clock = self.clock
        if not isinstance(clock, ManualClock):
            raise TypeError("the clock is the system's; only a manual clock can be moved")
        deadline = self.broker.next_deadline()
        while deadline <= now_ms:
            clock.move_to(max(deadline, clock.now_ms()))
            now = clock.now_ms()
            self.broker.advance(now)
            self.broker.pump(now)
            # Events of this step have its time, not the one at the end of the move.
            self._record(now)
            reached, deadline = deadline, self.broker.next_deadline()
            if deadline == reached:
                break
        clock.move_to(now_ms)
        self.schedule()

    def _set_timer(self, now: int) -> None:
        if self.manual_time:
            return
        deadline: i64 = self.broker.next_deadline()
        # A deadline that has moved later is checked when the timer fires.
        if deadline >= self._timer_ms:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer_ms = deadline
        self._timer = self._loop.call_later(max(0, int(deadline) - now) / 1000, self._expire)

    def _expire(self) -> None:
        self._timer = None
        self._timer_ms = NEVER
        ends_s = time.monotonic() + self._round_s
        now = self.clock.now_ms()
        try:
            self.broker.advance(now, HANDLED_AT_ONCE)
            while time.monotonic() < ends_s and self.broker.next_deadline() <= now:
                self.broker.advance(now, HANDLED_AT_ONCE)
        except Exception as error:  # noqa: BLE001 - see `lastvalue.broker.faults`
            self.broker.faults.note(Fault("", "doing what is due", error))
        self.schedule()

    async def confirm_all(self, timeout_s: float) -> None:
        """Wait until all messages are safe and confirmed, or until the store takes too long.

        Nothing may be read from peers meanwhile.
        """
        self._confirmed = self._loop.create_future()
        self.schedule()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._confirmed, timeout_s)
        self._confirmed = None

    def finish(self) -> None:
        """Record what the last turn left; call it before the journal is closed."""
        self._record(self.clock.now_ms())

    def close(self) -> None:
        """Stop the timers; no turn is scheduled after that."""
        self.connection_deadlines.close()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
