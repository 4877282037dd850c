"""Sets of command ids."""

from lastvalue.protocols.amqp010.spans import Spans


def test_runs_join_where_they_touch_and_part_where_something_is_taken_out() -> None:
    spans = Spans()
    for first, last in [(0, 0), (1, 2), (5, 6), (9, 9), (4, 4), (3, 3)]:
        spans.add(first, last)
    assert spans.runs == [(0, 6), (9, 9)]
    spans.discard(2, 3)
    assert spans.runs == [(0, 1), (4, 6), (9, 9)]
    assert (1 in spans, 2 in spans) == (True, False)
