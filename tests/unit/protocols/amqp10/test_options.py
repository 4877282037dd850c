"""What a connection may offer."""

import pytest

from lastvalue.protocols.amqp10.options import ConnectionOptions
from lastvalue.protocols.engine import UsageError


@pytest.mark.parametrize(
    "wrong",
    [
        {"max_frame_size": 511},
        {"max_frame_size": 2**32},
        {"channel_max": 65_536},
        {"incoming_window": 0},
        {"max_unsettled": 0},
    ],
)
def test_what_no_peer_may_be_told_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(UsageError, match=next(iter(wrong))):
        ConnectionOptions("container", **wrong)  # type: ignore[arg-type]  # each is an int


def test_the_defaults_bound_what_a_peer_may_take() -> None:
    options = ConnectionOptions("container")
    assert 0 < options.max_message_size <= 2**26
    assert 0 < options.max_unsettled <= 2**20
    assert options.open_timeout_ms > 0
