"""URLs of a pipeline's brokers, and faults that are found without a broker."""

from pathlib import Path

import pytest

from lastvalue.config.pipeline_settings import (
    FeedSettings,
    HistorySettings,
    PipelineDeclaration,
    PipelineSettings,
)
from lastvalue.pipeline.running.brokers import broker_url, missing_variables, unusable_paths

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
    faults = list(unusable_paths(PipelineDeclaration(feeds=feeds), frozenset(located), located, tmp_path))
    assert [fault.path for fault in faults] == [("feed", 1, "path")]


def test_paths_that_this_process_may_not_use_are_faults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ticks").mkdir()
    pipeline = PipelineDeclaration(
        feeds=(FeedSettings("ticks", "csv", "prices", "ticks"),),
        histories=(HistorySettings("past", ("prices",), "tables/of/prices"),),
    )
    located, names = {"ticks": f"{tmp_path}/ticks"}, frozenset({"ticks", "past"})
    assert list(unusable_paths(pipeline, names, located, tmp_path)) == []
    # The tests may run as root, who may do everything.
    monkeypatch.setattr("os.access", lambda _path, _mode: False)
    assert [str(fault) for fault in unusable_paths(pipeline, names, located, tmp_path)] == [
        f"feed[1].path is 'ticks': {tmp_path}/ticks cannot be read",
        f"history[1].tables is 'tables/of/prices': {tmp_path} cannot be written",
    ]
    assert list(unusable_paths(pipeline, frozenset(), located, tmp_path)) == []
