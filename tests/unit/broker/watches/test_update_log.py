"""lastvalue.broker.watches.update_log."""

from canned_message import Bell, CannedMessage

from lastvalue.broker.watches.update_log import MOST_KEPT, UpdateLog, UpdateReader
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.model.message import NEVER
from lastvalue.queues.entry import Entry


def entry(number: int) -> Entry:
    return Entry(number, CannedMessage({"k": "a"}, body=b"x"), 0, NEVER, 1)


def read(log: UpdateLog, reader: UpdateReader) -> list[int]:
    found = []
    while not log.has_all(reader):
        found.append(int(log.next(reader).entry.sequence))
    return found


def test_an_update_is_kept_once_for_all_readers_and_until_all_have_had_it() -> None:
    memory = MemoryAccount()
    log, bells = UpdateLog(memory), [Bell() for _ in range(50)]
    readers = [log.join(bell.wake) for bell in bells]
    log.add(entry(1))
    one = memory.used_bytes
    log.add(entry(2))
    assert memory.used_bytes == 2 * one
    assert {bell.rung for bell in bells} == {1}
    assert [read(log, reader) for reader in readers[1:]] == [[1, 2]] * 49
    assert memory.used_bytes == 2 * one
    assert read(log, readers[0]) == [1, 2]
    assert memory.used_bytes == 0


def test_a_reader_gets_what_comes_after_it_joined_and_is_woken_once_until_it_has_all() -> None:
    log, bell = UpdateLog(MemoryAccount()), Bell()
    early = log.join(Bell().wake)
    log.add(entry(1))
    reader = log.join(bell.wake)
    log.add(entry(2))
    log.add(entry(3))
    assert bell.rung == 1
    assert read(log, reader) == [2, 3]
    log.add(entry(4))
    assert bell.rung == 2
    assert read(log, early) == [1, 2, 3, 4]


def test_what_only_a_reader_has_not_had_that_leaves_is_dropped() -> None:
    memory = MemoryAccount()
    log = UpdateLog(memory)
    slow, quick = log.join(Bell().wake), log.join(Bell().wake)
    log.add(entry(1))
    assert read(log, quick) == [1]
    log.leave(slow)
    assert memory.used_bytes == 0
    log.leave(quick)
    assert log.empty


def test_a_reader_that_is_far_behind_lacks_the_oldest_and_others_lack_nothing() -> None:
    log = UpdateLog(MemoryAccount())
    slow, quick = log.join(Bell().wake), log.join(Bell().wake)
    for number in range(MOST_KEPT):
        log.add(entry(number))
    assert len(read(log, quick)) == MOST_KEPT
    log.add(entry(MOST_KEPT))
    assert (log.missed(quick), read(log, quick)) == (0, [MOST_KEPT])
    assert log.missed(slow) == MOST_KEPT // 10
    assert read(log, slow)[0] == MOST_KEPT // 10
