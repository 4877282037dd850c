"""Makes the entries of new messages; reads all that the queue needs of a message before anything changes."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.model.composite_key import composite_key_of, composite_names
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import (
    AT_ONCE,
    NEVER,
    Message,
    MessageExtras,
    MessageFilter,
    OrderValue,
    PropertyName,
    selects,
)
from lastvalue.queues.contents import Contents
from lastvalue.queues.deadlines import Lifetimes
from lastvalue.queues.effects import FILTERED, KEY_DELETED, STALE
from lastvalue.queues.entry import Entry
from lastvalue.queues.errors import DelayRefusedError, OrderMissingError
from lastvalue.queues.groups import GroupNames
from lastvalue.queues.order_values import LEAST_ORDER_VALUE
from lastvalue.queues.ranks import Ranking
from lastvalue.queues.spec import LARGEST, LastValue, OrderMissing, QueueSpec

_NOT_VALID_BEFORE: Final = PropertyName("x-qpid-not-valid-before")
_KEYLESS: Final = b""
"""The key of messages without one, on queues where these replace one another."""


@final
class EntryFactory:
    """Makes the entries of messages, following a queue's declaration.

    Attributes:
        ranking: computes the ranks of the entries.
        group: the group of the message read last.
    """

    __slots__ = (
        "_ages",
        "_always_expires",
        "_as_text",
        "_composite",
        "_conflates",
        "_deletes",
        "_extras",
        "_fallback",
        "_filter",
        "_groups",
        "_holds",
        "_interval_ms",
        "_key",
        "_keyless",
        "_lifetimes",
        "_missing_order",
        "_name",
        "_needs_order",
        "_order_by",
        "_refuses_delay",
        "_screens",
        "group",
        "ranking",
    )

    def __init__(self, spec: QueueSpec, selector: MessageFilter | None) -> None:
        self._name = spec.name
        self._lifetimes = Lifetimes(spec.expiry)
        self._always_expires = spec.expiry.maximum_ttl_ms > 0 or spec.expiry.default_ttl_ms > 0
        self._ages = spec.expiry.removes_aged
        self._holds = spec.holds
        self._refuses_delay = spec.refuses_delay
        self._filter = selector
        self._conflates = False
        self._interval_ms: i64 = 0
        self._deletes = spec.deletes_on_empty
        self._screens = selector is not None or spec.deletes_on_empty
        self._groups: GroupNames | None = None if spec.grouping is None else GroupNames(spec.grouping)
        self._key: PropertyName | None = None
        self._fallback: PropertyName | None = None
        self._order_by: PropertyName | None = None
        self._missing_order: OrderValue | None = None
        self._needs_order: PropertyName | None = None
        ordering = spec.ordering
        self._as_text = isinstance(ordering, LastValue) and ordering.keys_as_text
        # The properties of a key of several, which is a text.
        self._composite = composite_names(ordering.key) if isinstance(ordering, LastValue) else []
        self._keyless: bytes | None = None
        self.ranking = Ranking(spec.ordering)
        self.group = ""
        self._extras: MessageExtras | None = None
        if isinstance(ordering, LastValue):
            self._key = PropertyName(ordering.key)
            if ordering.fallback_key is not None:
                self._fallback = PropertyName(ordering.fallback_key)
            if ordering.keyless:
                self._keyless = _KEYLESS
            if ordering.conflates:
                # A later update is part of the value whatever its order, which the conflator knows.
                self._conflates = True
                self._refuses_delay = True
                self._interval_ms = ordering.interval_ms
            elif ordering.order_by is not None:
                self._order_by = PropertyName(ordering.order_by)
            if ordering.order_by is not None and ordering.order_missing is OrderMissing.REFUSE:
                self._needs_order = PropertyName(ordering.order_by)
            if ordering.order_missing is OrderMissing.STALE:
                self._missing_order = LEAST_ORDER_VALUE

    def entry(self, message: Message, sequence: i64, now: i64) -> Entry | None:
        """The entry of a message; None if the queue does not keep it: see `dismiss`.

        Errors that reading the message's properties raises pass.

        Raises:
            DelayRefusedError: the message asks for a later delivery, which the queue refuses.
            OrderMissingError: the message has a key and no order value, which the queue refuses.
        """
        if self._screens and not self._keeps(message, now):
            if self._needs_order is not None and selects(self._filter, message):
                self._check_order(message, self._needs_order)
            return None
        expires_ms = self.deadline(message, now)
        entry = Entry(sequence, message, now, expires_ms, message.updates())
        self._read(entry, message)
        if self._needs_order is not None and entry.key is not None:
            self._check_order(message, self._needs_order)
        if message.annotated or self._holds:
            entry.not_before_ms = self._not_before(message, now)
        if self._interval_ms > 0 and entry.key is not None:
            entry.not_before_ms = now - now % self._interval_ms + self._interval_ms
        if self._ages:
            entry.expires_ms = self._lifetimes.leaves_ms(entry, expires_ms)
        return entry

    def deadline(self, message: Message, now: i64) -> i64:
        """When a message that comes now expires, or NEVER; it has the extras of the one before if it can."""
        extras = message.extras
        if extras is not None and extras is not self._extras:
            self._share_extras(message, extras)
        if self._always_expires or (extras is not None and extras.expires):
            return self._lifetimes.deadline(message, now)
        return NEVER

    def remake(self, message: Message, sequence: i64, arrival_ms: i64) -> Entry:
        """The entry of a stored message with its key, order and rank, without deadline and delivery time."""
        if message.extras is not None:
            self._share_extras(message, message.extras)
        entry = Entry(sequence, message, arrival_ms, NEVER, 1)
        self._read(entry, message)
        return entry

    def _share_extras(self, message: Message, extras: MessageExtras) -> None:
        """Let a message have the same extras as the one before, where they are alike."""
        if self._extras is not None and extras.equals(self._extras):
            message.extras = self._extras
        else:
            self._extras = extras

    def reads_alike(self, entry: Entry, message: Message) -> bool:
        """Whether an entry would have the same key, order, rank and group with this message.

        A value that the queue has made of updates never has.
        """
        if self._conflates:
            return False
        try:
            other = self.remake(message, entry.sequence, entry.arrival_ms)
        except LastvalueError:
            return False
        if self._groups is not None and self.group != ("" if entry.group is None else entry.group.name):
            return False
        return other.key == entry.key and other.order == entry.order and other.rank == entry.rank

    def _read(self, entry: Entry, message: Message) -> None:
        name = self._key
        if name is not None:
            key = message.key(name) if not self._as_text else self._text_key(message, name)
            if key is None:
                key = self._other_key(message)
            entry.key = key
            if key is not None and self._order_by is not None:
                entry.order = message.order(self._order_by)
                if entry.order is None:
                    entry.order = self._missing_order
        if self.ranking.ranked:
            entry.rank = self.ranking.rank(message)
        if self._groups is not None:
            self.group = self._groups.name_of(message)

    def _check_order(self, message: Message, order_by: PropertyName) -> None:
        if message.order(order_by) is None:
            raise OrderMissingError(self._name, order_by.text)

    def dismiss(self, message: Message, contents: Contents, now: i64) -> None:
        """Dismiss a message that the queue does not keep: the filter does not select it, or it deletes a key.

        A key's value that is newer by the order value stays.
        """
        entry = Entry(contents.sequence + 1, message, now, NEVER, 1)
        if not self._deletes or not selects(self._filter, message):
            contents.dismiss(entry, FILTERED)
            return
        self._read(entry, message)
        previous = None if entry.key is None else contents.value_of(entry.key, now)
        if (
            previous is not None
            and entry.order is not previous.order
            and contents.counts.is_older(entry.order, previous.order)
        ):
            contents.dismiss(entry, STALE, previous)
            return
        contents.dismiss(entry, KEY_DELETED)
        if entry.key is not None:
            contents.take_out(contents.values_of(entry.key), KEY_DELETED, entry)

    def _keeps(self, message: Message, now: i64) -> bool:
        """Whether a message becomes an entry."""
        if not selects(self._filter, message):
            return False
        return not self._deletes or not message.is_empty() or self.remake(message, 0, now).key is None

    def _other_key(self, message: Message) -> bytes | None:
        """The key of a message that lacks the key's property."""
        name = self._fallback
        if name is None:
            return self._keyless
        key = message.key(name) if not self._as_text else self._text_key(message, name)
        return self._keyless if key is None else key

    def _text_key(self, message: Message, name: PropertyName) -> bytes | None:
        text = composite_key_of(message, self._composite) if self._composite else message.text(name)
        return None if text is None else text.encode("utf-8", "surrogatepass")

    def _not_before(self, message: Message, now: i64) -> i64:
        """When the message may be delivered, or AT_ONCE."""
        time_ms = message.not_before(now)
        if time_ms > now and self._refuses_delay:
            raise DelayRefusedError(self._name)
        if time_ms == AT_ONCE and self._holds:
            value = message.order(_NOT_VALID_BEFORE)
            # [Broker-J] A text is ignored, a fraction cut off.
            if isinstance(value, int | float):
                time_ms = int(max(0, min(value, LARGEST)))
        return time_ms if time_ms > now else AT_ONCE
