"""The memory of what peers have begun and not finished: accounts, and the budget that limits their sum."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError

UNLIMITED: Final = 2**62

SESSION_BYTES: Final = 8192
LINK_BYTES: Final = 4096
UNSETTLED_BYTES: Final = 256
"""The memory, about, of a session or channel, a link, consumer or subscription, and an unsettled delivery."""

WATCHED_VALUE_BYTES: Final = 608
"""The memory, measured, of a value that waits for one watching reader alone, without its content."""

COMPARED_VALUE_BYTES: Final = 256
"""The memory, measured, of a value with which a reader's next one is compared, without its content."""

_REMEDY: Final = "finish messages and transactions before others begin"


@mypyc_attr(native_class=False)
class MemoryLimitError(BrokerError):
    """What a peer has begun would take more memory than it may."""

    condition = Condition.RESOURCE_LIMIT_EXCEEDED

    def __init__(self, whose: str, limit_bytes: int, setting: str, remedy: str = _REMEDY) -> None:
        super().__init__(
            f"what {whose} began and did not finish may take {limit_bytes} bytes ({setting}); {remedy}"
        )
        self.limit_bytes = limit_bytes


@final
class UserMemory:
    """The accounts of one user, and the sum of what they have taken."""

    __slots__ = ("accounts", "used_bytes")

    def __init__(self) -> None:
        self.accounts: i64 = 0
        self.used_bytes: i64 = 0


@final
class MemoryBudget:
    """The memory of all accounts together. The limits are bytes, and may be changed at any time.

    Attributes:
        limit_bytes: of all accounts together; by default there is no limit.
        user_limit_bytes: of the accounts of one user.
        account_limit_bytes: of one account.
        transaction_limit: the most messages of one transaction, whose commit is carried out whole.
        used_bytes: what all accounts have taken.
    """

    __slots__ = (
        "_users",
        "account_limit_bytes",
        "limit_bytes",
        "transaction_limit",
        "used_bytes",
        "user_limit_bytes",
    )

    def __init__(self) -> None:
        self.limit_bytes: i64 = UNLIMITED
        self.user_limit_bytes: i64 = UNLIMITED
        self.account_limit_bytes: i64 = UNLIMITED
        self.transaction_limit: i64 = UNLIMITED
        self.used_bytes: i64 = 0
        self._users: dict[str, UserMemory] = {}

    def join(self, user: str) -> UserMemory:
        """A user has one more account."""
        memory = self._users.get(user)
        if memory is None:
            memory = self._users[user] = UserMemory()
        memory.accounts += 1
        return memory

    def leave(self, user: str) -> None:
        """A user has one account less."""
        memory = self._users[user]
        memory.accounts -= 1
        if memory.accounts == 0:
            del self._users[user]


@final
class MemoryAccount:
    """The memory of a connection, or of another owner of unfinished work.

    Args:
        budget: whose limits hold; without one there is no limit.
        first_bytes: how much it may take until it belongs to a user.

    Attributes:
        used_bytes: what is taken and not released.
    """

    __slots__ = ("_budget", "_first_bytes", "_open_bytes", "_user", "_user_memory", "used_bytes")

    def __init__(self, budget: MemoryBudget | None = None, first_bytes: i64 = UNLIMITED) -> None:
        self._budget = MemoryBudget() if budget is None else budget
        self._first_bytes: i64 = first_bytes
        self._user = ""
        self._user_memory: UserMemory | None = None
        self._open_bytes: i64 = 0
        self.used_bytes: i64 = 0

    def belong(self, user: str) -> None:
        """Count for a user from now on, and no more for the one before."""
        if self._user_memory is not None:
            self._user_memory.used_bytes -= self.used_bytes
            self._budget.leave(self._user)
        memory = self._budget.join(user)
        memory.used_bytes += self.used_bytes
        self._user = user
        self._user_memory = memory

    @property
    def belongs(self) -> bool:
        """Whether it counts for a user."""
        return self._user_memory is not None

    @property
    def transaction_limit(self) -> i64:
        """The most messages of one transaction."""
        return self._budget.transaction_limit

    def take(self, size_bytes: i64) -> None:
        """Take memory, which `release` or `close` gives back.

        Raises:
            MemoryLimitError: the account, its user or all users together would exceed a limit; nothing is
                taken.
        """
        self.check(size_bytes)
        self._add(size_bytes)

    def check(self, size_bytes: i64) -> None:
        """Take nothing.

        Raises:
            MemoryLimitError: `take` of so much would raise it.
        """
        fault = self._fault(size_bytes)
        if fault is not None:
            raise fault

    def has_room(self, size_bytes: i64) -> bool:
        """Whether `take` would take this much."""
        return self._fault(size_bytes) is None

    def _fault(self, size_bytes: i64) -> MemoryLimitError | None:
        budget = self._budget
        user = self._user_memory
        if user is None and self.used_bytes + size_bytes > self._first_bytes:
            return MemoryLimitError("a connection", self._first_bytes, "before its login", "log in first")
        if self.used_bytes + size_bytes > budget.account_limit_bytes:
            return MemoryLimitError("a connection", budget.account_limit_bytes, "connection_memory_limit")
        if user is not None and user.used_bytes + size_bytes > budget.user_limit_bytes:
            return MemoryLimitError("a user", budget.user_limit_bytes, "user_memory_limit")
        if budget.used_bytes + size_bytes > budget.limit_bytes:
            return MemoryLimitError("all connections", budget.limit_bytes, "half of memory_limit")
        return None

    def add(self, size_bytes: i64) -> None:
        """Take memory beyond the limits, too: for what was admitted before its size was known."""
        self._add(size_bytes)

    def release(self, size_bytes: i64) -> None:
        """Give back memory that was taken."""
        self._add(-size_bytes)

    def count_open(self, size_bytes: i64) -> None:
        """Take this much for what the peer has open now, instead of the size of the last call.

        Raises:
            MemoryLimitError: as `take`; the size of the last call stays.
        """
        more: i64 = size_bytes - self._open_bytes
        if more > 0:
            self.take(more)
        elif more < 0:
            self.release(-more)
        self._open_bytes = size_bytes

    def close(self) -> None:
        """Give everything back; what is released later counts no more. A second call does nothing."""
        self._add(-self.used_bytes)
        if self._user_memory is not None:
            self._budget.leave(self._user)
            self._user_memory = None
        self._budget = MemoryBudget()

    def _add(self, size_bytes: i64) -> None:
        self.used_bytes += size_bytes
        self._budget.used_bytes += size_bytes
        if self._user_memory is not None:
            self._user_memory.used_bytes += size_bytes
