"""What a session is started with; sessions themselves are in tests/spark."""

import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from lastvalue.pipeline.spark import session as session_module
from lastvalue.pipeline.spark.session import (
    MissingRequirementError,
    SessionOptions,
    check_requirements,
    session_settings,
)

VERSIONS = {"pyspark": "4.3.0", "pyarrow": "26.0.1", "numpy": "2.4.6", "pandas": "2.3.3"}


def install(monkeypatch: pytest.MonkeyPatch, versions: dict[str, str]) -> None:
    """Make these the only packages there are."""

    def version(package: str) -> str:
        if package not in versions:
            raise PackageNotFoundError(package)
        return versions[package]

    monkeypatch.setattr(session_module, "version", version)


def test_the_packages_of_the_extra_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, VERSIONS)
    check_requirements()


@pytest.mark.parametrize("package", VERSIONS)
def test_a_missing_package_is_named_with_the_extra_that_brings_it(
    monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    install(monkeypatch, {name: version for name, version in VERSIONS.items() if name != package})
    with pytest.raises(MissingRequirementError) as error:
        check_requirements()
    assert str(error.value) == (
        f"the pipeline needs {package}, which is not installed: run `pip install 'lastvalue[spark]'`"
    )


def test_a_pandas_that_pyspark_does_not_support_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, VERSIONS | {"pandas": "3.1.1"})
    with pytest.raises(MissingRequirementError, match=r"needs pandas below 3, and 3\.1\.1 is installed"):
        check_requirements()


@pytest.mark.parametrize(
    ("master", "partitions"),
    [("local", 1), ("local[3]", 3), ("local[4, 2]", 4), ("local[*]", len(os.sched_getaffinity(0)))],
)
def test_a_local_session_shuffles_into_as_many_partitions_as_it_has_cores(
    master: str, partitions: int
) -> None:
    assert session_settings(SessionOptions(master=master))["spark.sql.shuffle.partitions"] == str(partitions)


def test_what_a_local_session_shuffles_is_compressed_where_the_user_says_so() -> None:
    name = "spark.shuffle.compress"
    assert session_settings(SessionOptions())[name] == "false"
    assert session_settings(SessionOptions(settings={name: "true"}))[name] == "true"


@pytest.mark.parametrize(
    ("pyspark", "package"), [("4.0.5", "streaming"), ("4.1.4", "checkpointing"), ("4.3.0", "checkpointing")]
)
def test_the_manager_of_checkpoint_files_is_the_one_that_this_spark_has(
    monkeypatch: pytest.MonkeyPatch, pyspark: str, package: str
) -> None:
    monkeypatch.setattr("lastvalue.pipeline.spark.session.version", lambda name: pyspark)
    manager = session_settings(SessionOptions())["spark.sql.streaming.checkpointFileManagerClass"]
    assert manager.split(".")[-2:] == [package, "FileSystemBasedCheckpointFileManager"]


def test_a_session_on_a_cluster_keeps_the_clusters_settings() -> None:
    settings = session_settings(SessionOptions(master="spark://master:7077"))
    assert "spark.sql.shuffle.partitions" not in settings
    assert "spark.sql.streaming.checkpointFileManagerClass" not in settings
    assert "spark.driver.host" not in settings
    assert "spark.shuffle.compress" not in settings
    assert "spark.python.daemon.module" not in settings


def test_what_the_user_sets_wins() -> None:
    options = SessionOptions(shuffle_partitions=7, settings={"spark.ui.enabled": "true"})
    settings = session_settings(options)
    assert settings["spark.sql.shuffle.partitions"] == "7"
    assert settings["spark.ui.enabled"] == "true"


def test_micro_batches_are_made_short_on_a_local_master_unless_the_settings_say_otherwise() -> None:
    adaptive = "spark.sql.adaptive.enabled"

    def told(master: str, **settings: str) -> str | None:
        options = SessionOptions(master=master, low_latency=True, settings=settings)
        return session_settings(options).get(adaptive)

    assert told("local[*]") == "false"
    # A cluster's shuffles have partitions by the hundred, which adaptive execution puts together.
    assert told("spark://master:7077") is None
    assert told("local[*]", **{adaptive: "true"}) == "true"
    assert adaptive not in session_settings(SessionOptions())


def test_a_quick_start_compiles_in_one_tier_and_has_the_serial_collector() -> None:
    options = session_settings(SessionOptions(quick_start=True), Path("/a cache/log4j2.properties"))
    assert options["spark.driver.extraJavaOptions"].split(" ", 2)[2] == (
        "-Dlog4j2.configurationFile='/a cache/log4j2.properties' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
    )


def test_a_collector_that_the_user_chooses_is_the_only_one(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = {"spark.driver.extraJavaOptions": "-Xss8m -XX:+UseParallelGC"}
    options = session_settings(SessionOptions(quick_start=True, settings=chosen))
    assert options["spark.driver.extraJavaOptions"] == (
        "-Xss4m -Dlastvalue.log.level=ERROR -XX:TieredStopAtLevel=1 -Xss8m -XX:+UseParallelGC"
    )
    monkeypatch.setenv("JDK_JAVA_OPTIONS", "-XX:+UseG1GC")
    options = session_settings(SessionOptions(quick_start=True))
    assert options["spark.driver.extraJavaOptions"].endswith("-XX:TieredStopAtLevel=1")


def test_options_of_java_are_added_to_those_of_the_session() -> None:
    added = {"spark.driver.extraJavaOptions": "-Xss8m"}
    options = session_settings(SessionOptions(quick_start=True, settings=added))
    assert options["spark.driver.extraJavaOptions"] == (
        "-Xss4m -Dlastvalue.log.level=ERROR -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xss8m"
    )


def test_what_spark_logs_can_go_to_a_directory() -> None:
    settings = session_settings(SessionOptions(log_directory=Path("/a state/logs")))
    assert "-Dlastvalue.log.directory='/a state/logs'" in settings["spark.driver.extraJavaOptions"]


def test_importing_the_pipeline_imports_no_spark() -> None:
    code = "import sys, lastvalue.pipeline; sys.exit('pyspark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
