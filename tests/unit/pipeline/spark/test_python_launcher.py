"""From where the Python processes of a local session import Spark."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

import pyspark

from lastvalue.pipeline.spark.python_launcher import python_launcher

SPARK = Path(str(pyspark.__file__)).parent
ZIP_FILES = (str(SPARK / "python/lib/pyspark.zip"), str(SPARK / "python/lib/py4j-0.10.9.9-src.zip"))

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the launcher is a shell script")


def module_path(python: str, *entries: str) -> str:
    """What Python finds in PYTHONPATH."""
    command = [python, "-c", "import os; print(os.environ['PYTHONPATH'])"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(entries)}
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True
    ).stdout.rstrip()


@pytest.mark.parametrize(
    ("entries", "kept"),
    [
        ((*ZIP_FILES, "/own", "/a b*/other.zip"), "/own:/a b*/other.zip"),
        (("/own", *ZIP_FILES), "/own"),
        (ZIP_FILES, ""),
        (("",), ""),
    ],
)
def test_the_zip_files_of_an_installed_spark_leave_the_path(
    tmp_path: Path, entries: tuple[str, ...], kept: str
) -> None:
    assert module_path(python_launcher(SPARK, tmp_path), *entries) == kept


def test_it_starts_the_python_that_is_named_with_all_arguments(tmp_path: Path) -> None:
    python = tmp_path / "a 'python'"
    python.write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
    python.chmod(0o755)
    launcher = python_launcher(SPARK, tmp_path / "cache", str(python))
    output = subprocess.run([launcher, "-m", "a b", ""], capture_output=True, text=True, check=True).stdout
    assert output.splitlines() == ["-m", "a b", ""]


def test_a_directory_with_a_link_in_it_is_the_same_spark(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(SPARK)
    assert python_launcher(link, tmp_path) == python_launcher(SPARK, tmp_path) != sys.executable


def test_the_zip_files_of_another_spark_stay(tmp_path: Path) -> None:
    assert python_launcher(tmp_path, tmp_path / "cache") == sys.executable


def test_without_a_cache_python_is_started_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    assert python_launcher(SPARK, tmp_path / "cache") == sys.executable
