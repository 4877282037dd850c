from canned_message import CannedMessage

from lastvalue.model.message import NEVER
from lastvalue.queues.effects import Added, Refused, TakenRun, Updated
from lastvalue.queues.entry import WAITS, Entry
from lastvalue.store.journal import Journal
from lastvalue.store.memory import MemoryJournal


def test_what_is_counted_is_safe_with_the_next_flush() -> None:
    journal: Journal = MemoryJournal()
    effect = Refused(CannedMessage())
    assert journal.append("q", [effect, effect]) == 2
    assert journal.append("p", [effect]) == 3
    assert journal.flushed == 0
    journal.flush(lambda: None)
    assert journal.flushed == 3


def test_a_definition_is_as_safe_as_the_effects_before_it() -> None:
    journal = MemoryJournal()
    journal.append("q", [Refused(CannedMessage())])
    assert journal.define("queue", "q", {}) == 1


def test_nothing_waits_and_nothing_fails() -> None:
    journal = MemoryJournal()
    assert (journal.waiting_bytes, journal.bytes_per_s, journal.fault) == (0, 0.0, None)


def test_entries_whose_effects_it_has_may_be_renewed() -> None:
    journal = MemoryJournal()
    added, updated, previous, first, second = (Entry(n, CannedMessage(), 0, NEVER, 1) for n in range(1, 6))
    run = TakenRun()
    run.entries += [first, second]
    second.stored = WAITS - 1
    journal.append("q", [Added(added), Updated(updated, previous), run])
    assert [int(each.stored) for each in (added, updated, previous, first, second)] == [1, 1, 0, 1, 1]
