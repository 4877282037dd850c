"""What a client of each kind does again and again in the soak: a round leaves the queues as they were."""

import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from core_peer import head, keyed
from proton import Message as ProtonMessage
from proton.reactor import Copy
from proton.utils import BlockingConnection
from raw_core import RawCore
from raw_peer import RawPeer
from rhea_client import Rhea
from served_broker import HOST, ServedBroker

from lastvalue.client import Message, blocking
from lastvalue.codec.amqp10.frames import SASL_HEADER
from lastvalue.codec.amqp10.performatives import Transfer
from lastvalue.codec.core import packets

KEYS: Final = 100
SECONDS: Final = 60
Round = Callable[[int], None]
"""Told which number it is."""


def own_client(broker: ServedBroker) -> Round:
    """Updates, a snapshot, a transaction, consuming, and a queue of its own; with the Python client."""
    with blocking.connect(broker.url) as connection:
        connection.declare("soak-own-values", lvq_key="key", durable=True)
        connection.declare("soak-own-work", durable=True)

    def run(number: int) -> None:
        with blocking.connect(broker.url) as connection:
            values, work = connection.queue("soak-own-values"), connection.queue("soak-own-work")
            values.send_many(Message(number, {"key": str(key)}, durable=True) for key in range(KEYS))
            assert sum(1 for _ in values.browse()) == KEYS
            with connection.transaction() as transaction:
                for key in range(10):
                    work.send(Message(key, durable=True), transaction=transaction)
            with work.receive(credit=10) as deliveries:
                for _, delivery in zip(range(10), deliveries, strict=False):
                    delivery.accept()
            connection.declare(f"soak-{number}", max_messages=10)
            connection.queue(f"soak-{number}").send(Message(bytes(10_000)))
            connection.delete(f"soak-{number}")

    return run


def proton_client(broker: ServedBroker) -> Round:
    """Updates, a look at them, and consuming, with Proton's blocking client."""
    with blocking.connect(broker.url) as connection:
        connection.declare("soak-proton-values", lvq_key="key")
        connection.declare("soak-proton-work")

    def run(number: int) -> None:
        connection = BlockingConnection(broker.url, timeout=SECONDS)
        sender = connection.create_sender("soak-proton-values")
        for key in range(10):
            sender.send(ProtonMessage(body=number, properties={"key": str(key)}))
        browser = connection.create_receiver("soak-proton-values", credit=10, options=Copy())
        for _ in range(10):
            browser.receive()
        connection.create_sender("soak-proton-work").send(ProtonMessage(body="work"))
        receiver = connection.create_receiver("soak-proton-work", name="work", credit=1)
        receiver.receive()
        receiver.accept()
        connection.close()

    return run


def rhea_client(broker: ServedBroker, rhea: Rhea) -> Round:
    """Sends and receives with rhea, a process each."""
    with blocking.connect(broker.url) as connection:
        connection.declare("soak-rhea")

    def run(number: int) -> None:
        assert rhea.run("soak-rhea", "send", [{"body": str(number)}]) == [{"outcome": "accepted"}]
        assert rhea.run("soak-rhea", "receive", ["accept"])[0]["body"] == str(number)

    return run


def core_client(broker: ServedBroker) -> Round:
    """Updates, a queue of its own, large messages and a transaction over CORE; leaves some of it undone.

    A session with a confirmation window waits for its client, for as long as that may be silent.
    """
    with blocking.connect(broker.url) as connection:
        connection.declare("soak-core-values", lvq_key="k", durable=True)

    def run(number: int) -> None:
        name = f"soak-core-{number}"
        with RawCore(HOST, broker.port) as peer:
            peer.create_session()
            peer.ask(packets.CREATE_QUEUE_V2, queue=name, address=name, routing_type=1, max_consumers=-1)
            for key in range(10):
                peer.publish_confirmed("soak-core-values", b"value", properties=keyed(str(key)), durable=True)
                peer.publish_confirmed(name, b"work")
            peer.ask(packets.CREATE_CONSUMER, packets.QUEUE_QUERIED, consumer=1, queue=name)
            peer.say(packets.CREDIT, consumer=1, credits=-1)
            for _ in range(10):
                peer.expect(packets.RECEIVE)
            peer.ask(packets.CLOSE_CONSUMER, consumer=1)
            peer.ask(packets.DELETE_QUEUE, queue=name)
            peer.ask(packets.CLOSE)
        with RawCore(HOST, broker.port) as peer:
            peer.create_session(auto_commit_sends=False, window=1 << 20)
            peer.publish_confirmed("soak-core-values", bytes(1000), properties=keyed("never"))
            peer.say(packets.SEND_LARGE, head=head("soak-core-values"))
            half: dict[str, Any] = {"body": bytes(10_000), "continues": True, "size": -1, "correlation": -1}
            peer.say(packets.SEND_CONTINUATION, **half)
            # The last thing: on a busy machine its next word would come later.
            peer.say(packets.PING, 0, ttl_ms=100)
            peer.expect(packets.PING)

    return run


@contextmanager
def artemis_client(broker: ServedBroker, java: list[str]) -> Iterator[Round]:
    """Transactions, a look at values, a large message and a temporary queue, with Artemis's JMS client."""
    with blocking.connect(broker.url) as connection:
        connection.declare("soak-artemis-values", lvq_key="k", durable=True)
        connection.declare("soak-artemis-work", durable=True)
    queues = ("soak-artemis-values", "soak-artemis-work")
    program = [*java, "lastvalue.Rounds", f"tcp://{HOST}:{broker.port}", *queues]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        told, telling = process.stdin, process.stdout
        assert told is not None
        assert telling is not None

        def run(number: int) -> None:
            print(number, file=told, flush=True)
            assert telling.readline() == f"{number}\n", "the program has ended"

        yield run
        told.close()
        assert process.wait(SECONDS) == 0


def rude_peer(broker: ServedBroker) -> Round:
    """Leaves in the middle of a message that it sends, of messages that it has, and of the opening."""
    with blocking.connect(broker.url) as connection:
        connection.declare("soak-rude", lvq_key="key")
        connection.queue("soak-rude").send(Message("kept", {"key": "one"}))

    def run(number: int) -> None:
        with RawPeer(HOST, broker.port) as peer:
            peer.open()
            peer.attach_receiver("soak-rude", f"reader-{number}", 1)
            peer.attach_sender("soak-rude", f"writer-{number}", 0)
            half = Transfer(handle=0, delivery_id=0, delivery_tag=b"half", message_format=0, more=True)
            peer.say(half, bytes(10_000))
        with socket.create_connection((HOST, broker.port)) as peer_socket:
            peer_socket.sendall(SASL_HEADER[: number % 9])

    return run
