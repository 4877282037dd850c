"""What is left of links that ended without being closed, until they are taken up again or it expires."""

from typing import Final, TypeAlias, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.deadlines import Deadline, Deadlines
from lastvalue.model.message import NEVER

MOST: Final = 10_000
"""Links that one broker keeps something of."""

LONGEST_MS: Final = 3_600_000
"""How long it keeps that, whatever is asked."""


Key: TypeAlias = tuple[str, str, str, bool]
"""Whose link it was: the user, the container, the link's name, and whether the container receives on it."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Remains(Deadline):
    """What is left of a link; it falls due when nobody has taken it up in time.

    Attributes:
        key: whose link it was.
        over: it is taken up again, or gone.
    """

    def __init__(self, key: Key) -> None:
        super().__init__()
        self.key = key
        self.over = False

    def expire(self, now: i64) -> None:
        """Nobody takes it up: end for good what it stands for."""
        raise NotImplementedError


@final
class Lingering:
    """The remains of a broker's links, by what they are taken up by."""

    __slots__ = ("_all", "_deadlines")

    def __init__(self, deadlines: Deadlines) -> None:
        self._all: dict[Key, Remains] = {}
        self._deadlines = deadlines

    def __len__(self) -> int:
        return len(self._all)

    def keep(self, remains: Remains, expires_ms: i64, now: i64) -> bool:
        """Keep what is left of a link until then; false where there is no room. What its key had expires."""
        present = self.take(remains.key)
        if present is not None:
            present.expire(now)
        if len(self._all) >= MOST:
            return False
        self._all[remains.key] = remains
        self.schedule(remains, expires_ms)
        return True

    def take(self, key: Key) -> Remains | None:
        """What is left of a link, to be taken up or to be let expire by whoever asks; None for nothing."""
        remains = self._all.pop(key, None)
        if remains is not None:
            remains.over = True
            self._deadlines.set(remains, NEVER)
        return remains

    def schedule(self, remains: Remains, at_ms: i64) -> None:
        """Let what is kept expire then, or NEVER."""
        self._deadlines.set(remains, at_ms)

    def expire(self, remains: Remains, now: i64) -> None:
        """Let what is due expire, unless it is taken up meanwhile."""
        if not remains.over:
            self.take(remains.key)
            remains.expire(now)
