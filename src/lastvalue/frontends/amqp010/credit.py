"""What a subscription may be sent: messages and bytes, once or as a window [0-10 message.flow]."""

from typing import Final, final

from mypy_extensions import i64

UNLIMITED: Final = 0xFFFFFFFF
MESSAGE: Final = 0
BYTE: Final = 1
CREDIT_MODE: Final = 0
WINDOW_MODE: Final = 1


@final
class Balance:
    """Credit of one unit.

    Attributes:
        limit: what was given, less what has been used up where it is no window; UNLIMITED is without end.
        used: of a window, what has been sent and not been completed.
    """

    __slots__ = ("limit", "used")

    def __init__(self) -> None:
        self.limit: i64 = 0
        self.used: i64 = 0

    def left(self) -> i64:
        """What may be sent now."""
        return self.limit if self.limit == UNLIMITED else self.limit - self.used

    def add(self, value: i64) -> None:
        """Give more; without end stays so."""
        if self.limit != UNLIMITED:
            self.limit = UNLIMITED if value == UNLIMITED else min(self.limit + value, UNLIMITED - 1)

    def take(self, amount: i64, window: bool) -> None:  # noqa: FBT001 - hot
        """Something is sent."""
        if self.limit == UNLIMITED:
            return
        if window:
            self.used += amount
        else:
            self.limit = max(0, self.limit - amount)

    def give_back(self, amount: i64) -> None:
        """Of a window, something is completed."""
        self.used = max(0, self.used - amount)

    def cancel(self) -> None:
        """Nothing may be sent until more is given."""
        self.limit = 0
        self.used = 0


@final
class Credit:
    """The credit of one subscription.

    Attributes:
        window: what is completed may be sent again.
        epoch: how often it was cancelled: what was sent before that gives nothing back.
    """

    __slots__ = ("bytes", "epoch", "messages", "window")

    def __init__(self) -> None:
        self.messages = Balance()
        self.bytes = Balance()
        self.window = True
        self.epoch = 0

    def open(self) -> bool:
        """Whether there is any for a message, however small."""
        return self.messages.left() > 0 and self.bytes.left() > 0

    def covers(self, size_bytes: i64) -> bool:
        """Whether a message of that size may be sent."""
        return self.messages.left() > 0 and self.bytes.left() >= size_bytes

    def spend(self, size_bytes: i64) -> None:
        """A message is sent."""
        self.messages.take(1, self.window)
        self.bytes.take(size_bytes, self.window)

    def complete(self, size_bytes: i64, epoch: int) -> None:
        """A message that was sent in some epoch has been completed."""
        if self.window and epoch == self.epoch:
            self.messages.give_back(1)
            self.bytes.give_back(size_bytes)

    def add(self, unit: i64, value: i64) -> None:
        """Give more of a unit."""
        (self.messages if unit == MESSAGE else self.bytes).add(value)

    def cancel(self) -> None:
        """Nothing may be sent until more is given."""
        self.epoch += 1
        self.messages.cancel()
        self.bytes.cancel()
