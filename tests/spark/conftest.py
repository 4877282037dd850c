"""One Spark session for all tests of a process that need a JVM."""

from collections.abc import Iterator
from importlib.metadata import version
from typing import TYPE_CHECKING

import pytest

from lastvalue.pipeline.java import JavaNotFoundError
from lastvalue.pipeline.spark.session import MissingRequirementError, SessionOptions, create_session
from lastvalue.testing.broker_thread import BrokerThread

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test of what this PySpark has not, or has already; docs/pipeline/versions.md names it."""
    for mark in item.iter_markers("pyspark"):
        check_version(**mark.kwargs)


def check_version(since: str = "0", before: str = "99") -> None:
    present = numbers(version("pyspark"))
    if present < numbers(since):
        pytest.skip(f"needs PySpark {since}")
    if present >= numbers(before):
        pytest.skip(f"needs PySpark before {before}")


def numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(".")[:2]))


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator["SparkSession"]:
    """A session that starts quickly; its files go to a directory of this run."""
    directory = tmp_path_factory.mktemp("spark")
    options = SessionOptions(
        name="tests",
        # A task that fails is run a second time, as on a cluster.
        master="local[2,2]",
        quick_start=True,
        mllib=False,
        settings={
            "spark.sql.warehouse.dir": str(directory / "warehouse"),
            "spark.local.dir": str(directory / "local"),
            # Compiling a program for each query, which here sees few rows, takes a quarter of Java's time.
            "spark.sql.codegen.wholeStage": "false",
            "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        },
    )
    try:
        session = create_session(options)
    except (JavaNotFoundError, MissingRequirementError) as error:
        pytest.skip(str(error))
    yield session
    session.stop()


@pytest.fixture(scope="session")
def broker_url() -> Iterator[str]:
    """The address of a broker that runs in a thread for all tests; each uses queues of its own."""
    with BrokerThread() as broker:
        yield broker.url
