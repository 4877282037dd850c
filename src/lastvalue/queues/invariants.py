"""What always holds on a queue between two commands: its counts, its lists and its keys agree.

A broker that checks itself asks after each turn, and tests after each command; others never do.
"""

from collections import Counter
from typing import Final

from mypy_extensions import mypyc_attr

from lastvalue.queues.available_list import AvailableList
from lastvalue.queues.contents import Contents
from lastvalue.queues.effects import Reason
from lastvalue.queues.entry import ACQUIRED, AVAILABLE, HELD_BACK, REMOVED, Entry, precedes
from lastvalue.queues.queue import Queue

FEW: Final = 16
"""So many messages of a queue are checked each time; of more, all are checked from time to time."""

_REASONS: Final = tuple(Reason)


@mypyc_attr(native_class=False)
class BrokenInvariantError(BaseException):
    """Numbers that always agree do not: whatever the broker would do next may be wrong.

    It is no Exception, so that what keeps a fault to the reader or the queue in whose work it happened does
    not keep this one.

    Attributes:
        whose: of which queue, or of what else.
        faults: the numbers that disagree, in words.
    """

    def __init__(self, whose: str, faults: list[str]) -> None:
        super().__init__(f"{whose}: {'; '.join(faults)}")
        self.whose = whose
        self.faults = faults


def disagreements(*pairs: tuple[str, int, str, int]) -> list[str]:
    """In words, the pairs of numbers that are not equal: each is a name and its number, twice."""
    return [
        f"{one} is {first}, {other} is {second}" for one, first, other, second in pairs if first != second
    ]


def is_turn_of_all(size: int, turn: int) -> bool:
    """Whether this is a turn in which all of something of this size is checked.

    So the cost of all turns together does not depend on the size.
    """
    return size <= FEW or turn % (size // FEW) == 0


def check_queue(queue: Queue, whole: bool = True) -> None:
    """Check the counts of a queue; if it is whole, also each message, list and key.

    Raises:
        BrokenInvariantError: some do not agree.
    """
    contents = queue.contents
    faults = _disagreeing_counts(contents)
    if whole:
        faults += _disagreeing_lists(queue)
    if faults:
        raise BrokenInvariantError(f"queue {queue.spec.name!r}", faults)


def _disagreeing_counts(contents: Contents) -> list[str]:
    counts = contents.counts
    depth = contents.depth
    held = depth - contents.available - contents.held_back
    removed = sum([contents.removed(reason) for reason in _REASONS])
    least = min(
        contents.available, contents.held_back, held, contents.held_bytes,
        contents.depth_bytes - contents.held_bytes, depth - contents.current.size,
        counts.durable_published - counts.durable_removed,
    )  # fmt: skip
    some = f"whether any of {contents.available} is available"
    # As numbers, which they are in compiled modules.
    is_some = int(contents.available > 0)
    faults = disagreements(
        ("published", contents.published, "depth and removed", depth + removed),
        ("the smallest of counts that are 0 or more", min(least, 0), "its bound", 0),
        (some, is_some, "whether the list has a first", int(contents.available_list.head is not None)),
        (some, is_some, "whether the list has a last", int(contents.available_list.tail is not None)),
    )
    if depth == 0:
        faults += disagreements(
            ("depth", 0, "depth_bytes", contents.depth_bytes),
            ("published_bytes", counts.published_bytes, "removed_bytes", counts.removed_bytes),
            ("durable_published", counts.durable_published, "durable_removed", counts.durable_removed),
        )
    return faults


def _disagreeing_lists(queue: Queue) -> list[str]:
    contents = queue.contents
    counts = contents.counts
    available, faults = _available(contents.available_list)
    held = queue.unclaimed.entries()
    for subscription in queue.subscriptions.values():
        own = subscription.held.entries()
        held += own
        strange = [entry.sequence for entry in own if entry.holder != subscription.number]
        if strange:
            faults.append(f"reader {subscription.number} has {strange}, which others hold")
    waiting = contents.waiting.entries()
    present = [*available, *held, *waiting]
    faults += disagreements(
        ("available", contents.available, "the list", len(available)),
        ("acquired", contents.depth - contents.available - contents.held_back, "held", len(held)),
        ("held_back", contents.held_back, "waiting", len(waiting)),
        ("depth_bytes", contents.depth_bytes, "the messages", sum([len(e.encoded) for e in present])),
        ("held_bytes", contents.held_bytes, "those that are held", sum([len(e.encoded) for e in held])),
        (
            "published_bytes without removed_bytes", counts.published_bytes - counts.removed_bytes,
            "the sizes of the messages", sum([e.size_bytes for e in present]),
        ),
        (
            "durable_published without durable_removed", counts.durable_published - counts.durable_removed,
            "the durable messages", sum([e.example.durable for e in present]),
        ),
    )  # fmt: skip
    states = ((AVAILABLE, available), (ACQUIRED, held), (HELD_BACK, waiting))
    strange = [entry.sequence for state, entries in states for entry in entries if entry.state != state]
    if strange:
        faults.append(f"{strange} are in a list of another state")
    return faults + _disagreeing_keys(contents, present) + _disagreeing_groups(contents, present, held)


def _available(available_list: AvailableList) -> tuple[list[Entry], list[str]]:
    """The available entries, and what is wrong with their order."""
    entries: list[Entry] = []
    faults: list[str] = []
    before: Entry | None = None
    entry = available_list.head
    while entry is not None:
        if entry.previous is not before:
            faults.append(f"{entry.sequence} does not lead back to the message before it")
        if before is not None and not precedes(before, entry):
            faults.append(f"{before.sequence} is before {entry.sequence}")
        entries.append(entry)
        before = entry
        entry = entry.next
    if available_list.tail is not before:
        faults.append("the list does not end with its last message")
    placed = sum([len(run) for run in available_list.placed.runs])
    if available_list.indexed:
        faults += disagreements(("the list", len(entries), "its index", placed))
    return entries, faults


def _disagreeing_keys(contents: Contents, present: list[Entry]) -> list[str]:
    current = contents.current
    values = current.entries()
    faults = disagreements(("the number of keys", current.size, "the table of keys", len(values)))
    gone = [entry.sequence for entry in values if entry.state in (REMOVED, HELD_BACK)]
    if gone:
        faults.append(f"keys have {gone}, which cannot be read")
    lost = [
        entry.sequence
        for entry in present
        if entry.key is not None
        and entry.state != HELD_BACK
        and not entry.superseded
        and current.get(entry.key) is not entry
    ]
    if lost:
        faults.append(f"{lost} are not the values of their keys")
    tombstones = contents.tombstones
    if tombstones is not None:
        both = [each.number for each in tombstones.all() if each.key in current]
        if both:
            faults.append(f"the keys of the tombstones {both} have values")
    return faults


def _disagreeing_groups(contents: Contents, present: list[Entry], held: list[Entry]) -> list[str]:
    if contents.groups is None:
        return []
    groups = contents.groups.all()
    of_all = Counter([entry.group for entry in present if entry.group is not None])
    of_held = Counter([entry.group for entry in held if entry.group is not None])
    faults = disagreements(("the groups that have messages", len(of_all.keys() - groups), "unknown", 0))
    for group in groups:
        here = f"in group {group.name!r}"
        faults += disagreements(
            (f"present {here}", group.present, "its messages", of_all[group]),
            (f"held {here}", group.held, "those that are held", of_held[group]),
        )
    return faults
