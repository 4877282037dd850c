"""Crowds of peers that do little: what they cost is bounded and given back, and others are served.

`make crowds` is the long form.
"""

import asyncio
import os
import resource
import select
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import psutil
import pytest
from bystander import Bystander
from raw_peer import RawPeer
from served_broker import HOST, ServedBroker

from lastvalue.client import Message, Queue, blocking, connect
from lastvalue.codec.amqp10.frames import EMPTY_FRAME, SASL_HEADER, encode_frame
from lastvalue.codec.amqp10.performatives import Close, Flow, Transfer, encode_performative

pytestmark = pytest.mark.interop

MIB = 1 << 20
CONNECTIONS = int(os.environ.get("LASTVALUE_CONNECTIONS", "150"))
LINKS = int(os.environ.get("LASTVALUE_LINKS", "500"))
LINKS_EACH = 500
STORM = 10 * CONNECTIONS
SLOW = CONNECTIONS // 2
FLOOD_S = 2 if CONNECTIONS < 1000 else 60
PATIENCE_MS = 5000
"""What nobody else may have to wait, on however slow a machine."""
PER_CONNECTION_BYTES = 64 * 1024
PER_LINK_BYTES = 16 * 1024
SLACK_BYTES = 24 * MIB
"""What the allocator may keep, and what one peer may cost: its output, and what it sends half."""
UNFINISHED_FRAME = b"\x00\x00\x04\x00\x02\x01\x00\x00" + bytes(1000)
CONFIGURATION = """
[server]
idle_timeout_ms = 1000
open_timeout_ms = 2000
memory_limit = 40_000_000
max_message_size = 8_000_000
max_unknown_per_address = 0
"""


@pytest.fixture(autouse=True, scope="module")
def descriptors() -> Iterator[None]:
    """Enough of them here, and so in the broker."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedBroker]:
    """A broker with little patience and little room."""
    file = tmp_path_factory.mktemp("crowds") / "lastvalue.toml"
    file.write_text(CONFIGURATION)
    with ServedBroker("--config", str(file)) as broker:
        yield broker


def until(holds: Callable[[], bool]) -> None:
    ends_s = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < ends_s
        select.select([], [], [], 0.05)


@contextmanager
def watched(broker: ServedBroker, what: str, allowed_bytes: int) -> Iterator[None]:
    """Hold the broker's memory, and what others wait, to a bound; tell both."""
    process = psutil.Process(broker.process.pid)
    before = process.memory_info().rss
    with Bystander(broker.url, broker.process.pid) as bystander:
        yield
        after = process.memory_info().rss
    waits = bystander.waits()
    print(f"{what}: {before / MIB:.1f} MiB before, {after / MIB:.1f} MiB with it; {waits}")
    assert after - before < allowed_bytes
    assert max(waits.elapsed_ms) < PATIENCE_MS


def descriptors_of(broker: ServedBroker) -> int:
    return int(psutil.Process(broker.process.pid).num_fds())


def descriptors_at_rest(broker: ServedBroker) -> int:
    """Those without a connection; the event loop opens some with the first one."""
    with blocking.connect(broker.url):
        return descriptors_of(broker) - 1


@pytest.fixture
def leaves_nothing(strict: ServedBroker) -> Iterator[None]:
    """The broker has the descriptors afterwards that it had before."""
    before = descriptors_at_rest(strict)
    yield
    until(lambda: descriptors_of(strict) <= before)


def opened_peers(broker: ServedBroker, number: int, stack: ExitStack) -> list[RawPeer]:
    peers = []
    for _ in range(number):
        peers.append(stack.enter_context(RawPeer(HOST, broker.port)))
        peers[-1].open()
    return peers


def test_many_connections_cost_little_each() -> None:
    with ServedBroker() as broker, ExitStack() as stack:
        before = descriptors_at_rest(broker)
        with watched(broker, f"{CONNECTIONS} connections", CONNECTIONS * PER_CONNECTION_BYTES + SLACK_BYTES):
            opened_peers(broker, CONNECTIONS, stack)
        stack.close()
        until(lambda: descriptors_of(broker) <= before)


def test_many_links_cost_little_each() -> None:
    with ServedBroker() as broker, ExitStack() as stack:
        queue = broker.declare()
        with watched(broker, f"{LINKS} links", LINKS * PER_LINK_BYTES + SLACK_BYTES):
            for peer in opened_peers(broker, LINKS // LINKS_EACH, stack):
                for handle in range(LINKS_EACH):
                    peer.attach_receiver(queue, f"link-{handle}", handle)


@pytest.mark.usefixtures("leaves_nothing")
def test_a_storm_of_connections_leaves_nothing(strict: ServedBroker) -> None:
    with watched(strict, f"{STORM} connections, one after the other", SLACK_BYTES):
        for _ in range(STORM):
            with socket.create_connection((HOST, strict.port)) as storming:
                storming.sendall(SASL_HEADER)


@pytest.mark.usefixtures("leaves_nothing")
def test_peers_that_open_a_few_bytes_a_second_are_closed_in_time(strict: ServedBroker) -> None:
    with ExitStack() as stack, watched(strict, f"{SLOW} slow openings", SLACK_BYTES):
        slow = [stack.enter_context(socket.create_connection((HOST, strict.port))) for _ in range(SLOW)]
        began_s = time.monotonic()
        trickle(slow, SASL_HEADER + UNFINISHED_FRAME)
        # Who was let continue would continue for four minutes.
        assert 1.5 < time.monotonic() - began_s < 60


def trickle(slow: list[socket.socket], opening: bytes) -> None:
    """Send a byte now and then to each, until the broker has closed all."""
    sent = 0
    while slow:
        for each in slow:
            each.send(opening[sent : sent + 1])
        sent += 1
        select.select([], [], [], 0.25)
        told, _, _ = select.select(slow, [], [], 0)
        slow = [each for each in slow if each not in told or not is_closed(each)]


def is_closed(peer: socket.socket) -> bool:
    try:
        return not peer.recv(1 << 16)
    except ConnectionResetError:
        return True


@pytest.mark.usefixtures("leaves_nothing")
def test_a_peer_that_asks_for_ever_and_reads_nothing_is_not_read_and_then_dropped(
    strict: ServedBroker,
) -> None:
    with ExitStack() as stack, watched(strict, "a peer that never reads", SLACK_BYTES):
        before = descriptors_of(strict)
        peer = stack.enter_context(RawPeer(HOST, strict.port))
        peer.open()
        assert descriptors_of(strict) > before
        echo = Flow(
            incoming_window=100, next_outgoing_id=0, outgoing_window=100, next_incoming_id=0, echo=True
        )
        asked = encode_frame(encode_performative(echo), 0) * 1000
        peer.socket.settimeout(1.0)
        with pytest.raises((TimeoutError, ConnectionError)):
            send_for_ever(peer, asked)
        # Its descriptor goes although the peer neither reads nor closes, on a busy machine perhaps by now.
        until(lambda: descriptors_of(strict) <= before)


def send_for_ever(peer: RawPeer, data: bytes) -> None:
    while True:
        peer.socket.sendall(data)


async def flood(queue: Queue, message: Message) -> None:
    while True:
        await queue.send(message)


def test_a_peer_that_reads_a_large_message_slowly_and_is_heard_is_not_dropped(strict: ServedBroker) -> None:
    queue = strict.declare()
    with blocking.connect(strict.url) as connection:
        connection.queue(queue).send(Message(bytes(7_900_000)))
    with RawPeer(HOST, strict.port) as peer:
        peer.open()
        peer.attach_receiver(queue)
        peer.say(
            Flow(
                incoming_window=1000,
                next_outgoing_id=0,
                outgoing_window=100,
                next_incoming_id=0,
                handle=0,
                delivery_count=0,
                link_credit=1,
            )
        )
        for _ in range(6):
            select.select([], [], [], 0.25)
            peer.send(EMPTY_FRAME)
        while peer.expect(Transfer).more:
            peer.send(EMPTY_FRAME)
    with blocking.connect(strict.url) as connection:
        connection.delete(queue)


@pytest.mark.usefixtures("leaves_nothing")
def test_connections_whose_peer_is_gone_without_a_word_are_closed(strict: ServedBroker) -> None:
    with ExitStack() as stack, watched(strict, f"{SLOW} half-open connections", SLACK_BYTES):
        before = descriptors_of(strict)
        peers = opened_peers(strict, SLOW, stack)
        until(lambda: descriptors_of(strict) <= before)
        error = peers[0].expect(Close).error
        assert error is not None
        assert error.condition == "amqp:resource-limit-exceeded"


async def test_who_sends_the_largest_messages_for_ever_is_stopped_by_the_memory_limit(
    strict: ServedBroker,
) -> None:
    largest = Message(bytes(7_900_000))
    process = psutil.Process(strict.process.pid)
    before = process.memory_info().rss
    async with connect(strict.url) as connection:
        await connection.declare("flooded")
        queue = connection.queue("flooded")
        flooding = asyncio.create_task(flood(queue, largest))
        while (await queue.info()).depth_bytes <= 40_000_000:
            assert not flooding.done()
        await asyncio.wait([flooding], timeout=FLOOD_S)
        assert flooding.cancel()
        info = await queue.info()
        grown = process.memory_info().rss - before
    print(f"largest messages: {info.depth_bytes / MIB:.1f} MiB on the queue, {grown / MIB:.1f} MiB more")
    assert 40_000_000 < info.depth_bytes < 80_000_000
    assert grown < 2 * 80_000_000
