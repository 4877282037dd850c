"""Queues within the broker, with their readers and publishers."""

from collections import deque
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.deadlines import Deadline, Deadlines
from lastvalue.broker.faults import Fault, Faults
from lastvalue.broker.history.recorder import Recorder
from lastvalue.broker.long_commands import HANDLED_AT_ONCE, LongCommands
from lastvalue.broker.partitions import Partition
from lastvalue.broker.publisher import Publisher
from lastvalue.broker.queue_counts import QueueCounts
from lastvalue.broker.queue_memory import entry_memory, queue_memory
from lastvalue.broker.queue_warnings import OVERTAKEN, QueueWarnings
from lastvalue.broker.receiver import Receiver, deliver_more
from lastvalue.broker.rights.owner import NOBODY, Owner, QueueOwnership
from lastvalue.broker.turn_time import COSTLY, LARGE_BYTES, WATCHED, TurnTime
from lastvalue.broker.watches.feed_factory import WatchedQueue
from lastvalue.broker.watches.key_index import KeyIndex
from lastvalue.broker.watches.watch import Watch
from lastvalue.model.memory_budget import MemoryAccount, MemoryBudget
from lastvalue.model.message import NEVER, Message, MessageRun
from lastvalue.queues.entry import Entry
from lastvalue.queues.once import enqueue_once
from lastvalue.queues.option import Touch
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import Exclusive, LastValue
from lastvalue.queues.subscription import Mode, Outcome, Subscriber, Subscription, Terms
from lastvalue.queues.touches import may_refuse

_CONSUME: Final = Mode.CONSUME
_SCANS_AT_ONCE: Final = 4


@final
class QueueReader(Subscriber):
    """A subscription, its receiver, and whether it waits for the pump.

    `Broker.read` makes one.

    Attributes:
        owner: the caller that reads.
        ended: it reads no more.
        watch: what it is sent, where it asks for more than the messages; else None.
        memory: that its filter takes; None without a filter.

    Raises:
        MemoryLimitError: there is no memory for its filter.
    """

    __slots__ = ("ended", "hosted", "memory", "owner", "ready", "receiver", "subscription", "watch")

    def __init__(self, hosted: "HostedQueue", mode: Mode, receiver: Receiver, terms: Terms, now: i64) -> None:
        self.hosted = hosted
        self.receiver = receiver
        self.ready = False
        self.ended = False
        self.owner: Owner = NOBODY
        self.watch: Watch | None = None
        self.memory: MemoryAccount | None = None
        size: i64 = 0
        if terms.filter is not None:
            size = terms.filter.size_bytes()
            self.memory = hosted.account()
            self.memory.check(size)
        if terms.watch is not None:
            self.watch = hosted.begin_watch(self, terms, now)
            terms = self.watch.terms
        self.subscription: Subscription = hosted.queue.subscribe(mode, self, terms, now)
        if self.memory is not None:
            self.memory.add(size)
        if self.watch is not None:
            self.watch.joined(self.subscription)
        if terms.priority != 0:
            hosted.prioritised = True

    def begin_anew(self, now: i64) -> None:
        """A watching reader has missed what is forgotten: it gets all values again."""
        watch = self.watch
        if watch is not None:
            watch.close(self.subscription)
            self.hosted.queue.unsubscribe(self.subscription, now)
            watch.begin_anew()
            self.subscription = self.hosted.queue.subscribe(Mode.BROWSE, self, watch.terms, now)
            watch.joined(self.subscription)

    def pace_allows(self) -> None:
        """Ask the pump to serve a watching reader, whose pace kept others from waking it."""
        if not self.ended:
            self.ready = False
            self.wake()

    def change_pace(self, rate: float, interval_ms: i64) -> None:
        """Set the pace of a watching reader from now on; 0 and 0 is none."""
        if self.watch is not None:
            self.watch.change_pace(rate, interval_ms)
            self.pace_allows()

    def wake(self) -> None:
        """Ask the pump to serve this reader in this turn."""
        if not self.ready:
            self.ready = True
            self.hosted.request_pump(self)

    def settle(self, entry: Entry, outcome: Outcome, now: i64) -> None:
        """Settle a delivery of this reader; for a browser this does nothing."""
        if self.subscription.mode is _CONSUME:
            self.hosted.queue.settle(entry, outcome, now)
            self.hosted.mark_changed()

    def exclude(self, entry: Entry) -> None:
        """Never give this reader an entry again that it holds; for a browser this does nothing."""
        if self.subscription.mode is _CONSUME:
            self.hosted.queue.exclude(entry)

    def amend(self, entry: Entry, message: Message) -> None:
        """Replace the message of an entry that this reader holds; for a browser this does nothing."""
        if self.subscription.mode is _CONSUME:
            self.hosted.queue.amend(entry, message)
            self.hosted.mark_changed()

    def retire(self) -> None:
        """Give the reader nothing more."""
        self.ready = True
        self.ended = True

    def close(self, now: i64) -> None:
        """End the subscription; entries that the reader held become available again."""
        self.retire()
        watch = self.watch
        if watch is not None:
            self.hosted.end_watch(self, watch)
            # It calls this reader.
            self.watch = None
        if self.memory is not None:
            self.memory.close()
        self.hosted.queue.unsubscribe(self.subscription, now)
        self.subscription.end()
        self.hosted.mark_changed()


@final
class TurnWork:
    """Work for the end of the turn: queues with effects, and queues with readers to serve.

    Attributes:
        all_effects: see `Broker`.
        watched: the changed queues on whose effects the broker must act.
        faults: that were kept to a reader, a queue or a command.
        failed: readers that a fault has stopped, and that are still to be ended.
        warnings: about queues, for the log.
        deadlines: of queues and suspended links.
        long_commands: that are carried out over several turns.
        memory: for what watching readers keep.
        scans: readers that passed as many messages as one call may, and continue in later turns.
        time: what readers may take of a turn.
    """

    __slots__ = (
        "all_effects", "changed", "deadlines", "failed", "faults", "long_commands", "memory",
        "pumps", "scans", "time", "warnings", "watched",
    )  # fmt: skip

    def __init__(self, memory: MemoryBudget, all_effects: bool = True) -> None:
        self.all_effects = all_effects
        self.memory = memory
        self.deadlines = Deadlines()
        self.faults = Faults()
        self.failed: list[QueueReader] = []
        self.long_commands = LongCommands(self.faults)
        self.warnings = QueueWarnings()
        self.changed: list[HostedQueue] = []
        self.pumps: list[HostedQueue] = []
        self.scans: deque[QueueReader] = deque()
        self.time = TurnTime()
        self.watched: list[HostedQueue] = []

    def scan_on(self) -> None:
        """Let a few of the readers that scan continue in this turn."""
        for _ in range(min(_SCANS_AT_ONCE, len(self.scans))):
            self.scans.popleft().wake()


@final
class HostedQueue(Deadline):
    """A queue, its publishers, and its readers that wait for the pump.

    It is due when the queue has work, or was unused for as long as it may be. Code that changes the queue
    calls `mark_changed`.

    Attributes:
        alerts: somebody waits for its depth to cross a mark.
        drops_local: it drops messages that its owner's connection publishes.
        consumers: how many of its readers consume.
        exclusive_reader: the reader that has the queue for itself, or None.
        counts: its statistics.
        counted_bytes: bytes of the broker's memory that it took when it was last drained.
        held: publishers that reach the queue through an exchange, and wait until flow control opens.
        stopped: flow control gave the publishers no credit at its last check.
        stopped_since_ms: when flow control closed, milliseconds since the epoch; 0 while it is open.
        key_index: the readers of single keys; None while there are none.
        may_refuse: the declaration makes the queue refuse some valid messages.
        partition: where its keys are divided over several brokers, these; else None.
        prioritised: it has, or had, consumers of more than one priority.
        watched: the broker acts on the queue's effects: it has an alternate, or may have to be deleted.
        recorder: writes its history; None if it has none.
        redirect: the queue that takes what is published to it, while the two are redirected; else None.
        creator: the caller that declared it; of an earlier run of the broker only the user.
        ownership: its owner and its use; the broker's `OwnershipTable` changes it. warnings: of all queues.
    """

    __slots__ = (
        "_changed", "_entry_bytes", "_pumping", "_stops", "_told", "_turn_work", "alerts",
        "consumers", "counted_bytes", "counts", "creator", "drops_local", "exclusive_reader", "held",
        "key_index", "late", "may_refuse", "ownership", "partition", "prioritised", "publishers", "queue",
        "readers", "recorder", "redirect", "stopped", "stopped_since_ms", "waiting", "warnings", "watched",
    )  # fmt: skip

    def __init__(self, queue: Queue, turn_work: TurnWork, partition: Partition | None = None) -> None:
        super().__init__()
        self.queue = queue
        queue.passing.request_pass = self.request_pass
        self.ownership = QueueOwnership()
        self.counts = QueueCounts()
        self.creator: Owner = NOBODY
        self.redirect: HostedQueue | None = None
        self.alerts = self.watched = self.may_refuse = self.drops_local = False
        self.partition = partition
        self.key_index: KeyIndex | None = None
        history = queue.spec.history
        self.recorder: Recorder | None = None if history is None else Recorder(queue, history)
        self.publishers: dict[Publisher, None] = {}
        self.held: dict[Publisher, None] = {}
        self.counted_bytes: i64 = 0
        self.readers: dict[QueueReader, None] = {}
        self.consumers: i64 = 0
        self.exclusive_reader: QueueReader | None = None
        self.waiting: list[QueueReader] = []
        self._turn_work = turn_work
        self.warnings = turn_work.warnings
        self.late = self._changed = self._pumping = self.prioritised = self.stopped = False
        self._stops: i64 = 0
        self._told: i64 = 0
        self.stopped_since_ms: i64 = 0
        self._entry_bytes: i64 = 0
        self.apply_spec()

    def apply_spec(self) -> None:
        """Recompute the flags derived from the spec."""
        spec, touches = self.queue.spec, self.queue.touches
        self.watched = Touch.TURN in touches
        self._entry_bytes = entry_memory(touches)
        self.drops_local = spec.readers.no_local and spec.exclusive is not Exclusive.NONE
        # Other brokers have other keys.
        self.may_refuse = may_refuse(spec) or self.partition is not None
        self.choose_effects()

    def choose_effects(self) -> None:
        """Have the queue note all effects only where somebody reads them."""
        contents, durable = self.queue.contents, self.queue.spec.durable
        here = self._turn_work.all_effects or self.alerts or self.key_index is not None
        beside_journal = here or Touch.EFFECTS in self.queue.touches
        contents.notes_all = beside_journal or durable
        contents.notes_runs = durable and not beside_journal

    def note_fault(self, part: str, error: Exception) -> None:
        """Note an exception in a part of a turn, of this queue."""
        self.counts.faults += 1
        self._turn_work.faults.note(Fault(self.queue.spec.name, part, error))

    def mark_changed(self) -> None:
        """The queue has effects to drain."""
        if not self._changed:
            self._changed = True
            self._turn_work.changed.append(self)
            if self.watched:
                self._turn_work.watched.append(self)

    def take(self, message: Message, now: i64) -> bool:
        """Enqueue a producer's message unless it is a duplicate; false if the full queue refuses it."""
        queue = self.queue
        if self.partition is not None:
            self.partition.check_message(queue, message)
        if self.drops_local:
            # [Qpid C++] Drop it here: it would stay on a queue whose only reader excludes it.
            owner = self.ownership.owner
            if owner is not None and message.origin and message.origin == owner.container:
                return True
        if len(message.duplicate_id) > 0 or queue.duplicates.detects:
            return enqueue_once(queue, message, now)
        return queue.enqueue(message, now)

    def take_run(self, first: Message, run: MessageRun, now: i64) -> bool:
        """Take a run's messages from the first one as `take`, up to one that it refuses, and then false."""
        message: Message | None = first
        while message is not None:
            fast_path = self.queue.fast_path
            if fast_path is not None and self.partition is None and not self.drops_local:
                message = fast_path.take(message, run, now)
            if message is not None and not self.take(message, now):
                return False
            message = None if message is None else run.next()
        return True

    def taker(self) -> "HostedQueue":
        """The queue that takes what is published to this one: itself, unless it is redirected."""
        return self if self.redirect is None else self.redirect

    def has_room(self, message: Message, now: i64) -> bool:
        """Whether `take` would return true now; raises as `take` would."""
        queue = self.queue
        if self.partition is not None:
            self.partition.check_message(queue, message)
        duplicate_id = queue.duplicates.id_of(message)
        if duplicate_id and queue.duplicates.knows(duplicate_id):
            return True
        if queue.contents.advanced_ms < now and queue.next_deadline() <= now:
            queue.advance(now, HANDLED_AT_ONCE)
            self.mark_changed()
        return queue.admission.has_room(message, now)

    def mark_restored(self) -> None:
        """Note that its messages were restored from a store."""
        if self.recorder is not None:
            self.recorder.restarted = True
        self.mark_changed()

    def apply_flow_control(self, now: i64) -> None:
        """Let the publishers continue if flow control has opened."""
        blocked = self.queue.blocked
        self.stopped_since_ms = (self.stopped_since_ms or now) if blocked else 0
        if self.stopped and not blocked:
            self.resume_publishers()
        self.stopped = blocked

    def resume_publishers(self) -> None:
        """Let every publisher recompute its credit."""
        held, self.held = self.held, {}
        for publisher in [*self.publishers, *held]:
            publisher.may_send()

    def hold(self, publisher: Publisher) -> None:
        """Stop a publisher that publishes through an exchange; it gets `may_send` when flow control opens."""
        self.stopped = True
        self.held[publisher] = None

    def count_bytes(self) -> i64:
        """By how many bytes the memory of the queue and its messages has grown since the last call."""
        bytes_now: i64 = 0 if self.ownership.ending else queue_memory(self.queue, self._entry_bytes)
        more = bytes_now - self.counted_bytes
        self.counted_bytes = bytes_now
        return more

    def schedule(self) -> None:
        """Recompute the deadline."""
        ends_ms = self.ownership.ends_ms
        at_ms: i64 = NEVER if self.ownership.ending else min(self.queue.next_deadline(), ends_ms)
        self._turn_work.deadlines.set(self, at_ms)

    def end_at(self, at_ms: i64) -> None:
        """Set the time at which an unused queue is deleted; NEVER: it is not deleted."""
        self.ownership.ends_ms = at_ms
        self.schedule()

    def drained(self) -> None:
        """Note that its effects were drained."""
        self._changed = False
        if self.key_index is not None:
            self.tell_keys()
        self._told = 0
        contents = self.queue.contents
        if contents.tombstones is not None and contents.counts.durable_published < contents.published:
            contents.tombstones.end_epochs()
        self.schedule()
        if self.queue.overtaken > 0:
            self.warnings.note(self.queue.spec.name, OVERTAKEN)

    def account(self) -> MemoryAccount:
        """An account for what a reader keeps besides its connection."""
        return MemoryAccount(self._turn_work.memory)

    def begin_watch(self, reader: QueueReader, terms: Terms, now: i64) -> Watch:
        """What a reader is sent that watches the queue.

        Raises:
            InvalidSpecError: the queue cannot be watched so.
        """
        # It finds what is there already, and hears what changes from now on.
        self.tell_keys()
        if self.key_index is None:
            self.key_index = KeyIndex(self.queue, self.account())
            self.choose_effects()
        watched = WatchedQueue(self.queue, self.key_index, self.counts, self._turn_work.memory)
        watch = Watch(watched, terms, reader.wake, reader.pace_allows, now)
        self.mark_changed()
        return watch

    def end_watch(self, reader: QueueReader, watch: Watch) -> None:
        """A watching reader has ended."""
        watch.close(reader.subscription)
        watch.memory.close()
        self._turn_work.deadlines.set(watch, NEVER)
        if self.key_index is not None and self.key_index.empty:
            self.key_index = None
            self.choose_effects()

    def tell_keys(self) -> None:
        """Tell the readers of single keys which have changed: before one is served, and at each drain."""
        index = self.key_index
        effects = self.queue.contents.noted_after(self._told)
        self._told += len(effects)
        if index is None or index.empty or not isinstance(self.queue.spec.ordering, LastValue):
            return
        for effect in effects:
            try:
                index.tell(effect)
            except Exception as error:  # noqa: BLE001 - see `lastvalue.broker.faults`
                self.note_fault("telling a watching reader what has changed", error)

    def join(self, reader: QueueReader) -> None:
        """Add a reader."""
        self.readers[reader] = None
        if reader.subscription.mode is _CONSUME:
            self.consumers += 1

    def leave(self, reader: QueueReader) -> None:
        """Remove a reader that has ended."""
        if reader in self.readers:
            del self.readers[reader]
            if self.exclusive_reader is reader:
                self.exclusive_reader = None
            if reader.subscription.mode is _CONSUME:
                self.consumers -= 1

    def request_pump(self, reader: QueueReader) -> None:
        """Add a reader to those that the pump serves."""
        self.waiting.append(reader)
        self.request_pass()

    def request_pass(self) -> None:
        """Ask the pump to serve the readers that wait, even if there are none."""
        if not self._pumping:
            self._pumping = True
            self._turn_work.pumps.append(self)

    def stop_readers(self) -> None:
        """Give nobody anything until `start_readers`, so that many entries become available in order."""
        self._stops += 1

    def start_readers(self) -> None:
        """End what `stop_readers` began."""
        self._stops -= 1
        if self._stops == 0 and self._pumping:
            self._turn_work.pumps.append(self)

    def pump(self, now: i64) -> None:
        """Deliver what waiting readers can take: all to a browser, one message in turn to consumers."""
        if self._stops > 0:
            return
        self._pumping = False
        if self.watched:
            self.mark_changed()
        time = self._turn_work.time
        # What came to be taken at once does not expire first, although the clock advances.
        now = min(now, self.queue.passing.since_ms)
        waiting = self.waiting
        self.waiting = []
        consumers: list[QueueReader] = []
        for place, reader in enumerate(waiting):
            if reader.ended:
                continue
            if time.is_over:
                # They are still marked as ready.
                self.waiting = waiting[place:] + self.waiting
                self.request_pass()
                break
            reader.ready = False
            if reader.subscription.mode is _CONSUME:
                consumers.append(reader)
            else:
                self._serve(reader, now)
        if self.queue.fast_path is not None:
            self.queue.fast_path.forget_runs()
        if consumers:
            self.mark_changed()
            self._serve_consumers(consumers, now)
        if not self._pumping and self.queue.passing.end():
            self.mark_changed()
        self.late = time.is_over

    def _serve_consumers(self, consumers: list[QueueReader], now: i64) -> None:
        if len(consumers) == 1:
            self._serve(consumers[0], now)
            return
        if not self.prioritised:
            self._serve_in_turn(consumers, now)
            return
        # Lower priorities get what higher ones cannot take now.
        for priority in sorted({reader.subscription.terms.priority for reader in consumers}, reverse=True):
            self._serve_in_turn(
                [reader for reader in consumers if reader.subscription.terms.priority == priority], now
            )

    def _serve_in_turn(self, consumers: list[QueueReader], now: i64) -> None:
        time = self._turn_work.time
        while consumers:
            served: list[QueueReader] = []
            for reader in consumers:
                if time.is_over:
                    reader.wake()
                elif self._serve_one(reader, now):
                    served.append(reader)
            consumers = served

    def _serve(self, reader: QueueReader, now: i64) -> None:
        try:
            if reader.watch is not None:
                self._serve_watch(reader, reader.watch, now)
            else:
                self._serve_all(reader, now)
        except Exception as error:  # noqa: BLE001 - see `lastvalue.broker.faults`
            self._fail(reader, error)

    def _fail(self, reader: QueueReader, error: Exception) -> None:
        """Give a reader nothing more after a fault in serving it; the turn ends it when all are served."""
        reader.retire()
        self._turn_work.failed.append(reader)
        self.note_fault("serving a reader", error)

    def _serve_all(self, reader: QueueReader, now: i64) -> None:
        receiver = reader.receiver
        subscription = reader.subscription
        queue = self.queue
        time = self._turn_work.time
        while receiver.wants(now):
            entry = queue.next(subscription, now)
            if entry is None:
                self._found_none(reader, now)
                return
            receiver.deliver(entry, now)
            has_time = time.spend(1 if len(entry.encoded) < LARGE_BYTES else COSTLY)
            if not has_time or not deliver_more(receiver, subscription, queue.fast_path, time, now):
                reader.wake()
                return

    def _serve_watch(self, reader: QueueReader, watch: Watch, now: i64) -> None:
        if self.key_index is not None:
            self.tell_keys()
        receiver = reader.receiver
        time = self._turn_work.time
        has_time = watch.take_updates(time)
        while has_time and receiver.wants(now):
            if watch.is_lost:
                reader.begin_anew(now)
            entry = watch.next(reader.subscription, now)
            if entry is not None:
                receiver.deliver_watched(entry, now)
                has_time = time.spend(WATCHED if len(entry.encoded) < LARGE_BYTES else COSTLY)
            elif not watch.is_lost:
                time.spend(COSTLY)
                self._found_no_change(reader, watch, now)
                return
        if not has_time:
            reader.wake()

    def _found_no_change(self, reader: QueueReader, watch: Watch, now: i64) -> None:
        due_ms: i64 = watch.waits_until(now)
        if watch.at_end:
            reader.receiver.on_empty(now)
        elif due_ms == NEVER:
            self._found_none(reader, now)
        if due_ms != NEVER:
            # Nothing wakes it before; so what it is not sent costs nothing.
            reader.ready = True
            self._turn_work.deadlines.set(watch, due_ms)

    def _found_none(self, reader: QueueReader, now: i64) -> None:
        if reader.subscription.terms.filter is not None:
            self._turn_work.time.spend(COSTLY)
        if reader.subscription.scans_on:
            self._turn_work.scans.append(reader)
        else:
            reader.receiver.on_empty(now)

    def _serve_one(self, reader: QueueReader, now: i64) -> bool:
        try:
            if not reader.receiver.wants(now):
                return False
            entry = self.queue.next(reader.subscription, now)
            if entry is None:
                self._found_none(reader, now)
                return False
            reader.receiver.deliver(entry, now)
        except Exception as error:  # noqa: BLE001 - see `lastvalue.broker.faults`
            self._fail(reader, error)
            return False
        self._turn_work.time.spend(1 if len(entry.encoded) < LARGE_BYTES else COSTLY)
        return True
