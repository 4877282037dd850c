"""The classes tx and dtx: what a session does in transactions."""

from collections.abc import Callable
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.transactions import Transaction
from lastvalue.codec.amqp010.command_layouts import (
    DTX_GET_TIMEOUT_RESULT,
    DTX_RECOVER_RESULT,
    DTX_XA_RESULT,
    DTX_XID,
)
from lastvalue.codec.amqp010.errors import ILLEGAL_STATE, INVALID_ARGUMENT, NOT_FOUND, CommandError
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp10.values import Array
from lastvalue.delivery.branches import MOST_TIMEOUT_S, Branch, BranchError, BranchOutcome, Xid
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.frontends.amqp010.sessions import SessionState
from lastvalue.model.memory_budget import MemoryAccount

_INVALID_COMMAND: Final = 503


@final
class Transactions:
    """Carries the commands out for the sessions of one connection, whose memory local transactions take."""

    __slots__ = ("_broker", "_memory", "branches")

    def __init__(self, broker_state: BrokerState, memory: MemoryAccount) -> None:
        self._broker = broker_state.broker
        self._memory = memory
        self.branches = broker_state.branches

    def take(self, state: SessionState, record: Record, now: i64) -> Record | None:
        """Carry out a command of the classes tx and dtx; its result, or None if it has none.

        Raises:
            LastvalueError: it cannot be carried out.
        """
        return _COMMANDS[record.layout.name](self, state, record, now)

    def leave(self, state: SessionState, now: i64) -> None:
        """A session is over: what it works in can only be rolled back."""
        for branch in [*state.suspended, state.branch]:
            if branch is not None:
                branch.workers.pop(state, None)
                branch.fail(BranchOutcome.ROLLED_BACK, now)
        state.suspended = []
        if state.branch is not None:
            state.branch = None
            state.transaction = None

    # ------------------------------------------------------------------ local

    def select(self, state: SessionState) -> None:
        """tx.select."""
        if state.transaction is None:
            state.transaction = Transaction(self._memory)

    def commit(self, state: SessionState, now: i64) -> None:
        """tx.commit."""
        self._broker.commit(_local(state), now)
        state.commit_done(now)

    def roll_back(self, state: SessionState, now: i64) -> None:
        """tx.rollback."""
        _local(state).roll_back(now)
        state.unsettled.take_retired()

    # ------------------------------------------------------------------ distributed

    def select_branches(self, state: SessionState) -> None:
        """dtx.select."""
        state.distributed = True

    def set_timeout(self, state: SessionState, record: Record, now: i64) -> None:
        """dtx.set-timeout."""
        timeout_s = record.number("timeout")
        if timeout_s > MOST_TIMEOUT_S:
            raise CommandError(INVALID_ARGUMENT, f"a branch lasts at most {MOST_TIMEOUT_S} seconds")
        self.branches.limit(_xid(record), timeout_s, state.owner, now)

    def recover(self, state: SessionState) -> Record:
        """dtx.recover."""
        in_doubt = [_xid_record(each) for each in self.branches.in_doubt(state.owner)]
        return Record(DTX_RECOVER_RESULT, {"in_doubt": Array("struct32", in_doubt)})

    def forget(self, state: SessionState, record: Record) -> None:
        """dtx.forget: no outcome is kept that could be forgotten."""
        self.branches.find(_xid(record), state.owner)
        raise CommandError(ILLEGAL_STATE, "the branch has no heuristic outcome to forget")

    def _select_needed(self, state: SessionState, record: Record, first: str, second: str) -> None:
        if not state.distributed:
            raise CommandError(_INVALID_COMMAND, f"{record.layout.name} comes after dtx.select")
        if record.has(first) and record.has(second):
            raise CommandError(_INVALID_COMMAND, f"{record.layout.name} has either {first} or {second}")

    def start(self, state: SessionState, record: Record, now: i64) -> Record:
        """dtx.start."""
        self._select_needed(state, record, "join", "resume")
        xid = _xid(record)
        if state.branch is not None:
            raise CommandError(ILLEGAL_STATE, "the session works in a branch; dtx.end leaves it")
        if record.has("resume"):
            branch = self.branches.find(xid, state.owner)
            if branch not in state.suspended:
                raise CommandError(NOT_FOUND, "the session has not suspended its work in this branch")
            state.suspended = [each for each in state.suspended if each is not branch]
        elif record.has("join"):
            branch = self.branches.find(xid, state.owner)
        else:
            branch = self.branches.begin(xid, state, state.owner, now)
        branch.workers[state] = False
        state.branch = branch
        state.transaction = branch.transaction
        return _status(branch.outcome)

    def end(self, state: SessionState, record: Record, now: i64) -> Record:
        """dtx.end."""
        self._select_needed(state, record, "fail", "suspend")
        branch = self._worked_in(state, record)
        if state.branch is branch:
            state.branch = None
            state.transaction = None
        if record.has("suspend"):
            branch.workers[state] = True
            if branch not in state.suspended:
                state.suspended.append(branch)
            return _status(branch.outcome)
        state.suspended = [each for each in state.suspended if each is not branch]
        branch.workers.pop(state, None)
        if record.has("fail"):
            branch.fail(BranchOutcome.ROLLED_BACK, now)
        elif branch.outcome is not BranchOutcome.COMMITTED:
            branch.transaction.roll_back(now)
        return _status(branch.outcome)

    def _worked_in(self, state: SessionState, record: Record) -> Branch:
        try:
            branch = self.branches.find(_xid(record), state.owner)
        except (BranchError, CommandError) as fault:
            raise CommandError(ILLEGAL_STATE, str(fault)) from None
        if branch is not state.branch and branch not in state.suspended:
            raise CommandError(ILLEGAL_STATE, "the session does not work in this branch")
        return branch


def _local(state: SessionState) -> Transaction:
    if state.transaction is None or state.branch is not None:
        raise CommandError(ILLEGAL_STATE, "the session is in no transaction; tx.select begins one")
    return state.transaction


def _xid(record: Record) -> Xid:
    """The xid that a command names."""
    xid = record.record("xid")
    if xid is None:
        raise CommandError(INVALID_ARGUMENT, "the command names no xid; it needs one")
    return xid.number("format"), xid.binary("global_id") or b"", xid.binary("branch_id") or b""


def _xid_record(xid: Xid) -> Record:
    return Record(DTX_XID, {"format": xid[0], "global_id": xid[1], "branch_id": xid[2]})


def _status(outcome: BranchOutcome) -> Record:
    """The result of a command about a branch."""
    return Record(DTX_XA_RESULT, {"status": outcome.value})


_COMMANDS: Final[dict[str, Callable[[Transactions, SessionState, Record, i64], Record | None]]] = {
    "tx.select": lambda it, state, _record, _now: it.select(state),
    "tx.commit": lambda it, state, _, now: it.commit(state, now),
    "tx.rollback": lambda it, state, _, now: it.roll_back(state, now),
    "dtx.select": lambda it, state, _record, _now: it.select_branches(state),
    "dtx.start": lambda it, state, record, now: it.start(state, record, now),
    "dtx.end": lambda it, state, record, now: it.end(state, record, now),
    "dtx.prepare": lambda it, state, record, now: _status(
        it.branches.prepare(_xid(record), state.owner, now)
    ),
    "dtx.commit": lambda it, state, record, now: _status(
        it.branches.commit(_xid(record), record.has("one_phase"), state.owner, now)
    ),
    "dtx.rollback": lambda it, state, record, now: _status(
        it.branches.roll_back(_xid(record), state.owner, now)
    ),
    "dtx.get-timeout": lambda it, state, record, _: Record(
        DTX_GET_TIMEOUT_RESULT, {"timeout": it.branches.find(_xid(record), state.owner).timeout_s}
    ),
    "dtx.set-timeout": lambda it, state, record, now: it.set_timeout(state, record, now),
    "dtx.recover": lambda it, state, _record, _now: it.recover(state),
    "dtx.forget": lambda it, state, record, _: it.forget(state, record),
}
