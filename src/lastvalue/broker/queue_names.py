"""Names of queues that contain their owner, so that no user can declare or use another user's queue.

A subscription to an exchange has the queue `$subscription/USER/CONTAINER/NAME`, direct replies to a channel
of AMQP 0-9-1 the queue `amq.rabbitmq.reply-to.USER/NUMBER`; each part is percent-encoded. The user needs no
permission on such a queue; the reader of a subscription needs `read` on the exchanges of its bindings.
"""

from typing import Final
from urllib.parse import quote, unquote

from mypy_extensions import i64

from lastvalue.codec.amqp091.reply_to import REPLY_TO
from lastvalue.queues.spec import SUBSCRIPTIONS

_REPLY_QUEUES: Final = f"{REPLY_TO}."


def subscription_queue(principal: str, container: str, name: str) -> str:
    """The queue of a subscription; if `container` is empty, all containers of the user share it."""
    return f"{SUBSCRIPTIONS}{_quoted(principal)}/{_quoted(container)}/{_quoted(name)}"


def reply_queue(principal: str, number: i64) -> str:
    """The queue of direct replies to a channel, by its number."""
    return f"{_REPLY_QUEUES}{_quoted(principal)}/{number}"


def owns(principal: str, queue: str) -> bool:
    """Whether the name is that of a subscription or reply queue of this user."""
    for namespace in (SUBSCRIPTIONS, _REPLY_QUEUES):
        if queue.startswith(namespace):
            return queue.startswith(f"{namespace}{_quoted(principal)}/")
    return False


def user_of(queue: str) -> str | None:
    """The user whose subscription queue has this name; None for other queues."""
    if not queue.startswith(SUBSCRIPTIONS):
        return None
    return unquote(queue[len(SUBSCRIPTIONS) :].split("/", maxsplit=1)[0])


def _quoted(part: str) -> str:
    return quote(part, safe="")
