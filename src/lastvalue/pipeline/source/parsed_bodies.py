"""JSON bodies as columns."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - Spark's own name for it
from pyspark.sql.types import StructType


def parsed(rows: DataFrame, ddl: str | StructType) -> DataFrame:
    """The rows with one more column, `value`: the `body` parsed as JSON of this schema.

    A field is null if the body is not valid JSON or lacks the field. `rows` may be a batch or a stream.

        parsed(spark.read.format("lastvalue").option("queue", "prices").load(), "price double, venue string")
    """
    return rows.withColumn("value", F.from_json(F.col("body").cast("string"), ddl))
