"""How a peer became its user, where that outlives the connection."""

from abc import abstractmethod

from mypy_extensions import mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True)
class Authentication:
    """What a peer proved, and what may end its connection later: a user or a token that is valid no more."""

    __slots__ = ()

    @property
    @abstractmethod
    def revoked(self) -> str | None:
        """Why it is valid no more, or None."""
        raise NotImplementedError

    @abstractmethod
    def follow(self, earlier: "Authentication") -> None:
        """The peer continues as the user of an earlier connection, with what may end that."""
        raise NotImplementedError
