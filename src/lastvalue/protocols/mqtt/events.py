"""The events of the engine."""

from typing import final

from mypy_extensions import i64

from lastvalue.codec.mqtt.packets import Ack, Connect, Publish, Subscribe, Unsubscribe


class Event:
    """An event; see the subclasses."""

    __slots__ = ()


@final
class ConnectRequested(Event):
    """The peer has proved who it is: `Connection.accept` or `Connection.refuse` answers it.

    Attributes:
        connect: what it asks for.
        identity: the user.
        mechanism: by which that was proved.
    """

    __slots__ = ("connect", "identity", "mechanism")

    def __init__(self, connect: Connect, identity: str, mechanism: str) -> None:
        self.connect = connect
        self.identity = identity
        self.mechanism = mechanism


@final
class Published(Event):
    """A message arrived; its topic alias is resolved.

    At QoS 1 a PUBACK answers it, at QoS 2 a PUBREC, also if the message has been sent before.
    """

    __slots__ = ("publish",)

    def __init__(self, publish: Publish) -> None:
        self.publish = publish


@final
class Acknowledged(Event):
    """PUBACK, PUBREC or PUBCOMP of a delivery, or PUBREL of a message from the peer.

    A PUBREL is answered by PUBCOMP, and a PUBREC without a failure by PUBREL.
    """

    __slots__ = ("ack",)

    def __init__(self, ack: Ack) -> None:
        self.ack = ack


@final
class Subscribed(Event):
    """The peer subscribes: `Connection.suback` answers it."""

    __slots__ = ("subscribe",)

    def __init__(self, subscribe: Subscribe) -> None:
        self.subscribe = subscribe


@final
class Unsubscribed(Event):
    """The peer unsubscribes: `Connection.unsuback` answers it."""

    __slots__ = ("unsubscribe",)

    def __init__(self, unsubscribe: Unsubscribe) -> None:
        self.unsubscribe = unsubscribe


@final
class Pinged(Event):
    """The peer wanted to hear from this side, and has."""

    __slots__ = ()


@final
class Disconnected(Event):
    """The peer leaves in order; if a connection ends without this event, its will is published.

    Attributes:
        with_will: the peer wants its will published.
        session_expiry_s: the new expiry of its session; -1 if it says none.
    """

    __slots__ = ("session_expiry_s", "with_will")

    def __init__(self, with_will: bool, session_expiry_s: i64) -> None:
        self.with_will = with_will
        self.session_expiry_s: i64 = session_expiry_s
