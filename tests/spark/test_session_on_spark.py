"""What the processes of a local session run on."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("pyspark")

import pyarrow as pa
import pyspark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


def _origins(_: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield pa.RecordBatch.from_pydict({"origin": [pyspark.__file__]})


def test_workers_import_spark_from_where_it_is_installed_and_not_from_a_zip_file(
    spark: "SparkSession",
) -> None:
    (row,) = spark.range(0, 1, 1, 1).mapInArrow(_origins, "origin STRING").collect()
    assert Path(row.origin).samefile(str(pyspark.__file__))
