"""How a connection that is lost is made again, and where its readers continue."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final, final

from lastvalue.client.errors import ConnectionLostError
from lastvalue.client.message import Message
from lastvalue.client.wanted import Wanted, WatchOptions
from lastvalue.model.property_names import DUPLICATE_ID, ORIGINAL_SEQUENCE

SETTLED_FOR_S: Final = 10.0
"""After so long the broker counts as back: where it is lost again, the first wait is short again."""

MOST_REMEMBERED: Final = 5000
"""How many of the last messages' ids a reader remembers, should a killed broker not have stored them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconnection:
    """How a connection that is lost is made again.

    Attributes:
        first_wait_s: before the first attempt; each further one waits twice as long. All waits are shortened
            by a random part of up to a half, so that clients do not come back all at once.
        longest_wait_s: between two attempts.
        give_up_s: after how long the connection has ended; None: it never gives up.
        on_change: called in the connection's loop with the error when the connection is lost, and with None
            when it is there again; it must not raise.
        redirects_only: a connection that is lost has ended; it is made again only where the broker sends the
            client to another one, and nothing is on its way that the client would have to repeat.
    """

    first_wait_s: float = 0.25
    longest_wait_s: float = 30.0
    give_up_s: float | None = None
    on_change: Callable[[ConnectionLostError | None], None] | None = None
    redirects_only: bool = False

    def __post_init__(self) -> None:
        if self.first_wait_s < 0 or self.longest_wait_s < self.first_wait_s:
            waits = f"{self.first_wait_s:g} and {self.longest_wait_s:g}"
            raise ValueError(f"first_wait_s is 0 or more, longest_wait_s no less than that; not {waits}")

    def wait_s(self, failed: int, chance: float) -> float:
        """How long to wait after this many failed attempts; `chance` is a random number from 0 to 1."""
        longest = min(self.first_wait_s * 2.0 ** min(failed, 60), self.longest_wait_s)
        return longest * (1 - chance / 2)


REDIRECTS_ONLY: Final = Reconnection(
    first_wait_s=0.0, longest_wait_s=1.0, give_up_s=10.0, redirects_only=True
)
"""For a call that ends where its broker does, and goes to the leader where it has asked a follower."""


def transmission(message: Message) -> tuple[object, object] | None:
    """What tells a message that its producer sent again from others, or None if it has no id.

    A dead letter that an operator sends back has its id, but is not the one that was there before.
    """
    given = message.duplicate_id or message.properties.get(DUPLICATE_ID)
    return None if given is None else (given, message.annotations.get(ORIGINAL_SEQUENCE))


@final
class Place:
    """Where a browser is: what the application has had of the queue.

    A broker that was killed may have lost what it had sent, and number other messages so. These came later
    than the last one that the application had: by sequence and time nothing is left out or comes again. What
    was lost and is sent again by its producer has the same id.

    Args:
        watch: how it watches, if it does.

    Attributes:
        token: of a browser that watches: that of the last message.
        is_known_by_token: the broker knows by a token what the application has had. If it does not, because
            it has lost some of that, all values come again, and count.
    """

    def __init__(self, watch: WatchOptions | None = None) -> None:
        self.token: str | None = None
        self.is_known_by_token: Final = watch is not None and watch.policy is None
        self._has_tokens = watch is not None
        self._sequence = -1
        self._time_ms = -1
        # Those after the last sequence that were held back, and when they were due.
        self._late: dict[tuple[int, int], int] = {}
        self._began_s: float | None = None
        self._ids: deque[object] = deque(maxlen=MOST_REMEMBERED)
        self._before: set[object] = set()

    def interrupted(self) -> None:
        """The connection is lost."""
        self._before = set(self._ids)

    def begin(self, now_s: float) -> None:
        """The browser attaches for the first time at this monotonic time."""
        if self._began_s is None:
            self._began_s = now_s

    def note_token(self, newest_first: Iterable[Message]) -> None:
        """The application gets these messages, of which those with a token say where it is."""
        for message in newest_first:
            if message.token is not None:
                self.token = message.token
                return

    def note(self, message: Message) -> bool:
        """The application gets a message; false if it had it before the connection was lost."""
        if self._has_tokens:
            self.note_token((message,))
            if self.is_known_by_token:
                return True
        sequence, time_ms = message.sequence, message.arrival_time_ms
        if sequence is not None and time_ms is not None and not self._move(message, sequence, time_ms):
            return False
        given = transmission(message)
        if given is None:
            return True
        if given in self._before:
            return False
        self._ids.append(given)
        return True

    def _move(self, message: Message, sequence: int, time_ms: int) -> bool:
        """Continue to a message; false if it is one that was held back, and has come before."""
        if sequence > self._sequence:
            self._sequence = sequence
            self._time_ms = max(self._time_ms, _due_ms(message, time_ms))
        elif time_ms > self._time_ms:
            # It has a number that a lost message had.
            self._sequence, self._time_ms = sequence, time_ms
        else:
            # It was held back, so it comes late; others that were due before it may not have come.
            late, due_ms = (sequence, time_ms), _due_ms(message, time_ms)
            if late in self._late:
                return False
            if due_ms > self._time_ms:
                self._late[late] = due_ms
            return True
        # All that was due until then and has an earlier sequence has come.
        if self._late:
            self._late = {late: due_ms for late, due_ms in self._late.items() if due_ms > self._time_ms}
        return True

    def wanted(self, asked: Wanted, now_s: float) -> Wanted:
        """What a browser that asked for this asks for when it comes back at this monotonic time."""
        if asked.watch is not None:
            token = self.token or asked.watch.token
            return replace(asked, watch=replace(asked.watch, token=token))
        if self._sequence >= 0:
            after = max(self._sequence, asked.after or 0)
            return replace(asked, replay_period_s=None, after=after, after_ms=self._time_ms)
        if asked.replay_period_s is not None and self._began_s is not None:
            # The period counts back from when the browser came first.
            away_s = int(now_s - self._began_s) + 1
            return replace(asked, replay_period_s=asked.replay_period_s + away_s)
        return asked


def _due_ms(message: Message, time_ms: int) -> int:
    """When a message was to be delivered, if it says so."""
    at = message.annotations.get("x-opt-delivery-time")
    delay = message.annotations.get("x-opt-delivery-delay")
    if isinstance(at, int):
        return int(at)
    return time_ms + int(delay) if isinstance(delay, int) else time_ms
