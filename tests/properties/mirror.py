"""What a reader that watches a queue knows, from its messages alone."""

from dataclasses import dataclass, field
from typing import Any

from lastvalue.client import Message


def patched(before: Any, patch: dict[str, Any]) -> dict[str, Any]:
    """[RFC 7396]"""
    result = dict(before)
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        elif isinstance(value, dict) and isinstance(result.get(name), dict):
            result[name] = patched(result[name], value)
        else:
            result[name] = value
    return result


@dataclass
class Mirror:
    """The values of the keys, and the token of the last message.

    Attributes:
        fresh: how many markers said that all values came; resumed: that only the changes did.
        twice: messages that the reader had had before, although it went on.
        removals: the keys that lost their values, and why.
    """

    values: dict[str, Any] = field(default_factory=dict)
    sequences: dict[str, int] = field(default_factory=dict)
    token: str | None = None
    fresh: int = 0
    resumed: int = 0
    twice: list[tuple[str, int]] = field(default_factory=list)
    removals: list[tuple[str, str]] = field(default_factory=list)
    _first: set[str] = field(default_factory=set)
    # The values that came without a token, by key, on this connection and those before. The reader continues
    # from an older token where its first values broke off, and these come again.
    _untold: dict[str, int] = field(default_factory=dict)
    _broken_off: dict[str, int] = field(default_factory=dict)

    def connect(self) -> None:
        """The reader comes back, or starts over."""
        self._first = set()
        self._broken_off |= self._untold
        self._untold = {}
        self.twice = []

    def take(self, message: Message) -> None:
        self.token = message.token or self.token
        if message.snapshot is not None:
            self._mark(message.snapshot)
            return
        key = str(message.properties["k"])
        if message.removed is not None:
            self.removals.append((key, message.removed))
            self.values.pop(key, None)
            self.sequences.pop(key, None)
            self._first.discard(key)
            return
        number = message.sequence or 0
        if number == self.sequences.get(key) and number != self._broken_off.get(key):
            self.twice.append((key, number))
        if message.token is None:
            self._untold[key] = number
        if message.delta is None:
            self.values[key] = message.body
        else:
            assert isinstance(message.body, dict)
            self.values[key] = patched(self.values[key], message.body)
        self.sequences[key] = number
        self._first.add(key)

    def _mark(self, kind: str) -> None:
        if kind == "begun":
            self.connect()
            return
        # What came out of turn may come again to who continues after the marker.
        upto = int((self.token or "0-0-0").split("-")[1])
        self._untold = {key: number for key, number in self._untold.items() if number > upto}
        self._broken_off = {key: number for key, number in self._broken_off.items() if number > upto}
        if kind == "fresh":
            self.fresh += 1
            self.twice = []
            for key in set(self.values) - self._first:
                del self.values[key], self.sequences[key]
        else:
            self.resumed += 1
            assert not self.twice
