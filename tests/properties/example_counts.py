"""How many examples property and fuzz tests try.

`LASTVALUE_PROFILE` is `ci`, the default; `quick`, an eighth of that, for a person who waits; or `long`.
`LASTVALUE_EXAMPLES` is a number, which then holds for every test.
"""

import os
from typing import Final

LONG: Final = 5000
PROFILES: Final = ("quick", "ci", "long")


def example_count(usual: int, least: int = 1) -> int:
    """How many examples a test tries that tries `usual` of them in CI.

    Fewer than `least` would not reach what the test has to have seen.

    Raises:
        ValueError: the environment names another profile, or no number.
    """
    number = os.environ.get("LASTVALUE_EXAMPLES")
    if number:
        return int(number)
    return {"quick": max(least, usual // 8), "ci": usual, "long": LONG}[profile()]


def profile() -> str:
    """How thorough this run is.

    Raises:
        ValueError: the environment names another profile.
    """
    named = os.environ.get("LASTVALUE_PROFILE", "ci")
    if named not in PROFILES:
        raise ValueError(f"LASTVALUE_PROFILE is {named!r}; expected one of {', '.join(PROFILES)}")
    return named
