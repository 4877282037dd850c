"""Why Spark does not start, from what it writes."""

from pathlib import Path

import pytest

from lastvalue.pipeline.spark.start_logs import StartLogs

BOUND = """\
12:00:00 ERROR SparkUI: Failed to bind SparkUI
java.net.BindException: Failed to bind to /127.0.0.1:4040: Service 'SparkUI' failed after 0 retries!
\tat java.base/sun.nio.ch.Net.bind0(Native Method)
"""
UNRESPONSIVE = (
    "12:00:00 ERROR StandaloneSchedulerBackend: Application has been killed. "
    "Reason: All masters are unresponsive! Giving up.\n"
)


@pytest.mark.parametrize(
    ("logged", "printed", "fault"),
    [
        (
            BOUND,
            "",
            "BindException: Failed to bind to /127.0.0.1:4040: Service 'SparkUI' failed after 0 retries!",
        ),
        (UNRESPONSIVE, "", "All masters are unresponsive! Giving up."),
        (
            "",
            "WARNING: x\nUnrecognized option: -ugh\nError: Could not create.\n",
            "Unrecognized option: -ugh",
        ),
        ("12:00:00 ERROR X: odd\n", "", None),
        ("", "", None),
    ],
)
def test_the_fault_is_in_the_log_or_in_what_java_prints(
    tmp_path: Path, logged: str, printed: str, fault: str | None
) -> None:
    (tmp_path / "spark.log").write_text("java.lang.Error: of an earlier start\n")
    (tmp_path / "spark.stderr").write_text("of an earlier start")
    logs = StartLogs(tmp_path)
    with logs.log.open("a") as file:
        file.write(logged)
    with logs.stderr.open("a") as file:
        file.write(printed)
    assert logs.fault() == fault


def test_a_spark_that_has_never_logged_has_no_fault(tmp_path: Path) -> None:
    assert StartLogs(tmp_path).fault() is None
