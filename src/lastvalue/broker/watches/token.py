"""The token of a delivery: a place in a queue's life, from which a reader continues."""

import re
from dataclasses import dataclass
from typing import Final

from lastvalue.model.errors import InvalidSpecError

_FORM: Final = re.compile(r"(\d{1,18})-(\d{1,18})-(\d{1,18})")


@dataclass(frozen=True, slots=True)
class Token:
    """What a reader has had: all up to a sequence, and all tombstones up to a number, in an epoch."""

    epoch: int
    sequence: int
    number: int

    def __str__(self) -> str:
        return f"{self.epoch}-{self.sequence}-{self.number}"


NO_PLACE: Final = Token(0, 0, 0)
"""Of a queue whose messages do not come by sequence: who comes back with it starts over."""


def read_token(text: str) -> Token:
    """The token that a text means.

    Raises:
        InvalidSpecError: it is none.
    """
    found = _FORM.fullmatch(text)
    if found is None:
        raise InvalidSpecError(f"the token {text!r:.80} is none of this broker's; expected N-N-N")
    return Token(*map(int, found.groups()))
