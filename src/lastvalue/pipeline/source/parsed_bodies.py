"""Bodies that are JSON, as columns."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - Spark's own name for it
from pyspark.sql.types import StructType


def parsed(rows: DataFrame, ddl: str | StructType) -> DataFrame:
    """The rows with one more column, `value`: their `body` read as JSON of this schema.

    Its fields are null where the body is no JSON, or has no such field. Batch or streaming.

        parsed(spark.read.format("lastvalue").option("queue", "prices").load(), "price double, venue string")
    """
    return rows.withColumn("value", F.from_json(F.col("body").cast("string"), ddl))
