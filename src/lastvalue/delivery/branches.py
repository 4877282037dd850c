"""Branches of distributed transactions [XA]: by xid, shared by the connections of a broker.

One that is prepared outlives a broker that has a store; whatever else is open has not taken place then.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final, TypeAlias, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.broker import Broker
from lastvalue.broker.deadlines import Deadline
from lastvalue.broker.queue_host import QueueReader
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.stored_transactions import restored_transaction, stored_transaction
from lastvalue.broker.transactions import Transaction
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.model.message import NEVER

DEFAULT_TIMEOUT_S: Final = 60
MOST_TIMEOUT_S: Final = 3600
MOST_OPEN: Final = 1000
"""Branches that a user may have."""

BRANCH_BYTES: Final = 4096
"""The memory of a branch without its messages."""

Xid: TypeAlias = tuple[int, bytes, bytes]
"""The id of a branch: its format, the id of its transaction, and its own within that."""


class BranchOutcome(Enum):
    """How a branch ends; the values are those of XA."""

    COMMITTED = 0
    ROLLED_BACK = 1
    TIMED_OUT = 2


@mypyc_attr(native_class=False)
class BranchError(LastvalueError):
    """A branch is unknown, or does not allow what is asked in its state."""

    def __init__(self, condition: Condition, text: str) -> None:
        super().__init__(text)
        self.condition = condition


def _name(xid: Xid) -> str:
    """By what the journal knows a branch."""
    return f"{xid[0]}.{xid[1].hex()}.{xid[2].hex()}"


def _xid(name: str) -> Xid:
    number, global_id, branch_id = name.split(".")
    return int(number), bytes.fromhex(global_id), bytes.fromhex(branch_id)


@final
class Branch(Deadline):
    """Work that is committed or rolled back by its xid; it is rolled back when it falls due before that.

    Attributes:
        principal: the user who began it, and who alone may end it.
        workers: sessions that work in it, and whether they have suspended that.
        memory: from which it takes memory; connections come and go while it is open.
        outcome: COMMITTED, which it may be, or why it can only be rolled back.
        is_stored: the journal records its end.
    """

    __slots__ = (
        "is_stored", "memory", "outcome", "prepared", "principal", "timeout_s", "transaction", "workers",
        "xid",
    )  # fmt: skip

    def __init__(self, xid: Xid, principal: str, memory: MemoryAccount) -> None:
        super().__init__()
        self.xid = xid
        self.principal = principal
        self.memory = memory
        self.transaction = Transaction(memory)
        self.workers: dict[object, bool] = {}
        self.outcome = BranchOutcome.COMMITTED
        self.prepared = False
        self.is_stored = False
        self.timeout_s = DEFAULT_TIMEOUT_S

    def fail(self, outcome: BranchOutcome, now: i64) -> None:
        """It can only be rolled back: nothing of it is held any more."""
        if self.outcome is BranchOutcome.COMMITTED:
            self.outcome = outcome
        self.transaction.roll_back(now)

    def fall_due(self, now: i64) -> None:
        """See Deadline. [XA] What is prepared waits for its coordinator, however long."""
        if not self.prepared:
            self.fail(BranchOutcome.TIMED_OUT, now)


@final
class Branches:
    """The branches of one broker."""

    __slots__ = ("_broker", "_by_xid")

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._by_xid: dict[Xid, Branch] = {}

    def find(self, xid: Xid, owner: Owner) -> Branch:
        """The branch of an xid.

        Raises:
            BranchError: there is none.
            NotPermittedError: it is another user's.
        """
        branch = self._by_xid.get(xid)
        if branch is None:
            raise BranchError(
                Condition.NOT_FOUND, "the xid is not known: it is done with, or never was begun"
            )
        self._broker.authorization.check_owned(owner, branch.principal, Verb.COMPLETE_BRANCH)
        return branch

    def begin(self, xid: Xid, worker: object, owner: Owner, now: i64) -> Branch:
        """A new branch that a session works in.

        Raises:
            BranchError: the xid is known, or the user has too many.
            MemoryLimitError: there is no room for another.
        """
        if xid in self._by_xid:
            raise BranchError(Condition.NOT_ALLOWED, "the xid is known; join works in it, too")
        own = [1 for each in self._by_xid.values() if each.principal == owner.principal]
        if len(own) >= MOST_OPEN:
            text = f"{MOST_OPEN} branches of the user are open; commit or roll back one"
            raise BranchError(Condition.RESOURCE_LIMIT_EXCEEDED, text)
        branch = Branch(xid, owner.principal, self._account(owner.principal))
        branch.workers[worker] = False
        self._by_xid[xid] = branch
        self._broker.deadlines.set(branch, now + 1000 * branch.timeout_s)
        return branch

    def _account(self, principal: str) -> MemoryAccount:
        account = MemoryAccount(self._broker.memory)
        account.take(BRANCH_BYTES)
        account.belong(principal)
        return account

    def limit(self, xid: Xid, timeout_s: int, owner: Owner, now: i64) -> None:
        """Have a branch end after that time; 0 is never.

        Raises:
            BranchError: there is none.
            NotPermittedError: it is another user's.
        """
        branch = self.find(xid, owner)
        branch.timeout_s = timeout_s
        self._broker.deadlines.set(branch, now + 1000 * timeout_s if timeout_s > 0 else NEVER)

    def part_from(self, reader: QueueReader) -> None:
        """A reader goes: what was settled in branches stays in them."""
        held = reader.subscription.held.entries()
        if held:
            for branch in self._by_xid.values():
                branch.transaction.part_from(reader, held)

    # ------------------------------------------------------------------ completion

    def prepare(self, xid: Xid, owner: Owner, now: i64) -> BranchOutcome:
        """See that the branch can be committed."""
        branch = self._ended(xid, owner)
        if branch.outcome is not BranchOutcome.COMMITTED:
            branch.transaction.roll_back(now)
            return branch.outcome
        branch.prepared = True
        if self._broker.stores and not branch.is_stored:
            branch.is_stored = True
            kept = {**stored_transaction(branch.transaction), "principal": branch.principal}
            self._broker.definitions.prepared(_name(branch.xid), kept)
        return BranchOutcome.COMMITTED

    def commit(
        self,
        xid: Xid,
        one_phase: bool,
        owner: Owner,
        now: i64,
    ) -> BranchOutcome:
        """Have the branch take effect.

        Raises:
            BranchError: it is not known, is worked in, or is prepared or not otherwise than told.
            NotPermittedError: it is another user's.
        """
        branch = self._ended(xid, owner)
        if branch.outcome is BranchOutcome.COMMITTED and branch.prepared == one_phase:
            raise BranchError(
                Condition.ILLEGAL_STATE,
                "a branch that is prepared is committed in two phases"
                if one_phase
                else "a branch that is not prepared is committed in one phase",
            )
        self._forget(branch, owner)
        if branch.outcome is BranchOutcome.COMMITTED:
            try:
                self._broker.commit(branch.transaction, now)
            except LastvalueError:
                branch.fail(BranchOutcome.ROLLED_BACK, now)
        return branch.outcome

    def roll_back(self, xid: Xid, owner: Owner, now: i64) -> BranchOutcome:
        """Have nothing of the branch take effect."""
        branch = self._ended(xid, owner)
        self._forget(branch, owner)
        branch.transaction.roll_back(now)
        timed_out = branch.outcome is BranchOutcome.TIMED_OUT
        return BranchOutcome.TIMED_OUT if timed_out else BranchOutcome.COMMITTED

    def restore(self, name: str, kept: Mapping[str, Any], now: i64) -> None:
        """A branch that an earlier run of the broker has prepared."""
        principal = str(kept.get("principal", ""))
        branch = Branch(_xid(name), principal, self._account(principal))
        branch.prepared = branch.is_stored = True
        branch.transaction = restored_transaction(kept, self._broker, branch.memory, now)
        self._by_xid[branch.xid] = branch

    def _forget(self, branch: Branch, owner: Owner) -> None:
        if owner.principal != branch.principal:
            detail = f"of {branch.principal}"
            self._broker.authorization.note(owner, Verb.COMPLETE_BRANCH, _name(branch.xid), "", detail)
        del self._by_xid[branch.xid]
        self._broker.deadlines.set(branch, NEVER)
        branch.memory.close()
        if branch.is_stored:
            self._broker.definitions.ended(_name(branch.xid))

    def _ended(self, xid: Xid, owner: Owner) -> Branch:
        branch = self.find(xid, owner)
        if branch.workers:
            raise BranchError(Condition.ILLEGAL_STATE, "a session works in the branch; dtx.end leaves it")
        return branch

    def in_doubt(self, owner: Owner) -> list[Xid]:
        """The xids of what is prepared and the caller may end."""
        allows = self._broker.authorization.allows_owned
        return [
            xid
            for xid, branch in self._by_xid.items()
            if branch.prepared and allows(owner, branch.principal, Verb.COMPLETE_BRANCH)
        ]
