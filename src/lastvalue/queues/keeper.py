"""What a queue keeps of its oldest entries although its limit, or their time to live, has dropped them."""

from abc import abstractmethod

from mypy_extensions import i64, mypyc_attr

from lastvalue.queues.effects import Reason
from lastvalue.queues.entry import Entry


@mypyc_attr(allow_interpreted_subclasses=True)
class Keeper:
    """Decides of each entry that a queue drops whether it stays: in front, and outside of the limit.

    Entries are dropped from the front only, so those that are kept precede all others.

    Attributes:
        count, size_bytes: how many entries are kept, and their encoded size.
    """

    __slots__ = ("count", "size_bytes")

    def __init__(self) -> None:
        self.count: i64 = 0
        self.size_bytes: i64 = 0

    @abstractmethod
    def oldest(self) -> Entry | None:
        """The oldest available entry that was not dropped."""
        raise NotImplementedError

    @abstractmethod
    def drop(self, entry: Entry, reason: Reason) -> None:
        """Drop an entry, and all older ones before it: each leaves for this reason, or is kept."""
        raise NotImplementedError

    @abstractmethod
    def kept(self, entry: Entry) -> None:
        """A record of another process says that an entry is kept."""
        raise NotImplementedError

    @abstractmethod
    def left(self, entry: Entry) -> None:
        """An entry that was kept has left, for whatever reason."""
        raise NotImplementedError

    @abstractmethod
    def memory_bytes(self) -> i64:
        """The memory that it takes besides the entries."""
        raise NotImplementedError
