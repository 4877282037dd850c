"""The groups of a queue, and the group of a message."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import Message, PropertyName
from lastvalue.queues.entry import Entry, Group
from lastvalue.queues.spec import Grouping

GROUP_ID: Final = "properties.group-id"
GROUP_SEQUENCE: Final = "properties.group-sequence"
MOST_EMPTY: Final = 10_000
"""Groups without messages that stay with their consumers; the order within one does not need them."""
MOST_EMPTY_BYTES: Final = 1 << 22
"""The memory that they may take, because names may be long."""
GROUP_BYTES: Final = 256
"""What a group takes in memory besides its name."""

_CLOSING: Final = (-1, 2**32 - 1)
"""[Artemis] The group sequence -1, unsigned on the wire, marks the last message for its consumer."""


@final
class GroupNames:
    """Reads the group of a message."""

    __slots__ = ("_buckets", "_default", "_key")

    def __init__(self, grouping: Grouping) -> None:
        self._key = PropertyName(GROUP_ID if grouping.key is None else grouping.key)
        self._default = grouping.default_group if grouping.shared else ""
        self._buckets: i64 = 0 if grouping.shared else grouping.buckets

    def name_of(self, message: Message) -> str:
        """The group of a message, or the number of its bucket; "" means none. The message's errors pass."""
        text = message.text(self._key)
        if not text:
            return self._default
        return str(text_hash(text) % self._buckets) if self._buckets > 0 else text


@final
class Groups:
    """The groups of one queue that have messages or an owner.

    Attributes:
        empty_bytes: the memory of those that have an owner and no messages.
    """

    __slots__ = ("_by_name", "_empty", "empty_bytes", "names", "shared")

    def __init__(self, grouping: Grouping) -> None:
        self.shared = grouping.shared
        self.names = GroupNames(grouping)
        self._by_name: dict[str, Group] = {}
        # Those that have an owner and no messages, the longest without first.
        self._empty: dict[str, Group] = {}
        self.empty_bytes: i64 = 0

    def join(self, entry: Entry, name: str) -> None:
        """Put a new entry into its group; "" means none."""
        if not name:
            return
        group = self._by_name.get(name)
        if group is None:
            group = Group(name)
            self._by_name[name] = group
        elif group.present == 0:
            self._forget_empty(name)
        group.present += 1
        entry.group = group

    def leave(self, entry: Entry) -> None:
        """Take a removed entry out of its group; then there may be a surplus."""
        group = entry.group
        if group is None:
            return
        entry.group = None
        group.present -= 1
        if group.present > 0:
            return
        if group.owner == 0:
            self.forget_idle(group)
            return
        self._empty[group.name] = group
        self.empty_bytes += _size_bytes(group.name)

    def surplus(self) -> Group | None:
        """The group that was empty for longest, to be taken from its consumer, where too many are empty."""
        if len(self._empty) <= MOST_EMPTY and self.empty_bytes <= MOST_EMPTY_BYTES:
            return None
        return next(iter(self._empty.values()))

    def all(self) -> list[Group]:
        """All groups."""
        return list(self._by_name.values())

    def owned_by(self, number: i64) -> list[Group]:
        """The groups that a consumer owns."""
        return [group for group in self._by_name.values() if group.owner == number]

    def closes(self, message: Message) -> bool:
        """Whether the group gets another consumer after this message."""
        if self.shared:
            return False
        try:
            return message.field(GROUP_SEQUENCE) in _CLOSING
        except LastvalueError:
            return False

    def forget_idle(self, group: Group) -> None:
        """Drop a group that has neither messages nor an owner."""
        if group.present == 0 and group.owner == 0:
            self._by_name.pop(group.name, None)
            self._forget_empty(group.name)

    def _forget_empty(self, name: str) -> None:
        if self._empty.pop(name, None) is not None:
            self.empty_bytes -= _size_bytes(name)


def _size_bytes(name: str) -> i64:
    """The memory of a group; a text beyond ASCII may take four bytes for each character."""
    return GROUP_BYTES + (len(name) if name.isascii() else 4 * len(name))


def text_hash(text: str) -> i64:
    """Java's hash of a text without its sign, by which Broker-J and Artemis choose the bucket."""
    value: i64 = 0
    units = text.encode("utf-16-be", "surrogatepass")
    for index in range(0, len(units), 2):
        value = (31 * value + (units[index] << 8) + units[index + 1]) & 0xFFFFFFFF
    return value & 0x7FFFFFFF
