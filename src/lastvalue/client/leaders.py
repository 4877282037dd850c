"""The brokers that have a queue, or some of its keys, as one of them says; and which of them has a key."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from lastvalue.client.values import Key
from lastvalue.model.errors import InvalidSpecError
from lastvalue.model.key_partition import key_octets, key_partition

PARTITION: Final = "partition"
"""The type of the requests by which a client asks who has a queue."""


@dataclass(frozen=True, slots=True)
class Leaders:
    """The brokers that have a queue.

    Attributes:
        addresses: of each broker, its own and then those of its followers; none if the queue is not divided
            and is at the broker that was asked.
        own: the number of the broker that was asked; -1 if it is none of them.
    """

    addresses: Sequence[Sequence[str]]
    own: int

    @property
    def count(self) -> int:
        """How many brokers have keys of the queue; 1 if one has it whole."""
        return max(1, len(self.addresses))

    def is_asked(self, number: int) -> bool:
        """Whether the broker of this number is the one that was asked."""
        return not self.addresses or number == self.own


def leaders_in(answer: object) -> Leaders:
    """The brokers that one of them has answered."""
    if not isinstance(answer, Mapping):
        return Leaders((), -1)
    leaders, own = answer.get("leaders"), answer.get("own")
    addresses = [str(each).split(",") for each in leaders] if isinstance(leaders, Sequence) else []
    return Leaders(addresses, own if isinstance(own, int) else -1)


def partition_number(key: object, count: int) -> int:
    """The number of the broker that has a key; 0 if there is one broker.

    Raises:
        InvalidSpecError: the keys are divided, and this one is neither a text nor an integer.
    """
    if count == 1:
        return 0
    octets = key_octets(key)
    if octets is None:
        raise InvalidSpecError(f"{key!r:.60} is no key of a partitioned queue: a key is a text or an integer")
    return key_partition(octets, count)


def divided_keys(keys: Iterable[Key], count: int) -> dict[int, list[Key]]:
    """Keys by the number of the broker that has them; raises as `partition_number` does."""
    parts: dict[int, list[Key]] = {}
    for key in keys:
        parts.setdefault(partition_number(key, count), []).append(key)
    return parts
