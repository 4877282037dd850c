"""How many wrong passwords each address and each user had lately."""

from collections.abc import Callable
from typing import Final

from lastvalue.model.rate_limit import RateLimit

MINUTE_MS: Final = 60_000
_PAIRS: Final = 4096
_NAME_LENGTH: Final = 256
"""Characters of a name that count; longer ones would fill the memory."""


class WrongPasswords:
    """Counts the wrong passwords of a minute, each for its address and for its user.

    From an address from which a user has shown the right password, that user's wrong ones count separately:
    strangers cannot lock a user out of there.

    Args:
        per_address, per_user: after how many of them further ones are refused; 0 is any number.
        apart: a user's wrong passwords count by address always.
        on_excess: called with what begins to exceed a limit, `peer` or `user`, and with whose it is.
    """

    def __init__(
        self,
        per_address: int = 0,
        per_user: int = 0,
        *,
        apart: bool = False,
        on_excess: Callable[[str, str, int], None] | None = None,
    ) -> None:
        tell = _ignore if on_excess is None else on_excess
        self._addresses = RateLimit(
            per_address, MINUTE_MS, lambda key: tell("peer", key, self._addresses.most)
        )
        self._users = RateLimit(per_user, MINUTE_MS, lambda key: tell("user", key, self._users.most))
        self._apart = apart
        self._shown: dict[tuple[str, str], None] = {}

    def adjust(self, per_address: int, per_user: int) -> None:
        """Use these limits from now on."""
        self._addresses.most = per_address
        self._users.most = per_user

    def refuses(self, address: str, user: str, now_ms: int) -> bool:
        """Whether there were too many wrong passwords of an address or for a user."""
        key = self._user_key(address, user)
        return not (self._addresses.allows(address, now_ms) and self._users.allows(key, now_ms))

    def count(self, address: str, user: str, now_ms: int, *, right: bool) -> None:
        """A peer showed a right or a wrong password."""
        if right:
            if len(self._shown) >= _PAIRS:
                del self._shown[next(iter(self._shown))]
            self._shown[address, user[:_NAME_LENGTH]] = None
            return
        self._addresses.count(address, now_ms)
        self._users.count(self._user_key(address, user), now_ms)

    def _user_key(self, address: str, user: str) -> str:
        name = user[:_NAME_LENGTH]
        by_address = self._apart or (address, name) in self._shown
        return f"{name!r} at {address}" if by_address else repr(name)


def _ignore(of: str, key: str, most: int) -> None:
    """Nobody wants to know."""
