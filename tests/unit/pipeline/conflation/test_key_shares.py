"""How many keys the rows of files have, from samples."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql.types import StructType

from lastvalue.pipeline.conflation import key_shares as module
from lastvalue.pipeline.conflation.key_shares import share_of_keys, share_of_result
from lastvalue.pipeline.conflation.parquet_scan import ParquetScan

ROWS = 20_000


@pytest.mark.parametrize("keys", [3, 400, 5_000, 50_000])
def test_the_share_of_all_rows_is_told_from_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keys: int
) -> None:
    monkeypatch.setattr(module, "_RESULT_SAMPLE_ROWS", 2_000)
    drawn = np.random.default_rng(1).integers(0, keys, ROWS)
    scan = scanned(tmp_path, pa.array([f"K{number}" for number in drawn.tolist()]))
    found = share_of_result(scan.splits(1), scan.rows, "key")
    assert found == pytest.approx(len(set(drawn.tolist())) / ROWS, rel=0.2)


def test_keys_that_are_never_seen_again_have_the_share_of_the_first_rows(tmp_path: Path) -> None:
    scan = scanned(tmp_path, pa.array([number // 4 for number in range(ROWS)]))
    assert share_of_result(scan.splits(1), scan.rows, "key") == 0.25
    assert share_of_keys(scan.splits(1)[0], "key") == 0.25


def test_rows_without_any_key_have_none(tmp_path: Path) -> None:
    scan = scanned(tmp_path, pa.nulls(ROWS, pa.string()))
    assert share_of_result(scan.splits(1), scan.rows, "key") == 0
    assert share_of_keys(scan.splits(1)[0], "key") == 0


def scanned(directory: Path, keys: pa.Array) -> ParquetScan:
    path = str(directory / "rows.parquet")
    pq.write_table(pa.table({"key": keys}), path, row_group_size=ROWS // 4)
    return ParquetScan(StructType(), ((path, pq.read_metadata(path)),), {})
