"""Generated market ticks of an exchange, with the faults of a real feed; the same seed gives the same ticks.

Some ticks come late, some come twice, and some are corrected: the exchange repeats the sequence number with
the next revision and other prices.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lastvalue.model.errors import LastvalueError
from lastvalue.pipeline.cache import cache_directory
from lastvalue.pipeline.feeds.recording import Recording, write_recording

REVISIONS: Final = 8
"""More than the revisions of any sequence number, so that sequence * REVISIONS + revision orders ticks."""

_FIRST_TICK_US: Final = 1_767_609_000_000_000
"""5 January 2026, 10:30 UTC."""

_TICK_SIZE: Final = 0.01


class InvalidTickSpecError(LastvalueError):
    """The specification of ticks is invalid."""


@dataclass(frozen=True, slots=True)
class TickSpec:
    """The specification of generated ticks.

    Attributes:
        ticks: the number of ticks of the exchange, without duplicates and corrections.
        symbols: the number of symbols; the first are the busiest (Zipf).
        duration_s: the period over which the exchange makes the ticks.
        late: share of ticks that come late, by up to `late_by_s`.
        duplicate: share that come twice.
        corrected: share that are corrected later.
        late_by_s: the longest delay of a late, duplicate or corrected tick.
        seed: the same seed gives the same ticks.
    """

    ticks: int = 300_000
    symbols: int = 500
    duration_s: float = 60.0
    late: float = 0.02
    duplicate: float = 0.01
    corrected: float = 0.005
    late_by_s: float = 2.0
    seed: int = 1

    def __post_init__(self) -> None:
        if self.ticks < 1 or self.symbols < 1 or self.duration_s <= 0 or self.late_by_s < 0:
            raise InvalidTickSpecError("ticks, symbols and duration_s are more than 0, late_by_s not less")
        if not all(0 <= share <= 1 for share in (self.late, self.duplicate, self.corrected)):
            raise InvalidTickSpecError("late, duplicate and corrected are shares, from 0 to 1")


def ticks_recording(spec: TickSpec | None = None, cache: Path | None = None) -> Recording:
    """The ticks as a recording in the cache directory; each call generates them again."""
    spec = TickSpec() if spec is None else spec
    table = generate_ticks(spec)
    path = (cache or cache_directory()) / f"ticks-{spec.seed}.parquet"
    write_recording(table, path)
    return Recording(
        queue="ticks",
        path=path,
        key="symbol",
        order_by="version",
        time_column="received",
        rows=table.num_rows,
        keys=len(table["symbol"].unique()),
        speed=1.0,
        shown=("bid", "ask", "bid_size", "ask_size", "sequence", "revision"),
        origin=f"{table.num_rows:,} generated market ticks of {spec.symbols} symbols (seed {spec.seed})",
    )


def generate_ticks(spec: TickSpec) -> pa.Table:
    """The ticks in the order in which they are received.

    `version` orders the ticks of a symbol: it grows with the exchange's sequence, and with its revisions.
    """
    random = np.random.default_rng(spec.seed)
    weights = 1.0 / np.arange(1, spec.symbols + 1)
    symbol = random.choice(spec.symbols, spec.ticks, p=weights / weights.sum())
    made_us = _FIRST_TICK_US + np.sort(random.integers(0, int(spec.duration_s * 1e6), spec.ticks))
    cents = _walk(random, symbol, spec.symbols)
    spread = random.integers(1, 6, spec.ticks)
    sizes = random.integers(1, 100, (2, spec.ticks)) * 100

    delay_us = _delays_us(random, spec.ticks, spec)
    first_delay_us = np.where(
        random.random(spec.ticks) < spec.late, delay_us, random.integers(50, 500, spec.ticks)
    )
    again = np.flatnonzero(random.random(spec.ticks) < spec.duplicate)
    amended = np.flatnonzero(random.random(spec.ticks) < spec.corrected)
    row = np.concatenate([np.arange(spec.ticks), again, amended])
    extra = len(again) + len(amended)
    received_us = made_us[row] + np.concatenate([first_delay_us, _delays_us(random, extra, spec)])
    revision = np.concatenate([np.zeros(spec.ticks + len(again), np.int64), np.ones(len(amended), np.int64)])
    amendment = np.where(revision > 0, random.integers(1, 20, len(row)), 0)
    bid = (cents[row] - amendment) * _TICK_SIZE

    order = np.lexsort((revision, row, received_us))
    names = np.array([_symbol_name(number) for number in range(spec.symbols)])
    sequence = row + 1
    columns = {
        "symbol": pa.array(names[symbol[row]]),
        "bid": pa.array(bid.round(2)),
        "ask": pa.array((bid + spread[row] * _TICK_SIZE).round(2)),
        "bid_size": pa.array(sizes[0][row]),
        "ask_size": pa.array(sizes[1][row]),
        "sequence": pa.array(sequence),
        "revision": pa.array(revision),
        "version": pa.array(sequence * REVISIONS + revision),
        "made": pa.array(made_us[row], pa.timestamp("us", "UTC")),
        "received": pa.array(received_us, pa.timestamp("us", "UTC")),
    }
    return pa.table(columns).take(pa.array(order))


def _walk(random: np.random.Generator, symbol: npt.NDArray[np.int64], symbols: int) -> npt.NDArray[np.int64]:
    """A price in cents for each tick: a random walk per symbol, with a start of its own, above one dollar."""
    start = random.integers(2_000, 50_000, symbols)
    step = random.integers(-2, 3, len(symbol))
    by_symbol = np.argsort(symbol, kind="stable")
    total = np.cumsum(step[by_symbol])
    counts = np.bincount(symbol, minlength=symbols)
    before = np.concatenate([[0], np.cumsum(counts)[:-1]])
    base = np.where(before > 0, total[np.maximum(before - 1, 0)], 0)
    cents = np.empty(len(symbol), np.int64)
    cents[by_symbol] = start[symbol[by_symbol]] + total - base[symbol[by_symbol]]
    return np.maximum(cents, 100)


def _delays_us(random: np.random.Generator, count: int, spec: TickSpec) -> npt.NDArray[np.int64]:
    return random.integers(1_000, max(1_001, int(spec.late_by_s * 1e6)), count)


def _symbol_name(number: int) -> str:
    """AAAA, AAAB and so on."""
    letters = [chr(ord("A") + number // 26**place % 26) for place in (3, 2, 1, 0)]
    return "".join(letters)
