"""The programs of the last-value chapter, with the import line changed and its faults of print mended."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from lastvalue.compat.qpid.messaging import Connection, Message

ADDRESS = (
    "prices;{create:always, node:{type:queue,x-declare:{arguments:{'qpid.last_value_queue_key':ticker}}}}"
)
SENDER = f'''
from lastvalue.compat.qpid.messaging import *

def send(sender, key, message):
    message.properties["ticker"] = key
    sender.send(message)

conn = Connection(url)
conn.open()
sess = conn.session()
tx = sess.sender("{ADDRESS}")

msg = Message("Content")
send(tx, "key1", msg);
send(tx, "key2", msg);
send(tx, "key3", msg);
send(tx, "key4", msg);
send(tx, "key2", msg);
send(tx, "key1", msg);

conn.close()
'''
RECEIVER = """
from lastvalue.compat.qpid.messaging import *

conn = Connection(url)
conn.open()
sess = conn.session()
rx = sess.receiver("prices;{mode:browse}")

while True:
    msg = rx.fetch()
    sess.acknowledge()
    print(msg)
"""
WITHOUT_OPEN = [program.replace("conn.open()\n", "") for program in (SENDER, RECEIVER)]


class Printed(list[str]):
    """What a program prints, as it prints it."""

    def __init__(self) -> None:
        super().__init__()
        self._news = threading.Condition()

    def print(self, text: object) -> None:
        with self._news:
            self.append(str(text))
            self._news.notify_all()

    def until(self, lines: int) -> list[str]:
        with self._news:
            assert self._news.wait_for(lambda: len(self) >= lines, timeout=30)
        return list(self)


@pytest.fixture
def running() -> Iterator[Any]:
    """Starts the receiver, which never ends by itself; its connection is closed at the end."""
    opened: list[Connection] = []
    threads: list[threading.Thread] = []

    def start(program: str, url: str) -> Printed:
        printed = Printed()
        namespace: dict[str, Any] = {"url": url, "print": printed.print}

        def run() -> None:
            head, _, loop = program.partition("while True:")
            exec(head, namespace)
            opened.append(namespace["conn"])
            with pytest.raises(namespace["MessagingError"]):
                exec(f"while True:{loop}", namespace)

        threads.append(threading.Thread(target=run))
        threads[-1].start()
        return printed

    yield start
    for connection in opened:
        connection.close()
    for thread in threads:
        thread.join(120)


def printed_message(ticker: str) -> str:
    return f"Message(properties={{'ticker': '{ticker}'}}, priority=4, content='Content')"


@pytest.mark.parametrize(("sender", "receiver"), [(SENDER, RECEIVER), WITHOUT_OPEN], ids=["book", "page"])
def test_the_sender_and_the_browsing_receiver(broker: str, running: Any, sender: str, receiver: str) -> None:
    """S-002."""
    exec(sender, {"url": broker})
    printed = running(receiver, broker)
    assert printed.until(4) == [printed_message(f"key{number}") for number in (3, 4, 2, 1)]

    with Connection(broker) as connection:
        connection.session().sender("prices").send(Message("Content", properties={"ticker": "key3"}))
    assert printed.until(5)[4:] == [printed_message("key3")]
