"""Who is connected, over whatever protocol, as those see it who look after the broker."""

from typing import Any, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.reading import Reading
from lastvalue.queues.subscription import Mode


@final
class Reader:
    """Somebody who reads a queue.

    Attributes:
        name: of the link or the consumer.
        queue: the queue's name.
        browses: nothing is taken from the queue.
        settles: what is sent has left the queue.
        held: how many messages it has and has not settled.
    """

    __slots__ = ("browses", "held", "name", "queue", "settles")

    def __init__(self, name: str, reading: Reading, settles: bool) -> None:  # noqa: FBT001 - compiled, positional
        self.name = name
        self.queue = reading.hosted.queue.spec.name
        self.browses = reading.subscription.mode is not Mode.CONSUME
        self.settles = settles
        self.held = len(reading.subscription.held.entries())


@final
class Stay:
    """A session or a channel, by its number."""

    __slots__ = ("channel", "readers")

    def __init__(self, channel: i64, readers: list[Reader]) -> None:
        self.channel: i64 = channel
        self.readers = readers


@final
class Visit:
    """A connection.

    Attributes:
        name: of the broker's giving; no other connection has had it.
        protocol: and its version.
        identity: the user.
        mechanism: by which that was proved; empty where it is not known.
        program: what the peer calls itself.
        told: what else the peer told of itself.
    """

    __slots__ = ("identity", "mechanism", "name", "program", "protocol", "stays", "told")

    def __init__(self, name: str, protocol: str, identity: str) -> None:
        self.name = name
        self.protocol = protocol
        self.identity = identity
        self.mechanism = ""
        self.program = ""
        self.told: dict[str, Any] = {}
        self.stays: list[Stay] = []


@mypyc_attr(allow_interpreted_subclasses=True)
class Guest:
    """A connection that can be asked."""

    __slots__ = ()

    def visit(self) -> Visit | None:
        """What there is of it now; None while it is not open."""
        raise NotImplementedError

    def shut_down(self, reason: str) -> None:
        """Close it from this side."""
        raise NotImplementedError


@final
class Guests:
    """The connections that there are."""

    __slots__ = ("_guests",)

    def __init__(self) -> None:
        self._guests: dict[Guest, None] = {}

    def join(self, guest: Guest) -> None:
        """A connection comes."""
        self._guests[guest] = None

    def leave(self, guest: Guest) -> None:
        """It is gone; telling it more than once does no harm."""
        self._guests.pop(guest, None)

    def visits(self) -> list[Visit]:
        """What there is of those that are open."""
        return [visit for visit in [guest.visit() for guest in self._guests] if visit is not None]

    def turn_out(self, name: str, reason: str) -> bool:
        """Close the connection of that name; whether there is one."""
        for guest in list(self._guests):
            visit = guest.visit()
            if visit is not None and visit.name == name:
                guest.shut_down(reason)
                return True
        return False
