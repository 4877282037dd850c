"""lastvalue.config.shown_configuration."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from lastvalue.config.merged_options import merged_options
from lastvalue.config.server_options import SETTINGS, OnDrift, ServerOptions
from lastvalue.config.shown_configuration import shown_configuration, shown_setting
from lastvalue.config.toml_reader import parse_toml

SECRETS = """
[server]
users = { ann = "hunter2", bob = "hunter2" }
store = "nats://ann:hunter2@a/LOG"
http_webhook = "https://hooks.example/hunter2?t=hunter2"
http_tables = "https://ann:hunter2@tables.example/a"
store_monitors = ["http://ann:hunter2@a:8222"]

[pipeline]
user_env = "LV_USER"
password_env = "LV_PASSWORD"
spark = { "spark.executor.memory" = "4g", "spark.hadoop.fs.s3a.secret.key" = "hunter2" }

[[feed]]
name = "trades"
format = "kafka"
queue = "prices"
options = { "kafka.sasl.jaas.config" = "password=hunter2", subscribe = "hunter2" }

[[feed]]
name = "rows"
format = "CSV"
path = "s3a://key:hunter2@bucket/x"
schema = "k STRING"
queue = "prices"
options = { sep = ";", MaxFilesPerTrigger = 5, password = "hunter2" }
"""


def shown(text: str, flags: dict[str, Any] | None = None) -> dict[str, Any]:
    options = merged_options(parse_toml(text).server, {}, flags or {})
    return shown_configuration(tomllib.loads(text), options)


def test_no_secret_is_shown_and_all_else_is() -> None:
    answer = shown(SECRETS)
    assert "hunter2" not in str(answer)
    settings = {each["name"]: each["value"] for each in answer["settings"]}
    assert settings["users"] == "ann:***, bob:***"
    assert settings["store"] == "nats://a:4222/LOG"
    assert settings["http_webhook"] == "https://hooks.example/***"
    assert settings["store_monitors"] == "http://***@a:8222"
    assert answer["tables"]["pipeline"]["password_env"] == "LV_PASSWORD"
    assert answer["tables"]["pipeline"]["spark"]["spark.executor.memory"] == "4g"
    first, second = answer["tables"]["feed"]
    assert first["options"] == {"kafka.sasl.jaas.config": "***", "subscribe": "***"}
    assert second["options"] == {"sep": ";", "MaxFilesPerTrigger": 5, "password": "***"}
    assert second["path"] == "s3a://***@bucket/x"


def test_each_setting_says_where_it_is_from() -> None:
    answer = shown(
        "[server]\nport = 7\nhost = 'a'\nsync_interval_ms = '2s'\n", {"host": "b", "core_port": "9"}
    )
    origins = {each["name"]: (each["value"], each["from"]) for each in answer["settings"]}
    assert list(origins) == list(SETTINGS)
    assert origins["port"] == ("7", "file")
    assert origins["sync_interval_ms"] == ("2000", "file")
    assert origins["host"] == ("b", "start")
    assert origins["core_port"] == ("9", "start")
    assert origins["tls_port"] == ("5671", "default")


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("memory_limit", None, "half of the machine's memory"),
        ("users", {}, "none"),
        ("protocols", (), "all"),
        ("protocols", ("core", "mqtt"), "core, mqtt"),
        ("anonymous", False, "false"),
        ("on_drift", OnDrift.WARN, "warn"),
        ("users_file", Path("u.toml"), "u.toml"),
        ("port", 5672, "5672"),
    ],
)
def test_a_setting_is_shown_in_one_line(name: str, value: object, text: str) -> None:
    assert shown_setting(SETTINGS[name], value) == text


def test_the_default_options_are_from_nowhere() -> None:
    assert {each["from"] for each in shown_configuration({}, ServerOptions())["settings"]} == {"default"}
