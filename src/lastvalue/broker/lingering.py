"""What is left of links that ended without being closed, until they are taken up again or it expires."""

from typing import Final, TypeAlias, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.model.message import NEVER
from lastvalue.queues.expiry import sooner

MOST: Final = 10_000
"""Links that one broker keeps something of."""

LONGEST_MS: Final = 3_600_000
"""How long it keeps that, whatever is asked."""


Key: TypeAlias = tuple[str, str, str, bool]
"""Whose link it was: the user, the container, the link's name, and whether the container receives on it."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Remains:
    """What is left of a link.

    Attributes:
        expires_ms: when it goes, or NEVER while that waits for something else.
        over: it is taken up again, or gone.
    """

    def __init__(self) -> None:
        self.expires_ms: i64 = NEVER
        self.over = False

    def expire(self, now: i64) -> None:
        """Nobody takes it up: end for good what it stands for."""
        raise NotImplementedError


@final
class Lingering:
    """The remains of a broker's links, by what they are taken up by."""

    __slots__ = ("_all", "_soonest")

    def __init__(self) -> None:
        self._all: dict[Key, Remains] = {}
        self._soonest: i64 = NEVER

    def __len__(self) -> int:
        return len(self._all)

    def keep(self, key: Key, remains: Remains, now: i64) -> bool:
        """Keep what is left of a link; false where there is no room for it. What its key had expires."""
        present = self.take(key)
        if present is not None:
            present.expire(now)
        if len(self._all) >= MOST:
            return False
        self._all[key] = remains
        if remains.expires_ms >= 0:
            self.schedule(remains, remains.expires_ms)
        return True

    def take(self, key: Key) -> Remains | None:
        """What is left of a link, to be taken up or to be let expire by whoever asks; None for nothing."""
        remains = self._all.pop(key, None)
        if remains is not None:
            remains.over = True
        return remains

    def schedule(self, remains: Remains, at_ms: i64) -> None:
        """Let what is kept expire then."""
        remains.expires_ms = at_ms
        self._soonest = sooner(self._soonest, at_ms)

    def next_deadline(self) -> i64:
        """When `advance` next has something to do, or NEVER."""
        return self._soonest

    def advance(self, now: i64) -> None:
        """Let expire what is due."""
        if self._soonest < 0 or now < self._soonest:
            return
        self._soonest = NEVER
        for key, remains in list(self._all.items()):
            if 0 <= remains.expires_ms <= now:
                self.take(key)
                remains.expire(now)
            elif remains.expires_ms >= 0:
                self._soonest = sooner(self._soonest, remains.expires_ms)
