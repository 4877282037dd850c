"""The settings of a running server, of which some change while it runs."""

from collections.abc import Callable
from typing import TypeAlias

from lastvalue.config.server_options import ServerOptions
from lastvalue.server.setting_changes import live_options

SettingsTaker: TypeAlias = Callable[[ServerOptions, ServerOptions], None]
"""Takes the options before a change and those after it."""


class LiveSettings:
    """The options that a server has now, and who acts on a change of them.

    Attributes:
        options: these.
        takers: called with each change, in this order. Only the first may refuse one, by a TlsError.
    """

    def __init__(self, options: ServerOptions) -> None:
        self.options = options
        self.takers: list[SettingsTaker] = []

    def change(self, wanted: ServerOptions) -> None:
        """Take the wanted values of those settings that can change; open connections keep theirs.

        Raises:
            TlsError: the certificate cannot be used; nothing has changed.
        """
        before = self.options
        changed = live_options(before, wanted)
        for take in self.takers:
            take(before, changed)
        self.options = changed
