"""The life of a link from attach to detach, for the calls that wait on it."""

import asyncio
from collections.abc import Mapping
from typing import final

from lastvalue.client.errors import DetachedError, NotOpenError, RefusedError, again
from lastvalue.codec.amqp10.performatives import AmqpError
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError, QueueNotFoundError


@final
class Lifetime:
    """The state of a link's life.

    Attributes:
        address: the node it is attached to.
        failure: why the link has ended, or None.
        closing: this side has detached.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self.failure: LastvalueError | None = None
        self.closing = False
        self._is_attached = False
        self._news = asyncio.Event()

    @property
    def is_open(self) -> bool:
        """Whether the link is attached and neither side has ended it."""
        return self._is_attached and self.failure is None and not self.closing

    def opened(self) -> None:
        """Note that the peer has attached."""
        self._is_attached = True
        self._news.set()

    def ended(self, error: AmqpError | None) -> None:
        """Note that the peer has refused or ended the link."""
        if self._is_attached:
            self.fail(detachment(self.address, error))
        else:
            self.fail(refusal(self.address, error))

    def fail(self, error: LastvalueError) -> None:
        """End the link with this failure, unless it has ended before."""
        if self.failure is None and not self.closing:
            self.failure = error
        self._news.set()

    def interrupted(self) -> None:
        """The connection is lost; the link is attached again when it is back."""
        self._is_attached = False

    @property
    def has_ended(self) -> bool:
        """Whether either side has ended the link."""
        return self.failure is not None or self.closing

    def close(self) -> bool:
        """End the link from this side; false if it has ended before."""
        if self.failure is not None or self.closing:
            return False
        self.closing = True
        self._news.set()
        return True

    def check(self) -> None:
        """Raise the failure that ended the link, if there is one."""
        if self.failure is not None:
            raise again(self.failure)
        if self.closing:
            raise NotOpenError(f"the link to {self.address!r} is closed")

    async def until_open(self) -> None:
        """Wait for the peer's attach; raises the failure if the link ended instead."""
        while not self.is_open:
            self.check()
            self._news.clear()
            await self._news.wait()


def refusal(address: str, error: AmqpError | None) -> LastvalueError:
    """The exception for a link that the broker refused."""
    if error is None:
        return RefusedError(f"the broker refused {address!r}", Condition.NOT_ALLOWED.amqp10)
    if error.condition == Condition.NOT_FOUND.amqp10:
        return QueueNotFoundError(address, error.description)
    refused = RefusedError(f"the broker refused {address!r}", error.condition, error.description or "")
    if isinstance(error.info, Mapping):
        refused.info = {
            str(name): value for name, value in error.info.items() if isinstance(value, str | int)
        }
    return refused


def detachment(address: str, error: AmqpError | None) -> DetachedError:
    """The exception for a link that the broker ended."""
    condition, description = (error.condition, error.description or "") if error else ("", "")
    return DetachedError(
        f"the broker ended the link to {address!r}", condition or Condition.DETACH_FORCED.amqp10, description
    )
