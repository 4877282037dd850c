"""The example project for Spark Declarative Pipelines: what it defines, and a real run."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

pytest.importorskip("pyspark")
pytest.importorskip("pyspark.sql.connect.client", reason="lacks the extra declarative", exc_type=ImportError)

from pyspark.pipelines.cli import load_pipeline_spec
from pyspark.pipelines.flow import AutoCdcFlow, Flow
from pyspark.pipelines.graph_element_registry import GraphElementRegistry, graph_element_registration_context
from pyspark.pipelines.output import Output, Sink
from served_broker import ServedBroker

from lastvalue.client import Message, blocking
from lastvalue.pipeline.cache import cache_directory
from lastvalue.pipeline.java import find_java, launch_home

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

EXAMPLE: Final = Path(__file__).parents[2] / "examples" / "declarative"
URL: Final = "amqp://127.0.0.1:5672"
TICKS: Final = [Message(f'{{"symbol": "{"AB"[number % 2]}", "price": {number}}}') for number in range(10)]
LATER: Final = Message('{"symbol": "A", "price": 77}')


class Definitions(GraphElementRegistry):
    """What a project defines."""

    def __init__(self) -> None:
        self.flows: dict[str, Flow] = {}
        self.sinks: list[Sink] = []

    def register_output(self, output: Output) -> None:
        if isinstance(output, Sink):
            self.sinks.append(output)

    def register_flow(self, flow: Flow) -> None:
        self.flows[flow.name] = flow

    def register_auto_cdc_flow(self, flow: AutoCdcFlow) -> None:
        raise AssertionError(flow)

    def register_sql(self, sql_text: str, file_path: Path) -> None:
        raise AssertionError(sql_text)


def defined() -> Definitions:
    """What the example's files define in the session that is active."""
    definitions = Definitions()
    spec = load_pipeline_spec(EXAMPLE / "spark-pipeline.yml")
    files = [path for glob in spec.libraries for path in EXAMPLE.glob(glob.include) if path.suffix == ".py"]
    with graph_element_registration_context(definitions):
        for path in files:
            found = importlib.util.spec_from_file_location(path.stem, path)
            assert found is not None
            assert found.loader is not None
            found.loader.exec_module(importlib.util.module_from_spec(found))
    return definitions


def newest(prices: blocking.Queue) -> dict[str, str]:
    return {str(message.properties["symbol"]): str(message.body) for message in prices.browse()}


def test_what_the_example_defines_reads_one_queue_and_writes_another(
    spark: "SparkSession", tmp_path: Path
) -> None:
    session = spark.newSession()
    # As every look-up of the session that is active, which the example's file makes.
    session.createDataFrame([], "nothing STRING")
    try:
        with ServedBroker() as broker, blocking.connect(broker.url) as connection:
            session.conf.set("lastvalue.url", broker.url)
            definitions = defined()
            (sink,) = definitions.sinks
            definitions.flows["ticks"].func().createOrReplaceTempView("ticks")
            rows = definitions.flows["newest_prices"].func()
            assert definitions.flows["newest_prices"].target == sink.name
            connection.declare("ticks", non_destructive=True).send_many(TICKS)
            prices = connection.declare("prices", lvq_key="symbol", order_by="sequence")
            query = rows.writeStream.format(sink.format).options(**sink.options)
            query.trigger(availableNow=True).start(checkpointLocation=str(tmp_path)).awaitTermination()
            assert newest(prices) == {"A": '{"price":8.0}', "B": '{"price":9.0}'}
    finally:
        spark.createDataFrame([], "nothing STRING")


@pytest.mark.long
def test_spark_pipelines_runs_the_example_and_goes_on_with_what_came(tmp_path: Path) -> None:
    project = tmp_path / "project"
    shutil.copytree(EXAMPLE, project)
    with ServedBroker() as broker, blocking.connect(broker.url) as connection:
        spec = project / "spark-pipeline.yml"
        text = spec.read_text().replace(URL, broker.url)
        spec.write_text(text.replace("/tmp/lastvalue-prices", str(tmp_path / "storage")))
        ticks = connection.declare("ticks", non_destructive=True)
        prices = connection.declare("prices", lvq_key="symbol", order_by="sequence")
        ticks.send_many(TICKS)
        run_project(project)
        assert newest(prices) == {"A": '{"price":8.0}', "B": '{"price":9.0}'}
        ticks.send(LATER)
        run_project(project)
        assert newest(prices) == {"A": '{"price":77.0}', "B": '{"price":9.0}'}
        assert prices.info().published == len(TICKS) + 1


def run_project(project: Path) -> None:
    """`spark-pipelines run`, as a user runs it."""
    environment = {
        **os.environ,
        "PYSPARK_PYTHON": sys.executable,
        "JAVA_HOME": str(launch_home(find_java(), cache_directory())),
        "JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    command = [str(Path(sys.executable).with_name("spark-pipelines")), "run"]
    run = subprocess.run(
        command, cwd=project, env=environment, capture_output=True, text=True, timeout=180, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
