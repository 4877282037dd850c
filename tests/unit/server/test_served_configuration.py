"""lastvalue.server.served_configuration."""

import logging
from pathlib import Path

import pytest
from logged_events import fields as fields_of

from lastvalue.broker.broker import Broker
from lastvalue.config.server_options import merged
from lastvalue.queues.spec import Limit, QueueSpec
from lastvalue.server.clock import Clock
from lastvalue.server.log_level_switch import switch_log_levels
from lastvalue.server.served_configuration import ServedConfiguration


@pytest.fixture
def broker() -> Broker:
    broker = Broker()
    broker.declare(QueueSpec("q", limit=Limit(100)))
    broker.declare(QueueSpec("old"))
    return broker


def served(broker: Broker, file: Path, text: str) -> ServedConfiguration:
    file.write_text(text)
    return ServedConfiguration(file, broker, Clock())


def test_a_changed_file_is_applied_and_logged(
    broker: Broker, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    text = '[[queue]]\nname = "q"\nmax_messages = 200\n[[queue]]\nname = "b"\n'
    answer = served(broker, tmp_path / "f.toml", text).reload(prune=False, dry_run=False)
    assert [(each["verdict"], each["done"]) for each in answer] == [
        ("add", True),
        ("change", True),
        ("only in the broker", False),
    ]
    assert broker.lookup("q").queue.spec.limit == Limit(200)
    changes = [fields["change"] for fields in fields_of(caplog, "config.changed")]
    assert "change queue 'q': max_messages 100 → 200" in changes
    assert fields_of(caplog, "config.extra") == [{"change": "queue 'old' is only in the broker"}]


def test_with_faults_in_the_file_nothing_changes(
    broker: Broker, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    text = '[[queue]]\nname = "q"\nmax_messages = 200\ncolour = 5\n[[queue]]\n'
    answer = served(broker, tmp_path / "f.toml", text).reload(prune=True, dry_run=False)
    assert [each["verdict"] for each in answer] == ["fault", "fault"]
    assert broker.lookup("q").queue.spec.limit == Limit(100)
    faults = [fields["fault"] for fields in fields_of(caplog, "config.invalid")]
    assert any("queue[1].colour" in fault for fault in faults)


def test_the_levels_of_the_log_follow_the_file_unless_a_flag_has_them(broker: Broker, tmp_path: Path) -> None:
    file = tmp_path / "f.toml"
    flags: dict[str, list[str]] = {}
    reader = ServedConfiguration(file, broker, Clock(), lambda read: merged(read.server, {}, flags))
    component = logging.getLogger("lastvalue.store")
    for level, flag, enabled in (("debug", [], True), ("info", [], False), ("debug", ["error"], False)):
        flags["log_level"] = flag
        file.write_text(f'[server]\nlog_level = ["store={level}"]\n')
        reader.reload(prune=False, dry_run=False)
        assert component.isEnabledFor(logging.DEBUG) is enabled
    switch_log_levels(())
    file.write_text("[server]\nanonymous = false\n")
    [fault] = reader.reload(prune=False, dry_run=False)
    assert "this accepts no clients" in fault["line"]


def test_a_dry_run_of_pruning_shows_and_changes_nothing(broker: Broker, tmp_path: Path) -> None:
    answer = served(broker, tmp_path / "f.toml", '[[queue]]\nname = "q"\n').reload(prune=True, dry_run=True)
    assert [each["line"] for each in answer] == [
        "change queue 'q': max_messages 100 → none",
        "queue 'old' is only in the broker",
    ]
    assert broker.has_queue("old")
