"""Targets of a caller that publishes to many nodes: the broker checks each of them once."""

from typing import Final, final

from lastvalue.broker.authorization import Target
from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.routing.nodes import Node

MOST: Final = 1000
"""The most targets that one caller keeps."""


@final
class Targets:
    """A cache of one caller's targets, by the names that were checked.

    Attributes:
        owner: the caller.
    """

    __slots__ = ("_broker", "_by_name", "owner")

    def __init__(self, broker: Broker, owner: Owner) -> None:
        self._broker = broker
        self.owner = owner
        self._by_name: dict[str, Target] = {}

    def of(self, node: Node, name: str = "") -> Target:
        """The right to publish to a node; `name` is the queue's, if the node is the default exchange.

        Raises:
            NotPermittedError: the caller lacks the right.
        """
        checked = name or node.name
        target = self._by_name.get(checked)
        if target is not None:
            before = target.node
            if (
                before.hosted is node.hosted
                and before.exchange is node.exchange
                and before.subject == node.subject
                and not target.revoked
            ):
                return target
            self._broker.release(target)
            del self._by_name[checked]
        elif len(self._by_name) >= MOST:
            self.release()
        target = self._broker.target(node, self.owner, name)
        self._by_name[checked] = target
        return target

    def release(self) -> None:
        """Release all targets."""
        for target in self._by_name.values():
            self._broker.release(target)
        self._by_name = {}
