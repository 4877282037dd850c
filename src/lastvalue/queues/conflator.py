"""Makes one value of the updates of a key, by the policy of a last-value queue."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.model.message import Message, OrderValue, PropertyName
from lastvalue.model.property_names import CONFLATION, FIRST_TIME, INTERVAL_START, LAST_TIME, POLICY
from lastvalue.queues.aggregates import (
    Aggregate,
    Update,
    aggregate_from,
    aggregate_text,
    body_of,
    chosen,
    fold,
    read_update,
)
from lastvalue.queues.contents import Contents
from lastvalue.queues.entry import Entry
from lastvalue.queues.policy import List, Merge, Policy, policy_to_text
from lastvalue.queues.spec import LastValue, QueueSpec

GROWTH_BYTES: Final = 512
"""By how much a value may be larger than the updates that it is made of."""


@final
class Conflator:
    """Folds messages into values; what it knows of a key is in the message that is the key's value.

    Args:
        policy: how updates become one.
        interval_ms: the length of the intervals, counted from 1970, or 0.
        order_by: the property that says which update is newer, or None.
        where: whose policy it is, for errors, as in `queue 'prices'`.
    """

    __slots__ = ("_interval_ms", "_name", "_order_by", "_policy", "_where")

    def __init__(self, policy: Policy, interval_ms: i64, order_by: str | None, where: str) -> None:
        self._policy = policy
        self._name = policy_to_text(policy)
        self._interval_ms: i64 = interval_ms
        self._order_by: PropertyName | None = None if order_by is None else PropertyName(order_by)
        self._where = where

    def conflate(self, entry: Entry, value: Entry | None, contents: Contents) -> Entry | None:
        """Fold an entry's message into its key's value, or its open interval's; returns what it replaces.

        Errors from reading the message pass; then the entry is unchanged.

        Args:
            entry: a new one with a key; with intervals it is held back until the end of its own.
            value: the entry that its key holds.
            contents: of its queue.

        Raises:
            ConflationValueError: the policy cannot use a value of the message.
        """
        previous = self._replaced_by(entry, value, contents)
        before = None if previous is None else previous.message
        entry.message = self.folded(entry.message, before, entry.arrival_ms, entry.updates)
        return previous

    def folded(self, message: Message, value: Message | None, time_ms: i64, updates: i64) -> Message:
        """The value that follows another, which this conflator has made, when a message comes.

        Errors from reading the message pass.

        Raises:
            ConflationValueError: the policy cannot use a value of the message.
        """
        update = self.read(message, time_ms)
        update.updates = updates
        before = None if value is None else self._aggregate_in(value)
        aggregate = fold(self._policy, before, update)
        if self._interval_ms > 0:
            aggregate.setdefault("i", int(time_ms - time_ms % self._interval_ms))
        kept = message
        durable = message.durable
        if value is not None:
            durable = durable or value.durable
            if not chosen(self._policy, before, update):
                kept = value
        return kept.conflated(body_of(self._policy, aggregate), self._notes(aggregate), durable)

    def read(self, message: Message, time_ms: i64) -> Update:
        """What the policy reads of a message.

        Raises:
            ConflationValueError: the policy cannot use a value of the message.
        """
        order: OrderValue | None = None if self._order_by is None else message.order(self._order_by)
        return read_update(self._policy, message, order, time_ms, self._where)

    def _replaced_by(self, entry: Entry, value: Entry | None, contents: Contents) -> Entry | None:
        """The entry that a new one of a key replaces: the key's value, or that of its open interval."""
        if contents.open_intervals is None or entry.key is None:
            return value
        open_value = contents.open_intervals.get(entry.key)
        # One whose interval is over waits to be shown. If the clock was set back, none starts over.
        if open_value is None or open_value.not_before_ms <= entry.arrival_ms:
            return None
        entry.not_before_ms = open_value.not_before_ms
        return open_value

    def _aggregate_in(self, message: Message) -> Aggregate | None:
        body = message.body_value() if isinstance(self._policy, (Merge, List)) else None
        return aggregate_from(self._policy, message.conflation(), body if isinstance(body, dict) else None)

    def _notes(self, aggregate: Aggregate) -> dict[str, str | int]:
        notes: dict[str, str | int] = {
            POLICY: self._name,
            FIRST_TIME: aggregate["f"],
            LAST_TIME: aggregate["l"],
            CONFLATION: aggregate_text(self._policy, aggregate),
        }
        if self._interval_ms > 0:
            notes[INTERVAL_START] = aggregate["i"]
        return notes


def conflator_of(spec: QueueSpec) -> Conflator | None:
    """That of a queue; None if the newest update is the value."""
    ordering = spec.ordering
    if not isinstance(ordering, LastValue) or not ordering.conflates:
        return None
    return Conflator(ordering.policy, ordering.interval_ms, ordering.order_by, f"queue {spec.name!r}")
