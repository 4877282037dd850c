"""Whether this process checks after each turn what always holds."""

import os
from collections.abc import Mapping
from typing import Final

VARIABLE: Final = "LASTVALUE_CHECKS"
"""The environment variable that turns the checks on, if it is 1."""


def checks_invariants(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether queues, the broker's sums and the journal are checked after each turn.

    A disagreement ends the broker before it records the turn. It costs a part of the speed.
    """
    return environment.get(VARIABLE) == "1"
