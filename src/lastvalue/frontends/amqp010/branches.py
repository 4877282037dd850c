"""Branches of distributed transactions [0-10 dtx]: by xid, shared by the connections of a broker.

One that is prepared outlives a broker that has a store; whatever else is open has not taken place then.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, final

from mypy_extensions import i64

from lastvalue.broker.broker import Broker
from lastvalue.broker.deadlines import Deadline, Deadlines
from lastvalue.broker.owner import Owner
from lastvalue.broker.prepared import kept_of, restored
from lastvalue.broker.reading import Reading
from lastvalue.broker.transactions import Transaction
from lastvalue.broker.verbs import Verb
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp010.tables import DTX_XA_RESULT, DTX_XID
from lastvalue.frontends.amqp010.faults import (
    ILLEGAL_STATE,
    INVALID_ARGUMENT,
    NOT_ALLOWED,
    NOT_FOUND,
    CommandError,
)
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import NEVER

OK: Final = 0
ROLLED_BACK: Final = 1
TIMED_OUT: Final = 2
"""xa-status"""

DEFAULT_TIMEOUT_S: Final = 60
MOST_TIMEOUT_S: Final = 3600
MOST_OPEN: Final = 1000
"""Branches that a broker keeps."""

_Key = tuple[int, bytes, bytes]


def key_of(xid: Record | None) -> _Key:
    """By what a branch is known.

    Raises:
        CommandError: no xid is given.
    """
    if xid is None:
        raise CommandError(INVALID_ARGUMENT, "the command names no xid; it needs one")
    return xid.number("format"), xid.binary("global_id") or b"", xid.binary("branch_id") or b""


def _name(key: _Key) -> str:
    """By what the journal knows a branch."""
    return f"{key[0]}.{key[1].hex()}.{key[2].hex()}"


def _key(name: str) -> _Key:
    number, global_id, branch_id = name.split(".")
    return int(number), bytes.fromhex(global_id), bytes.fromhex(branch_id)


def status(code: int) -> Record:
    """The result of a command about a branch."""
    return Record(DTX_XA_RESULT, {"status": code})


@final
class Branch(Deadline):
    """Work that is committed or rolled back by its xid; it is rolled back when it falls due before that.

    Attributes:
        principal: the user who began it, and who alone may end it.
        workers: sessions that work in it, and whether they have suspended that.
        outcome: OK, or why it can only be rolled back.
        is_stored: the journal is told when it has ended.
    """

    __slots__ = (
        "is_stored", "key", "outcome", "prepared", "principal", "timeout_s", "transaction", "workers"
    )  # fmt: skip

    def __init__(self, key: _Key, principal: str) -> None:
        super().__init__()
        self.key = key
        self.principal = principal
        self.transaction = Transaction()
        self.workers: dict[object, bool] = {}
        self.outcome = OK
        self.prepared = False
        self.is_stored = False
        self.timeout_s = DEFAULT_TIMEOUT_S

    def fail(self, outcome: int, now: i64) -> None:
        """It can only be rolled back: nothing of it is held any more."""
        if self.outcome == OK:
            self.outcome = outcome
        self.transaction.roll_back(now)


@final
class Branches:
    """The branches of one broker."""

    __slots__ = ("_broker", "_by_key", "_deadlines")

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._by_key: dict[_Key, Branch] = {}
        self._deadlines = Deadlines()

    def find(self, xid: Record | None, owner: Owner) -> Branch:
        """The branch of an xid.

        Raises:
            CommandError: there is none.
            NotPermittedError: it is another user's.
        """
        branch = self._by_key.get(key_of(xid))
        if branch is None:
            raise CommandError(NOT_FOUND, "the xid is not known: it is done with, or never was begun")
        self._broker.authorization.check_owned(owner, branch.principal, Verb.COMPLETE_BRANCH)
        return branch

    def begin(self, xid: Record | None, worker: object, owner: Owner, now: i64) -> Branch:
        """A new branch that a session works in.

        Raises:
            CommandError: the xid is known, or there are too many.
        """
        key = key_of(xid)
        if key in self._by_key:
            raise CommandError(NOT_ALLOWED, "the xid is known; join works in it, too")
        if len(self._by_key) >= MOST_OPEN:
            raise CommandError(506, f"{MOST_OPEN} branches are open")
        branch = Branch(key, owner.principal)
        branch.workers[worker] = False
        self._by_key[key] = branch
        self._deadlines.set(branch, now + 1000 * branch.timeout_s)
        return branch

    def limit(self, xid: Record | None, timeout_s: int, owner: Owner, now: i64) -> None:
        """Have a branch end after that time; 0 is never.

        Raises:
            CommandError: there is none.
            NotPermittedError: it is another user's.
        """
        branch = self.find(xid, owner)
        branch.timeout_s = timeout_s
        self._deadlines.set(branch, now + 1000 * timeout_s if timeout_s > 0 else NEVER)

    def part_from(self, reading: Reading) -> None:
        """A reader goes: what was settled in branches stays in them."""
        for branch in self._by_key.values():
            branch.transaction.part_from(reading)

    # ------------------------------------------------------------------ completion

    def prepare(self, xid: Record | None, owner: Owner, now: i64) -> int:
        """See that the branch can be committed."""
        branch = self._ended(xid, owner)
        if branch.outcome != OK:
            branch.transaction.roll_back(now)
            return branch.outcome
        branch.prepared = True
        if self._broker.stores and not branch.is_stored:
            branch.is_stored = True
            self._broker.definitions.prepared(
                _name(branch.key), {**kept_of(branch.transaction), "principal": branch.principal}
            )
        return OK

    def commit(
        self,
        xid: Record | None,
        one_phase: bool,  # noqa: FBT001 - compiled, positional
        carry_out: Callable[[Transaction], None],
        owner: Owner,
        now: i64,
    ) -> int:
        """Have the branch take effect.

        Raises:
            CommandError: it is not known, is worked in, or is prepared or not otherwise than told.
            NotPermittedError: it is another user's.
        """
        branch = self._ended(xid, owner)
        if branch.outcome == OK and branch.prepared == one_phase:
            raise CommandError(
                ILLEGAL_STATE,
                "a branch that is prepared is committed in two phases"
                if one_phase
                else "a branch that is not prepared is committed in one phase",
            )
        self._forget(branch)
        if branch.outcome == OK:
            try:
                carry_out(branch.transaction)
            except LastvalueError:
                branch.fail(ROLLED_BACK, now)
        return branch.outcome

    def roll_back(self, xid: Record | None, owner: Owner, now: i64) -> int:
        """Have nothing of the branch take effect."""
        branch = self._ended(xid, owner)
        self._forget(branch)
        branch.transaction.roll_back(now)
        return TIMED_OUT if branch.outcome == TIMED_OUT else OK

    def restore(self, name: str, kept: Mapping[str, Any], now: i64) -> None:
        """A branch that an earlier run of the broker has prepared."""
        branch = Branch(_key(name), str(kept.get("principal", "")))
        branch.prepared = branch.is_stored = True
        branch.transaction = restored(kept, self._broker, now)
        self._by_key[branch.key] = branch

    def _forget(self, branch: Branch) -> None:
        del self._by_key[branch.key]
        self._deadlines.set(branch, NEVER)
        if branch.is_stored:
            self._broker.definitions.ended(_name(branch.key))

    def _ended(self, xid: Record | None, owner: Owner) -> Branch:
        branch = self.find(xid, owner)
        if branch.workers:
            raise CommandError(ILLEGAL_STATE, "a session works in the branch; dtx.end leaves it")
        return branch

    def in_doubt(self, owner: Owner) -> list[Record]:
        """The xids of what is prepared and the caller may end."""
        allows = self._broker.authorization.allows_owned
        return [
            Record(DTX_XID, {"format": key[0], "global_id": key[1], "branch_id": key[2]})
            for key, branch in self._by_key.items()
            if branch.prepared and allows(owner, branch.principal, Verb.COMPLETE_BRANCH)
        ]

    # ------------------------------------------------------------------ time

    def next_deadline(self) -> i64:
        """When the next branch ends for want of time, or NEVER."""
        return self._deadlines.next()

    def advance(self, wire_now: i64, now: i64) -> bool:
        """End the branches whose time is over; whether there were any."""
        over = False
        for branch in self._deadlines.take_due(wire_now):
            # [XA] What is prepared waits for its coordinator, however long.
            if isinstance(branch, Branch) and not branch.prepared:
                branch.fail(TIMED_OUT, now)
                over = True
        return over
