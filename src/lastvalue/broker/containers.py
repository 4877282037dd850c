"""The open connections of each container, of which one may want to be the only one."""

from abc import abstractmethod
from typing import final

from mypy_extensions import mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True)
class ContainerConnection:
    """An open connection of a container, for those of the same container that come later.

    Attributes:
        container: the container's name.
        enforcement: what becomes of the second connection, as this one asked; None if it did not ask.
    """

    __slots__ = ("container", "enforcement")

    def __init__(self, container: str, enforcement: int | None) -> None:
        self.container = container
        self.enforcement = enforcement

    @property
    @abstractmethod
    def user(self) -> str:
        """Who is connected."""
        raise NotImplementedError

    @abstractmethod
    def give_way(self) -> None:
        """Close it, because another one takes its place; it leaves at once."""
        raise NotImplementedError


@final
class Containers:
    """The open connections by their containers.

    A container has at most one connection that asked to be alone. A user cannot shut out another one, who
    has not asked, by the name of that one's container.
    """

    __slots__ = ("_alone", "_others")

    def __init__(self) -> None:
        self._alone: dict[str, ContainerConnection] = {}
        self._others: dict[str, dict[ContainerConnection, None]] = {}

    def rivals(self, container: str, user: str, asks: bool) -> list[ContainerConnection]:
        """The connections that must end for a user's new one, which may or may not ask to be alone."""
        alone = self._alone.get(container)
        found = [] if alone is None or not (asks or alone.user == user) else [alone]
        if asks:
            found += [each for each in self._others.get(container, ()) if each.user == user]
        return found

    def enter(self, connection: ContainerConnection) -> None:
        """It is open, and its rivals have left."""
        if connection.enforcement is None:
            self._others.setdefault(connection.container, {})[connection] = None
        else:
            self._alone[connection.container] = connection

    def leave(self, connection: ContainerConnection) -> None:
        """It is over; a second call does nothing."""
        container = connection.container
        if self._alone.get(container) is connection:
            del self._alone[container]
        others = self._others.get(container)
        if others is not None:
            others.pop(connection, None)
            if not others:
                del self._others[container]
