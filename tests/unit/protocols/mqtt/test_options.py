"""The options of the engine."""

import pytest

from lastvalue.protocols.mqtt.options import Options

pytestmark = pytest.mark.pure


def test_a_peer_is_as_silent_as_it_says_unless_the_options_say_otherwise() -> None:
    assert Options().keep_alive_max_s == 0
