"""Checkpoints of a history."""

from canned_message import CannedMessage

from lastvalue.broker.history.history_moments import CHECKPOINT_RECORDS, Checkpoint, Checkpoints
from lastvalue.broker.history.records_in_force import RecordsInForce
from lastvalue.queues.entry import REMOVED, Entry


def checkpoint(sequence: int, time_ms: int) -> Checkpoint:
    entry = Entry(sequence, CannedMessage(), time_ms, time_ms, 1)
    records = RecordsInForce()
    records.count = 1
    return Checkpoint(entry, time_ms, records)


def test_the_nearest_checkpoint_is_the_last_one_up_to_the_moment() -> None:
    checkpoints = Checkpoints()
    found = [checkpoint(number * CHECKPOINT_RECORDS, number * 10) for number in (1, 2, 3)]
    for each in found:
        checkpoints.add(each)
    assert [checkpoints.before(time_ms) for time_ms in (9, 10, 25, 99)] == [None, *found]


def test_of_checkpoints_near_each_other_the_latest_is_kept_beside_the_first() -> None:
    checkpoints = Checkpoints()
    found = [checkpoint(CHECKPOINT_RECORDS + number, 10 + number) for number in range(3)]
    for each in found:
        checkpoints.add(each)
    assert [checkpoints.before(time_ms) for time_ms in (10, 11, 12)] == [found[0], found[0], found[2]]
    assert checkpoints.memory_bytes() == 2 * 64


def test_checkpoints_of_dropped_records_are_forgotten() -> None:
    checkpoints = Checkpoints()
    found = [checkpoint(number * CHECKPOINT_RECORDS, number) for number in (1, 2, 3)]
    for each in found:
        checkpoints.add(each)
    checkpoints.forget(2 * CHECKPOINT_RECORDS)
    assert [checkpoints.before(time_ms) for time_ms in (1, 2, 3)] == [None, None, found[2]]
    found[2].last.state = REMOVED
    assert checkpoints.before(3) is None
