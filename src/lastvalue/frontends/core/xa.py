"""Distributed transactions of one session [XA]."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.codec.core import packets
from lastvalue.codec.core.packets import Packet, PacketType
from lastvalue.delivery.branches import MOST_TIMEOUT_S, Branch, BranchError, BranchOutcome, Xid
from lastvalue.frontends.core.session_state import SessionState
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError

# [XA] What a command is answered with.
OK: Final = 0
_ROLLED_BACK: Final = 100
_TIMED_OUT: Final = 106
FAILED: Final = -3
_UNKNOWN_XID: Final = -4
PROTOCOL_ERROR: Final = -6
_KNOWN_XID: Final = -8
_DEFAULT_TIMEOUT_S: Final = 300

_CODES: Final[dict[BranchOutcome, int]] = {
    BranchOutcome.COMMITTED: OK,
    BranchOutcome.ROLLED_BACK: _ROLLED_BACK,
    BranchOutcome.TIMED_OUT: _TIMED_OUT,
}
_FAULTS: Final[dict[Condition, int]] = {
    Condition.NOT_FOUND: _UNKNOWN_XID,
    Condition.NOT_ALLOWED: _KNOWN_XID,
    Condition.ILLEGAL_STATE: PROTOCOL_ERROR,
}


@mypyc_attr(native_class=False)
class XaError(LastvalueError):
    """A command of XA is refused.

    Attributes:
        code: of XA.
    """

    condition = Condition.ILLEGAL_STATE

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


@final
class XaCommands:
    """Carries out the XA commands of one session.

    Attributes:
        branch: in which the session works, or None.
        timeout_s: of the branches that it begins.
    """

    __slots__ = ("_session", "_suspended", "branch", "timeout_s")

    def __init__(self, session: SessionState) -> None:
        self._session = session
        self._suspended: list[Branch] = []
        self.branch: Branch | None = None
        self.timeout_s = _DEFAULT_TIMEOUT_S

    def take(self, packet: Packet, now: i64) -> None:
        """Carry out a command that is answered with a code of XA.

        Raises:
            XaError: it is refused, or the branch can only be rolled back.
        """
        kind = packet.type
        try:
            if kind is packets.XA_SUSPEND:
                self._suspend()
            else:
                self._take(kind, packet, packet.xid(), now)
        except BranchError as fault:
            raise XaError(_FAULTS.get(fault.condition, FAILED), str(fault)) from None

    def _take(self, kind: PacketType, packet: Packet, xid: Xid, now: i64) -> None:
        session = self._session
        branches = session.connection.shared.branches
        owner = session.owner
        if kind is packets.XA_START:
            self._enter(branches.begin(xid, session, owner, now))
            branches.limit(xid, self.timeout_s, owner, now)
        elif kind is packets.XA_JOIN:
            self._enter(branches.find(xid, owner))
        elif kind is packets.XA_RESUME:
            self._resume(xid)
        elif kind is packets.XA_END:
            self._end(branches.find(xid, owner), packet.flag("failed"), now)
        elif kind is packets.XA_FAILED:
            self._end(branches.find(xid, owner), True, now)
        elif kind is packets.XA_PREPARE:
            _check(branches.prepare(xid, owner, now))
        elif kind is packets.XA_COMMIT:
            _check(branches.commit(xid, packet.flag("one_phase"), owner, now))
        elif kind is packets.XA_ROLLBACK:
            _check(branches.roll_back(xid, owner, now))
        else:
            branches.find(xid, owner)
            raise XaError(PROTOCOL_ERROR, "the branch has no heuristic outcome to forget")

    def in_doubt(self) -> list[Xid]:
        """The prepared branches that the caller may end."""
        session = self._session
        return session.connection.shared.branches.in_doubt(session.owner)

    def set_timeout(self, timeout_s: i64) -> bool:
        """Have the branches that begin last so long; false where that is not possible."""
        if not 0 <= timeout_s <= MOST_TIMEOUT_S:
            return False
        self.timeout_s = int(timeout_s) or _DEFAULT_TIMEOUT_S
        return True

    def leave(self, now: i64) -> None:
        """The session is over: what it works in can only be rolled back."""
        for branch in [*self._suspended, self.branch]:
            if branch is not None:
                branch.workers.pop(self._session, None)
                branch.fail(BranchOutcome.ROLLED_BACK, now)
        self._suspended = []
        if self.branch is not None:
            self.branch = None
            self._session.transaction = None

    # ------------------------------------------------------------------ work

    def _enter(self, branch: Branch) -> None:
        if self.branch is not None:
            branch.workers.pop(self._session, None)
            raise XaError(PROTOCOL_ERROR, "the session works in a branch; end leaves it")
        if branch in self._suspended:
            raise XaError(
                PROTOCOL_ERROR, "the session has suspended its work in this branch; resume continues"
            )
        branch.workers[self._session] = False
        self.branch = branch
        self._session.transaction = branch.transaction

    def _suspend(self) -> None:
        branch = self.branch
        if branch is None:
            raise XaError(PROTOCOL_ERROR, "the session works in no branch that it could suspend")
        branch.workers[self._session] = True
        self._suspended.append(branch)
        self.branch = None
        self._session.transaction = None

    def _resume(self, xid: Xid) -> None:
        for branch in self._suspended:
            if branch.xid == xid:
                self._suspended = [each for each in self._suspended if each is not branch]
                self._enter(branch)
                return
        raise XaError(_UNKNOWN_XID, "the session has not suspended its work in this branch")

    def _end(self, branch: Branch, failed: bool, now: i64) -> None:
        if branch is self.branch:
            self.branch = None
            self._session.transaction = None
        elif branch in self._suspended:
            self._suspended = [each for each in self._suspended if each is not branch]
        else:
            raise XaError(PROTOCOL_ERROR, "the session does not work in this branch")
        branch.workers.pop(self._session, None)
        if failed:
            branch.fail(BranchOutcome.ROLLED_BACK, now)


def _check(outcome: BranchOutcome) -> None:
    code = _CODES[outcome]
    if code != OK:
        raise XaError(code, "the branch was rolled back")
