"""How many exchanges and bindings a user may have; those that cost much at each message count as several."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.routing.bindings import SELECTOR_ARGUMENT, Binding
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType
from lastvalue.broker.routing.patterns import ANY, DELIMITER, ONE
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError

_WORD_BEHIND_ANY: Final = 16
"""A word behind a `#` is compared with every word of a key."""

_WORDS_BEHIND_ONE: Final = 8
_CONDITIONS: Final = 4
_SELECTOR_CHARACTERS: Final = 64


@mypyc_attr(native_class=False)
class TooManyBindingsError(BrokerError):
    """A user's exchanges and bindings would count as more than one may have."""

    condition = Condition.RESOURCE_LIMIT_EXCEEDED

    def __init__(self, user: str, present: int, more: int, most: int) -> None:
        super().__init__(
            f"the exchanges and bindings of user {user!r} count as {present}, this one as {more}; "
            f"{most} are allowed (max_bindings_per_user): remove some, or use fewer wildcards"
        )
        self.user = user


def binding_weight(binding: Binding) -> int:
    """As how many bindings one counts: by what it may cost at a message of the exchange."""
    weight = 1 + len(binding.arguments) // _CONDITIONS
    weight += len(str(binding.arguments.get(SELECTOR_ARGUMENT) or "")) // _SELECTOR_CHARACTERS
    return weight + _pattern_weight(binding.key)


def exchange_weight(spec: ExchangeSpec) -> int:
    """As how many bindings an exchange counts: the name of an address is a pattern, too."""
    return 1 + (_pattern_weight(spec.name) if spec.type is ExchangeType.ADDRESS else 0)


def _pattern_weight(pattern: str) -> int:
    words = pattern.split(DELIMITER)
    if ANY in words:
        return _WORD_BEHIND_ANY * (len(words) - 1 - words.index(ANY))
    if ONE in words:
        return (len(words) - 1 - words.index(ONE)) // _WORDS_BEHIND_ONE
    return 0


@final
class BindingQuotas:
    """Counts the exchanges and bindings of each user; those of the broker and its configuration do not count.

    Callers without a name are one user.

    Attributes:
        most: what the exchanges and bindings of a user count as together; 0 is any number.
    """

    __slots__ = ("_weights", "most")

    def __init__(self) -> None:
        self.most: i64 = 0
        self._weights: dict[str, int] = {}

    def check(self, user: str | None, more: int) -> None:
        """Refuse a user an exchange or a binding that counts as this many; None is the broker itself.

        Raises:
            TooManyBindingsError: it would count as more than the user may have.
        """
        if user is None:
            return
        present = self._weights.get(user, 0)
        if 0 < self.most < present + more:
            raise TooManyBindingsError(user, present, more, int(self.most))

    def add(self, user: str | None, weight: int) -> None:
        """Count an exchange or a binding."""
        if user is not None:
            self._weights[user] = self._weights.get(user, 0) + weight

    def remove(self, user: str | None, weight: int) -> None:
        """Count an exchange or a binding no more."""
        if user is None:
            return
        left = self._weights[user] - weight
        if left > 0:
            self._weights[user] = left
        else:
            del self._weights[user]
