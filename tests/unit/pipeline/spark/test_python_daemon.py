"""Where the Python workers of a local session import Spark from."""

import subprocess
import sys
from pathlib import Path

from lastvalue.pipeline.spark.python_daemon import PYTHON_DAEMON, installed_path

ARCHIVES = ("pyspark.zip", "py4j-0.10.9.9-src.zip")


def spark_in(directory: Path) -> list[str]:
    """A path as Spark gives it to its workers, with the installed packages it is of."""
    package = directory / "pyspark"
    (package / "python" / "lib").mkdir(parents=True)
    (package / "__init__.py").touch()
    (directory / "py4j").mkdir()
    (directory / "py4j" / "__init__.py").touch()
    return [*(str(package / "python" / "lib" / name) for name in ARCHIVES), "/own", str(directory)]


def test_the_zip_files_of_an_installed_spark_leave_the_path(tmp_path: Path) -> None:
    assert installed_path(spark_in(tmp_path)) == ["/own", str(tmp_path)]


def test_an_environment_may_be_reached_by_a_link(tmp_path: Path) -> None:
    path = spark_in(tmp_path / "own")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "own")
    assert installed_path([*path[:2], str(link)]) == [str(link)]


def test_the_zip_files_of_another_spark_stay(tmp_path: Path) -> None:
    own, other = spark_in(tmp_path / "own"), spark_in(tmp_path / "other")
    mixed = [*other[:3], own[-1]]
    assert installed_path(mixed) == mixed


def test_the_zip_files_stay_where_nothing_else_has_py4j(tmp_path: Path) -> None:
    path = spark_in(tmp_path)
    (tmp_path / "py4j" / "__init__.py").unlink()
    (tmp_path / "py4j").rmdir()
    assert installed_path(path) == path


def test_a_path_without_zip_files_stays_as_it_is() -> None:
    assert installed_path(["/own", "/other.zip"]) == ["/own", "/other.zip"]


def test_naming_the_daemon_imports_no_spark() -> None:
    code = f"import sys, {PYTHON_DAEMON}; sys.exit('pyspark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_workers_find_arrow_and_pandas_imported() -> None:
    code = (
        "import gc, sys, pyspark.daemon\n"
        f"from {PYTHON_DAEMON} import main\n"
        "shared = lambda: {'pyarrow', 'pandas'} <= sys.modules.keys() and gc.get_freeze_count()\n"
        "pyspark.daemon.manager = lambda: sys.exit(not shared())\n"
        "main()"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
