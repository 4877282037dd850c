"""The options of the engine."""

import pytest

from lastvalue.protocols.core.options import Options

pytestmark = pytest.mark.pure


def test_a_peer_that_says_no_time_to_live_may_be_silent_for_a_minute() -> None:
    """[Artemis] As its brokers have it."""
    assert Options().idle_timeout_ms == 60_000
