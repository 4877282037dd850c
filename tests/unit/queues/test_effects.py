from lastvalue.queues.effects import Reason


def test_the_reasons_are_numbered_without_gaps_because_counts_are_kept_by_number() -> None:
    assert sorted(Reason) == list(range(len(Reason)))
