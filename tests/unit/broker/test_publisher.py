"""lastvalue.broker.publisher."""

from lastvalue.broker.publisher import Publisher


def test_what_publishes_waits_for_nothing_unless_it_says_so() -> None:
    assert Publisher().waits_for() == ""
