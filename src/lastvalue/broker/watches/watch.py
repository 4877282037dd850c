"""A reader that watches a queue: the values, a marker, then what changes; docs/protocols/watch.md."""

from collections.abc import Callable
from typing import Final

from mypy_extensions import i64

from lastvalue.broker.deadlines import Deadline
from lastvalue.broker.turn_time import TurnTime
from lastvalue.broker.watches.changes import Changes
from lastvalue.broker.watches.feed_factory import FeedFactory, WatchedQueue
from lastvalue.broker.watches.feeds import Change
from lastvalue.broker.watches.pace import Pace
from lastvalue.broker.watches.removal import OUT_OF_FOCUS, removal_payload
from lastvalue.broker.watches.token import NO_PLACE, Token, read_token
from lastvalue.codec.amqp10.message import annotated, read_message
from lastvalue.codec.amqp10.values import Timestamp, Value
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.model.message import NEVER, MessageFilter, selects
from lastvalue.model.property_names import (
    DELTA,
    FIRST_TIME,
    LAST_TIME,
    PLACE,
    POLICY,
    REMOVED,
    SNAPSHOT,
)
from lastvalue.queues.browsers import MOST_PASSED
from lastvalue.queues.effects import Tombstone
from lastvalue.queues.entry import AVAILABLE, Entry, with_message
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import LastValue, Placement, Priority, Sorted
from lastvalue.queues.subscription import Subscription, Terms, scan_cost
from lastvalue.queues.tombstones import ANY_NUMBER, Tombstones
from lastvalue.queues.watch_terms import WatchTerms

FRESH: Final = "fresh"
RESUMED: Final = "resumed"
BEGUN: Final = "begun"
"""The marker before the values of a reader that starts over while it is attached."""


class Watch(Deadline):
    """What one reader is sent, one message at a time: chosen when the reader can take it.

    It is due when its pace allows the next message; until then the broker does not look at it.

    Args:
        watched: what it reads.
        terms: the reader's; `terms.watch` is not None.
        wake: asks the pump to serve the reader, unless its pace forbids that.
        pace_allows: does so in any case.
        now: the time.

    Raises:
        InvalidSpecError: the queue cannot be watched so.

    Attributes:
        at_end: the last call found that there is nothing more.
        memory: that it takes. The account is its own, because a suspended reader outlives its connection.
    """

    def __init__(
        self,
        watched: WatchedQueue,
        terms: Terms,
        wake: Callable[[], None],
        pace_allows: Callable[[], None],
        now: i64,
    ) -> None:
        super().__init__()
        asked = terms.watch or WatchTerms()
        queue = watched.queue
        self._queue = queue
        self._asked = asked
        self._terms = terms
        self._pace_allows = pace_allows
        self.memory = MemoryAccount(watched.budget)
        self._feeds = FeedFactory(watched, terms, asked, self.memory, wake, pace_allows)
        self._by_sequence = goes_by_sequence(queue)
        self._tombstones: Tombstones = queue.contents.keep_tombstones(queue.spec.tombstone_ms)
        if not self._tombstones.epochs or self._tombstones.epochs[-1].epoch == 0:
            self._tombstones.begin_epoch(queue.sequence, now)
        self.at_end = False
        self._counts = watched.counts
        # With a policy, the intervals are those of its values.
        paced = asked.rate > 0 or (asked.interval_ms > 0 and not asked.policy)
        self._pace = Pace(asked.rate, asked.interval_ms) if paced else None
        compares = asked.unchanged or asked.dead_band or asked.delta
        self._changes = Changes(asked, self.memory) if compares else None
        # What leaves the filter is sent as a removal, so the queue must not apply the filter.
        self._filter: MessageFilter | None = terms.filter if asked.removals or asked.narrows else None
        self._paced_since_ms = now
        token = read_token(asked.token) if asked.token else None
        self._begin(token if token is not None and self._knows(token) else None)

    def _knows(self, token: Token) -> bool:
        if not self._by_sequence or token == NO_PLACE:
            return False
        number = token.number if self._asked.removals else ANY_NUMBER
        return self._tombstones.knows(token.epoch, token.sequence, number, self._queue.sequence)

    # ------------------------------------------------------------------ beginning

    def _begin(self, token: Token | None, *, restarts: bool = False) -> None:
        """Begin after a place, or with all values."""
        queue, asked = self._queue, self._asked
        self._resumed = token is not None
        self._sequence = 0 if token is None else token.sequence
        self._boundary = int(queue.sequence)
        self._begun_due = False
        # Who has values already must not continue from within a snapshot: it would keep what is not in that.
        self._withholds = token is None and (asked.token != "" or restarts)
        self._marker_due = asked.snapshot or self._withholds
        self._ahead: Change | None = None
        # Of each key that the reader may know: whether it has a value that the filter matches.
        self._focus: dict[bytes, bool] = {}
        number = int(self._tombstones.number) if token is None or not asked.removals else token.number
        # The last tombstone that was shown, or did not need to be.
        self._number = number
        self._feed = self._feeds.feed(self._tombstones, self._sequence, number)
        # Of a queue with another order, what came later may come before the rest of the first values.
        self._in_order = self._by_sequence or self._feed.aside
        self._owed = self._feeds.owed(self._sequence) if self._marker_due and self._by_sequence else None
        if self._changes is not None:
            self._changes.forget_all()

    @property
    def terms(self) -> Terms:
        """What the queue shows the reader."""
        asked = self._terms
        after = self._sequence if self._resumed else int(asked.after)
        only_new = asked.only_new and not self._resumed
        found = None if self._filter is not None else asked.filter
        terms = Terms(found, asked.since_ms, only_new, asked.priority, after, asked.until)
        terms.aside = self._feed.aside
        return terms

    def joined(self, subscription: Subscription) -> None:
        """Its subscription is made."""
        if self._asked.removals and not self._feed.aside:
            self._tombstones.readers[subscription.number] = subscription

    def close(self, subscription: Subscription) -> None:
        """End it."""
        self._tombstones.readers.pop(subscription.number, None)
        self._end_begun()

    @property
    def is_lost(self) -> bool:
        """Whether tombstones that the reader has not had are forgotten: it starts over."""
        return self._asked.removals and self._feed.is_lost

    def _end_begun(self) -> None:
        self._feed.close()
        if self._owed is not None:
            self._owed.end()

    def begin_anew(self) -> None:
        """Begin with all values again; the caller makes another subscription."""
        self._end_begun()
        self._begin(None, restarts=True)
        self._begun_due = True

    # ------------------------------------------------------------------ pace

    def fall_due(self, now: i64) -> None:
        """See Deadline: the pace allows the next message."""
        del now
        self._pace_allows()

    def waits_until(self, now: i64) -> int:
        """When its pace allows the next message, or NEVER if that is not what it waits for."""
        if self._pace is not None and not self._pace.allows(now):
            return self._pace.due_ms
        values = self._feed.values
        due_ms = NEVER if values is None else int(values.due_ms())
        return due_ms if due_ms > now else NEVER

    def change_pace(self, rate: float, interval_ms: int) -> None:
        """Set another pace from now on; 0 and 0 is none."""
        if self._pace is None:
            self._pace = Pace(rate, interval_ms)
        else:
            self._pace.change(rate, interval_ms)

    def ask_full_values(self) -> None:
        """Send each key's next value whole."""
        if self._changes is not None:
            self._changes.forget_all()

    # ------------------------------------------------------------------ messages

    def take_updates(self, time: TurnTime) -> bool:
        """Make values of the updates that came; whether that is done, or else the time is spent."""
        return self._feed.take_updates(time)

    def next(self, subscription: Subscription, now: i64) -> Entry | None:
        """The reader's next message; None if there is none now, or with `scans_on` after many looks."""
        subscription.scans_on = False
        self.at_end = False
        pace = self._pace
        if pace is not None:
            if not pace.allows(now):
                return None
            pace.begin_look(int(self._queue.sequence))
        if self._begun_due:
            self._begun_due = False
            return self._made(b"", {SNAPSHOT: BEGUN}, now)
        shown = self._look(subscription, now)
        if shown is not None and pace is not None:
            pace.sent(now)
        return shown

    def _look(self, subscription: Subscription, now: i64) -> Entry | None:
        """The first change that is for the reader, or what comes before it."""
        passed: i64 = 0
        while passed < MOST_PASSED:
            change = self._next_change(subscription, now)
            if change is None:
                return None if subscription.scans_on or self._feed.is_lost else self._at_end(now)
            if self._marker_due and self._in_order and self._is_later(change, self._boundary):
                self._ahead = change
                owed = None if self._owed is None else self._owed.next(now)
                shown = self._marker(now) if owed is None else self._out_of_turn(owed, now)
                if shown is not None:
                    return shown
                passed += 1
                continue
            pace = self._pace
            if pace is not None and pace.upto is not None and self._is_later(change, pace.upto):
                self._end_look(pace, now)
                if not pace.allows(now):
                    self._ahead = change
                    return None
                pace.begin_look(int(self._queue.sequence))
            shown = None
            if not isinstance(change, Entry) or not self._has(change):
                shown = self._shown(change, now)
            if shown is not None:
                return shown
            passed += scan_cost(change) if isinstance(change, Entry) else 1
        subscription.scans_on = True
        return None

    def _is_later(self, change: Change, sequence: int) -> bool:
        """Whether what has been given is all up to a sequence; removals come before earlier values."""
        return isinstance(change, Entry) and change.sequence > sequence

    def _next_change(self, subscription: Subscription, now: i64) -> Change | None:
        ahead = self._ahead
        if ahead is not None:
            self._ahead = None
            if isinstance(ahead, Tombstone):
                if not ahead.dropped:
                    return ahead
                if ahead.key not in self._queue.contents.current and not self._tombstones.of(ahead.key):
                    self._feed.is_lost = True
                    return None
            elif ahead.state == AVAILABLE and ahead.expires_ms > now:
                return ahead
        return self._feed.next(subscription, now)

    def _at_end(self, now: i64) -> Entry | None:
        if self._marker_due:
            return self._marker(now)
        if self._pace is not None:
            self._end_look(self._pace, now)
        self.at_end = True
        return None

    def _end_look(self, pace: Pace, now: i64) -> None:
        pace.seen_all(now)
        self._paced_since_ms = now

    def _shown(self, change: Change, now: i64) -> Entry | None:
        self._number = self._feed.number
        if isinstance(change, Tombstone):
            return self._removal(change.key, change.reason.name.lower(), now)
        key = change.key
        if not selects(self._filter, change.message):
            if key is None or not self._asked.removals or not self._focus.get(key, self._resumed):
                return None
            if self._resumed:
                self._focus[key] = False
            return self._removal(key, OUT_OF_FOCUS, now)
        if self._asked.removals and self._filter is not None and key is not None:
            self._focus[key] = True
        payload = change.encoded
        notes: dict[str, Value] = self._token_notes()
        if self._changes is not None and key is not None:
            written = self._changes.write(key, payload)
            if written is None:
                self._counts.unchanged += 1
                self._counts.saved_bytes += len(payload)
                return None
            self._counts.saved_bytes += len(payload) - len(written.payload)
            payload = written.payload
            if written.delta:
                notes[DELTA] = "merge-patch"
        if self._pace is not None or self._feed.values is not None:
            notes |= self._pace_notes(change)
        return _with_payload(change, annotated(payload, notes))

    def _out_of_turn(self, entry: Entry, now: i64) -> Entry | None:
        """Show an entry that comes later by sequence, so without a token: that would stand for too much."""
        withholds = self._withholds
        self._withholds = True
        shown = self._shown(entry, now)
        self._withholds = withholds
        return shown

    def _has(self, entry: Entry) -> bool:
        """Whether the reader has this entry, whose turn it is, already: it was given out of turn."""
        self._sequence = int(entry.sequence)
        owed = self._owed
        if owed is None:
            return False
        again = owed.is_again(entry)
        if not self._marker_due and owed.is_over:
            self._owed = None
        return again

    def _pace_notes(self, entry: Entry) -> dict[str, Value]:
        values = self._feed.values
        first_ms = self._paced_since_ms if values is None else values.first_ms
        return {
            FIRST_TIME: Timestamp(min(first_ms, int(entry.arrival_ms))),
            LAST_TIME: Timestamp(entry.arrival_ms),
            POLICY: self._asked.policy or "last",
        }

    def _removal(self, key: bytes, reason: str, now: i64) -> Entry | None:
        if not self._asked.removals:
            return None
        if self._filter is not None and reason != OUT_OF_FOCUS and not self._focus.get(key, self._resumed):
            return None
        if not self._resumed or reason != OUT_OF_FOCUS:
            self._focus.pop(key, None)
        if self._changes is not None:
            self._changes.forget(key)
        notes = self._token_notes()
        notes[REMOVED] = reason
        return self._made(removal_payload(self._queue, key), notes, now)

    def _marker(self, now: i64) -> Entry:
        self._marker_due = False
        self._withholds = False
        if self._owed is not None:
            self._owed.end()
        # What there was when it began has been looked at, whether or not it was for the reader.
        self._sequence = max(self._sequence, self._boundary)
        notes = self._token_notes()
        notes[SNAPSHOT] = RESUMED if self._resumed else FRESH
        return self._made(b"", notes, now)

    def _token_notes(self) -> dict[str, Value]:
        if self._withholds or self._asked.policy:
            return {}
        if not self._by_sequence:
            return {PLACE: str(NO_PLACE)}
        epoch = int(self._tombstones.epochs[-1].epoch)
        return {PLACE: str(Token(epoch, self._sequence, self._number))}

    def _made(self, payload: bytes, notes: dict[str, Value], now: i64) -> Entry:
        entry = Entry(self._sequence, read_message(annotated(payload, notes)), now, NEVER, 1)
        entry.state = AVAILABLE
        return entry


def _with_payload(entry: Entry, payload: bytes) -> Entry:
    message = read_message(payload)
    message.origin = entry.message.origin
    message.durable = entry.message.durable
    return with_message(entry, message)


def may_lack(queue: Queue, asked: WatchTerms) -> bool:
    """Whether a queue that follows another broker's may lack something that a reader with this token has had.

    On a queue whose tokens mean nothing elsewhere nobody can know it.
    """
    tombstones = queue.contents.tombstones
    if asked.token == "" or tombstones is None or not tombstones.lasting or not goes_by_sequence(queue):
        return False
    token = read_token(asked.token)
    if token == NO_PLACE:
        return False
    return tombstones.may_be_behind(token.epoch, token.sequence, token.number, queue.sequence)


def goes_by_sequence(queue: Queue) -> bool:
    """Whether browsers get messages by sequence, so that they can continue from one."""
    ordering = queue.spec.ordering
    if isinstance(ordering, LastValue):
        return ordering.placement is Placement.TAIL and not ordering.levels
    return not isinstance(ordering, Priority | Sorted)
