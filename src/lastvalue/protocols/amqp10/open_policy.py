"""Who may open a connection: the engine asks its owner."""

from abc import abstractmethod

from mypy_extensions import mypyc_attr

from lastvalue.codec.amqp10.performatives import AmqpError, Open
from lastvalue.codec.amqp10.values import Value


@mypyc_attr(allow_interpreted_subclasses=True)
class OpenPolicy:
    """Decides who may open a connection."""

    __slots__ = ()

    @abstractmethod
    def refusal(self, remote: Open) -> AmqpError | None:
        """The reason why the peer may not open the connection, or None."""
        raise NotImplementedError

    @abstractmethod
    def admit(self, user: str) -> str | None:
        """The open connection is another user's: the reason why that one may not have it, or None."""
        raise NotImplementedError

    @abstractmethod
    def properties(self, remote: Open) -> dict[str, Value]:
        """The properties of the answer that the peer's capabilities ask for."""
        raise NotImplementedError
