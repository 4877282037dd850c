"""The audit: who changed what, and who was refused, until the broker's owner takes it."""

from typing import final

from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.verbs import Verb


@final
class AuditRecord:
    """A command that has changed something, or was refused for lack of a right.

    Attributes:
        owner: the caller.
        verb: what it asked for.
        name: on which queue, exchange or other thing.
        destination: where something was moved, copied or bound to; empty where the verb has none.
        detail: what was changed about it; empty where the verb says all.
        right: that the caller lacks; empty where the command was carried out.
    """

    __slots__ = ("destination", "detail", "name", "owner", "right", "verb")

    def __init__(
        self, owner: Owner, verb: Verb, name: str, destination: str = "", detail: str = "", right: str = ""
    ) -> None:
        self.owner = owner
        self.verb = verb
        self.name = name
        self.destination = destination
        self.detail = detail
        self.right = right
