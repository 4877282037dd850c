"""What Spark holds of the formats that are registered."""

from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pyspark")

from lastvalue.pipeline import register

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


@pytest.mark.parametrize("name", ["lastvalue", "lastvalue_replay"])
def test_queries_may_add_to_the_environment_of_a_formats_workers_at_once(
    spark: "SparkSession", name: str
) -> None:
    before = dict(spark.sparkContext.environment)
    register(spark)
    assert spark.sparkContext.environment == before
    untyped: Any = spark
    formats = untyped._jsparkSession.sessionState().dataSourceManager()
    environment = formats.lookupDataSource(name).dataSourceCls().envVars()
    concurrent = untyped._jvm.java.lang.Class.forName("java.util.concurrent.ConcurrentMap")
    assert concurrent.isInstance(environment)
    assert {key: environment[key] for key in before} == before
