import pytest
from canned_message import Bell, CannedMessage

from lastvalue.broker.queue_host import HostedQueue, TurnWork
from lastvalue.model.memory_budget import MemoryBudget
from lastvalue.model.message import NEVER
from lastvalue.queues.entry import Entry
from lastvalue.queues.groups import (
    GROUP_ID,
    GROUP_SEQUENCE,
    MOST_EMPTY,
    MOST_EMPTY_BYTES,
    GroupNames,
    Groups,
    text_hash,
)
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import NO_GROUP, Grouping, QueueSpec
from lastvalue.queues.subscription import ANY, Mode, Outcome, Subscription


def entry() -> Entry:
    return Entry(1, CannedMessage(), 0, NEVER, 1)


# Each hash is what Java's "text".hashCode() & 0x7FFFFFFF gives.
@pytest.mark.parametrize(
    ("text", "number"),
    [("", 0), ("a", 97), ("abc", 96354), ("polygenelubricants", 0), ("\U0001f600", 1772899)],
)
def test_texts_hash_as_in_java(text: str, number: int) -> None:
    assert text_hash(text) == number


@pytest.mark.parametrize(
    ("grouping", "properties", "name"),
    [
        (Grouping(buckets=0), {GROUP_ID: "g"}, "g"),
        (Grouping(), {}, ""),
        (Grouping("k", buckets=0), {"k": 5, GROUP_ID: "g"}, "5"),
        (Grouping("k"), {"k": ""}, ""),
        (Grouping("k", shared=True), {}, NO_GROUP),
        (Grouping("k", shared=True, default_group="rest"), {}, "rest"),
        (Grouping("k", buckets=10), {"k": "abc"}, "4"),
        (Grouping("k", buckets=10), {}, ""),
    ],
    ids=str,
)
def test_a_message_is_in_the_group_that_its_property_names(
    grouping: Grouping, properties: dict[str, object], name: str
) -> None:
    assert GroupNames(grouping).name_of(CannedMessage(properties)) == name


def test_a_group_is_there_while_it_has_messages_or_an_owner() -> None:
    groups = Groups(Grouping())
    first, second = entry(), entry()
    groups.join(first, "g")
    groups.join(second, "g")
    (group,) = groups.all()
    assert (group.name, group.present) == ("g", 2)
    group.owner = 3
    groups.leave(first)
    groups.leave(second)
    assert groups.owned_by(3) == [group]
    group.owner = 0
    groups.forget_idle(group)
    assert groups.all() == []


def test_what_is_in_no_group_joins_and_leaves_none() -> None:
    groups, alone = Groups(Grouping()), entry()
    groups.join(alone, "")
    groups.leave(alone)
    assert (alone.group, groups.all()) == (None, [])


@pytest.mark.parametrize(
    ("shared", "sequence", "closes"),
    [
        (False, -1, True),
        (False, 2**32 - 1, True),
        (False, 0, False),
        (False, None, False),
        (True, -1, False),
    ],
)
def test_the_sequence_of_minus_one_closes_a_group_that_is_not_shared(
    shared: bool, sequence: int | None, closes: bool
) -> None:
    message = CannedMessage({GROUP_SEQUENCE: sequence})
    assert Groups(Grouping("k", shared=shared)).closes(message) is closes


def test_the_group_that_was_empty_for_longest_loses_its_consumer_when_there_are_too_many() -> None:
    queue = Queue(QueueSpec("q", grouping=Grouping(buckets=0)))
    consumer = queue.subscribe(Mode.CONSUME, Bell(), ANY, 0)
    numbers = [0, 1, *range(2, MOST_EMPTY), 0, MOST_EMPTY, MOST_EMPTY + 1]
    for number in numbers:
        pass_through(queue, consumer, str(number))
    groups = queue.contents.groups
    assert groups is not None
    names = [group.name for group in groups.all()]
    assert len(names) == MOST_EMPTY
    # The second use of the first group has made it young again.
    assert ("0" in names, "1" in names, "2" in names) == (True, False, False)


def test_groups_without_messages_take_a_bounded_memory_which_counts() -> None:
    hosted = HostedQueue(Queue(QueueSpec("q", grouping=Grouping(buckets=0))), TurnWork(MemoryBudget()))
    consumer = hosted.queue.subscribe(Mode.CONSUME, Bell(), ANY, 0)
    hosted.count_bytes()
    names = ["short", *(str(number) * (MOST_EMPTY_BYTES // 3) for number in range(3))]
    sizes = [0]
    for name in names:
        pass_through(hosted.queue, consumer, name)
        sizes.append(sizes[-1] + hosted.count_bytes())
    groups = hosted.queue.contents.groups
    assert groups is not None
    assert [group.name for group in groups.all()] == names[2:]
    large = 256 + len(names[1])
    assert sizes[1:] == [261, 261 + large, 261 + 2 * large, 2 * large]
    hosted.queue.unsubscribe(consumer, 0)
    assert hosted.count_bytes() == -sizes[-1]


def pass_through(queue: Queue, consumer: Subscription, group: str) -> None:
    queue.enqueue(CannedMessage({GROUP_ID: group}), 0)
    entry = queue.next(consumer, 0)
    assert entry is not None
    queue.settle(entry, Outcome.ACCEPTED, 0)
