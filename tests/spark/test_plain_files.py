"""How a session on a local master writes files: as Hadoop does, but without its detours."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pyspark")

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


def local_files(spark: "SparkSession") -> tuple[Any, Any]:
    """Hadoop's file system for local files, and Java."""
    java: Any = spark.sparkContext._jvm
    return java.org.apache.hadoop.fs.FileSystem.getLocal(spark.sparkContext._jsc.hadoopConfiguration()), java


@pytest.mark.parametrize("mode", ["640", "755", "000", "1777"])
def test_files_have_the_permissions_that_hadoop_gives_them(
    spark: "SparkSession", tmp_path: Path, mode: str
) -> None:
    files, java = local_files(spark)
    (tmp_path / "some").touch()
    wanted = java.org.apache.hadoop.fs.permission.FsPermission(mode)
    files.setPermission(java.org.apache.hadoop.fs.Path(str(tmp_path / "some")), wanted)
    assert (tmp_path / "some").stat().st_mode & 0o7777 == int(mode, 8)


def test_nothing_stands_beside_the_files_that_spark_writes(spark: "SparkSession", tmp_path: Path) -> None:
    spark.range(3).write.parquet(str(tmp_path / "rows"))
    written = sorted(path.suffix for path in (tmp_path / "rows").iterdir())
    assert written == ["", *[".parquet"] * (len(written) - 1)]
    assert spark.read.parquet(str(tmp_path / "rows")).count() == 3
