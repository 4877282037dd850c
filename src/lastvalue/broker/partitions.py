"""Queues that are spread over several brokers: which broker has a queue, or a key of it."""

from collections.abc import Iterator
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.addresses.name_pattern import check_pattern, name_matches
from lastvalue.broker.canonical_keys import key_text
from lastvalue.broker.not_leader import NotLeaderError
from lastvalue.model.errors import InvalidSpecError
from lastvalue.model.key_partition import key_partition
from lastvalue.model.message import Message
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import LastValue, QueueSpec

PATTERN: Final = "partition"
"""In the information of a redirect: the pattern of the queue, about which a client asks first."""


@mypyc_attr(native_class=False)
class OtherPartitionError(NotLeaderError):
    """Another broker has this queue, or this key of it; raised before anything has changed.

    Attributes:
        host, port, info: as of NotLeaderError; `info` also has the pattern of the partition.
    """

    def __init__(self, what: str, partition: "Partition", number: int) -> None:
        leader = partition.leaders[number]
        NotLeaderError.__init__(self, what, leader.partition(",")[0])
        self.args = (f"{what} is not at this broker: ask {leader}",)
        self.info = {**self.info, PATTERN: partition.pattern}


@final
class Partition:
    """The brokers of the queues whose names match a pattern.

    Attributes:
        pattern: of `addresses.name_pattern`.
        leaders: the addresses of each broker, with those of its followers after commas. A queue is at the
            only one, or each of its keys is at one of several.
        own: the number of the broker that asks; -1 where it is none of them.
    """

    __slots__ = ("leaders", "own", "pattern")

    def __init__(self, pattern: str, leaders: list[str], own: str = "") -> None:
        check_pattern(pattern)
        if not leaders:
            raise InvalidSpecError(f"partition {pattern!r} has no leaders; write leaders = ['one:5672']")
        self.pattern = pattern
        self.leaders = leaders
        self.own: i64 = -1
        known: set[str] = set()
        for number, leader in enumerate(leaders):
            for address in leader.split(","):
                if not address.rpartition(":")[2].isdecimal() or not address.rpartition(":")[0]:
                    raise InvalidSpecError(f"{address!r} is no address; write HOST:PORT")
                if address in known:
                    raise InvalidSpecError(f"{address} is in the leaders of {pattern!r} twice")
                known.add(address)
                if address == own:
                    self.own = number

    @property
    def by_key(self) -> bool:
        """Whether the keys of a queue are divided."""
        return len(self.leaders) > 1

    def check_queue(self, name: str) -> None:
        """Refuse a queue that is at other brokers alone.

        Raises:
            OtherPartitionError: it is.
        """
        if self.own < 0:
            raise OtherPartitionError(f"queue {name!r}", self, 0)

    def check_message(self, queue: Queue, message: Message) -> None:
        """Refuse a message whose key another broker has.

        Raises:
            OtherPartitionError: it has.
            InvalidSpecError: the message has no key that is divided.
        """
        self.check_key(queue, queue.remake(message, 0, 0).key)

    def check_key(self, queue: Queue, key: bytes | None) -> None:
        """The same of the canonical bytes of a key."""
        octets = None if key is None else key_text(queue, key)
        if octets is None and key is not None and key[:1] == b"i":
            octets = key
        if octets is None:
            raise InvalidSpecError(
                f"queue {queue.spec.name!r} is divided by its keys: a key is a text or an integer"
            )
        number = key_partition(octets, len(self.leaders))
        if number != self.own:
            raise OtherPartitionError(f"this key of queue {queue.spec.name!r}", self, number)


@final
class Partitions:
    """The partitions of a configuration; the first pattern that a name matches counts.

    Args:
        partitions: of the configuration, in its order.
    """

    __slots__ = ("_partitions",)

    def __init__(self, partitions: list[Partition]) -> None:
        self._partitions = partitions

    def of(self, name: str) -> Partition | None:
        """The partition of a queue; None if every broker has a queue of that name for itself."""
        for partition in self._partitions:
            if name_matches(partition.pattern, name):
                return partition
        return None

    def has(self, name: str) -> bool:
        """Whether a queue of that name, or a part of it, is at the broker that asks."""
        partition = self.of(name)
        return partition is None or partition.own >= 0

    def __iter__(self) -> Iterator[Partition]:
        return iter(self._partitions)

    def divided(self, name: str) -> Partition | None:
        """The partition of a queue whose keys are divided, or None."""
        partition = self.of(name)
        return partition if partition is not None and partition.by_key else None

    def check_here(self, name: str) -> None:
        """Refuse a name that is at other brokers.

        Raises:
            OtherPartitionError: it is.
        """
        partition = self.of(name)
        if partition is not None:
            partition.check_queue(name)

    def check_spec(self, spec: QueueSpec) -> None:
        """Refuse the declaration of a queue that needs one order of all its keys, which are divided.

        Raises:
            InvalidSpecError: it has no keys, or keys of two properties, or groups; or it is another queue
                that sends messages to one that is divided.
        """
        for name in (spec.alternate, spec.expiry_alternate, spec.history, spec.redirect):
            if name is not None and self.divided(name) is not None:
                raise InvalidSpecError(
                    f"queue {name!r} is divided by its keys over several brokers, so it takes no messages of "
                    f"queue {spec.name!r}; name one that is not"
                )
        if self.divided(spec.name) is None:
            return
        ordering = spec.ordering
        fault = ""
        if not isinstance(ordering, LastValue):
            fault = "needs lvq_key"
        elif ordering.fallback_key is not None or ordering.keyless:
            fault = "has keys of one property: leave out lvq_fallback_key and lvq_keyless"
        elif spec.grouping is not None:
            fault = "has no groups, which need one order of all messages"
        elif spec.redirect is not None:
            fault = "cannot be redirected"
        if fault:
            raise InvalidSpecError(
                f"queue {spec.name!r} is divided by its keys over several brokers, so it {fault}"
            )
