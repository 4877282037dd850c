"""Names of queues that tell whose they are, so that nobody can make or use another user's.

A subscription to an exchange has the queue `$subscription/USER/CONTAINER/NAME`, direct replies to a channel
of AMQP 0-9-1 the queue `amq.rabbitmq.reply-to.USER/NUMBER`; each part is percent-encoded. The user needs no
permission on such a queue; who reads a subscription needs read on the exchanges that it is bound to.
"""

from typing import Final
from urllib.parse import quote

from mypy_extensions import i64

from lastvalue.codec.amqp091.reply_to import REPLY_TO
from lastvalue.queues.spec import SUBSCRIPTIONS

_REPLY_QUEUES: Final = f"{REPLY_TO}."


def subscription_queue(principal: str, container: str, name: str) -> str:
    """The queue of a subscription; shared by the user's containers where `container` is empty."""
    return f"{SUBSCRIPTIONS}{_quoted(principal)}/{_quoted(container)}/{_quoted(name)}"


def reply_queue(principal: str, number: i64) -> str:
    """The queue of direct replies to a channel, by its number."""
    return f"{_REPLY_QUEUES}{_quoted(principal)}/{number}"


def owns(principal: str, queue: str) -> bool:
    """Whether the name is one of the user's own."""
    for namespace in (SUBSCRIPTIONS, _REPLY_QUEUES):
        if queue.startswith(namespace):
            return queue.startswith(f"{namespace}{_quoted(principal)}/")
    return False


def _quoted(part: str) -> str:
    return quote(part, safe="")
