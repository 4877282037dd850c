"""lastvalue.cli.context_commands."""

import json
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from lastvalue.cli.contexts import Contexts

Lastvalue = Callable[[str], tuple[int, str, str]]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("LASTVALUE_URL", raising=False)
    return tmp_path


def test_contexts_are_saved_listed_without_passwords_and_removed(lastvalue: Lastvalue, home: Path) -> None:
    file = home / "lastvalue" / "contexts.toml"
    code, _, said = lastvalue("context add prod amqps://alice:secret@broker?ca_file=ca.pem")
    assert (code, said) == (0, f"saved context prod in {file}; commands use prod\n")
    lastvalue("context add trial broker:7000")
    assert lastvalue("context use trial") == (0, "", "commands use trial\n")
    assert json.loads(lastvalue("context list -o json")[1]) == [
        {"name": "prod", "url": "amqps://alice:***@broker?ca_file=ca.pem", "current": False},
        {"name": "trial", "url": "broker:7000", "current": True},
    ]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert Contexts().url("prod") == "amqps://alice:secret@broker?ca_file=ca.pem"
    assert lastvalue("context remove trial")[0] == 0
    assert (list(Contexts().urls), Contexts().current) == (["prod"], "")


def test_commands_use_the_current_context_or_the_one_that_is_named(lastvalue: Lastvalue, url: str) -> None:
    lastvalue("context add nowhere amqp://127.0.0.1:1")
    lastvalue(f"context add here {url}")
    assert lastvalue("queue list --context here -o json") == (0, "[]\n", "")
    assert lastvalue(f"queue list --url {url} -o json") == (0, "[]\n", "")


def test_without_a_url_the_current_context_counts(lastvalue: Lastvalue) -> None:
    lastvalue("context add nowhere amqp://127.0.0.1:1")
    code, _, errors = lastvalue("queue list")
    assert (code, "cannot connect to 127.0.0.1:1:" in errors) == (3, True)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("context use nosuch", "there is no context 'nosuch'; there are none"),
        ("context add web http://broker", "must be amqp or amqps"),
        ("queue list --context nosuch", "there is no context 'nosuch'"),
        ("queue list --context nosuch --url amqp://broker", "exclude each other"),
    ],
)
def test_a_wrong_context_is_told(lastvalue: Lastvalue, line: str, fault: str) -> None:
    code, _, errors = lastvalue(line)
    assert (code, fault in errors, errors.count("\n")) == (2, True, 1)
