"""lastvalue.server.served_configuration."""

import logging
from pathlib import Path

import pytest

from lastvalue.broker.broker import Broker
from lastvalue.queues.spec import Limit, QueueSpec
from lastvalue.server.clock import Clock
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
    assert "change queue 'q': max_messages 100 → 200" in caplog.text
    assert "queue 'old' is only in the broker; `lastvalue config reload --prune` removes it" in caplog.text


def test_with_faults_in_the_file_nothing_changes(
    broker: Broker, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    text = '[[queue]]\nname = "q"\nmax_messages = 200\ncolour = 5\n[[queue]]\n'
    answer = served(broker, tmp_path / "f.toml", text).reload(prune=True, dry_run=False)
    assert [each["verdict"] for each in answer] == ["fault", "fault"]
    assert broker.lookup("q").queue.spec.limit == Limit(100)
    assert "queue[1].colour" in caplog.text
    assert "the configuration stays as it is" in caplog.text


def test_a_dry_run_of_pruning_shows_and_changes_nothing(broker: Broker, tmp_path: Path) -> None:
    answer = served(broker, tmp_path / "f.toml", '[[queue]]\nname = "q"\n').reload(prune=True, dry_run=True)
    assert [each["line"] for each in answer] == [
        "change queue 'q': max_messages 100 → none",
        "queue 'old' is only in the broker",
    ]
    assert broker.has_queue("old")
