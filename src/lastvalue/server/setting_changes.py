"""What differs between the settings of a running server and those that are wanted, and what may change."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from lastvalue.config.plan import Change, Verdict
from lastvalue.config.server_options import SETTINGS, ServerOptions
from lastvalue.config.shown_configuration import shown_setting

_RESTART: Final = "it changes with a restart"


def setting_changes(present: ServerOptions, wanted: ServerOptions) -> Iterator[Change]:
    """The settings that differ; those that cannot change say so."""
    for name, declared in SETTINGS.items():
        first, second = getattr(present, name), getattr(wanted, name)
        if first == second:
            continue
        text = f"{shown_setting(declared, first)} → {shown_setting(declared, second)}"
        fixed = _fixed(name, present, wanted)
        verdict = Verdict.FIXED if fixed else Verdict.CHANGE
        yield Change(verdict, f"setting {declared.name}", f"{text}: {fixed}" if fixed else text)


def live_options(present: ServerOptions, wanted: ServerOptions) -> ServerOptions:
    """The present options with the wanted values of those that can change."""
    changes = {
        name: getattr(wanted, name)
        for name in SETTINGS
        if getattr(present, name) != getattr(wanted, name) and not _fixed(name, present, wanted)
    }
    return replace(present, **changes)


def _fixed(name: str, present: ServerOptions, wanted: ServerOptions) -> str:
    """Why a setting cannot change now; empty if it can."""
    if not SETTINGS[name].live:
        return _RESTART
    if name.startswith("tls_") and (present.tls_certificate is None) != (wanted.tls_certificate is None):
        return f"TLS begins and ends with the listener; {_RESTART}"
    if name == "users" and (not present.users) != (not wanted.users):
        return f"whether peers need a password is for life; {_RESTART}"
    return ""
