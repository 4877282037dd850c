"""Simulates seeds: one (--seed), several (--seeds FIRST:END), or random ones for some hours (--hours).

A seed that breaks a law is printed with the shortest history that breaks one, and the program ends with 1.
So it does if one of the states that matter was never reached in many runs.
"""

import argparse
import gc
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Final

from history import history_of
from shortest import shorten

from simulation import Outcome, simulate

MANY: Final = 50
"""After so many runs each of FAULTS and REACHED must have happened."""

FAULTS: Final = (
    "power_losses", "kills", "stops", "writes lost or torn", "failed_syncs", "full_disks", "slow_disk",
    "cut connections", "half-open connections", "stall", "clock", "pace", "vanished_clients",
    "elections", "part", "slow_log", "cut_log", "full_log", "step_down", "unheard", "unwritten", "flips",
)  # fmt: skip
REACHED: Final = (
    *FAULTS, "segments freed", "commits", "rollbacks", "removals", "reject deliveries",
    "release deliveries", "quiet_moments",
    "terms", "stale_leaders", "appends lost", "refused appends", "fenced", "trimmed", "store.led",
)  # fmt: skip

RARE: Final = (
    "store.torn_end", "flips found", "appends without room",
    "mqtt confirmed at QoS 2", "0-9-1 confirms", "0-10 completions", "0-10 transactions", "0-10 accept",
    "core answers", "core transactions", "core one", "core sessions reattached",
    "core commands sent again",
)  # fmt: skip
"""What must have happened after RARELY times as many runs."""

RARELY: Final = 4


def outcomes(seeds: Iterable[int], hours: float | None) -> Iterator[Outcome]:
    """Run one seed after the other, until the time is over."""
    simulated_s = 0.0
    for seed in seeds:
        if hours is not None and simulated_s >= hours * 3600:
            return
        outcome = simulate(history_of(seed))
        simulated_s += outcome.simulated_s
        yield outcome


def tell(outcome: Outcome) -> None:
    """Print how a law is broken, in as few steps as possible."""
    seed = outcome.history.seed
    print(f"seed {seed} breaks a law: {outcome.violation}", flush=True)
    short = shorten(outcome.history, lambda each: simulate(each).violation is not None)
    again = simulate(short)
    print(f"so do these {len(short.steps)} of its {len(outcome.history.steps)} steps: {again.violation}")
    for step in short.steps:
        print(f"  {step}")
    print("what happened at the end:")
    for line in again.trace[-30:]:
        print(f"  {line}")
    print(f"make simulate SEED={seed}")


def main() -> int:
    """Run what the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--seed", type=int)
    what.add_argument("--seeds", help="FIRST:END")
    what.add_argument("--hours", type=float)
    parser.add_argument(
        "--quick", action="store_true", help="end at the first law that is broken, and do not shorten"
    )
    asked = parser.parse_args()
    seeds: Iterable[int] = count(random.SystemRandom().randrange(2**40))
    if asked.seed is not None:
        seeds = [asked.seed]
    elif asked.seeds is not None:
        first, _, end = asked.seeds.partition(":")
        seeds = range(int(first), int(end))
    # What is imported need not be looked at after each run.
    gc.freeze()
    counts: Counter[str] = Counter()
    runs, simulated_s, began_s, broken = 0, 0.0, time.process_time(), []
    for outcome in outcomes(seeds, asked.hours):
        runs += 1
        simulated_s += outcome.simulated_s
        counts.update(outcome.counts)
        if outcome.violation is not None:
            broken.append(outcome.history.seed)
            if asked.quick:
                print(f"seed {outcome.history.seed}: {outcome.violation}")
                return 1
            tell(outcome)
    took_s = time.process_time() - began_s
    report(runs, simulated_s, took_s, counts)
    expected = (REACHED if runs >= MANY else ()) + (RARE if runs >= RARELY * MANY else ())
    missing = [each for each in expected if not counts[each]]
    if missing:
        print(f"never reached: {', '.join(missing)}")
    if broken:
        print(f"seeds that break a law: {broken}")
    return 1 if missing or broken else 0


def report(runs: int, simulated_s: float, took_s: float, counts: Counter[str]) -> None:
    """Print what was simulated."""
    print(
        f"{runs} runs, {simulated_s / 3600:.2f} simulated hours in {took_s:.0f} s of a processor: "
        f"{simulated_s / took_s:.0f} times as fast as real time"
    )
    print("faults: " + ", ".join(f"{each} {counts[each]}" for each in FAULTS))
    print(
        "reached: "
        + ", ".join(f"{each} {number}" for each, number in sorted(counts.items()) if each not in FAULTS)
    )


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":
        sys.exit("set PYTHONHASHSEED=0, as `make simulate` does: else sets have another order each time")
    sys.exit(main())
