"""Publishes three prices to the last-value queue "prices" and takes what is current; told the URL."""

import sys
from typing import Any

from rabbitmq_amqp_python_client import AddressHelper, AMQPMessagingHandler, Environment, Message

PRICES = AddressHelper.queue_address("prices")


class EnoughError(Exception):
    """Ends the consumer's run; its connection can be closed then, as after `stop` it cannot."""


class Prices(AMQPMessagingHandler):
    """Takes two messages."""

    def __init__(self) -> None:
        super().__init__()
        self.taken = 0

    # Not on_amqp_message: the client takes for granted there that messages have annotations.
    def on_message(self, event: Any) -> None:
        print(event.message.application_properties["symbol"], bytes(event.message.body).decode())
        self.delivery_context.accept(event)
        self.taken += 1
        if self.taken == 2:
            raise EnoughError


environment = Environment(uri=sys.argv[1])
connection = environment.connection()
connection.dial()
publisher = connection.publisher(PRICES)
for symbol, price in (("AAPL", b"101.5"), ("MSFT", b"402.1"), ("AAPL", b"101.7")):
    publisher.publish(Message(body=price, application_properties={"symbol": symbol}))
consumer = connection.consumer(PRICES, message_handler=Prices())
try:
    consumer.run()
except EnoughError:
    environment.close()
