"""lastvalue.server.live_settings."""

from dataclasses import replace

import pytest

from lastvalue.config.server_options import ServerOptions
from lastvalue.config.tls_listener import TlsError
from lastvalue.server.live_settings import LiveSettings


class Noted:
    """Notes the changes that it is given, among those of others."""

    def __init__(self, name: str, taken: list[tuple[str, int, int]]) -> None:
        self.name = name
        self.taken = taken

    def take(self, before: ServerOptions, options: ServerOptions) -> None:
        self.taken.append((self.name, before.max_connections, options.max_connections))


def test_who_acts_on_a_change_gets_the_options_before_and_after_in_the_order_of_the_takers() -> None:
    settings = LiveSettings(ServerOptions(max_connections=1))
    taken: list[tuple[str, int, int]] = []
    settings.takers += [Noted("first", taken).take, Noted("second", taken).take]
    settings.change(replace(settings.options, max_connections=2))
    assert taken == [("first", 1, 2), ("second", 1, 2)]
    assert settings.options.max_connections == 2


def test_what_changes_with_a_restart_alone_stays() -> None:
    settings = LiveSettings(ServerOptions(port=1))
    settings.change(ServerOptions(port=2, max_connections=2))
    assert (settings.options.port, settings.options.max_connections) == (1, 2)


def _refuse(before: ServerOptions, options: ServerOptions) -> None:
    raise TlsError("the certificate cannot be used")


def test_a_change_that_is_refused_reaches_nobody_else() -> None:
    settings = LiveSettings(ServerOptions(max_connections=1))
    taken: list[ServerOptions] = []
    settings.takers += [_refuse, lambda _, options: taken.append(options)]
    with pytest.raises(TlsError):
        settings.change(ServerOptions(max_connections=2))
    assert (taken, settings.options.max_connections) == ([], 1)
