"""Nodes: what the names stand for to which links attach."""

from typing import Final, final
from urllib.parse import unquote

from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.routing.exchange_spec import ExchangeType
from lastvalue.broker.routing.exchanges import Exchange, Exchanges

_QUALIFIER: Final = "::"
_QUEUES: Final = "/queues/"
_EXCHANGES: Final = "/exchanges/"
_NO_KEYS: Final[list[str]] = []


@final
class Node:
    """The node that a name stands for.

    Attributes:
        name: of the queue, the exchange or the address.
        hosted: the queue, if the node is a queue.
        exchange: the exchange, if the node is an exchange; an address has none.
        subject: the text after an exchange's name: the key of messages without a key of their own, or None.
        more_keys: further keys by which the exchange routes what is published there [RabbitMQ].
    """

    __slots__ = ("exchange", "hosted", "more_keys", "name", "subject")

    def __init__(
        self,
        name: str,
        hosted: HostedQueue | None = None,
        exchange: Exchange | None = None,
        subject: str | None = None,
    ) -> None:
        self.name = name
        self.hosted = hosted
        self.exchange = exchange
        self.subject = subject
        self.more_keys: list[str] = _NO_KEYS


def resolved(
    name: str,
    queues: dict[str, HostedQueue],
    exchanges: Exchanges,
    prefers_exchange: bool,
) -> Node | None:
    """The node of a name, or None; a queue wins over an exchange of its name unless exchanges are preferred.

    If no node has the whole name, it is read as `address::queue`, `exchange/key`, `queue/subject` or a path
    of RabbitMQ, and at last compared with the patterns of addresses.
    """
    node = _exact(name, queues, exchanges, prefers_exchange)
    if node is not None:
        return node
    if _QUALIFIER in name:
        return _qualified(name, queues, exchanges)
    slash = name.find("/")
    while slash > 0:
        node = _exact(name[:slash], queues, exchanges, prefers_exchange)
        if node is not None:
            node.subject = name[slash + 1 :]
            return node
        slash = name.find("/", slash + 1)
    node = _by_path(name, queues, exchanges)
    if node is not None:
        return node
    return Node(name) if name and exchanges.addresses(name) else None


def _exact(
    name: str,
    queues: dict[str, HostedQueue],
    exchanges: Exchanges,
    prefers_exchange: bool,
) -> Node | None:
    exchange = exchanges.get(name) if name else None
    hosted = queues.get(name)
    if hosted is not None and (exchange is None or not prefers_exchange):
        return Node(name, hosted)
    if exchange is None:
        return None
    return Node(name, None, None if exchange.spec.type is ExchangeType.ADDRESS else exchange)


def _qualified(name: str, queues: dict[str, HostedQueue], exchanges: Exchanges) -> Node | None:
    """address::queue: the queue, if it is bound to the address or has its name."""
    address, _, queue = name.partition(_QUALIFIER)
    hosted = queues.get(queue)
    if hosted is None:
        return None
    if address == queue:
        return Node(queue, hosted)
    for exchange, _ in exchanges.bindings_of(queue):
        if exchange.name == address:
            return Node(queue, hosted)
    return None


def _by_path(name: str, queues: dict[str, HostedQueue], exchanges: Exchanges) -> Node | None:
    """/queues/QUEUE, /exchanges/EXCHANGE or /exchanges/EXCHANGE/KEY, percent-encoded [RabbitMQ 4]."""
    if name.startswith(_QUEUES):
        queue = unquote(name[len(_QUEUES) :])
        hosted = queues.get(queue)
        return None if hosted is None else Node(queue, hosted)
    if name.startswith(_EXCHANGES):
        path, _, key = name[len(_EXCHANGES) :].partition("/")
        exchange = exchanges.get(unquote(path)) if path else None
        return None if exchange is None else Node(unquote(path), None, exchange, unquote(key))
    return None
