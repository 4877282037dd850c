"""Permissions: what users may do with queues and exchanges, by rules on their names."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, final

from mypy_extensions import mypyc_attr

from lastvalue.addresses.name_pattern import patterns_meet
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError, LastvalueError

CONFIGURE: Final = "configure"
WRITE: Final = "write"
READ: Final = "read"
BROWSE: Final = "browse"
MANAGE: Final = "manage"
ADMINISTER: Final = "administer"
ACTIONS: Final = (CONFIGURE, WRITE, READ, BROWSE, MANAGE, ADMINISTER)
_RESERVED: Final = "$"


@mypyc_attr(native_class=False)
class PermissionRuleError(LastvalueError):
    """A text is not a valid rule."""

    condition = Condition.INVALID_FIELD


@mypyc_attr(native_class=False)
class NotPermittedError(BrokerError):
    """A user lacks the permission for an action."""

    condition = Condition.UNAUTHORIZED_ACCESS

    def __init__(self, user: str, action: str, name: str) -> None:
        super().__init__(f"user {user!r} may not {action} {name!r}")


@mypyc_attr(native_class=False)
class ImpersonationError(NotPermittedError):
    """A message says that another user than the one who sends it has sent it."""

    def __init__(self, user: str, claimed: str) -> None:
        BrokerError.__init__(
            self,
            f"user {user!r} may not send a message of user {claimed!r}: "
            "its user-id is the user who sends it, or is left out",
        )


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class Rule:
    """Actions that are allowed on names; `parts` is the pattern, split where any text may stand.

    Names that begin with `$` are reserved for the broker: only patterns that begin with `$` match them.
    """

    actions: frozenset[str]
    parts: tuple[str, ...]

    def fits(self, action: str, name: str) -> bool:
        """Whether the rule allows an action on a name."""
        return action in self.actions and self._has(name)

    def _has(self, name: str) -> bool:
        first, last = self.parts[0], self.parts[-1]
        if len(self.parts) == 1:
            return name == first
        if not name.startswith(first) or (not first and name.startswith(_RESERVED)):
            return False
        pos = len(first)
        for part in self.parts[1:-1]:
            found = name.find(part, pos)
            if found < 0:
                return False
            pos = found + len(part)
        return len(name) - len(last) >= pos and name.endswith(last)


def parse_rule(text: str) -> Rule:
    """A rule like `read,browse prices.*`: actions, a space, a pattern in which `*` stands for any text.

    Raises:
        PermissionRuleError: the text has another form, or an action is unknown.
    """
    actions, space, pattern = text.strip().partition(" ")
    named = actions.split(",")
    unknown = [action for action in named if action not in ACTIONS and action != "all"]
    if not space or unknown or not pattern.strip():
        raise PermissionRuleError(
            f"{text!r} is not a rule; write actions ({', '.join(ACTIONS)}, or all) and a pattern of names, "
            "as in 'read,browse prices.*'"
        )
    return Rule(frozenset(ACTIONS if "all" in named else named), tuple(pattern.strip().split("*")))


@final
class Permissions:
    """The permissions of one user: everything that one of the rules allows."""

    __slots__ = ("rules",)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)

    def allows(self, action: str, name: str) -> bool:
        """Whether the user may do this to the queue or exchange of that name."""
        return any(rule.fits(action, name) for rule in self.rules)

    def reaches(self, name: str) -> bool:
        """Whether the user may do anything to the queue or exchange of that name."""
        return any(self.allows(action, name) for action in ACTIONS)

    def could_reach(self, pattern: str) -> bool:
        """Whether the user may do anything to a name that a pattern of `addresses.name_pattern` matches."""
        return any(patterns_meet("*".join(rule.parts), pattern) for rule in self.rules)


ALL: Final = Permissions((Rule(frozenset(ACTIONS), ("", "")), Rule(frozenset(ACTIONS), (_RESERVED, ""))))
