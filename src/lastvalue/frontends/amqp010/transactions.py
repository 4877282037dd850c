"""The classes tx and dtx: what a session does in transactions."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.transactions import Transaction
from lastvalue.codec.amqp010.command_layouts import (
    DTX_GET_TIMEOUT_RESULT,
    DTX_RECOVER_RESULT,
    DTX_XA_RESULT,
    DTX_XID,
)
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp10.values import Array
from lastvalue.delivery.branches import MOST_TIMEOUT_S, Branch, BranchError, BranchOutcome, Xid
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.frontends.amqp010.errors import ILLEGAL_STATE, INVALID_ARGUMENT, NOT_FOUND, CommandError
from lastvalue.frontends.amqp010.producer import CommandConfirmations
from lastvalue.frontends.amqp010.sessions import SessionState
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.protocols.amqp010.session import Command

_INVALID_COMMAND: Final = 503
_RECORDED: Final = ("dtx.prepare", "dtx.commit", "dtx.rollback")
"""Commands whose answers wait for the journal."""


@final
class Transactions:
    """Carries the commands out for the sessions of one connection, whose memory local transactions take."""

    __slots__ = ("_broker_state", "_confirmations", "_memory")

    def __init__(
        self, broker_state: BrokerState, confirmations: CommandConfirmations, memory: MemoryAccount
    ) -> None:
        self._broker_state = broker_state
        self._confirmations = confirmations
        self._memory = memory

    def take(self, state: SessionState, command: Command, now: i64) -> None:
        """A command of one of the classes.

        Raises:
            LastvalueError: it cannot be carried out.
        """
        match command.record.layout.name:
            case "tx.select":
                if state.transaction is None:
                    state.transaction = Transaction(self._memory)
            case "tx.commit":
                self._commit(state, now)
                self._confirmations.add(command.session, command.number, None, True)
                return
            case "tx.rollback":
                self._open(state).roll_back(now)
                state.unsettled.take_retired()
            case "dtx.select":
                state.distributed = True
            case _:
                result = self._distributed(state, command.record, now)
                if command.record.layout.name in _RECORDED:
                    self._confirmations.add(command.session, command.number, result, True)
                    return
                if result is not None:
                    command.session.result(command.number, result)
                    return
        command.session.complete(command.number)

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

    def _open(self, state: SessionState) -> Transaction:
        if state.transaction is None or state.branch is not None:
            raise CommandError(ILLEGAL_STATE, "the session is in no transaction; tx.select begins one")
        return state.transaction

    def _commit(self, state: SessionState, now: i64) -> None:
        transaction = self._open(state)
        self._broker_state.broker.commit(transaction, now)
        state.commit_done(now)

    # ------------------------------------------------------------------ distributed

    def _distributed(self, state: SessionState, record: Record, now: i64) -> Record | None:  # noqa: PLR0911 - a table
        branches = self._broker_state.branches
        owner = state.owner
        match record.layout.name:
            case "dtx.start":
                return self._start(state, record, now)
            case "dtx.end":
                return self._end(state, record, now)
            case "dtx.prepare":
                return _status(branches.prepare(_xid(record), owner, now))
            case "dtx.commit":
                return _status(branches.commit(_xid(record), record.has("one_phase"), owner, now))
            case "dtx.rollback":
                return _status(branches.roll_back(_xid(record), owner, now))
            case "dtx.get-timeout":
                return Record(
                    DTX_GET_TIMEOUT_RESULT, {"timeout": branches.find(_xid(record), owner).timeout_s}
                )
            case "dtx.set-timeout":
                timeout_s = record.number("timeout")
                if timeout_s > MOST_TIMEOUT_S:
                    raise CommandError(INVALID_ARGUMENT, f"a branch lasts at most {MOST_TIMEOUT_S} seconds")
                branches.limit(_xid(record), timeout_s, owner, now)
                return None
            case "dtx.recover":
                in_doubt = [_xid_record(each) for each in branches.in_doubt(owner)]
                return Record(DTX_RECOVER_RESULT, {"in_doubt": Array("struct32", in_doubt)})
            case _:
                # dtx.forget: no outcome is kept that could be forgotten.
                branches.find(_xid(record), owner)
                raise CommandError(ILLEGAL_STATE, "the branch has no heuristic outcome to forget")

    def _select_needed(self, state: SessionState, record: Record, first: str, second: str) -> None:
        if not state.distributed:
            raise CommandError(_INVALID_COMMAND, f"{record.layout.name} comes after dtx.select")
        if record.has(first) and record.has(second):
            raise CommandError(_INVALID_COMMAND, f"{record.layout.name} has either {first} or {second}")

    def _start(self, state: SessionState, record: Record, now: i64) -> Record:
        self._select_needed(state, record, "join", "resume")
        branches = self._broker_state.branches
        xid = _xid(record)
        if state.branch is not None:
            raise CommandError(ILLEGAL_STATE, "the session works in a branch; dtx.end leaves it")
        if record.has("resume"):
            branch = branches.find(xid, state.owner)
            if branch not in state.suspended:
                raise CommandError(NOT_FOUND, "the session has not suspended its work in this branch")
            state.suspended = [each for each in state.suspended if each is not branch]
        elif record.has("join"):
            branch = branches.find(xid, state.owner)
        else:
            branch = branches.begin(xid, state, state.owner, now)
        branch.workers[state] = False
        state.branch = branch
        state.transaction = branch.transaction
        return _status(branch.outcome)

    def _end(self, state: SessionState, record: Record, now: i64) -> Record:
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
            branch = self._broker_state.branches.find(_xid(record), state.owner)
        except (BranchError, CommandError) as fault:
            raise CommandError(ILLEGAL_STATE, str(fault)) from None
        if branch is not state.branch and branch not in state.suspended:
            raise CommandError(ILLEGAL_STATE, "the session does not work in this branch")
        return branch


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
