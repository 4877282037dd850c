"""lastvalue.server.setting_changes."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lastvalue.config.server_options import SETTINGS, ServerOptions
from lastvalue.server.setting_changes import live_options, setting_changes

PRESENT = ServerOptions(users={"ann": "secret"}, tls_certificate=Path("a.pem"))
OTHER: dict[type, Any] = {int: 7, str: "other", Path: Path("other"), tuple: ("other",), bool: True}


def test_equal_options_need_no_change() -> None:
    assert list(setting_changes(PRESENT, replace(PRESENT))) == []
    assert live_options(PRESENT, PRESENT) == PRESENT


@pytest.mark.parametrize("name", [name for name, each in SETTINGS.items() if each.kind in OTHER])
def test_each_setting_is_taken_or_named_as_one_that_needs_a_restart(name: str) -> None:
    other = OTHER[SETTINGS[name].kind]
    value = not getattr(PRESENT, name) if SETTINGS[name].kind is bool else other
    changes: dict[str, Any] = {name: value}
    wanted = replace(PRESENT, **changes)
    (change,) = setting_changes(PRESENT, wanted)
    assert change.subject == f"setting {name}"
    assert (live_options(PRESENT, wanted) == wanted) is SETTINGS[name].live
    assert ("restart" in change.text) is not SETTINGS[name].live


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"tls_certificate": None}, "TLS begins and ends with the listener"),
        ({"users": {}}, "whether peers need a password is for life"),
    ],
)
def test_what_would_open_or_close_the_broker_needs_a_restart(changes: dict[str, Any], reason: str) -> None:
    wanted = replace(PRESENT, **changes)
    (change,) = setting_changes(PRESENT, wanted)
    assert reason in change.text
    assert live_options(PRESENT, wanted) == PRESENT


def test_passwords_are_not_shown() -> None:
    (change,) = setting_changes(PRESENT, replace(PRESENT, users={"ann": "new", "bob": "other"}))
    assert change.text == "ann:*** → ann:***, bob:***"
