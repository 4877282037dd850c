"""What publishes to queues, as the broker sees it."""

from mypy_extensions import mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True)
class Publisher:
    """Sends messages to queues: a link of some protocol."""

    __slots__ = ()

    def may_send(self) -> None:
        """Flow control changed; recompute the credit."""
        raise NotImplementedError

    def hold(self) -> None:
        """Flow control may stop it from now on; check its credit before it sends more."""
        raise NotImplementedError

    def queue_deleted(self) -> None:
        """The queue was deleted."""
        raise NotImplementedError

    def waits_for(self) -> str:
        """What stops it now; empty is nothing."""
        return ""
