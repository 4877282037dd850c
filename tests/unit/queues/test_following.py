from canned_message import Bell, CannedMessage
from keyed_entries import keyed_entries
from mypy_extensions import u8

from lastvalue.model.message import NEVER
from lastvalue.queues.effects import REPLACED, Reason, Tombstone
from lastvalue.queues.entry import ACQUIRED, AVAILABLE, HELD_BACK, Entry
from lastvalue.queues.following import Following, without_deadlines
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import Mode, Terms

NOW_MS = 1_000


def keyed_queue(**options: str) -> tuple[Queue, Following]:
    queue = Queue(spec_from_arguments("q", {"lvq_key": "k", "durable": True, **options}))
    return queue, queue.follow()


def arriving(queue: Queue, sequence: int, updates: int = 1) -> Entry:
    entry = queue.remake(CannedMessage({"k": "a"}, body=b"%d" % sequence), sequence, NOW_MS)
    entry.updates = updates
    entry.expires_ms = NOW_MS - 1
    return without_deadlines(entry)


def test_a_value_replaces_the_one_that_the_records_say_it_did_and_keeps_their_count() -> None:
    queue, following = keyed_queue()
    following.begin()
    following.arrive(arriving(queue, 1), set())
    following.arrive(arriving(queue, 2, updates=5), {1})
    following.end(7)
    assert [int(each.sequence) for each in queue.entries()] == [2]
    assert queue.entries()[0].updates == 5
    assert queue.removed(REPLACED) == 1
    assert queue.sequence == 7


def test_a_value_whose_newer_one_came_and_left_within_the_batch_is_not_its_keys_value() -> None:
    for before in (0, 1):
        queue, following = keyed_queue(lvq_placement="in-place")
        following.begin()
        if before:
            following.arrive(arriving(queue, 1), set())
        entry = arriving(queue, 2)
        entry.superseded = True
        entry.state = u8(ACQUIRED)
        following.arrive(entry, {1})
        following.end(3)
        assert [int(each.sequence) for each in queue.entries()] == [2]
        assert not keyed_entries(queue.contents.current)
        following.begin()
        following.arrive(arriving(queue, 4), set())
        following.end(4)
        assert [int(each.sequence) for each in queue.entries()] == [2, 4]


def test_a_value_that_came_due_and_was_superseded_within_the_batch_is_not_its_keys_value() -> None:
    for newer in (0, 3):
        queue, following = keyed_queue(lvq_placement="in-place")
        following.begin()
        held_back = arriving(queue, 1)
        held_back.state = u8(HELD_BACK)
        held_back.not_before_ms = NOW_MS
        following.arrive(held_back, set())
        if newer:
            following.arrive(arriving(queue, newer), set())
        following.end(3)
        following.begin()
        following.supersede(held_back)
        following.show_due(held_back, 1, set())
        following.change(held_back, ACQUIRED, 0, None)
        following.end(4)
        values = keyed_entries(queue.contents.current).values()
        assert [int(each.sequence) for each in values] == ([newer] if newer else [])


def test_an_entry_stays_past_its_deadline_until_the_queue_leads() -> None:
    queue, following = keyed_queue()
    following.begin()
    following.arrive(arriving(queue, 1), set())
    following.end(1)
    browser = queue.subscribe(Mode.BROWSE, Bell(), Terms(), NOW_MS)
    assert queue.next_deadline() == NEVER
    queue.advance(NOW_MS)
    assert queue.next(browser, NOW_MS) is not None
    entry = following.present[1]
    entry.expires_ms = NOW_MS
    following.lead([entry])
    queue.advance(NOW_MS)
    assert queue.removed(Reason.EXPIRED) == 1


def test_a_tombstone_stays_until_the_records_forget_it_or_the_queue_leads() -> None:
    queue, following = keyed_queue(tombstone_ms="100")
    tombstones = queue.contents.keep_tombstones(100)
    gone = [Tombstone(number, b"%d" % number, Reason.ACCEPTED, number) for number in (1, 2, 3)]
    following.remember(gone, 3, 0, [])
    assert queue.next_deadline() == NEVER
    queue.advance(NOW_MS)
    queue.advance(NOW_MS + 1_000)
    assert (tombstones.all(), tombstones.forgotten) == (gone, 0)
    following.remember([], 3, 1, [])
    assert (tombstones.all(), tombstones.forgotten) == (gone[1:], 1)
    following.lead([])
    queue.advance(NOW_MS + 1_000)
    assert queue.next_deadline() == NOW_MS + 1_100
    queue.advance(NOW_MS + 1_100)
    assert (tombstones.all(), tombstones.forgotten) == ([], 3)


def test_a_browser_that_waits_is_woken_by_what_arrives() -> None:
    queue, following = keyed_queue()
    bell = Bell()
    browser = queue.subscribe(Mode.BROWSE, bell, Terms(), NOW_MS)
    assert queue.next(browser, NOW_MS) is None
    before = bell.rung
    following.begin()
    following.arrive(arriving(queue, 1), set())
    following.end(1)
    assert bell.rung > before


def test_what_a_consumer_of_the_leader_holds_is_not_shown() -> None:
    queue, following = keyed_queue()
    following.begin()
    following.arrive(arriving(queue, 1), set())
    entry = following.present[1]
    following.change(entry, ACQUIRED, 0, None)
    assert (entry.state, queue.available) == (ACQUIRED, 0)
    following.change(entry, AVAILABLE, 3, None)
    assert (entry.state, entry.delivery_count, queue.available) == (AVAILABLE, 3, 1)
