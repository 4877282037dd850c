"""The Python client for asyncio; `lastvalue.client.blocking` has the same names without await.

async with connect("amqp://127.0.0.1:5672") as connection:
    prices = await connection.declare("prices", lvq_key="symbol")
    await prices.send(Message(101.5, {"symbol": "AAPL"}))
    async for message in prices.browse():
        print(message.body, message.updates)
"""

from lastvalue.client.choice import Choice, HandledMessages
from lastvalue.client.connection import Connection, connect
from lastvalue.client.errors import (
    AuthenticationError,
    ClientError,
    ConnectFailedError,
    ConnectionLostError,
    ConnectTimedOutError,
    DetachedError,
    InvalidMessageError,
    InvalidUrlError,
    MalformedMessageError,
    NotOpenError,
    RefusedError,
    SendRejectedError,
    TimedOutError,
    TransactionRolledBackError,
    UntrustedBrokerError,
)
from lastvalue.client.exchange_info import BindingInfo, ExchangeInfo
from lastvalue.client.explanation import Explanation, Explanations
from lastvalue.client.key_facts import KeyFacts, KeyOrder
from lastvalue.client.message import Message
from lastvalue.client.outbox import Refusal
from lastvalue.client.page import Page
from lastvalue.client.partitioned_queue import PartitionedQueue
from lastvalue.client.queue import Queue
from lastvalue.client.queue_info import HistoryExtent, QueueInfo, Sequences
from lastvalue.client.receiver import Browser, Delivery, Receiver
from lastvalue.client.reconnection import Reconnection
from lastvalue.client.sender import Sender
from lastvalue.client.transaction import Transaction
from lastvalue.client.values import ChangeResult, DeleteResult, PutResult
from lastvalue.client.wanted import Wanted, WatchOptions
from lastvalue.client.watched_values import Change
from lastvalue.client.watcher import Watcher
from lastvalue.model.errors import QueueNotFoundError

__all__ = [
    "AuthenticationError",
    "BindingInfo",
    "Browser",
    "Change",
    "ChangeResult",
    "Choice",
    "ClientError",
    "ConnectFailedError",
    "ConnectTimedOutError",
    "Connection",
    "ConnectionLostError",
    "DeleteResult",
    "Delivery",
    "DetachedError",
    "ExchangeInfo",
    "Explanation",
    "Explanations",
    "HandledMessages",
    "HistoryExtent",
    "InvalidMessageError",
    "InvalidUrlError",
    "KeyFacts",
    "KeyOrder",
    "MalformedMessageError",
    "Message",
    "NotOpenError",
    "Page",
    "PartitionedQueue",
    "PutResult",
    "Queue",
    "QueueInfo",
    "QueueNotFoundError",
    "Receiver",
    "Reconnection",
    "Refusal",
    "RefusedError",
    "SendRejectedError",
    "Sender",
    "Sequences",
    "TimedOutError",
    "Transaction",
    "TransactionRolledBackError",
    "UntrustedBrokerError",
    "Wanted",
    "WatchOptions",
    "Watcher",
    "connect",
]
