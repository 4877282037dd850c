"""Qpid Proton under the loads of bench/clients.py; see `client_costs`."""

from collections.abc import Iterator
from typing import Any

from proton import Message
from proton.handlers import MessagingHandler
from proton.reactor import Container
from proton.utils import BlockingConnection

from client_costs import BODY, HOST, KEYS, PREFETCH, Costs, run


def _proton_messages(count: int) -> Iterator[Any]:
    return (Message(body=BODY, properties={"key": f"k{number % KEYS}"}) for number in range(count))


async def one(port: int, count: int) -> float:
    connection = BlockingConnection(f"amqp://{HOST}:{port}")
    sender = connection.create_sender("fifo")
    costs = Costs()
    for message in _proton_messages(count):
        sender.send(message)
    cost = costs.per(count)
    connection.close()
    return cost


async def many(port: int, count: int) -> float:
    """Confirmed, as far as the broker gives credit."""
    return _proton_run(port, count, sends=True)


async def received(port: int, count: int) -> float:
    _proton_run(port, count + count // 10, sends=True)
    return _proton_run(port, count, sends=False)


def _proton_run(port: int, count: int, *, sends: bool) -> float:
    class Program(MessagingHandler):
        """Sends or receives so many messages, and ends."""

        def __init__(self) -> None:
            super().__init__(prefetch=PREFETCH)
            self.messages = _proton_messages(count)
            self.done = 0
            self.cost = 0.0

        def on_start(self, event: Any) -> None:
            connection = event.container.connect(f"amqp://{HOST}:{port}", reconnect=False)
            if sends:
                event.container.create_sender(connection, "fifo")
            else:
                event.container.create_receiver(connection, "fifo")
            self.costs = Costs()

        def on_sendable(self, event: Any) -> None:
            while event.sender.credit and (message := next(self.messages, None)) is not None:
                event.sender.send(message)

        def on_accepted(self, event: Any) -> None:
            self._one(event)

        def on_message(self, event: Any) -> None:
            assert event.message.body == BODY
            self._one(event)

        def _one(self, event: Any) -> None:
            self.done += 1
            if self.done == count:
                self.cost = self.costs.per(count)
                event.connection.close()

    program = Program()
    Container(program).run()
    return program.cost


if __name__ == "__main__":
    run(one=one, many=many, received=received)
