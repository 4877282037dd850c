"""Which rows of a conflation delete their key."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tombstones:
    """Which rows delete their key.

    Attributes:
        column: if it is a boolean, true deletes; if it has any other type, null deletes.
        keep: deletions stay in the result; otherwise a deleted key is not in it.
    """

    column: str
    keep: bool = False
