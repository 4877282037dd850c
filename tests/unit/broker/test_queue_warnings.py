"""Warnings about queues."""

from lastvalue.broker.queue_warnings import LOST_LETTERS, OVERTAKEN, QueueWarnings


def test_each_kind_comes_once_for_a_queue_until_it_is_deleted() -> None:
    warnings = QueueWarnings()
    for queue, kind in (("q", OVERTAKEN), ("q", OVERTAKEN), ("q", LOST_LETTERS), ("other", OVERTAKEN)):
        warnings.note(queue, kind, "why")
    assert [(each.queue, each.kind, each.detail) for each in warnings.take()] == [
        ("q", OVERTAKEN, "why"),
        ("q", LOST_LETTERS, "why"),
        ("other", OVERTAKEN, "why"),
    ]
    warnings.note("q", OVERTAKEN)
    assert warnings.take() == []
    warnings.forget("q")
    warnings.note("q", OVERTAKEN)
    assert len(warnings.take()) == 1
