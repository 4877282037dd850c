"""Who asks the broker for something, and whose a queue is."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError
from lastvalue.model.message import NEVER


@final
class Owner:
    """Who asks: each part may own a queue.

    Attributes:
        connection, session, link: numbers that the broker gave, different for each; 0 is none.
        container, principal: names that the peer gave; "" is none.
        trusted: the broker itself, which may do everything.
    """

    __slots__ = ("connection", "container", "link", "principal", "session", "trusted")

    def __init__(
        self, connection: i64 = 0, session: i64 = 0, link: i64 = 0, container: str = "", principal: str = ""
    ) -> None:
        self.connection: i64 = connection
        self.session: i64 = session
        self.link: i64 = link
        self.container = container
        self.principal = principal
        self.trusted = False


def _trusted() -> Owner:
    owner = Owner()
    owner.trusted = True
    return owner


NOBODY: Final = Owner()
"""A caller without a name, who may do what everybody may."""

BROKER: Final = _trusted()
"""The broker's own process: what it restores, and what its operator's file declares."""


@final
class QueueOwnership:
    """Whose a queue is, and how long it stays.

    Attributes:
        owner: who may use it, where its declaration reserves it and somebody does.
        by_use: the owner is who came first; it ends when it goes.
        read, linked: it has had a reader; a reader or a publisher.
        ends_ms: when it is to be deleted unless it is used before, or NEVER.
        ending: its deletion has begun.
        scopes: the connection, session or link that it goes with, or belongs to.
    """

    __slots__ = ("by_use", "ending", "ends_ms", "linked", "owner", "read", "scopes")

    def __init__(self) -> None:
        self.owner: Owner | None = None
        self.by_use = False
        self.read = False
        self.linked = False
        self.ends_ms: i64 = NEVER
        self.ending = False
        self.scopes: list[int] = []


@mypyc_attr(native_class=False)
class QueueLockedError(BrokerError):
    """A queue belongs to somebody else."""

    condition = Condition.RESOURCE_LOCKED

    def __init__(self, name: str, whose: str) -> None:
        super().__init__(f"queue {name!r} is reserved for its {whose}; others may only browse and publish")
        self.name = name
