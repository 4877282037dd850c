"""What frontends share of a connection's output: how much may wait, and who is told that there is some."""

from typing import Final

from mypy_extensions import trait

OUTPUT_ROOM: Final = 256 * 1024
"""Bytes that one connection may have waiting; beyond it no message is chosen."""


@trait
class Toucher:
    """Who is told that a connection has something to write."""

    def touch(self) -> None:
        """Have the connection written at the end of the turn."""
        raise NotImplementedError
