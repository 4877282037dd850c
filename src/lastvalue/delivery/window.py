"""What a consumer may be sent: messages and bytes, as credit that is used up or as a window that refills."""

from typing import Final, final

from mypy_extensions import i64

UNLIMITED: Final = 0xFFFFFFFF


@final
class Balance:
    """What may be sent of one unit.

    Attributes:
        limit: what was granted, less what was used where that does not come back; UNLIMITED is without end.
        used: of a window, what was sent and has not come back.
    """

    __slots__ = ("limit", "used")

    def __init__(self, limit: i64 = 0) -> None:
        self.limit: i64 = limit
        self.used: i64 = 0

    def left(self) -> i64:
        """What may be sent now."""
        return self.limit if self.limit == UNLIMITED else self.limit - self.used

    def add(self, value: i64) -> None:
        """Grant more; what is unlimited stays so."""
        if self.limit != UNLIMITED:
            self.limit = UNLIMITED if value == UNLIMITED else min(self.limit + value, UNLIMITED - 1)

    def spend(self, amount: i64, refills: bool) -> None:
        """Something is sent."""
        if refills:
            self.used += amount
        elif self.limit != UNLIMITED:
            self.limit = max(0, self.limit - amount)

    def restore(self, amount: i64) -> None:
        """Of a window, something has come back."""
        self.used = max(0, self.used - amount)

    def cancel(self) -> None:
        """Nothing may be sent until more is granted."""
        self.limit = 0
        self.used = 0


@final
class Window:
    """What may be sent to one consumer, or to several together.

    Attributes:
        refills: what has come back may be sent again; otherwise what is sent is used up.
        epoch: how often it was cancelled: what was sent before that does not come back.
    """

    __slots__ = ("_estimates", "_expected_bytes", "bytes", "epoch", "messages", "refills")

    def __init__(self) -> None:
        self.messages = Balance()
        self.bytes = Balance()
        self.refills = True
        self.epoch = 0
        self._estimates = False
        self._expected_bytes: i64 = 1

    def is_open(self) -> bool:
        """Whether there may be room for one more message."""
        messages = self.messages
        if messages.left() <= 0:
            return False
        if self._estimates and messages.used == 0:
            return True
        return self.bytes.left() >= self._expected_bytes

    def room_for_any(self) -> i64:
        """How many messages may be sent whatever their sizes are; 0 if it limits their bytes."""
        return self.messages.left() if self.bytes.limit == UNLIMITED else 0

    def covers(self, size_bytes: i64) -> bool:
        """Whether a message of that size may be sent."""
        return self.messages.left() > 0 and self.bytes.left() >= size_bytes

    def spend(self, size_bytes: i64) -> None:
        """A message is sent."""
        self.messages.spend(1, self.refills)
        self.bytes.spend(size_bytes, self.refills)
        if self._estimates:
            self._expected_bytes = size_bytes

    def restore(self, size_bytes: i64, epoch: int) -> None:
        """A message that was sent in some epoch has come back."""
        if self.refills and epoch == self.epoch:
            self.messages.restore(1)
            self.bytes.restore(size_bytes)

    def cancel(self) -> None:
        """Nothing may be sent until more is granted."""
        self.epoch += 1
        self.messages.cancel()
        self.bytes.cancel()

    def set_prefetch(self, messages: i64, size_bytes: i64) -> None:
        """Have at most this many messages, and bytes of them, out; 0 is any number.

        The size of a message counts as that of the last one, and one message may be out however large it is.
        """
        self.messages.limit = messages if messages > 0 else UNLIMITED
        self.bytes.limit = size_bytes if size_bytes > 0 else UNLIMITED
        self._estimates = True


def prefetch_window(messages: i64, size_bytes: i64) -> Window:
    """A window for a number of messages and bytes, see `Window.set_prefetch`."""
    window = Window()
    window.set_prefetch(messages, size_bytes)
    return window
