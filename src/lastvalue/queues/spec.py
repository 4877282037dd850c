"""What a queue is declared to be."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Final, TypeAlias

from lastvalue.model.errors import InvalidSpecError

LARGEST: Final = 2**53 - 1
"""The largest number in a declaration: exact in JSON, and its sum with a time fits 64 bits."""

LARGEST_WINDOW: Final = 10_000_000
"""Ids that a queue may remember; each takes some 200 bytes of memory."""

LEGACY_KEY: Final = "qpid.LVQ_key"
"""The property that holds the key where a legacy declaration names none."""

NO_GROUP: Final = "qpid.no-group"
"""The group of messages without one, in shared mode."""

MOST_LEVELS: Final = 1000
"""Priority levels that a queue may have; a message's priority is 0 to 255."""

SUBSCRIPTIONS: Final = "$subscription/"
"""What names of subscriptions' queues begin with; all other names with `$` are not of queues."""


@dataclass(frozen=True)
class Standard:
    """First in, first out."""


class Placement(Enum):
    """Where a new value of a key stands."""

    TAIL = "tail"
    """Behind everything."""
    IN_PLACE = "in-place"
    """Where the old value stood, unless that was acquired or browsed: then at the tail (legacy LVQ)."""
    IN_PLACE_NO_BROWSE = "in-place-no-browse"
    """Where the old value stood, unless that was acquired: then at the tail (legacy LVQ_NO_BROWSE)."""


@dataclass(frozen=True)
class LastValue:
    """Newest message per key.

    Attributes:
        key: the property whose value is the key.
        order_by: the property that says which update is newer; without it the later arrival is.
        placement: where a new value stands.
        keys_as_text: the number 5 and the text "5" are one key, as in Qpid C++ and Artemis.
        keyless: messages without the key replace one another, as in Qpid C++; else they are never replaced.
        levels: priority levels inside the queue, as in Artemis; 0 is none.
    """

    key: str
    order_by: str | None = None
    placement: Placement = Placement.TAIL
    keys_as_text: bool = False
    keyless: bool = False
    levels: int = 0

    def __post_init__(self) -> None:
        if not self.key:
            raise InvalidSpecError("lvq_key is empty; give the name of the property that holds the key")
        if self.order_by == "":
            raise InvalidSpecError("order_by is empty; give the name of a property or leave it out")
        if self.placement is not Placement.TAIL and self.levels:
            raise InvalidSpecError("priorities need lvq_placement 'tail': what stands in place has none")


@dataclass(frozen=True)
class Priority:
    """Higher levels first, first in first out within a level.

    Attributes:
        levels: how many; the ten priorities of AMQP fold onto them around the default of 4.
        fairshare: messages in a row that a level gives before the next lower one does; 0 is no limit.
        fairshare_by_level: that number for single levels.
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
    """By the text of a property, code unit by code unit; missing first, ties by arrival.

    Attributes:
        key: the property.
    """

    key: str

    def __post_init__(self) -> None:
        if not self.key:
            raise InvalidSpecError("sort_key is empty; give the name of the property to sort by")


Ordering: TypeAlias = Standard | LastValue | Priority | Sorted
"""Where a message stands among the others."""


class WhenFull(Enum):
    """What happens to a message that would exceed the limit."""

    REJECT = "reject"
    """The queue refuses it."""
    DROP_OLDEST = "drop-oldest"
    """The queue takes it and drops its oldest available messages (a ring)."""
    DELETE_QUEUE = "self-destruct"
    """The queue deletes itself."""


@dataclass(frozen=True)
class Limit:
    """How much a queue holds; 0 is no limit.

    Attributes:
        messages: number of messages.
        size_bytes: sum of the encoded sizes.
    """

    messages: int = 0
    size_bytes: int = 0
    when_full: WhenFull = WhenFull.REJECT

    def __post_init__(self) -> None:
        if not (0 <= self.messages <= LARGEST and 0 <= self.size_bytes <= LARGEST):
            raise InvalidSpecError(f"max_messages and max_bytes are 0 (no limit) to {LARGEST}")


@dataclass(frozen=True)
class FlowControl:
    """The depth beyond which producers get no credit, and at which they go on; 0 is no such limit.

    The message that goes beyond it is taken.
    """

    stop_messages: int = 0
    resume_messages: int = 0
    stop_bytes: int = 0
    resume_bytes: int = 0

    def __post_init__(self) -> None:
        numbers = (self.stop_messages, self.resume_messages, self.stop_bytes, self.resume_bytes)
        if not all(0 <= number <= LARGEST for number in numbers):
            raise InvalidSpecError(f"flow control is in numbers of 0 (off) to {LARGEST}")
        if self.resume_messages > self.stop_messages or self.resume_bytes > self.stop_bytes:
            raise InvalidSpecError("producers go on at a depth that does not exceed the one that stops them")


@dataclass(frozen=True)
class Grouping:
    """Messages of one group go to one consumer at a time, in their order.

    Attributes:
        key: the property that names the group; without it the protocol's own group id does.
        shared: a group belongs to a consumer only while that holds messages of it; else until it goes away.
        default_group: the group of messages without one, in shared mode; elsewhere they have none.
        buckets: groups are assigned by the bucket that their hash falls into; 0 is every group by itself.
        rebalance: a new consumer has every group assigned anew.
        first_key: a flag of that name is set on the first message that a group's new consumer gets.
    """

    key: str | None = None
    shared: bool = False
    default_group: str = NO_GROUP
    buckets: int = 256
    rebalance: bool = False
    first_key: str | None = None

    def __post_init__(self) -> None:
        if self.key == "":
            raise InvalidSpecError("group_key is empty; give the name of the property or leave it out")
        if not 0 <= self.buckets <= 2**20:
            raise InvalidSpecError("group_buckets is 0 (every group by itself) to 1048576")
        if self.shared and self.rebalance:
            raise InvalidSpecError("group_rebalance needs groups that stay with a consumer, not shared ones")


@dataclass(frozen=True)
class Expiry:
    """When messages expire, in milliseconds after arrival.

    Attributes:
        minimum_ttl_ms: a message that expires does so no earlier than this; 0 is off.
        maximum_ttl_ms: every message expires no later than this; 0 is off.
        default_ttl_ms: of messages without an expiry; 0 is off.
        never: no message expires, whatever its producer says.
    """

    minimum_ttl_ms: int = 0
    maximum_ttl_ms: int = 0
    default_ttl_ms: int = 0
    never: bool = False

    def __post_init__(self) -> None:
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


class Exclusive(Enum):
    """To whom a queue belongs that not everybody may use."""

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
    """With the link that made it."""
    NO_OUTBOUND_LINKS = "delete-on-no-outbound-links"
    """When its last consumer leaves, after having had one."""
    NO_LINKS = "delete-on-no-links"
    """When its last consumer or publisher leaves, after having had one."""
    NO_LINKS_OR_MESSAGES = "delete-on-no-links-or-messages"
    """As NO_LINKS, once it is empty too."""


@dataclass(frozen=True)
class Readers:
    """What those who read the queue may do, and which of them are served.

    Attributes:
        non_destructive: whoever reads browses; nothing that a consumer does removes a message.
        live: how many consumers are served at a time, the first ones; 0 is all.
        most: how many may be attached; 0 is any number.
        before_dispatch: how many must be attached before the first message is given.
        dispatch_delay_ms: how long after the first one came the others are waited for; 0 is for ever.
        attempts: failed deliveries after which a message goes to the alternate; 0 is any number.
        filters: filters of whoever brings none of that name: (name, type, argument), types being
            `x-filter-jms-selector` and `x-qpid-replay-period`.
        no_local: who reads gets nothing that came over its own connection.
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
    """A queue's declaration. Refused combinations are refused here and nowhere else.

    Attributes:
        durable: the declaration and durable messages survive a restart, where the broker has a store.
        grouping: None where messages have no groups.
        holds: messages with `x-qpid-not-valid-before` wait for that time.
        refuses_delay: messages with a delivery time or delay are refused; else they wait for it.
        filter: a selector; messages that it does not select are not taken.
        alternate: the exchange or queue that gets what is rejected, fails too often, is dropped by a full
            ring or left on a queue that is deleted.
        expiry_alternate: the exchange or queue that gets what expires.
        alternate_key: the key by which either routes, where it is an exchange; None is each message's own.
        history: the queue that gets what happens to this one, each effect as a message.
        history_deliveries: to whom messages were given, and that they came back, is told there, too.
        auto_delete_delay_ms: how long a queue stays after its lifetime has ended; use ends the wait.
        purge_unread: the queue is emptied when its last consumer leaves.
        paused: nothing is delivered.
        duplicate_window: of how many messages the queue remembers the ids, which it looks for in every one
            that a producer sends; 0 is those on links that ask for it, and as many as is usual.
    """

    name: str
    ordering: Ordering = field(default_factory=Standard)
    limit: Limit = field(default_factory=Limit)
    flow: FlowControl = field(default_factory=FlowControl)
    expiry: Expiry = field(default_factory=Expiry)
    durable: bool = False
    grouping: Grouping | None = None
    readers: Readers = field(default_factory=Readers)
    holds: bool = False
    refuses_delay: bool = False
    filter: str = ""
    alternate: str | None = None
    expiry_alternate: str | None = None
    alternate_key: str | None = None
    history: str | None = None
    history_deliveries: bool = False
    exclusive: Exclusive = Exclusive.NONE
    lifetime: Lifetime = Lifetime.PERMANENT
    auto_delete_delay_ms: int = 0
    purge_unread: bool = False
    paused: bool = False
    duplicate_window: int = 0
    description: str = ""

    def __post_init__(self) -> None:
        if not self.name or len(self.name) > 255:
            raise InvalidSpecError("a queue's name has 1 to 255 characters")
        if self.name.startswith("$") and not self.name.startswith(SUBSCRIPTIONS):
            raise InvalidSpecError(f"{self.name!r}: names that begin with $ are the broker's own")
        if self.name in (self.alternate, self.expiry_alternate):
            raise InvalidSpecError(f"queue {self.name!r} cannot be its own alternate")
        if self.history == self.name:
            raise InvalidSpecError(f"queue {self.name!r} cannot be its own history")
        if self.history == "":
            raise InvalidSpecError("history is empty; give the name of a queue or leave it out")
        if self.history_deliveries and self.history is None:
            raise InvalidSpecError("history_deliveries needs history, the queue that tells of them")
        if not 0 <= self.auto_delete_delay_ms <= LARGEST:
            raise InvalidSpecError(f"auto_delete_delay_ms is 0 to {LARGEST} milliseconds")
        if not 0 <= self.duplicate_window <= LARGEST_WINDOW:
            raise InvalidSpecError(f"duplicate_window is 0 to {LARGEST_WINDOW} messages")
