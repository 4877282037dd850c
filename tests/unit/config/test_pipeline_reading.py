"""lastvalue.config.pipeline_reading and pipeline_settings."""

import pytest

from lastvalue.config.errors import ConfigurationError
from lastvalue.config.pipeline_settings import (
    FeedSettings,
    HistorySettings,
    PipelineDeclaration,
    PipelineSettings,
    ReplaySettings,
)
from lastvalue.config.toml_reader import parse_toml

EVERYTHING = """
[pipeline]
master = "spark://head:7077"
url = "amqp://broker:5673"
user_env = "BROKER_USER"
password_env = "BROKER_PASSWORD"
state = "/var/lib/pipeline"
checkpoints = "hdfs://name/checkpoints"
restarts = 0
restart_delay = "250ms"
ship = false
spark = { "spark.executor.memory" = "2g", "spark.cores.max" = 4, "spark.speculation" = true }

[[feed]]
name = "ticks"
format = "csv"
path = "ticks"
schema = "symbol STRING, price DOUBLE, at TIMESTAMP"
options = { header = true, maxFilesPerTrigger = 1 }
select = ["symbol", "price * 100 AS cents", "at"]
where = "price > 0"
key = "symbol"
order_by = "at"
policy = "ohlc"
value = "cents"
every = "5s"
watermark = "1m"
time = "at"
trigger = "1s"
partitions = 2
queue = "prices"
key_property = "name"
url = "amqp://other"
message = { priority = "5", body = "to_json(struct(*))" }
sink = { onRejected = "dead", durable = false }

[[history]]
name = "past"
queues = ["prices", "orders"]
tables = "/var/lib/history"
every = "1s"
retention_days = 7
on_gap = "record"

[[replay]]
name = "again"
history = "past"
queue = "prices"
start = "-1d"
end = "2026-03-01T12:00:00Z"
into = "prices.again"
speed = "max"
every = "5s"
"""


def faults(text: str) -> list[str]:
    with pytest.raises(ConfigurationError) as raised:
        parse_toml(text)
    return [str(fault) for fault in raised.value.faults]


def test_everything_that_can_be_said_is_read() -> None:
    assert parse_toml(EVERYTHING).pipeline == PipelineDeclaration(
        PipelineSettings(
            master="spark://head:7077",
            url="amqp://broker:5673",
            user_env="BROKER_USER",
            password_env="BROKER_PASSWORD",
            state="/var/lib/pipeline",
            checkpoints="hdfs://name/checkpoints",
            restarts=0,
            restart_delay_ms=250,
            ship=False,
            spark={"spark.executor.memory": "2g", "spark.cores.max": "4", "spark.speculation": "true"},
        ),
        feeds=(
            FeedSettings(
                name="ticks",
                format="csv",
                queue="prices",
                path="ticks",
                options={"header": "true", "maxFilesPerTrigger": "1"},
                schema="symbol STRING, price DOUBLE, at TIMESTAMP",
                select=("symbol", "price * 100 AS cents", "at"),
                where="price > 0",
                key=("symbol",),
                order_by=("at",),
                policy="ohlc",
                value="cents",
                time="at",
                every_ms=5000,
                watermark_ms=60_000,
                trigger_ms=1000,
                partitions=2,
                message={"priority": "5", "body": "to_json(struct(*))"},
                key_property="name",
                sink={"onRejected": "dead", "durable": "false"},
                url="amqp://other",
            ),
        ),
        histories=(
            HistorySettings("past", ("prices", "orders"), "/var/lib/history", 1000, 7, "record"),
        ),
        replays=(
            ReplaySettings(
                "again", "prices", "prices.again", "-1d", "2026-03-01T12:00:00Z", "past", 0.0, 5000
            ),
        ),
    )  # fmt: skip


def test_a_file_without_a_pipeline_has_an_empty_one() -> None:
    assert parse_toml("").pipeline == PipelineDeclaration()


FEED = 'name = "f"\nformat = "rate"\nqueue = "q"\n'
CONFLATED = FEED + 'key = "k"\norder_by = "o"\n'


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('[pipeline]\nmaster = "cluster"', "pipeline.master is 'cluster': expected local[*], local[N], s"),
        ('[pipeline]\nurl = "amqp://u:p@host"', "pipeline.url: credentials are not allowed here"),
        ('[pipeline]\nurl = "http://host"', "pipeline.url: "),
        ('[pipeline]\npassword = "secret"', "pipeline.password: credentials are not allowed here; write"),
        ('[pipeline]\npassword_env = "P"', "pipeline.password_env is 'P': password_env needs user_env"),
        ('[pipeline]\nuser_env = "se cret"', "pipeline.user_env: expected the name of an environment var"),
        ('[pipeline]\nspark = { memory = "1g" }', 'pipeline.spark.memory: settings of Spark begin with "'),
        ('[pipeline]\nrestart_delay = 5', "pipeline.restart_delay is 5: expected text"),
        ('[pipeline]\nchekpoints = "c"', "pipeline.chekpoints is 'c': unknown key; did you mean 'checkpo"),
        ("[[feed]]", "feed[1]: name is missing"),
        ('[[feed]]\nname = "a/b"', "feed[1].name is 'a/b': expected letters, digits"),
        ("[[feed]]\n" + FEED.replace("rate", "parquet"), "feed[1]: path is missing: where the parquet fi"),
        ("[[feed]]\n" + FEED.replace("rate", "csv"), "feed[1]: schema is missing: csv files do not say it"),
        ("[[feed]]\n" + FEED + 'options = { path = "p" }', "feed[1].options.path: leave it out; write"),
        ("[[feed]]\n" + FEED + "options = { a = [1] }", "feed[1].options.a is [1]: expected text, a number"),
        ("[[feed]]\n" + FEED + 'order_by = "o"', "feed[1].order_by is ['o']: conflates, which needs key"),
        ("[[feed]]\n" + FEED + 'key = "k"', "feed[1]: order_by is missing"),
        ("[[feed]]\n" + FEED + 'key = "k"\norder_by = []', "feed[1].order_by is []: expected a text or a"),
        (
            "[[feed]]\n" + CONFLATED.replace('"k"', '["k", "l"]') + 'key_property = "a"',
            "feed[1].key_property is 'a': expected one name for each column of key",
        ),
        ("[[feed]]\n" + CONFLATED + 'policy = "mean"', "feed[1].policy is 'mean': expected one of last,"),
        ("[[feed]]\n" + CONFLATED + 'policy = "max"', "feed[1]: value is missing: the column"),
        ("[[feed]]\n" + CONFLATED + 'policy = "vwap"\nvalue = "v"', "feed[1]: volume is missing"),
        ("[[feed]]\n" + CONFLATED + 'policy = "list"\nvalue = "v"', "feed[1]: most is missing: how many"),
        (
            "[[feed]]\n" + CONFLATED + 'policy = "list"\nvalue = "v"\nmost = 0',
            "feed[1].most is 0: expected a number of 1 to 10000",
        ),
        ("[[feed]]\n" + CONFLATED + "most = 2", "feed[1].most is 2: leave it out; policy last does not"),
        ("[[feed]]\n" + FEED + "most = 2", "feed[1].most is 2: conflates, which needs key"),
        ("[[feed]]\n" + CONFLATED + 'value = "v"', "feed[1].value is 'v': leave it out; policy last"),
        ("[[feed]]\n" + CONFLATED + 'every = "5s"', "feed[1].every: an interval is published once no row"),
        ("[[feed]]\n" + CONFLATED + 'watermark = "5s"', "feed[1].watermark: needs every, the interval"),
        ("[[feed]]\n" + FEED + 'trigger = "5 parsecs"', "feed[1].trigger is '5 parsecs': expected a numb"),
        ("[[feed]]\n" + FEED + 'message = { key = "k" }', "feed[1].message.key: leave it out"),
        ("[[feed]]\n" + FEED + 'message = { colour = "k" }', "feed[1].message.colour: expected one of body"),
        ("[[feed]]\n" + FEED + "message = { priority = 5 }", "feed[1].message.priority is 5: expected an"),
        ("[[feed]]\n" + FEED + 'sink = { queue = "x" }', "feed[1].sink.queue: expected one of delivery"),
        ('[[history]]\nname = "h"\ntables = "d"', "history[1]: queues is missing"),
        ('[[history]]\nname = "h"\ntables = "d"\nqueues = [1]', "history[1].queues is [1]: expected a"),
        ('[[history]]\nname = "h"\nqueues = "q"', "history[1]: tables is missing"),
        (
            '[[replay]]\nname = "r"\nqueue = "q"\ninto = "p"\nstart = "yesterday"',
            "replay[1].start is 'yesterday': expected ISO 8601",
        ),
        ('[[replay]]\nname = "r"\nqueue = "q"\ninto = "q"\nstart = "-1h"', "replay[1].into is 'q': a que"),
        (
            '[[replay]]\nname = "r"\nqueue = "q"\ninto = "p"\nstart = "-1h"\nspeed = 0',
            "replay[1].speed is 0: expected a number above 0, or max",
        ),
        (
            '[[replay]]\nname = "r"\nqueue = "q"\ninto = "p"\nstart = "-1h"\nhistory = "h"',
            "replay[1].history is 'h': no [[history]] has that name",
        ),
        (
            f'[[feed]]\n{FEED}[[history]]\nname = "f"\nqueues = "q"\ntables = "d"',
            "history[1].name is 'f': feed[1] has the same",
        ),
    ],
)  # fmt: skip
def test_a_fault_tells_the_place_and_what_would_be_right(text: str, fault: str) -> None:
    assert any(told.startswith(fault) for told in faults(text)), faults(text)


def test_all_faults_are_told_at_once_and_no_secret_with_them() -> None:
    told = faults(
        '[pipeline]\nurl = "amqp://u:hidden@host"\npassword = "hidden"\nuser_env = "hidden one"\n'
        '[[feed]]\nformat = "csv"\npath = "p"\nsink = { password = "hidden" }'
    )
    assert len(told) == 7
    assert "hidden" not in "".join(told)
