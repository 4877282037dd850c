"""Starting Java before PySpark is imported, with a shell script for Spark's."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("pyspark")

from pyspark import java_gateway
from pyspark.errors import PySparkRuntimeError

from lastvalue.pipeline.spark.java_start import StartedJava, start_java

ADDRESS = r"""
printf '\000\000\060\071\000\000\000\006secret' > "$_PYSPARK_DRIVER_CONN_INFO_PATH.draft"
mv "$_PYSPARK_DRIVER_CONN_INFO_PATH.draft" "$_PYSPARK_DRIVER_CONN_INFO_PATH"
cat
"""
"""Where Java listens, at port 12345; then it waits until its standard input is closed."""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Java is a shell script here")


@pytest.fixture
def gateways(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """The addresses to which PySpark has connected."""
    connected: list[tuple[str, str]] = []

    def launch_gateway() -> SimpleNamespace:
        connected.append((os.environ["PYSPARK_GATEWAY_PORT"], os.environ["PYSPARK_GATEWAY_SECRET"]))
        return SimpleNamespace(proc=None)

    monkeypatch.setattr(java_gateway, "launch_gateway", launch_gateway)
    return connected


def started(home: Path, script: str, **settings: str) -> StartedJava:
    """What a script starts instead of Java."""
    (home / "bin").mkdir()
    submit = home / "bin" / "spark-submit"
    submit.write_text(f"#!/bin/sh\n{script}\n")
    submit.chmod(0o755)
    java = start_java(home, settings)
    assert java is not None
    return java


def test_pyspark_connects_to_java_where_it_listens(tmp_path: Path, gateways: list[tuple[str, str]]) -> None:
    java = started(tmp_path, ADDRESS)
    gateway = java.connect()
    assert gateways == [("12345", "secret")]
    assert gateway.proc is java.process
    assert "PYSPARK_GATEWAY_PORT" not in os.environ
    java.process.communicate()
    assert java.process.returncode == 0


def test_spark_is_told_the_settings_and_what_the_user_submits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "--jars 'a b.jar' pyspark-shell")
    told = tmp_path / "told"
    java = started(tmp_path, f"printf '%s\\n' \"$SPARK_HOME\" \"$@\" > '{told}'", **{"spark.x": "1 2"})
    java.process.wait()
    assert told.read_text().splitlines() == [
        str(tmp_path),
        "--conf",
        "spark.x=1 2",
        "--jars",
        "a b.jar",
        "pyspark-shell",
    ]
    java.end()


def test_a_java_that_ends_is_an_error_of_pyspark(tmp_path: Path, gateways: list[tuple[str, str]]) -> None:
    java = started(tmp_path, "exit 1")
    with pytest.raises(PySparkRuntimeError, match="JAVA_GATEWAY_EXITED"):
        java.connect()
    assert gateways == []


def test_an_interrupt_does_not_reach_java(tmp_path: Path, gateways: list[tuple[str, str]]) -> None:
    java = started(tmp_path, f"kill -INT $$\n{ADDRESS}")
    java.connect()
    java.end()
    assert gateways == [("12345", "secret")]


def test_a_java_that_nobody_needs_is_ended(tmp_path: Path) -> None:
    java = started(tmp_path, "exec cat")
    java.end()
    assert java.process.returncode != 0


def test_where_another_process_has_java_or_spark_has_no_script_pyspark_knows_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert start_java(tmp_path, {}) is None
    started(tmp_path, "exit 0").end()
    monkeypatch.setenv("PYSPARK_GATEWAY_PORT", "1")
    assert start_java(tmp_path, {}) is None


def test_starting_java_imports_no_spark() -> None:
    code = "import sys, lastvalue.pipeline.spark.java_start; sys.exit('pyspark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
