"""The log in a stream of NATS JetStream, written by a thread with an event loop of its own."""

import asyncio
import errno
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from lastvalue.cluster.appender import Appender, FencedError
from lastvalue.cluster.jetstream import FollowerState, JetStream, LogServer, LogUnavailableError
from lastvalue.cluster.log_follower import LogFollower, LogListener, cancel
from lastvalue.cluster.log_reader import LogReader
from lastvalue.cluster.log_records import HEAD_SIZE, Kind, LogRecord, decode_record
from lastvalue.cluster.takeover import Answers, Progress, Takeover, advertised, named, now_s, writer_card
from lastvalue.store.batch_log import Commit, Syncs, SyncTimes
from lastvalue.store.log_settings import LogSettings
from lastvalue.store.segments import StoreError
from lastvalue.store.store_contents import StoreContents

MOST_UNDER_WAY: Final = 8
"""How many batches are sent before the first is answered."""

PACED_BYTES: Final = 64 << 10
FAULT_AFTER_S: Final = 3.0
"""After this time without an answer the log counts as not writable."""

CLOSE_WITHIN_S: Final = 10.0
_LOOKS_EVERY_S: Final = 0.2
_ASKS_AGAIN_S: Final = 0.25
_STATE_EVERY_S: Final = 2.0


@dataclass(slots=True)
class _Sent:
    """A commit whose last record has this number."""

    number: int
    commit: Commit
    sent_s: float


@dataclass(frozen=True, slots=True)
class KnownFollower:
    """A broker that follows the log: where clients reach it, its process, and what it was not sent yet."""

    address: str
    name: str
    behind: int


class StreamLog:
    """Appends batches to a stream of which this process is the only writer, until another follows it.

    A batch is one message, or several where it is large. The owner's thread calls the methods.

    Args:
        settings: where the stream is.

    Attributes:
        most_under_way, shared: see BatchLog.
        spare_bytes: always None.
        ended: why this process will never write again, or None.
        fault: why the log cannot be written now, or None.
        bytes_per_s: the speed of the last large batch.
        failures: how often the stream had to be asked what became of a batch.
        used_bytes, limit_bytes: the size of the stream, and its limit or 0.
        doubts: what an operator should know of the servers.
        followers: who follows the log, by the servers' last answer.
        servers: who keeps the log, likewise.
    """

    def __init__(self, settings: LogSettings) -> None:
        self.most_under_way = MOST_UNDER_WAY
        self.shared = True
        self.spare_bytes: int | None = None
        self.ended: StoreError | None = None
        self.fault: OSError | None = None
        self.bytes_per_s = 0.0
        self.failures = 0
        self.used_bytes = 0
        self.limit_bytes = 0
        self.doubts: list[str] = []
        self.followers: list[KnownFollower] = []
        self.servers: tuple[LogServer, ...] = ()
        self._sync_times = SyncTimes()
        self._settings = settings
        self._answers = Answers()
        self._reader = LogReader(1)
        self._chain = self._reader.chain
        make_stream = settings.stream or JetStream
        self._stream: JetStream = make_stream(settings, self._answered)
        self._appender: Appender | None = None
        self._serves_until_s = 0.0
        self._begins: dict[int, int] = {}
        self._begun_segment = 0
        self._sent: deque[_Sent] = deque()
        self._beats: list[int] = []
        self._unneeded: deque[tuple[Callable[[int], Awaitable[None]], int]] = deque()
        self._notify: Callable[[], None] = lambda: None
        self._why: LogUnavailableError | None = None
        self._asked_s = 0.0
        self._told_s = 0.0
        self._closing = False
        self._idle = asyncio.Event()
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._thread = settings.thread()
        self._loop = self._thread.loop

    @property
    def leads(self) -> bool:
        """See BatchLog."""
        return self.ended is None and now_s() < self._serves_until_s

    @property
    def term(self) -> int:
        """The term of the writer: of this process, once it leads, else of the one that it follows."""
        return self._chain.term

    # ------------------------------------------------------------------ the owner's thread

    def take_over(self, progress: Progress | None) -> StoreContents:
        """Become the writer; the content of the log.

        Raises:
            LogInUseError: another broker writes it.
            StoreError: it is damaged, or its servers would lose what is confirmed.
            OSError: they do not answer.
        """
        return self._thread.wait_for(self._take_over(progress))

    def read(self, progress: Progress | None) -> LogReader:
        """Read the log, to follow it.

        Raises:
            StoreError: it is damaged, or its servers would lose what is confirmed.
            OSError: they do not answer.
        """
        return self._thread.wait_for(self._read(progress))

    def follow(self, listener: LogListener, leads: Callable[[], None]) -> None:
        """Follow the log from what was read on; `leads` is called once this process is the writer.

        `ended` says why it does not continue, if it does not.
        """
        self._notify = listener.end
        self._loop.call_soon_threadsafe(lambda: self._start(self._follow(listener, leads)))

    def advertise(self, address: str) -> None:
        """Tell with the next records where clients reach this broker."""
        self._settings = replace(self._settings, advertise=address)
        self._loop.call_soon_threadsafe(self._tell)

    def _tell(self) -> None:
        """Say that this process writes the log, and where it is."""
        if self._appender is not None and self.ended is None:
            self._told_s = now_s()
            self._appender.add(Kind.BEAT, writer_card(self._settings.advertise), self._begun_segment)
            self._wake.set()

    @property
    def syncs(self) -> Syncs:
        """How many batches were answered, and how long that took."""
        return self._sync_times.syncs

    def begin(self, segment: int) -> None:
        """See BatchLog; the stream is there already."""

    def submit(self, commit: Commit) -> None:
        """See BatchLog."""
        self._loop.call_soon_threadsafe(self._add, commit)

    def close(self, last: Commit | None) -> None:
        """See BatchLog."""
        self._thread.wait_for(self._close(last))
        self._thread.stop()

    def abandon(self) -> None:
        """End without a word to the log."""
        self._thread.wait_for(self._end())
        self._thread.stop()

    # ------------------------------------------------------------------ the log's thread

    async def _connect(self) -> None:
        await self._stream.connect()
        unsynced = await self._stream.sync_doubts()
        if unsynced and self._settings.must_sync:
            raise StoreError(
                f"the servers of {self._settings.address} may confirm what they have not synced: "
                f"{'; '.join(unsynced)}"
            )
        self.doubts = [*unsynced, *await self._stream.patiently(self._stream.open_stream)]
        self._start(self._look())

    async def _take_over(self, progress: Progress | None) -> StoreContents:
        await self._connect()
        reader, sent_s = await self._takeover(progress).take_over()
        await self._lead(reader, sent_s)
        return reader.stored

    def _takeover(self, progress: Progress | None) -> Takeover:
        return Takeover(self._stream, self._settings, self._answers, progress)

    async def _read(self, progress: Progress | None) -> LogReader:
        await self._connect()
        self._reader = await self._takeover(progress).read_all()
        self._chain = self._reader.chain
        return self._reader

    async def _follow(self, listener: LogListener, leads: Callable[[], None]) -> None:
        follower = LogFollower(
            self._stream, self._settings, self._takeover(None), self._answers, self._reader
        )
        await self._lead(*await follower.run(listener))
        leads()

    async def _lead(self, reader: LogReader, sent_s: float) -> None:
        """Write behind what was read, whose last record is the term of this process."""
        self._chain = reader.chain
        # The content is the owner's now, who lets go of it.
        self._reader = LogReader(1)
        self._begins = reader.begins
        self._begun_segment = reader.stored.tail.number
        appender = self._appender = Appender(reader.chain, self._settings.lease_ms / 1000, sent_s)
        self._serves_until_s = appender.serves_until_s
        self._told_s = now_s()
        state = await self._stream.patiently(self._stream.state)
        self.used_bytes, self.limit_bytes = state.used_bytes, state.limit_bytes
        self._start(self._write(appender), self._tidy())

    def _start(self, *steps: Coroutine[Any, Any, None]) -> None:
        for step in steps:
            task = self._loop.create_task(step)
            task.add_done_callback(self._failed)
            self._tasks.append(task)

    def _add(self, commit: Commit) -> None:
        appender = self._appender
        if appender is None or self.ended is not None:
            return
        self._notify = commit.failed
        most = self._stream.message_bytes - HEAD_SIZE
        data = commit.records
        for start in range(0, len(data), most):
            begins = commit.segment > self._begun_segment
            self._begun_segment = max(self._begun_segment, commit.segment)
            more = start + most < len(data)
            appender.add(Kind.BATCH, data[start : start + most], commit.segment, more=more, begins=begins)
        self._sent.append(_Sent(appender.number, commit, now_s()))
        self._take_confirmed(appender)
        self._wake.set()

    def _answered(self, token: int, position: int | None, fault: LogUnavailableError | None) -> None:
        appender = self._appender
        if appender is None or token < 0:
            self._answers.take(token, position, fault)
            return
        if position is None:
            self._why = fault or self._why
            appender.refused(token)
            self._wake.set()
            return
        appender.stored(token, position)
        self._take_confirmed(appender)
        # A large batch may wait, or the lease have been renewed: the loop looks at the rest.
        if appender.resolving or not appender.idle or self._closing:
            self._wake.set()

    async def _write(self, appender: Appender) -> None:
        """Send, ask what became of what has no answer, and beat."""
        try:
            while self.ended is None:
                now = now_s()
                appender.look(now)
                if appender.resolving:
                    await self._resolve(appender)
                    if appender.fenced:
                        raise FencedError(
                            f"another broker has taken over the log {self._settings.address}; "
                            "this one has closed all connections and ends"
                        )
                # Also while there is work, so that who begins to follow learns of the leader.
                tells = now - self._told_s >= self._settings.lease_ms / 1000
                if (tells or appender.needs_beat(now)) and not self._closing:
                    self._tell()
                for send in appender.sends(now_s()):
                    await self._stream.publish(send.token, send.expected, send.data)
                self._tell_fault(appender)
                await self._rest()
        except StoreError as fault:
            self.ended = fault
            self._idle.set()
            self._notify()

    def _failed(self, task: asyncio.Task[None]) -> None:
        """A fault of this program: it must not continue as if it could write."""
        if not task.cancelled() and (fault := task.exception()) is not None:
            known = fault if isinstance(fault, StoreError) else None
            self.ended = known or StoreError(f"the log cannot be written: {fault!r}")
            self.ended.__cause__ = None if known else fault
            self._idle.set()
            self._notify()

    async def _rest(self) -> None:
        try:
            async with asyncio.timeout(min(_LOOKS_EVERY_S, self._settings.lease_ms / 8000)):
                await self._wake.wait()
        except TimeoutError:
            return
        finally:
            self._wake.clear()

    async def _resolve(self, appender: Appender) -> None:
        """Read what the stream has behind the last confirmed record."""
        wait_s = self._asked_s + _ASKS_AGAIN_S - now_s()
        if wait_s > 0:
            await asyncio.sleep(wait_s)
        self._asked_s = now_s()
        self.failures += 1
        try:
            state = await self._stream.state()
            messages: list[tuple[int, LogRecord]] = []
            for position in range(max(appender.position + 1, state.first), state.last + 1):
                data = await self._stream.message(position)
                if data is not None:
                    record = decode_record(data, position)
                    messages.append((position, record))
                    if record.term > appender.term:
                        break
        except LogUnavailableError as fault:
            self._why = fault
            return
        appender.resolve(messages, state.first, state.last)
        self._take_confirmed(appender)

    def _take_confirmed(self, appender: Appender) -> None:
        """Carry out what follows the confirmed records."""
        newly = appender.confirmed()
        if appender.idle:
            self._idle.set()
        if newly:
            self._serves_until_s = appender.serves_until_s
            self._clear_fault()
        for position, record in newly:
            if record.kind is Kind.BEAT:
                self._beats.append(position)
            elif record.begins:
                self._begins[record.segment] = position
            while self._beats and self._beats[0] < position:
                self._unneeded.append((self._stream.delete, self._beats.pop(0)))
        confirmed = appender.confirmed_number
        while self._sent and self._sent[0].number <= confirmed:
            self._finish(self._sent.popleft())

    def _finish(self, sent: _Sent) -> None:
        commit = sent.commit
        took_s = max(now_s() - sent.sent_s, 1e-6)
        self._sync_times.add(took_s)
        if len(commit.records) >= PACED_BYTES:
            self.bytes_per_s = len(commit.records) / took_s
        for segment in commit.obsolete:
            self._begins.pop(segment, None)
        if commit.obsolete and self._begins:
            self._unneeded.append((self._stream.trim, min(self._begins.values())))
        commit.done()

    def _clear_fault(self) -> None:
        failing = self.fault is not None
        self.fault = self._why = None
        if failing:
            self._notify()

    def _tell_fault(self, appender: Appender) -> None:
        if appender.waited_s(now_s()) < FAULT_AFTER_S and not _is_full(self._why):
            return
        text = "the log's servers do not answer"
        before, self.fault = self.fault, self._why or OSError(errno.ETIMEDOUT, text)
        if before is None or before.errno != self.fault.errno:
            self._notify()

    async def _tidy(self) -> None:
        """Delete what is not needed any more; after a fault it is tried again."""
        while True:
            await asyncio.sleep(_LOOKS_EVERY_S)
            with suppress(LogUnavailableError):
                while self._unneeded:
                    step, position = self._unneeded[0]
                    await step(position)
                    self._unneeded.popleft()

    async def _look(self) -> None:
        """Ask again and again how large the log is, who keeps it and who follows it."""
        while True:
            try:
                state = await self._stream.state()
                self.used_bytes, self.limit_bytes = state.used_bytes, state.limit_bytes
                self.servers = state.servers
                self.followers = [_known(each) for each in await self._stream.followers()]
            except LogUnavailableError:
                # That they do not answer is what is known of them.
                self.servers = tuple([replace(each, current=False) for each in self.servers])
            await asyncio.sleep(_STATE_EVERY_S)

    async def _close(self, last: Commit | None) -> None:
        appender = self._appender
        if appender is not None and self.ended is None:
            if last is not None:
                self._add(last)
            self._closing = True
            self._idle.clear()
            appender.add(Kind.STOP, b"", self._begun_segment)
            self._wake.set()
            try:
                async with asyncio.timeout(CLOSE_WITHIN_S):
                    await self._idle.wait()
            except TimeoutError:
                self.fault = self.fault or OSError(errno.ETIMEDOUT, "the log's servers do not answer")
        await self._end()

    async def _end(self) -> None:
        """End the tasks and the connection, whether the servers take what is on the way to them or not."""
        await cancel(self._tasks)
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_WITHIN_S):
                await self._stream.close()


def _known(follower: FollowerState) -> KnownFollower:
    about = follower.about.encode()
    return KnownFollower(advertised(about), named(about), follower.behind)


def _is_full(fault: LogUnavailableError | None) -> bool:
    return fault is not None and fault.errno == errno.ENOSPC
