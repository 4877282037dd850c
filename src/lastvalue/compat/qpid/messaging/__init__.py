"""The interface of `qpid.messaging` over this package's client.

A program for that library runs with its import line changed:

    from lastvalue.compat.qpid.messaging import *

    connection = Connection("localhost")
    connection.open()
    session = connection.session()
    sender = session.sender("prices; {create: always, node: {x-declare: {arguments: {lvq_key: ticker}}}}")
    sender.send(Message("Content", properties={"ticker": "AAPL"}))
    connection.close()
"""

from lastvalue.compat.qpid.messaging.connection import Connection
from lastvalue.compat.qpid.messaging.disposition import REJECTED, RELEASED, Disposition
from lastvalue.compat.qpid.messaging.errors import (
    AssertionFailed,
    AuthenticationFailure,
    ConnectError,
    ConnectionError,  # noqa: A004 - the interface's name
    Empty,
    InvalidOption,
    LinkClosed,
    LinkError,
    MalformedAddress,
    MessagingError,
    NotAvailable,
    NotFound,
    ReceiverError,
    ResolutionError,
    SenderError,
    SendError,
    SessionClosed,
    SessionError,
    TargetCapacityExceeded,
    Timeout,
    TransactionAborted,
    TransactionError,
)
from lastvalue.compat.qpid.messaging.message import Message
from lastvalue.compat.qpid.messaging.receiver import Receiver
from lastvalue.compat.qpid.messaging.sender import Sender
from lastvalue.compat.qpid.messaging.session import Session

__all__ = [
    "REJECTED",
    "RELEASED",
    "AssertionFailed",
    "AuthenticationFailure",
    "ConnectError",
    "Connection",
    "ConnectionError",
    "Disposition",
    "Empty",
    "InvalidOption",
    "LinkClosed",
    "LinkError",
    "MalformedAddress",
    "Message",
    "MessagingError",
    "NotAvailable",
    "NotFound",
    "Receiver",
    "ReceiverError",
    "ResolutionError",
    "SendError",
    "Sender",
    "SenderError",
    "Session",
    "SessionClosed",
    "SessionError",
    "TargetCapacityExceeded",
    "Timeout",
    "TransactionAborted",
    "TransactionError",
]
