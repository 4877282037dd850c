"""Publishes three prices to the last-value queue "prices" and takes what is current.

Told host:port, user and password.
"""

import sys

from azure.servicebus._pyamqp import ReceiveClient, SendClient
from azure.servicebus._pyamqp.authentication import SASLPlainAuth
from azure.servicebus._pyamqp.constants import ReceiverSettleMode, SenderSettleMode
from azure.servicebus._pyamqp.message import Message

broker, user, password = sys.argv[1:]
options = {"auth": SASLPlainAuth(user, password), "use_tls": False}
# By default its links settle second, but a sender never does, and waits for ever.
with SendClient(broker, "prices", receive_settle_mode=ReceiverSettleMode.First, **options) as sender:
    for symbol, price in (("AAPL", b"101.5"), ("MSFT", b"402.1"), ("AAPL", b"101.7")):
        sender.send_message(Message(data=[price], application_properties={"symbol": symbol}), timeout=10)
with ReceiveClient(
    broker, "prices", send_settle_mode=SenderSettleMode.Settled, link_credit=1, **options
) as receiver:
    for _ in range(2):
        (message,) = receiver.receive_message_batch(max_batch_size=1, timeout=10)
        print(message.application_properties[b"symbol"].decode(), b"".join(message.data).decode())
