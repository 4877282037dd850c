"""URLs of a pipeline's brokers, and faults that are found without a broker."""

from pathlib import Path

from lastvalue.config.pipeline_settings import FeedSettings, PipelineDeclaration, PipelineSettings
from lastvalue.pipeline.running.brokers import broker_url, missing_variables, unreadable_paths

SETTINGS = PipelineSettings(url="amqp://host", user_env="USER_NAME", password_env="USER_SECRET")


def test_credentials_come_from_the_environment() -> None:
    environment = {"USER_NAME": "a b", "USER_SECRET": "p@"}
    assert broker_url(SETTINGS, None, environment) == "amqp://a%20b:p%40@host"
    assert broker_url(SETTINGS, "other:5673", environment) == "amqp://a%20b:p%40@other:5673"
    assert broker_url(PipelineSettings(url="amqp://host"), None, environment) == "amqp://host"


def test_variables_that_are_not_set_are_faults() -> None:
    faults = list(missing_variables(SETTINGS, {"USER_NAME": "a"}))
    assert [(fault.path, fault.value) for fault in faults] == [(("pipeline", "password_env"), "USER_SECRET")]


def test_a_path_without_files_is_a_fault_unless_it_is_a_url(tmp_path: Path) -> None:
    (tmp_path / "there.csv").touch()
    feeds = tuple(FeedSettings(name, "csv", "prices", name) for name in ("there", "absent", "remote"))
    located = {
        "there": f"{tmp_path}/*.csv",
        "absent": f"file:{tmp_path}/absent",
        "remote": "s3://bucket/rows",
    }
    faults = list(unreadable_paths(PipelineDeclaration(feeds=feeds), located))
    assert [fault.path for fault in faults] == [("feed", 1, "path")]
