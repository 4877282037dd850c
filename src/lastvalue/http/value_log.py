"""The newest event of each key of a queue, in the order in which they came."""

from bisect import bisect_left, bisect_right
from collections.abc import Hashable
from typing import Final

from lastvalue.http.follow_events import FollowEvent

MOST_REMOVALS: Final = 10_000
_SLACK: Final = 1024


class ValueLog:
    """A log of which an event leaves when a newer one of its key comes: it is as long as there are keys.

    A reader's place in it is a number: the reader has had what is newest of all that came up to there.
    Removals stay, too, as far as MOST_REMOVALS; what was before is forgotten.

    Attributes:
        end: the number of the newest event.
        forgotten: who has a place before this one may lack a removal.
        size_bytes: what the events take.
    """

    def __init__(self) -> None:
        self.end = 0
        self.forgotten = 0
        self.size_bytes = 0
        self._numbers: list[int] = []
        self._events: list[FollowEvent | None] = []
        # From which sequence and removal on a token stands for the event [docs/protocols/watch.md]:
        # neither ever becomes less.
        self._sequences: list[int] = []
        self._removal_numbers: list[int] = []
        self._number_of: dict[Hashable, int] = {}
        self._removals = 0
        # Of the removals up to this one not all are known.
        self._unknown_to: int | None = None
        self._newest_token: tuple[int, int, int] | None = None

    def put(self, event: FollowEvent) -> None:
        """Add the newest event of a key."""
        self.end += 1
        replaced = self._number_of.get(event.key)
        if replaced is not None:
            self._drop(bisect_left(self._numbers, replaced))
        self._pass(event)
        _, sequence, removal_number = self._newest_token or (0, 0, 0)
        if event.token is None and event.kind == "value" and event.sequence is not None:
            # What came out of turn has none, and the token of what came before it does not stand for it.
            sequence = max(sequence, event.sequence)
        if self._sequences:
            sequence = max(sequence, self._sequences[-1])
        self._number_of[event.key] = self.end
        self._numbers.append(self.end)
        self._events.append(event)
        self._sequences.append(sequence)
        self._removal_numbers.append(removal_number)
        self.size_bytes += event.size_bytes
        self._removals += event.kind == "removed"
        if len(self._events) > 2 * len(self._number_of) + _SLACK or self._removals > 2 * MOST_REMOVALS:
            self._compact()

    def complete(self, marker: FollowEvent) -> None:
        """All present values are there; what changes from now on is known."""
        self._pass(marker)
        self._unknown_to = None if self._newest_token is None else self._newest_token[2]

    def place_of(self, token: str | None) -> int | None:
        """The place of a reader that had a token last; None if something that it lacks is not known."""
        unknown_to, newest = self._unknown_to, self._newest_token
        if token is None or unknown_to is None or newest is None:
            return None
        epoch, sequence, removal_number = _parts(token)
        # Epoch 0 is that of a queue whose messages do not come by sequence.
        if (
            epoch == 0
            or epoch != newest[0]
            or sequence > newest[1]
            or not unknown_to <= removal_number <= newest[2]
        ):
            return None
        at = min(bisect_right(self._sequences, sequence), bisect_right(self._removal_numbers, removal_number))
        return self.end if at == len(self._numbers) else self._numbers[at] - 1

    def after(self, place: int, upto: int, most_bytes: int) -> tuple[list[FollowEvent], int]:
        """The next events after a place, up to another one, as many as are to be sent together.

        Returns them with the place after them.
        """
        found: list[FollowEvent] = []
        size = 0
        for at in range(bisect_right(self._numbers, place), len(self._numbers)):
            number = self._numbers[at]
            if number > upto:
                break
            event = self._events[at]
            if event is None:
                continue
            found.append(event)
            size += len(event.data)
            if size >= most_bytes:
                return found, number
        return found, max(place, upto)

    def _pass(self, event: FollowEvent) -> None:
        if event.token is not None:
            self._newest_token = _parts(event.token)

    def _drop(self, at: int) -> None:
        event = self._events[at]
        if event is not None:
            self._events[at] = None
            self.size_bytes -= event.size_bytes
            self._removals -= event.kind == "removed"

    def _compact(self) -> None:
        """Forget the oldest removals, and leave no gaps."""
        too_many = self._removals - MOST_REMOVALS
        for at, event in enumerate(self._events):
            if too_many <= 0:
                break
            if event is not None and event.kind == "removed":
                self._drop(at)
                del self._number_of[event.key]
                self.forgotten, self._unknown_to = self._numbers[at], self._removal_numbers[at]
                too_many -= 1
        kept = [at for at, event in enumerate(self._events) if event is not None]
        self._numbers = [self._numbers[at] for at in kept]
        self._events = [self._events[at] for at in kept]
        self._sequences = [self._sequences[at] for at in kept]
        self._removal_numbers = [self._removal_numbers[at] for at in kept]


def _parts(token: str) -> tuple[int, int, int]:
    """The epoch, the sequence and the number of a token."""
    epoch, sequence, number = token.split("-")
    return int(epoch), int(sequence), int(number)
