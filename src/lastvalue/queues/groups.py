"""Which group a message is in, and which consumer has it."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import Message, PropertyName
from lastvalue.queues.entry import Entry, Group
from lastvalue.queues.spec import Grouping

GROUP_ID: Final = "properties.group-id"
GROUP_SEQUENCE: Final = "properties.group-sequence"
_CLOSING: Final = (-1, 2**32 - 1)
"""[Artemis] A message with the group sequence -1, unsigned on the wire, is the last for its consumer."""


@final
class GroupNames:
    """Reads of a message which group it is in."""

    __slots__ = ("_buckets", "_default", "_key")

    def __init__(self, grouping: Grouping) -> None:
        self._key = PropertyName(GROUP_ID if grouping.key is None else grouping.key)
        self._default = grouping.default_group if grouping.shared else ""
        self._buckets: i64 = 0 if grouping.shared else grouping.buckets

    def name_of(self, message: Message) -> str:
        """The group of a message, or the bucket it falls into; "" is none. What the message raises passes."""
        text = message.text(self._key)
        if not text:
            return self._default
        return str(text_hash(text) % self._buckets) if self._buckets > 0 else text


@final
class Groups:
    """The groups of one queue that have messages or an owner."""

    __slots__ = ("_known", "names", "shared")

    def __init__(self, grouping: Grouping) -> None:
        self.shared = grouping.shared
        self.names = GroupNames(grouping)
        self._known: dict[str, Group] = {}

    def join(self, entry: Entry, name: str) -> None:
        """Put an entry that comes to the queue into its group; "" is none."""
        if not name:
            return
        group = self._known.get(name)
        if group is None:
            group = Group(name)
            self._known[name] = group
        group.present += 1
        entry.group = group

    def leave(self, entry: Entry) -> None:
        """Take an entry that leaves the queue out of its group."""
        group = entry.group
        if group is not None:
            entry.group = None
            group.present -= 1
            self.forget_idle(group)

    def all(self) -> list[Group]:
        """Every group that has messages or an owner."""
        return list(self._known.values())

    def owned_by(self, number: i64) -> list[Group]:
        """The groups of a consumer."""
        return [group for group in self._known.values() if group.owner == number]

    def closes(self, message: Message) -> bool:
        """Whether a message is the last that its group's consumer gets."""
        if self.shared:
            return False
        try:
            return message.field(GROUP_SEQUENCE) in _CLOSING
        except LastvalueError:
            return False

    def forget_idle(self, group: Group) -> None:
        """Drop a group that has neither messages nor an owner."""
        if group.present == 0 and group.owner == 0:
            self._known.pop(group.name, None)


def text_hash(text: str) -> i64:
    """Java's hash of a text without its sign, by which Broker-J and Artemis choose a bucket."""
    value: i64 = 0
    units = text.encode("utf-16-be", "surrogatepass")
    for index in range(0, len(units), 2):
        value = (31 * value + (units[index] << 8) + units[index + 1]) & 0xFFFFFFFF
    return value & 0x7FFFFFFF
