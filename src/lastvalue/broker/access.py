"""Who may do what: the broker's view of the permissions that somebody else keeps."""

from collections.abc import Callable
from typing import final

from lastvalue.broker.permissions import BROWSE, READ, NotPermittedError, Permissions


@final
class Access:
    """Checks what users do, and notes what was refused.

    Args:
        permissions: what the user of that name may do.
    """

    __slots__ = ("_permissions", "_refusals")

    def __init__(self, permissions: Callable[[str], Permissions]) -> None:
        self._permissions = permissions
        self._refusals: list[NotPermittedError] = []

    def check(self, user: str, action: str, name: str) -> None:
        """Let a user do something to the queue or exchange of that name.

        Raises:
            NotPermittedError: the user may not.
        """
        permissions = self._permissions(user)
        # Who may take a message may look at it.
        looks = action == BROWSE and permissions.allows(READ, name)
        if not looks and not permissions.allows(action, name):
            refusal = NotPermittedError(user, action, name)
            self._refusals.append(refusal)
            raise refusal

    def allows(self, user: str, action: str, name: str) -> bool:
        """Whether a user may do something; nothing is noted."""
        return self._permissions(user).allows(action, name)

    def reaches(self, user: str, name: str) -> bool:
        """Whether a user may do anything at all to it."""
        return self._permissions(user).reaches(name)

    def take_refusals(self) -> list[NotPermittedError]:
        """What was refused since the last call, oldest first."""
        refusals = self._refusals
        self._refusals = []
        return refusals
