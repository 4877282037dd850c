"""Generated market ticks."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from lastvalue.pipeline.feeds.ticks import InvalidTickSpecError, TickSpec, generate_ticks, ticks_recording

SPEC = TickSpec(ticks=20_000, symbols=50, duration_s=10, seed=3)


@pytest.fixture(scope="module")
def ticks() -> pa.Table:
    return generate_ticks(SPEC)


def test_the_same_seed_gives_the_same_ticks(ticks: pa.Table) -> None:
    assert generate_ticks(SPEC).equals(ticks)


def test_another_seed_gives_others(ticks: pa.Table) -> None:
    assert not generate_ticks(TickSpec(ticks=20_000, symbols=50, duration_s=10, seed=4)).equals(ticks)


def test_ticks_come_in_the_order_in_which_they_are_received(ticks: pa.Table) -> None:
    received = ticks["received"].cast("int64").to_numpy()
    assert bool((np.diff(received) >= 0).all())


def test_no_tick_is_received_before_it_is_made(ticks: pa.Table) -> None:
    assert pc.all(pc.greater(ticks["received"], ticks["made"])).as_py()


def test_every_sequence_number_of_the_exchange_is_there(ticks: pa.Table) -> None:
    assert sorted(ticks["sequence"].unique().to_pylist()) == list(range(1, SPEC.ticks + 1))


def test_a_version_stands_for_one_tick_however_often_it_comes(ticks: pa.Table) -> None:
    without_arrival = ticks.drop_columns(["received"])
    distinct = without_arrival.group_by(without_arrival.column_names).aggregate([])
    assert distinct.num_rows == len(ticks["version"].unique())


@pytest.mark.parametrize(
    ("share", "low", "high"),
    [("late", 300, 500), ("duplicate", 140, 260), ("corrected", 60, 140)],
)
def test_faults_come_at_the_rates_asked_for(ticks: pa.Table, share: str, low: int, high: int) -> None:
    versions = len(ticks["version"].unique())
    counts = {
        "late": pc.sum(pc.greater(delays_us(ticks), 1000)).as_py() - (ticks.num_rows - SPEC.ticks),
        "duplicate": ticks.num_rows - versions,
        "corrected": pc.sum(pc.greater(ticks["revision"], 0)).as_py(),
    }
    assert low < counts[share] < high


def test_without_faults_every_tick_comes_once_and_in_order() -> None:
    clean = generate_ticks(TickSpec(ticks=500, duration_s=3600, late=0, duplicate=0, corrected=0))
    assert clean["sequence"].to_pylist() == list(range(1, 501))


def test_prices_stay_positive_and_the_bid_below_the_ask(ticks: pa.Table) -> None:
    assert pc.min(ticks["bid"]).as_py() > 0
    assert pc.all(pc.less(ticks["bid"], ticks["ask"])).as_py()


def test_a_recording_counts_its_rows_and_keys(tmp_path: Path, ticks: pa.Table) -> None:
    recording = ticks_recording(SPEC, tmp_path)
    assert (recording.rows, recording.keys) == (ticks.num_rows, 50)


@pytest.mark.parametrize(
    "fault", [{"ticks": 0}, {"symbols": 0}, {"duration_s": 0}, {"late": 1.5}, {"corrected": -0.1}]
)
def test_what_cannot_be_generated_is_refused(fault: dict[str, float]) -> None:
    with pytest.raises(InvalidTickSpecError):
        TickSpec(**fault)  # type: ignore[arg-type] # wrong on purpose


def delays_us(ticks: pa.Table) -> pa.ChunkedArray:
    return pc.subtract(ticks["received"].cast("int64"), ticks["made"].cast("int64"))
