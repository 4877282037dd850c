"""A queue's declaration and its parts, checked."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Final, TypeAlias

from lastvalue.model.composite_key import MOST_PROPERTIES, is_composite_key, names_of_key
from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.policy import LAST, Policy

LARGEST: Final = 2**53 - 1
"""The largest number in a declaration: exact in JSON, and its sum with a time fits 64 bits."""

LARGEST_WINDOW: Final = 10_000_000
"""The largest number of ids that a queue may remember."""

LARGEST_REMOVAL_LOG: Final = 10_000
"""The largest number of messages of which a queue remembers why they are gone."""
REMOVAL_BYTES: Final = 208
"""Bytes of memory that each takes, measured."""

MOST_TRACE_LINKS: Final = 64
TRACE_LINK_BYTES: Final = 60
"""Bytes of memory that each takes, for each key, measured."""

LARGEST_TOP_TALKERS: Final = 10_000
"""The largest number of keys of which a queue counts the updates."""
TALKER_BYTES: Final = 512
"""Bytes of memory that each takes besides the key, measured where no two of them have the same count."""

LEGACY_KEY: Final = "qpid.LVQ_key"
"""The key property of a legacy declaration that names none."""

NO_GROUP: Final = "qpid.no-group"
"""The group of messages without a group, in shared mode."""

MOST_LEVELS: Final = 1000
"""The largest number of priority levels of a queue; a message's priority is 0 to 255."""

SUBSCRIPTIONS: Final = "$subscription/"
"""The prefix of subscription queues' names; no other queue's name may begin with `$`."""

DEFAULT_EXCHANGE: Final = "amq.default"
"""[RabbitMQ] As an alternate the default exchange, which has no name."""

DEFAULT_HOST: Final = "/"
"""The name of the virtual host where none is given."""


@dataclass(frozen=True)
class Standard:
    """First in, first out."""


class Placement(Enum):
    """The place of a new value of a key."""

    TAIL = "tail"
    """At the tail."""
    IN_PLACE = "in-place"
    """The place of the old value, or the tail if that was acquired or browsed (legacy LVQ)."""
    IN_PLACE_NO_BROWSE = "in-place-no-browse"
    """The place of the old value, or the tail if that was acquired (legacy LVQ_NO_BROWSE)."""


class OrderMissing(Enum):
    """What becomes of a message with a key that lacks the property of `order_by`."""

    REPLACE = "replace"
    """It is its key's value, as if it were the newest."""
    STALE = "stale"
    """It is older than every message that has the property."""
    REFUSE = "refuse"
    """It is refused: its producer hears that the property is missing."""


@dataclass(frozen=True)
class LastValue:
    """The newest message per key.

    Attributes:
        key: the property whose value is the key; or several, with commas between them: `model.composite_key`.
        fallback_key: the property whose value is the key of messages without `key`, as in Artemis; or None.
        order_by: the property that says which update is newer; None means the later arrival.
        placement: the place of a new value.
        keys_as_text: the number 5 and the text "5" are one key, as in Qpid C++ and Artemis.
        keyless: messages without a key replace one another, as in Qpid C++; else they are never replaced.
        levels: the number of priority levels, as in Artemis; 0 means no priorities.
        policy: how the updates of a key become its value.
        interval_ms: a value is made of the updates of an interval of this length, counted from 1970, and
            comes when that is over; 0: of all updates.
        order_missing: what becomes of a message without `order_by`.
    """

    key: str
    order_by: str | None = None
    placement: Placement = Placement.TAIL
    keys_as_text: bool = False
    keyless: bool = False
    levels: int = 0
    fallback_key: str | None = None
    policy: Policy = LAST
    interval_ms: int = 0
    order_missing: OrderMissing = OrderMissing.REPLACE

    @property
    def conflates(self) -> bool:
        """Whether values are made of several updates, rather than that the newest one is the value."""
        return self.policy != LAST or self.interval_ms > 0

    def __post_init__(self) -> None:
        if not 0 <= self.interval_ms <= LARGEST:
            raise InvalidSpecError(f"conflation_interval_ms is 0 (none) to {LARGEST} milliseconds")
        if self.conflates and (self.placement is not Placement.TAIL or self.levels):
            raise InvalidSpecError(
                "conflation needs lvq_placement 'tail' and no priorities: "
                "a value that stays beside a newer one would count twice"
            )
        if not self.key:
            raise InvalidSpecError("lvq_key is empty; give the name of the property that holds the key")
        if is_composite_key(self.key):
            self._check_composite()
        if self.order_by == "":
            raise InvalidSpecError("order_by is empty; give the name of a property or leave it out")
        if self.order_missing is not OrderMissing.REPLACE and self.order_by is None:
            raise InvalidSpecError(f"order_missing {self.order_missing.value!r} needs order_by")
        if self.order_missing is OrderMissing.STALE and self.conflates:
            raise InvalidSpecError(
                "order_missing 'stale' needs a queue without conflation, where every update is part of the "
                "value; use 'refuse'"
            )
        if self.placement is not Placement.TAIL and self.levels:
            raise InvalidSpecError("priorities need lvq_placement 'tail'; in place there is no priority")

    def _check_composite(self) -> None:
        names = names_of_key(self.key)
        if "" in names or len(set(names)) < len(names) or len(names) > MOST_PROPERTIES:
            raise InvalidSpecError(
                f"lvq_key is {self.key!r}; a key of several properties has 2 to {MOST_PROPERTIES} different "
                "names with commas between them, as in 'venue,symbol'"
            )
        if not self.keys_as_text:
            raise InvalidSpecError("a key of several properties needs lvq_key_equality 'text'")
        if self.fallback_key is not None:
            raise InvalidSpecError(
                "a key of several properties has no lvq_fallback_key: a message has all of them, or no key"
            )


@dataclass(frozen=True)
class Priority:
    """Higher levels first, first in first out within a level.

    Attributes:
        levels: their number; the priorities of AMQP map to them around the default of 4.
        fairshare: how many messages in a row come from one level before the next lower one; 0 is no limit.
        fairshare_by_level: the same for single levels: (level, number).
    """

    levels: int = 10
    fairshare: int = 0
    fairshare_by_level: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.levels <= MOST_LEVELS:
            raise InvalidSpecError(f"priorities is {self.levels}; a queue has 1 to {MOST_LEVELS} levels")
        if self.fairshare < 0 or any(share < 0 for _, share in self.fairshare_by_level):
            raise InvalidSpecError("fairshare is 0 (no limit) or a number of messages")
        for level, _ in self.fairshare_by_level:
            if not 0 <= level < self.levels:
                raise InvalidSpecError(f"fairshare for level {level}: the levels are 0 to {self.levels - 1}")


@dataclass(frozen=True)
class Sorted:
    """By the text of a property in UTF-16 code units; messages without it first, equal ones by arrival.

    Attributes:
        key: the property to sort by.
    """

    key: str

    def __post_init__(self) -> None:
        if not self.key:
            raise InvalidSpecError("sort_key is empty; give the name of the property to sort by")


Ordering: TypeAlias = Standard | LastValue | Priority | Sorted
"""The order of the messages."""


class WhenFull(Enum):
    """What happens to a message that would exceed the limit."""

    REFUSE = "refuse"
    """The queue refuses it."""
    DROP_OLDEST = "drop-oldest"
    """The queue takes it and drops its oldest available messages (a ring)."""
    BLOCK = "block"
    """The queue takes it and stops its producers: the depths are those of its flow control."""
    SELF_DESTRUCT = "self-destruct"
    """The queue deletes itself."""


@dataclass(frozen=True)
class Limit:
    """How much a queue holds; 0 is no limit.

    Attributes:
        messages: number of messages.
        size_bytes: sum of the encoded sizes.
        keys: number of keys that have a value, on a last-value queue.
        nothing: what no consumer takes at once is dropped.
    """

    messages: int = 0
    size_bytes: int = 0
    when_full: WhenFull = WhenFull.REFUSE
    keys: int = 0
    nothing: bool = False

    def __post_init__(self) -> None:
        if not (0 <= self.messages <= LARGEST and 0 <= self.size_bytes <= LARGEST):
            raise InvalidSpecError(f"max_messages and max_bytes are 0 (no limit) to {LARGEST}")
        if self.when_full is WhenFull.BLOCK and (self.messages or self.size_bytes):
            raise InvalidSpecError("a queue that blocks has its depths in its flow control")
        if not 0 <= self.keys <= LARGEST:
            raise InvalidSpecError(f"max_keys is 0 (no limit) to {LARGEST} keys")
        if self.when_full is WhenFull.BLOCK and self.keys:
            raise InvalidSpecError(
                "max_keys needs when_full 'refuse', 'drop-oldest' or 'self-destruct': "
                "producers that wait would make no room for keys"
            )

    @property
    def exists(self) -> bool:
        """Whether there is one."""
        return self.messages > 0 or self.size_bytes > 0 or self.keys > 0


@dataclass(frozen=True)
class FlowControl:
    """The depth above which producers get no credit, and at which they get it again; 0 is off.

    The queue takes the message that exceeds the depth.
    """

    stop_messages: int = 0
    resume_messages: int = 0
    stop_bytes: int = 0
    resume_bytes: int = 0

    def __post_init__(self) -> None:
        numbers = (self.stop_messages, self.resume_messages, self.stop_bytes, self.resume_bytes)
        if not all(0 <= number <= LARGEST for number in numbers):
            raise InvalidSpecError(f"the depths of flow control are 0 (off) to {LARGEST}")
        if self.resume_messages > self.stop_messages or self.resume_bytes > self.stop_bytes:
            raise InvalidSpecError(
                "flow_resume_messages or flow_resume_bytes: "
                "the depth to resume at exceeds the depth to stop at"
            )


@dataclass(frozen=True)
class Grouping:
    """Messages of one group go to one consumer at a time, in their order.

    Attributes:
        key: the property that names the group; None means the protocol's group id.
        shared: a group belongs to a consumer only while that holds messages of it; else until it leaves.
        default_group: the group of messages without one, in shared mode; elsewhere they have none.
        buckets: the number of hash buckets by which groups are assigned; 0 assigns each group by itself.
        rebalance: a new consumer causes all groups to be assigned again.
        rebalance_pauses: until consumers have settled what they hold then, nobody gets anything.
        first_key: the name of a flag on the first message that a group's new consumer gets.
    """

    key: str | None = None
    shared: bool = False
    default_group: str = NO_GROUP
    buckets: int = 256
    rebalance: bool = False
    rebalance_pauses: bool = False
    first_key: str | None = None

    def __post_init__(self) -> None:
        if self.key == "":
            raise InvalidSpecError("group_key is empty; give the name of the property or leave it out")
        if not 0 <= self.buckets <= 2**20:
            raise InvalidSpecError("group_buckets is 0 (each group by itself) to 1048576")
        if self.shared and self.rebalance:
            raise InvalidSpecError("group_rebalance needs group_mode 'default'; shared groups do not stay")


@dataclass(frozen=True)
class Expiry:
    """When messages expire, in milliseconds after arrival.

    Attributes:
        minimum_ttl_ms: a message that expires does so no earlier than this; 0 is off.
        maximum_ttl_ms: every message expires no later than this; 0 is off.
        default_ttl_ms: the time to live of messages without an expiry; 0 is off.
        never: messages never expire, whatever their producers say.
        maximum_age_ms: a key's value that is older is aged, on a last-value queue; 0 is off.
        removes_aged: an aged value leaves the queue.
    """

    minimum_ttl_ms: int = 0
    maximum_ttl_ms: int = 0
    default_ttl_ms: int = 0
    never: bool = False
    maximum_age_ms: int = 0
    removes_aged: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.maximum_age_ms <= LARGEST:
            raise InvalidSpecError(f"max_age_ms is 0 (off) to {LARGEST} milliseconds")
        if self.removes_aged and not self.maximum_age_ms:
            raise InvalidSpecError("when_aged 'remove' needs max_age_ms, the age at which values leave")
        numbers = (self.minimum_ttl_ms, self.maximum_ttl_ms, self.default_ttl_ms)
        if not all(0 <= number <= LARGEST for number in numbers):
            raise InvalidSpecError(
                f"minimum_ttl_ms, maximum_ttl_ms and default_ttl_ms are 0 (off) to {LARGEST} milliseconds"
            )
        if 0 < self.maximum_ttl_ms < self.minimum_ttl_ms:
            raise InvalidSpecError(
                f"minimum_ttl_ms {self.minimum_ttl_ms} exceeds maximum_ttl_ms {self.maximum_ttl_ms}; "
                "give the same value to both for one time to live"
            )
        if self.never and any(numbers):
            raise InvalidSpecError("no_expiry contradicts a time to live; leave one of them out")


@dataclass(frozen=True)
class Thresholds:
    """Above what a queue's operators hear of it; 0 is off. No message is treated otherwise.

    Attributes:
        messages: number of messages.
        size_bytes: sum of the encoded sizes.
        age_ms: for how long the oldest message has been there.
    """

    messages: int = 0
    size_bytes: int = 0
    age_ms: int = 0

    def __post_init__(self) -> None:
        if not all(0 <= number <= LARGEST for number in (self.messages, self.size_bytes, self.age_ms)):
            raise InvalidSpecError(f"alert_messages, alert_bytes and alert_age_ms are 0 (off) to {LARGEST}")


class Exclusive(Enum):
    """The kind of owner of an exclusive queue."""

    NONE = "none"
    SESSION = "session"
    CONNECTION = "connection"
    CONTAINER = "container"
    PRINCIPAL = "principal"
    LINK = "link"
    SHARED_SUBSCRIPTION = "shared-subscription"


class Lifetime(Enum):
    """When a queue is deleted by the broker."""

    PERMANENT = "permanent"
    CONNECTION_CLOSE = "delete-on-connection-close"
    """With the connection that declared it."""
    SESSION_END = "delete-on-session-end"
    """With the session that declared it."""
    CREATING_LINK_CLOSE = "delete-on-creating-link-close"
    """With the link that created it."""
    NO_OUTBOUND_LINKS = "delete-on-no-outbound-links"
    """When its last consumer leaves, after having had one."""
    NO_LINKS = "delete-on-no-links"
    """When its last consumer or publisher leaves, after having had one."""
    NO_LINKS_OR_MESSAGES = "delete-on-no-links-or-messages"
    """As NO_LINKS, once it is empty too."""


@dataclass(frozen=True)
class Readers:
    """What the readers of a queue may do, and which of them are served.

    Attributes:
        non_destructive: every reader browses; a consumer cannot remove a message.
        live: the number of consumers served at a time, the first ones; 0 is all.
        most: the largest number of consumers; 0 is no limit.
        before_dispatch: the number of consumers that must be attached before the first delivery.
        dispatch_delay_ms: how long to wait for them after the first one came; 0 waits without limit.
        attempts: the number of failed deliveries after which a message goes to the alternate; 0 is no limit.
        filters: filters for readers that bring none of the same name: (name, type, argument), with the types
            `x-filter-jms-selector` and `x-qpid-replay-period`.
        no_local: a reader does not get messages that came over its own connection.
    """

    non_destructive: bool = False
    live: int = 0
    most: int = 0
    before_dispatch: int = 0
    dispatch_delay_ms: int = 0
    attempts: int = 0
    filters: tuple[tuple[str, str, str], ...] = ()
    no_local: bool = False

    def __post_init__(self) -> None:
        numbers = (self.live, self.most, self.before_dispatch, self.dispatch_delay_ms, self.attempts)
        if not all(0 <= number <= LARGEST for number in numbers):
            raise InvalidSpecError(f"numbers of consumers and of attempts are 0 (no limit) to {LARGEST}")


@dataclass(frozen=True)
class QueueSpec:
    """A queue's declaration. Only this class and its parts refuse combinations.

    Attributes:
        durable: the declaration and durable messages survive a restart of a broker that has a store.
        grouping: None if the queue has no groups.
        holds: messages with `x-qpid-not-valid-before` wait for that time.
        refuses_delay: messages with a delivery time or delay are refused; else they wait for it.
        filter: a selector; the queue drops messages that it does not select.
        alternate: the exchange or queue that gets messages that are rejected, fail too often, are dropped by
            a full ring or are on the queue when it is deleted.
        expiry_alternate: the exchange or queue that gets expired messages.
        alternate_key: the routing key for an alternate that is an exchange; None means each message's own.
        redirect: the queue that takes what is published to this one, which takes what is published to that.
        history: the queue that gets each effect on this one as a message.
        history_deliveries: the history records deliveries and releases too.
        auto_delete_delay_ms: how long the queue stays after its lifetime has ended; use ends the wait.
        purge_unread: the queue is purged when its last consumer leaves.
        paused: the queue delivers nothing.
        duplicate_window: how many message ids the queue remembers; it checks every message then. 0 means the
            default number, and only for messages from links that ask for duplicate detection.
        tombstone_ms: how long the queue remembers the keys that lost their value, also over a restart; 0 is
            a minute, and not over a restart.
        deletes_on_empty: a message with an empty body deletes the value of its key.
        removal_log: of how many messages that left it the queue remembers why.
        trace_links: of how many messages that a value has replaced its readers get the trace contexts.
        top_talkers: of how many keys the queue counts how often they are updated.
        alternate_is_queue: the alternates are queues, also if there are exchanges of their names; it does not
            count in comparisons, as earlier versions did not store it.
        virtual_host: the name under which it was declared, for lists; it does not count in comparisons.
    """

    name: str
    ordering: Ordering = field(default_factory=Standard)
    limit: Limit = field(default_factory=Limit)
    flow: FlowControl = field(default_factory=FlowControl)
    expiry: Expiry = field(default_factory=Expiry)
    alerts: Thresholds = Thresholds()
    durable: bool = False
    grouping: Grouping | None = None
    readers: Readers = field(default_factory=Readers)
    holds: bool = False
    refuses_delay: bool = False
    filter: str = ""
    alternate: str | None = None
    expiry_alternate: str | None = None
    alternate_key: str | None = None
    redirect: str | None = None
    history: str | None = None
    history_deliveries: bool = False
    exclusive: Exclusive = Exclusive.NONE
    lifetime: Lifetime = Lifetime.PERMANENT
    auto_delete_delay_ms: int = 0
    purge_unread: bool = False
    paused: bool = False
    duplicate_window: int = 0
    tombstone_ms: int = 0
    deletes_on_empty: bool = False
    removal_log: int = 0
    trace_links: int = 0
    top_talkers: int = 0
    description: str = ""
    alternate_is_queue: bool = field(default=False, compare=False)
    virtual_host: str = field(default=DEFAULT_HOST, compare=False)

    def __post_init__(self) -> None:
        if not self.name or len(self.name) > 255:
            raise InvalidSpecError("a queue's name has 1 to 255 characters")
        if self.name.startswith("$") and not self.name.startswith(SUBSCRIPTIONS):
            raise InvalidSpecError(f"{self.name!r}: names that begin with $ are the broker's own")
        if self.redirect == self.name:
            raise InvalidSpecError(f"queue {self.name!r} cannot be redirected to itself")
        if self.history == self.name:
            raise InvalidSpecError(f"queue {self.name!r} cannot be its own history")
        if self.history == "":
            raise InvalidSpecError("history is empty; give the name of a queue or leave it out")
        if self.history_deliveries and self.history is None:
            raise InvalidSpecError("history_deliveries needs history, the queue that records them")
        conflates = isinstance(self.ordering, LastValue) and self.ordering.conflates
        _check_groups(self.grouping, conflates=conflates)
        for name, most, unit in _RANGES:
            if not 0 <= getattr(self, name) <= most:
                raise InvalidSpecError(f"{name} is 0 to {most} {unit}")


def _check_groups(grouping: Grouping | None, *, conflates: bool) -> None:
    if grouping is not None and conflates:
        raise InvalidSpecError("conflation needs group_mode 'none': a value is of several groups' updates")


_RANGES: Final = (
    ("auto_delete_delay_ms", LARGEST, "milliseconds"),
    ("tombstone_ms", LARGEST, "milliseconds"),
    ("duplicate_window", LARGEST_WINDOW, "messages"),
    ("removal_log", LARGEST_REMOVAL_LOG, "messages"),
    ("trace_links", MOST_TRACE_LINKS, "messages"),
    ("top_talkers", LARGEST_TOP_TALKERS, "keys"),
)
"""The numbers of a declaration that no part of it checks: from 0 to the largest, and their units."""
