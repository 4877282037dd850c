"""Which scenarios a driver runs: in the quick profile a share, and after each commit the next one.

The bare queue, the queue that its effects rebuild, and AMQP 1.0 always run all of them.
`LASTVALUE_SHARE` is the number of a share, or `all`; without it the number of commits decides.
"""

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Final, TypeVar
from zlib import crc32

from example_counts import profile

VARIABLE: Final = "LASTVALUE_SHARE"
ALL: Final = "all"
SHARES: Final = 4
"""Each driver has run each scenario after this many successive commits."""

Told = TypeVar("Told")


def in_this_run(driver: str, scenarios: Iterable[Told]) -> list[Told]:
    """The scenarios that a driver of this name runs now."""
    return in_share(chosen_share(), driver, scenarios)


def in_share(share: int | None, driver: str, scenarios: Iterable[Told]) -> list[Told]:
    """Those of a share, or all; which share a scenario is in depends on its name and the driver's alone."""
    return [each for each in scenarios if share in (None, crc32(f"{driver} {each}".encode()) % SHARES)]


def chosen_share() -> int | None:
    """The number of the share that this run is for, or None if it is for all.

    Raises:
        ValueError: the environment names no such share.
    """
    named = os.environ.get(VARIABLE)
    if named is None:
        commits = commit_count(Path(__file__).parent) if profile() == "quick" else None
        return None if commits is None else commits % SHARES
    if named == ALL:
        return None
    if not named.isdecimal() or int(named) >= SHARES:
        raise ValueError(f"{VARIABLE} is {named!r}; expected {ALL} or a number from 0 to {SHARES - 1}")
    return int(named)


def commit_count(folder: Path) -> int | None:
    """How many commits a checkout's branch has, merged ones not counted; None if that is not known."""
    asked = ("rev-parse", "--is-shallow-repository"), ("rev-list", "--count", "--first-parent", "HEAD")
    try:
        shallow, count = (
            subprocess.run(("git", *each), cwd=folder, capture_output=True, text=True, check=True).stdout
            for each in asked
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return int(count) if shallow.strip() == "false" else None


def header() -> str:
    """Says which share this run is for."""
    share = chosen_share()
    if share is None:
        return "scenarios: every driver runs all of them"
    return (
        f"scenarios: drivers other than the bare queue and AMQP 1.0 run share {share} of 0 to {SHARES - 1}; "
        f"{VARIABLE}={ALL} runs all"
    )
