"""What a queue is declared to be."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Final, TypeAlias

from lastvalue.model.errors import InvalidSpecError

LARGEST: Final = 2**53 - 1
"""The largest number in a declaration: exact in JSON, and its sum with a time fits 64 bits."""


@dataclass(frozen=True)
class Standard:
    """First in, first out."""


@dataclass(frozen=True)
class LastValue:
    """Newest message per key; a new value goes to the tail.

    Attributes:
        key: the property whose value is the key; messages without it are never conflated.
        order_by: the property that says which update is newer; without it the later arrival is.
    """

    key: str
    order_by: str | None = None

    def __post_init__(self) -> None:
        if not self.key:
            raise InvalidSpecError("lvq_key is empty; give the name of the property that holds the key")
        if self.order_by == "":
            raise InvalidSpecError("order_by is empty; give the name of a property or leave it out")


Ordering: TypeAlias = Standard | LastValue
"""Where a message stands among the others. Priority and Sorted become members of this union."""


class WhenFull(Enum):
    """What happens to a message that would exceed the limit."""

    REJECT = "reject"
    """The queue refuses it."""
    DROP_OLDEST = "drop-oldest"
    """The queue takes it and drops its oldest available messages (a ring)."""


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
class QueueSpec:
    """A queue's declaration. Refused combinations are refused here and nowhere else.

    Attributes:
        minimum_ttl_ms: a message that expires does so no earlier than this after arrival; 0 is off.
        maximum_ttl_ms: every message expires no later than this after arrival; 0 is off.
        durable: the declaration and durable messages survive a restart, where the broker has a store.
    """

    name: str
    ordering: Ordering = field(default_factory=Standard)
    limit: Limit = field(default_factory=Limit)
    minimum_ttl_ms: int = 0
    maximum_ttl_ms: int = 0
    durable: bool = False

    def __post_init__(self) -> None:
        if not self.name or len(self.name) > 255:
            raise InvalidSpecError("a queue's name has 1 to 255 characters")
        if self.name.startswith("$"):
            raise InvalidSpecError(f"{self.name!r}: names that begin with $ are the broker's own")
        if not (0 <= self.minimum_ttl_ms <= LARGEST and 0 <= self.maximum_ttl_ms <= LARGEST):
            raise InvalidSpecError(f"minimum_ttl_ms and maximum_ttl_ms are 0 (off) to {LARGEST} milliseconds")
        if 0 < self.maximum_ttl_ms < self.minimum_ttl_ms:
            raise InvalidSpecError(
                f"minimum_ttl_ms {self.minimum_ttl_ms} exceeds maximum_ttl_ms {self.maximum_ttl_ms}; "
                "give the same value to both for one time to live"
            )
