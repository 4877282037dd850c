"""A broker that follows the log of another one: applies what comes, knows its lag, and takes over."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lastvalue.broker.broker import Broker
from lastvalue.server.clock import Clock
from lastvalue.server.followed_store import FollowedStore
from lastvalue.server.log_events import STORE_DOUBTFUL, STORE_FOLLOWED, STORE_LED, STORE_READ_ANEW
from lastvalue.server.open_store import OpenStore, log_store
from lastvalue.store.journal import Journal
from lastvalue.store.log_settings import LogSettings
from lastvalue.store.records import RecordError
from lastvalue.store.segments import NewerVersionError, StoreError
from lastvalue.store.store_contents import StoreContents
from lastvalue.store.store_journal import StoreJournal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lastvalue.cluster.stream_log import StreamLog
    from lastvalue.queues.effects import Effect

APPLIES_S: Final = 0.02
"""How long batches are applied before others have their turn."""


class FollowerJournal(Journal):
    """The journal of a broker that follows: what happens on its queues is in the log already.

    It is not shared, as what it shows is read from the log.

    Attributes:
        unreadable: why this broker cannot apply what the log has, or None.
    """

    def __init__(self, log: "StreamLog") -> None:
        super().__init__()
        self.unreadable: StoreError | None = None
        self._log = log

    @property
    def ended(self) -> StoreError | None:
        """Why it follows no more and does not lead, or None."""
        return self.unreadable or self._log.ended

    @property
    def leads(self) -> bool:
        """Whether it may serve: it follows."""
        return self.ended is None

    def define(self, kind: str, name: str, arguments: "Mapping[str, Any] | None") -> int:
        """Do nothing; returns the position."""
        del kind, name, arguments
        return 0

    def append(self, queue: str, effects: "list[Effect]") -> int:
        """Do nothing; returns the position."""
        del queue, effects
        return 0

    def flush(self, done: Callable[[], None]) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class Lag:
    """How far a follower is behind: messages of the log, and the time since it surely had all of them."""

    records: int
    milliseconds: int


@dataclass(frozen=True, slots=True)
class _Batch:
    position: int
    batches: list[tuple[int, bytes]]
    leader: str


@dataclass(frozen=True, slots=True)
class _Content:
    position: int
    stored: StoreContents


class Follower:
    """Follows a log on a broker without nodes, from `recover` until it leads.

    The log's thread gives it what it reads; the server's thread applies that between its turns.

    Args:
        settings: of the store.
        broker: of the server.
        clock: the time of its queues.

    Attributes:
        log: that it follows.
        journal: for the broker's runtime while it follows.
    """

    def __init__(self, settings: LogSettings, broker: Broker, clock: Clock) -> None:
        from lastvalue.cluster.stream_log import StreamLog  # noqa: PLC0415 - only a store in a log needs the library

        self._settings = settings
        self._broker = broker
        self._clock = clock
        self.log = StreamLog(settings)
        self.journal = FollowerJournal(self.log)
        broker.authorization.leader = ""
        self._followed = FollowedStore(broker)
        self._waiting: deque[_Batch | _Content] = deque()
        self._given_bytes, self._applied_bytes = 0, 0
        self._scheduled = False
        self._position = 0
        # How far the log went when it was last asked, and when; and when this broker had all that was known.
        self._known = (0, 0.0)
        self._current_s = _now_s()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._applied: Callable[[], None] = lambda: None
        self._on_lead: Callable[[OpenStore], None] = lambda _: None
        self._may_lead = False
        self._closed = False

    # ------------------------------------------------------------------ the server's thread

    def recover(self, progress: Callable[[int, int], None] | None) -> None:
        """Read the log onto the broker.

        Raises:
            StoreError: it is damaged, or its servers would lose what is confirmed.
            OSError: they do not answer.
        """
        began_s = _now_s()
        try:
            reader = self.log.read(progress)
            self._followed.begin(reader.stored, self._clock.now_ms())
        except BaseException:
            self.log.abandon()
            raise
        for doubt in self.log.doubts:
            STORE_DOUBTFUL.log(directory=self._settings.address, cause=doubt)
        self._position = reader.chain.position
        self._current_s = began_s
        self._take_leader(_leader_of(reader.writer))
        STORE_FOLLOWED.log(
            directory=self._settings.address,
            leader=self._broker.authorization.leader,
            queues=len(self._broker.queues()),
            messages=sum(queue.depth for queue in self._broker.queues()),
            seconds=round(_now_s() - began_s, 3),
        )

    def start(
        self, advertise: str, applied: Callable[[], None], on_lead: Callable[[OpenStore], None]
    ) -> None:
        """Follow the log from now on.

        Args:
            advertise: where clients reach this broker.
            applied: called after something was applied.
            on_lead: called once this broker leads, with its store.
        """
        self._loop = asyncio.get_running_loop()
        self._applied = applied
        self._on_lead = on_lead
        self.log.advertise(advertise)
        self.log.follow(self, self._leads)

    def close(self) -> None:
        """Follow no more."""
        if not self._closed:
            self._closed = True
            self.log.abandon()

    @property
    def leader(self) -> str:
        """The address of the leader, or "" while that is not known."""
        return self._broker.authorization.leader or ""

    @property
    def term(self) -> int:
        """The term of the leader."""
        return self.log.term

    @property
    def lag(self) -> Lag:
        """How far it is behind."""
        records = max(0, self._known[0] - self._position)
        return Lag(records, max(0, round((_now_s() - self._current_s) * 1000)))

    def known(self) -> dict[str, Any]:
        """What `$management` shows of it."""
        lag = self.lag
        return {"leader": self.leader, "lag_ms": lag.milliseconds, "lag_records": lag.records}

    def unready(self, max_lag_ms: int) -> str | None:
        """Why it should get no readers, or None."""
        lag = self.lag
        if lag.milliseconds <= max_lag_ms:
            return None
        return (
            f"this broker follows {self.leader or 'a leader that it does not know yet'} and is "
            f"{lag.milliseconds} ms behind ({lag.records} records); max_lag_ms is {max_lag_ms}"
        )

    def _apply(self) -> None:
        """Apply what waits; after a while others have their turn."""
        self._scheduled = False
        ends_s = _now_s() + APPLIES_S
        try:
            while self._waiting and _now_s() < ends_s:
                self._apply_one(self._waiting.popleft())
        except RecordError as fault:
            self._give_up(fault)
            return
        self._note_time()
        if self._waiting:
            self._schedule()
        elif self._may_lead:
            self._lead()
        self._applied()

    def _apply_one(self, arrived: _Batch | _Content) -> None:
        now = self._clock.now_ms()
        if isinstance(arrived, _Content):
            STORE_READ_ANEW.log(directory=self._settings.address)
            self._followed.begin(arrived.stored, now)
        else:
            self._take_leader(arrived.leader)
            for segment, batch in arrived.batches:
                self._followed.take(segment, batch, now)
                self._applied_bytes += len(batch)
        self._position = arrived.position

    def _give_up(self, fault: RecordError) -> None:
        """The leader has written what this version does not know: it must neither serve nor lead."""
        self.journal.unreadable = NewerVersionError(
            f"the log {self._settings.address} has what this version of lastvalue cannot read: {fault}; "
            f"follow with the version of the leader, {self.leader}, or a newer one"
        )
        self._waiting.clear()
        self.close()
        self._applied()

    def _take_leader(self, leader: str) -> None:
        if leader and self._broker.authorization.leader is not None:
            self._broker.authorization.leader = leader

    def _note_time(self) -> None:
        last, asked_s = self._known
        if self._position >= last:
            self._current_s = max(self._current_s, asked_s)

    def _lead(self) -> None:
        """Continue as the leader, with the queues as they are."""
        self._may_lead = False
        began_s = _now_s()
        self._broker.authorization.leader = None
        stored = self._followed.stored
        restored = self._followed.lead(
            lambda: StoreJournal(self.log, self._settings.options, stored.next_segment),
            self._clock.now_ms(),
        )
        STORE_LED.log(
            directory=self._settings.address,
            queues=len(self._broker.queues()),
            messages=sum(queue.depth for queue in self._broker.queues()),
            seconds=round(_now_s() - began_s, 3),
        )
        self._on_lead(log_store(self._settings, self.log, restored))

    def _schedule(self) -> None:
        if not self._scheduled and self._loop is not None:
            self._scheduled = True
            self._loop.call_soon(self._apply)

    # ------------------------------------------------------------------ the log's thread: LogListener

    @property
    def waiting_bytes(self) -> int:
        """See LogListener."""
        return self._given_bytes - self._applied_bytes

    def begin(self, stored: StoreContents, position: int) -> None:
        """See LogListener."""
        self._give(_Content(position, stored))

    def take(self, position: int, batches: list[tuple[int, bytes]], leader: str) -> None:
        """See LogListener."""
        self._given_bytes += sum(len(batch) for _, batch in batches)
        self._give(_Batch(position, batches, leader))

    def know(self, last: int, asked_s: float) -> None:
        """See LogListener."""
        self._tell(lambda: self._hear(last, asked_s))

    def _hear(self, last: int, asked_s: float) -> None:
        self._known = (last, asked_s)
        self._note_time()

    def end(self) -> None:
        """See LogListener."""
        self._tell(self._applied)

    def _leads(self) -> None:
        self._tell(self._let_lead)

    def _let_lead(self) -> None:
        self._may_lead = not self._closed
        self._schedule()

    def _give(self, arrived: _Batch | _Content) -> None:
        self._waiting.append(arrived)
        self._tell(self._schedule)

    def _tell(self, what: Callable[[], None]) -> None:
        if self._loop is not None:
            self._loop.call_soon_threadsafe(what)


def _now_s() -> float:
    """The clock by which the log's thread says when it has asked."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def _leader_of(writer: bytes) -> str:
    from lastvalue.cluster.takeover import advertised  # noqa: PLC0415 - only followers need the library

    return advertised(writer)
