"""lastvalue.server.served_configuration."""

import logging
from pathlib import Path

import pytest
from logged_events import fields as fields_of

from lastvalue.broker.broker import Broker
from lastvalue.config.merged_options import merged_options
from lastvalue.config.server_options import ServerOptions
from lastvalue.config.tls_listener import TlsError
from lastvalue.queues.spec import Limit, QueueSpec
from lastvalue.server.clock import ManualClock
from lastvalue.server.live_settings import LiveSettings
from lastvalue.server.log_level_switch import switch_log_levels
from lastvalue.server.served_configuration import ServedConfiguration
from lastvalue.server.users import Users


@pytest.fixture
def broker() -> Broker:
    broker = Broker()
    broker.declare(QueueSpec("q", limit=Limit(100)))
    broker.declare(QueueSpec("old"))
    return broker


def live_settings() -> LiveSettings:
    """Settings of a server that refuses a certificate."""
    settings = LiveSettings(ServerOptions(tls_certificate=Path("a.pem"), users={"ann": "secret"}))
    settings.takers.append(_refuse_bad_certificate)
    return settings


def _refuse_bad_certificate(before: ServerOptions, options: ServerOptions) -> None:
    if options.tls_certificate == Path("bad.pem"):
        raise TlsError("bad.pem cannot be used")


def served(broker: Broker, file: Path, text: str) -> ServedConfiguration:
    file.write_text(text)
    return ServedConfiguration(file, broker, live_settings(), ManualClock(0))


def reloaded(file: Path, text: str, *, dry_run: bool = False) -> tuple[LiveSettings, list[tuple[str, bool]]]:
    file.write_text(text)
    settings = live_settings()
    configuration = ServedConfiguration(
        file, Broker(), settings, ManualClock(0), lambda read: merged_options(read.server, {}, {})
    )
    answer = configuration.reload(prune=False, dry_run=dry_run)
    return settings, [(each["line"], each["done"]) for each in answer]


SAME = 'tls_certificate = "a.pem"\nusers = { ann = "secret" }\n'


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


def test_the_permissions_of_the_file_are_those_of_the_users_file(broker: Broker, tmp_path: Path) -> None:
    users = Users(tmp_path / "users.toml")
    users.put("ann", None, ("read a",))
    users.put("bob", None, ("read b",))
    broker.users = Users(users.path)
    assert broker.users.load()
    users.put("bob", None, ("read c",))
    text = '[[permission]]\nuser = "{}"\nrules = ["write a", "read a"]\n'
    answer = served(broker, tmp_path / "file", text.format("ann") + text.format("eve")).reload(
        prune=False, dry_run=False
    )
    assert [(each["verdict"], each["done"]) for each in answer if "permissions" in each["line"]] == [
        ("change", True),
        ("cannot change", False),
    ]
    assert users.load()
    assert users.rules() == {"ann": ("write a", "read a"), "bob": ("read c",)}


def test_it_shows_what_was_applied_and_not_what_the_file_says_since(broker: Broker, tmp_path: Path) -> None:
    file = tmp_path / "f.toml"
    text = '[server]\nport = 5673\n[[queue]]\nname = "{}"\n'
    configuration = served(broker, file, text.format("a"))
    first = configuration.shown()
    assert first["file"] == str(file)
    assert first["hash"] == configuration.applied_hash
    assert first["tables"] == {"queue": [{"name": "a"}]}
    assert {"name": "port", "value": "5672", "from": "default"} in first["settings"]
    file.write_text(text.format("b"))
    configuration.reload(prune=False, dry_run=True)
    file.write_text(text.format("c") + "colour = 5")
    configuration.reload(prune=False, dry_run=False)
    assert configuration.shown() == first
    file.write_text(text.format("d"))
    configuration.reload(prune=False, dry_run=False)
    assert configuration.shown()["tables"] == {"queue": [{"name": "d"}]}


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
    reader = ServedConfiguration(
        file, broker, live_settings(), ManualClock(0), lambda read: merged_options(read.server, {}, flags)
    )
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
        "remove queue 'old'",
    ]
    assert broker.has_queue("old")


def test_a_setting_that_can_change_is_changed_and_another_one_is_named(tmp_path: Path) -> None:
    text = f"[server]\nmax_connections = 5\nport = 1\n{SAME}"
    settings, lines = reloaded(tmp_path / "f.toml", text)
    assert lines == [
        ("cannot change setting port: 5672 → 1: it changes with a restart", False),
        ("change setting max_connections: 10000 → 5", True),
    ]
    assert settings.options.max_connections == 5
    settings, lines = reloaded(tmp_path / "f.toml", text, dry_run=True)
    assert [done for _, done in lines] == [False, False]
    assert settings.options.max_connections == 10_000


def test_no_password_is_shown(tmp_path: Path) -> None:
    text = '[server]\ntls_certificate = "a.pem"\nusers = { ann = "other", bob = "third" }\n'
    _, lines = reloaded(tmp_path / "f.toml", text)
    assert lines == [("change setting users: ann:*** → ann:***, bob:***", True)]


def test_a_certificate_that_cannot_be_used_changes_nothing(tmp_path: Path) -> None:
    text = '[server]\ntls_certificate = "bad.pem"\nusers = { ann = "secret" }\nmax_connections = 5\n'
    settings, lines = reloaded(tmp_path / "f.toml", text)
    fault = "bad.pem cannot be used; the settings stay as they are"
    assert lines == [
        (f"change setting tls_certificate: a.pem → bad.pem: {fault}", False),
        (f"change setting max_connections: 10000 → 5: {fault}", False),
    ]
    assert settings.options.max_connections == 10_000


def test_settings_that_contradict_each_other_change_nothing(tmp_path: Path) -> None:
    settings, lines = reloaded(tmp_path / "f.toml", f"[server]\n{SAME}anonymous = false\nprotocols = ['x']")
    assert [done for _, done in lines] == [False]
    assert settings.options.users == {"ann": "secret"}
