"""The first Python worker of a session; tests/spark starts one."""

import pytest

pytest.importorskip("pyspark")

from lastvalue.pipeline.spark.worker_start import start_worker


class EndedSession:
    """A session in which no task runs any more."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.sparkSession = object()

    def range(self, *_: int) -> "EndedSession":
        return self

    def mapInArrow(self, _: object, schema: str) -> "EndedSession":  # noqa: N802 - Spark's name
        self.asked.append(schema)
        return self

    def collect(self) -> None:
        raise AttributeError("'NoneType' object has no attribute 'setLocalProperty'")


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_session_that_ends_meanwhile_needs_no_worker() -> None:
    session = EndedSession()
    start_worker(session).join()  # type: ignore[arg-type] # it has what is asked of a session
    assert session.asked == ["id BIGINT"]
