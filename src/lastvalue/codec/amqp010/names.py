"""The interface through which the codec asks whether a name exists in the broker."""

from mypy_extensions import mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True)
class Names:
    """The existing exchanges and queues."""

    __slots__ = ()

    def is_exchange(self, name: str) -> bool:
        """Whether there is an exchange of this name."""
        raise NotImplementedError

    def is_queue(self, name: str) -> bool:
        """Whether there is a queue of this name."""
        raise NotImplementedError
