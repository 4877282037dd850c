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
class SuspendedLink(Deadline):
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
class SuspendedLinks:
    """The suspended links of a broker, by the key that resumes them."""

    __slots__ = ("_all", "_deadlines")

    def __init__(self, deadlines: Deadlines) -> None:
        self._all: dict[Key, SuspendedLink] = {}
        self._deadlines = deadlines

    def __len__(self) -> int:
        return len(self._all)

    def keep(self, suspended: SuspendedLink, expires_ms: i64, now: i64) -> bool:
        """Keep what is left of a link until then; false where there is no room. What its key had expires."""
        present = self.take(suspended.key)
        if present is not None:
            present.expire(now)
        if len(self._all) >= MOST:
            return False
        self._all[suspended.key] = suspended
        self.schedule(suspended, expires_ms)
        return True

    def take(self, key: Key) -> SuspendedLink | None:
        """What is left of a link, to be taken up or to be let expire by whoever asks; None for nothing."""
        suspended = self._all.pop(key, None)
        if suspended is not None:
            suspended.over = True
            self._deadlines.set(suspended, NEVER)
        return suspended

    def schedule(self, suspended: SuspendedLink, at_ms: i64) -> None:
        """Let what is kept expire then, or NEVER."""
        self._deadlines.set(suspended, at_ms)

    def expire(self, suspended: SuspendedLink, now: i64) -> None:
        """Let what is due expire, unless it is taken up meanwhile."""
        if not suspended.over:
            self.take(suspended.key)
            suspended.expire(now)
