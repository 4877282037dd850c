"""Names of jobs, which Spark's UI and its log of events show."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

DESCRIPTION: Final = "spark.job.description"


@contextmanager
def job_name(rows: "DataFrame", name: str) -> Iterator[None]:
    """Give the jobs that this thread starts for the rows a name; afterwards they have the one of before.

    Spark Connect names jobs only by the tags of a session, so there it does nothing.
    """
    from pyspark.sql import SparkSession  # noqa: PLC0415 - the module is imported where there is no Spark

    session: object = rows.sparkSession
    if not isinstance(session, SparkSession):
        yield
        return
    context = session.sparkContext
    before = context.getLocalProperty(DESCRIPTION)
    context.setLocalProperty(DESCRIPTION, name)
    try:
        yield
    finally:
        context.setLocalProperty(DESCRIPTION, before)  # type: ignore[arg-type] # None removes it
