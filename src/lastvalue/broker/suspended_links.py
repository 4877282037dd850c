"""Suspended links: the state of detached links until a client resumes them or they expire."""

from abc import abstractmethod
from typing import Final, TypeAlias, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.deadlines import Deadline, Deadlines
from lastvalue.model.memory_budget import LINK_BYTES, UNSETTLED_BYTES, MemoryAccount, MemoryBudget
from lastvalue.model.message import NEVER

MOST: Final = 10_000
"""The most suspended links of one broker."""

LONGEST_MS: Final = 3_600_000
"""The longest time that a link may stay suspended, whatever its client asks for."""


Key: TypeAlias = tuple[str, str, str, bool]
"""The identity of a link: user, container, the link's name, and whether the container receives on it."""


@mypyc_attr(allow_interpreted_subclasses=True)
class SuspendedLink(Deadline):
    """The state of a suspended link; it is due when no client has resumed it in time.

    Attributes:
        key: the identity of the link.
        over: it was resumed, or has expired.
        memory: that it takes of its user.
    """

    def __init__(self, key: Key) -> None:
        super().__init__()
        self.key = key
        self.over = False
        self.memory: MemoryAccount | None = None

    @property
    @abstractmethod
    def unsettled(self) -> int:
        """The number of deliveries whose state it has."""
        raise NotImplementedError

    @abstractmethod
    def expire(self, now: i64) -> None:
        """End the link for good, because no client resumed it."""
        raise NotImplementedError


@final
class SuspendedLinks:
    """The suspended links of a broker, by the key that resumes them."""

    __slots__ = ("_all", "_budget", "_deadlines")

    def __init__(self, deadlines: Deadlines, budget: MemoryBudget) -> None:
        self._all: dict[Key, SuspendedLink] = {}
        self._budget = budget
        self._deadlines = deadlines

    def __len__(self) -> int:
        return len(self._all)

    def keep(self, suspended: SuspendedLink, expires_ms: i64, now: i64) -> bool:
        """Keep a suspended link until then; false if there are too many, or they take too much memory.

        One with the same key expires.
        """
        present = self.take(suspended.key)
        if present is not None:
            present.expire(now)
        if len(self._all) >= MOST:
            return False
        account = MemoryAccount(self._budget)
        account.belong(suspended.key[0])
        suspended.memory = account
        size_bytes = LINK_BYTES + suspended.unsettled * UNSETTLED_BYTES
        if not account.has_room(size_bytes):
            account.close()
            return False
        account.take(size_bytes)
        self._all[suspended.key] = suspended
        self.schedule(suspended, expires_ms)
        return True

    def take(self, key: Key) -> SuspendedLink | None:
        """Remove the suspended link of a key and return it, or None; the caller resumes or expires it."""
        suspended = self._all.pop(key, None)
        if suspended is not None:
            suspended.over = True
            if suspended.memory is not None:
                suspended.memory.close()
            self._deadlines.set(suspended, NEVER)
        return suspended

    def schedule(self, suspended: SuspendedLink, at_ms: i64) -> None:
        """Set when a suspended link expires, milliseconds since the epoch, or NEVER."""
        self._deadlines.set(suspended, at_ms)

    def expire(self, suspended: SuspendedLink, now: i64) -> None:
        """Expire a link that is due, unless it was resumed meanwhile."""
        if not suspended.over:
            self.take(suspended.key)
            suspended.expire(now)
