"""What a translator asks the broker about names."""

from mypy_extensions import mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True)
class Names:
    """What there is of a name."""

    __slots__ = ()

    def is_exchange(self, name: str) -> bool:
        """Whether there is an exchange of that name."""
        raise NotImplementedError

    def is_queue(self, name: str) -> bool:
        """Whether there is a queue of that name."""
        raise NotImplementedError
