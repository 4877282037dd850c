"""A listening broker over real loopback sockets."""

import asyncio
import gc
import socket
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from broker_desk import enqueue
from logged_events import fields, names
from raw_peer import RawPeer
from waiting import until

from lastvalue.broker.long_commands import HANDLED_AT_ONCE
from lastvalue.client import (
    Connection,
    ConnectionLostError,
    Message,
    RefusedError,
    Wanted,
    WatchOptions,
    connect,
)
from lastvalue.client.message_codec import decode_message
from lastvalue.codec.amqp10.performatives import ROLE_RECEIVER, Attach, Close, Detach, Source, Target
from lastvalue.codec.amqp10.values import Described, Symbol, Value
from lastvalue.delivery.protocol_connection import ProtocolConnection
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import NEVER
from lastvalue.queues.effects import Effect
from lastvalue.queues.spec import LastValue, QueueSpec
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.socket_protocol import READ_SIZE, SMALL_READS, SocketProtocol
from lastvalue.store.journal import Journal


class LateJournal(Journal):
    """A journal whose flush is done when the test says so, as a disk's is."""

    shared = False

    def __init__(self) -> None:
        super().__init__()
        self.appended = 0
        self.asked = asyncio.Event()
        self._done: list[Callable[[], None]] = []

    def define(self, kind: str, name: str, arguments: Mapping[str, Any] | None) -> int:
        return self.appended

    def append(self, queue: str, effects: list[Effect]) -> int:
        self.appended += len(effects)
        return self.appended

    def flush(self, done: Callable[[], None]) -> None:
        self._done.append(done)
        self.asked.set()

    def finish(self) -> None:
        self.flushed = self.appended
        for done in self._done:
            done()
        self._done.clear()


def url(server: BrokerServer) -> str:
    return f"amqp://127.0.0.1:{server.port}"


async def test_a_send_is_confirmed_when_the_journal_has_flushed_it_and_not_before() -> None:
    journal = LateJournal()
    async with BrokerServer(ServerOptions(port=0), journal) as server:
        server.broker.declare(QueueSpec("q", durable=True))
        async with connect(url(server)) as connection:
            queue = connection.queue("q")
            sending = asyncio.create_task(queue.send(Message("1", durable=True)))
            await journal.asked.wait()
            # A whole exchange with the broker passes; the send still waits.
            await connection.queues()
            assert not sending.done()
            assert server.broker.lookup("q").queue.depth == 1
            journal.finish()
            await sending


async def test_a_watching_reader_is_shown_what_whoever_goes_on_with_a_shared_journal_has() -> None:
    journal = LateJournal()
    journal.shared = True
    async with (
        BrokerServer(ServerOptions(port=0), journal) as server,
        connect(url(server)) as reading,
        connect(url(server)) as writing,
        asyncio.TaskGroup() as tasks,
    ):
        server.broker.declare(QueueSpec("q", LastValue("k"), durable=True))
        told: list[object] = []

        async def watch() -> None:
            asked = Wanted(watch=WatchOptions(snapshot=True))
            async for message in reading.queue("q").browse(wanted=asked, follow=True):
                told.append(message.snapshot or message.body)  # noqa: PERF401 - it does not end

        watching = tasks.create_task(watch())
        await until(lambda: told == ["fresh"])
        for body in ("one", "two", "three"):
            tasks.create_task(writing.queue("q").send(Message(body, properties={"k": "a"}, durable=True)))
            await until(lambda: _body_on(server) == body)  # noqa: B023 - awaited here
            # A whole exchange with the broker passes on another connection.
            await writing.queues()
        assert told == ["fresh"]
        journal.finish()
        # The first was chosen when it came; while it was withheld, nothing was.
        await until(lambda: told == ["fresh", "one", "three"])
        watching.cancel()


def _body_on(server: BrokerServer) -> object:
    entries = server.broker.lookup("q").queue.entries()
    return decode_message(entries[0].message.encoded).body if entries else None


class LateDefinitions(LateJournal):
    """Counts what is defined, too."""

    def define(self, kind: str, name: str, arguments: Mapping[str, Any] | None) -> int:
        self.appended += 1
        return self.appended


async def test_a_declaration_of_a_durable_queue_is_answered_when_the_journal_has_flushed_it() -> None:
    journal = LateDefinitions()
    async with (
        BrokerServer(ServerOptions(port=0), journal) as server,
        connect(url(server)) as one,
        connect(url(server)) as other,
    ):
        await one.declare("passing")
        declaring = asyncio.create_task(one.declare("q", durable=True))
        await until(lambda: server.broker.has_queue("q"))
        # Others are answered meanwhile.
        assert [queue.name for queue in await other.queues()] == ["passing", "q"]
        assert not declaring.done()
        journal.finish()
        await declaring
        deleting = asyncio.create_task(one.delete("q"))
        await until(lambda: not server.broker.has_queue("q"))
        await other.queues()
        assert not deleting.done()
        journal.finish()
        await deleting


@pytest.mark.parametrize(
    ("operation", "body"),
    [
        ("PURGE", {}),
        ("moveMessages", {"destination": "passing"}),
        ("copyMessages", {"destination": "archive"}),
        ("deleteMessages", {"limit": 1}),
        ("reenqueueMessagesForPriorityChange", {"newPriority": 9}),
        ("UPDATE", {"max_messages": 5}),
        ("DELETE", {}),
    ],
)
async def test_what_management_does_to_kept_messages_is_answered_when_the_journal_has_flushed_it(
    operation: str, body: dict[str, object]
) -> None:
    journal = LateDefinitions()
    async with (
        BrokerServer(ServerOptions(port=0), journal) as server,
        connect(url(server)) as one,
        connect(url(server)) as other,
    ):
        for name in ("q", "archive", "passing"):
            server.broker.declare(QueueSpec(name, durable=name != "passing"))
        for name in ("q", "passing"):
            await other.queue(name).send(Message(name))
        # What tells, and what changes nothing that is kept, waits for no disk.
        await one._ask("READ", "q", timeout_s=5)
        await one._ask("copyMessages", "archive", {"destination": "passing"}, timeout_s=5)
        assert await one.purge("passing") == 1
        journal.asked.clear()
        asking = asyncio.create_task(one._ask(operation, "q", body, timeout_s=5))
        await journal.asked.wait()
        await other.queues()
        assert not asking.done()
        journal.finish()
        await asking


async def test_a_taken_port_is_an_error_and_with_the_fallback_the_next_one_is_used() -> None:
    async with BrokerServer(ServerOptions(port=0)) as first:
        with pytest.raises(OSError, match="in use"):
            await BrokerServer(ServerOptions(port=first.port)).start()
        async with BrokerServer(ServerOptions(port=first.port, port_fallback=True)) as second:
            assert first.port < second.port <= first.port + 100


async def test_the_garbage_collector_is_the_programs() -> None:
    frozen = gc.get_freeze_count()
    async with BrokerServer(ServerOptions(port=0)):
        assert gc.get_freeze_count() == frozen
    assert gc.get_freeze_count() == frozen


async def test_a_stop_waits_for_no_connection_that_is_gone() -> None:
    async with BrokerServer(ServerOptions(port=0)) as server:
        _, writer = await asyncio.open_connection("127.0.0.1", server.port)
        await until(lambda: server.connections == 1)
        (connection,) = server._connections
        writer.close()
        await until(lambda: not server._connections)
        assert connection.gone().done()


async def test_stopping_tells_the_peers_why() -> None:
    server = BrokerServer(ServerOptions(port=0))
    await server.start()
    server.broker.declare(QueueSpec("q"))
    async with connect(url(server), reconnect=False) as connection:
        waiting = asyncio.create_task(_first(connection))
        await until(lambda: bool(server.broker.lookup("q").readers))
        await server.stop()
        with pytest.raises(ConnectionLostError, match="shutting down"):
            await waiting


async def _first(connection: Connection) -> Message:
    async for message in connection.queue("q").browse(follow=True):
        return message
    raise AssertionError("the browse ended")


async def test_what_a_vanished_client_held_is_there_for_others() -> None:
    async with BrokerServer(ServerOptions(port=0)) as server:
        server.broker.declare(QueueSpec("q"))
        async with connect(url(server)) as keeper:
            await keeper.queue("q").send(Message("1"))
            thief = connect(url(server))
            await thief.open()
            async for delivery in thief.queue("q").receive():
                assert delivery.message.body == "1"
                break
            hosted = server.broker.lookup("q")
            await until(lambda: hosted.queue.available == 0)
            await thief.close()
            await until(lambda: hosted.queue.available == 1)


async def test_a_request_that_takes_several_turns_is_answered_at_its_end() -> None:
    async with BrokerServer(ServerOptions(port=0)) as server:
        server.broker.declare(QueueSpec("q"))
        enqueue(server.broker, "q", *["x"] * 3 * HANDLED_AT_ONCE)
        async with connect(url(server)) as connection:
            assert await connection.purge("q") == 3 * HANDLED_AT_ONCE
            assert server.broker.lookup("q").queue.depth == 0


async def test_a_message_expires_by_itself_when_nobody_looks() -> None:
    async with BrokerServer(ServerOptions(port=0)) as server:
        server.broker.declare(QueueSpec("q"))
        async with connect(url(server)) as connection:
            await connection.queue("q").send(Message("1", ttl_ms=1))
            await until(lambda: server.broker.lookup("q").queue.depth == 0)


async def test_a_peer_that_falls_silent_is_closed_then_however_long_an_opening_may_take() -> None:
    async with BrokerServer(ServerOptions(port=0, idle_timeout_ms=1000, open_timeout_ms=60_000)) as server:
        with RawPeer("127.0.0.1", server.port) as peer:
            await asyncio.to_thread(peer.open)
            close = await asyncio.to_thread(peer.expect, Close)
            assert close.error is not None
            assert "nothing was heard" in (close.error.description or "")


async def test_a_connection_that_does_not_open_is_closed_then() -> None:
    async with BrokerServer(ServerOptions(port=0, open_timeout_ms=100)) as server:
        with RawPeer("127.0.0.1", server.port) as peer:
            assert await asyncio.to_thread(peer.is_closed)


async def test_connections_beyond_the_limit_are_dropped_and_the_others_live() -> None:
    options = ServerOptions(port=0, max_connections=1)
    async with BrokerServer(options) as server, connect(url(server)) as connection:
        with socket.create_connection(("127.0.0.1", server.port)) as extra:
            extra.setblocking(False)
            assert await asyncio.get_running_loop().sock_recv(extra, 1) == b""
        assert await connection.queues() == []


async def test_changed_limits_count_for_what_comes_from_now_on() -> None:
    options = ServerOptions(port=0)
    async with BrokerServer(options) as server, connect(url(server)) as first:
        await first.declare("q")
        server.settings.change(
            replace(
                options,
                max_message_size=1000,
                max_connections=2,
                max_queues_per_user=1,
                memory_limit=5_000_000,
                connection_memory_limit=1_000_000,
            )
        )
        await first.queue("q").send(Message("x" * 2000))
        async with connect(url(server)) as second:
            with pytest.raises(LastvalueError, match="1000"):
                await second.queue("q").send(Message("x" * 2000))
            with socket.create_connection(("127.0.0.1", server.port)) as extra:
                extra.setblocking(False)
                assert await asyncio.get_running_loop().sock_recv(extra, 1) == b""
        with pytest.raises(RefusedError, match="queue"):
            await first.declare("r")
        memory = server.broker.memory
        assert (memory.limit_bytes, memory.account_limit_bytes) == (2_500_000, 1_000_000)


def _attached_with_a_strange_filter(port: int) -> tuple[Attach, Detach | None]:
    """What a broker answers to it: the attach, and the detach that follows where it refuses."""
    strange: dict[str, Value] = {"f": Described(Symbol("example.org:strange"), "x")}
    with RawPeer("127.0.0.1", port) as peer:
        peer.open()
        source = Source(address="q", filter=strange)
        peer.say(Attach(name="r", handle=0, role=ROLE_RECEIVER, source=source, target=Target()))
        attach = peer.expect(Attach)
        return attach, None if attach.source is not None else peer.expect(Detach)


@pytest.mark.parametrize(
    ("refuse", "condition"), [(False, None), (True, "amqp:not-implemented")], ids=["left out", "refused"]
)
async def test_an_unknown_filter_is_left_out_of_the_answer_or_refuses_its_link(
    *, refuse: bool, condition: str | None
) -> None:
    """S-212"""
    async with BrokerServer(ServerOptions(port=0, refuse_unknown_filters=refuse)) as server:
        server.broker.declare(QueueSpec("q"))
        attach, detach = await asyncio.to_thread(_attached_with_a_strange_filter, server.port)
    assert getattr(attach.source, "filter", {}) == {}
    assert (None if detach is None or detach.error is None else detach.error.condition) == condition


class Silent(ProtocolConnection):
    """A connection that answers nothing."""

    end_cause = ""

    def receive(self, data: bytes, wire_now: int, now: int) -> None:
        pass

    def advance(self, wire_now: int, now: int) -> None:
        pass

    def next_deadline(self) -> int:
        return NEVER

    def seal(self, position: int, now: int) -> None:
        pass

    def confirm(self, flushed: int, now: int) -> bool:
        return False

    def data_to_send(self) -> bytes:
        return b""

    def set_writable(self, writable: bool) -> None:
        pass

    def resume(self) -> None:
        pass

    def shut_down(self, reason: str) -> None:
        self.finished = True

    def lost(self, wire_now: int, now: int) -> None:
        pass


class Broken(Silent):
    """A connection in which one call fails."""

    def __init__(self, call: str) -> None:
        super().__init__()
        self.call = call

    def _called(self, call: str) -> None:
        if call == self.call:
            self.reading_paused = True
            raise ZeroDivisionError

    def receive(self, data: bytes, wire_now: int, now: int) -> None:
        self._called("receive")

    def seal(self, position: int, now: int) -> None:
        self._called("seal")

    def confirm(self, flushed: int, now: int) -> bool:
        self._called("confirm")
        return False

    def data_to_send(self) -> bytes:
        self._called("data_to_send")
        return b""


@pytest.mark.parametrize("call", ["receive", "seal", "confirm", "data_to_send"])
async def test_a_fault_of_ours_ends_one_connection_and_no_other(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, call: str
) -> None:
    async with BrokerServer(ServerOptions(port=0)) as server, connect(url(server)) as good:
        others = set(server._connections)
        bad = connect(url(server), reconnect=False)
        await bad.open()
        (victim,) = set(server._connections) - others
        monkeypatch.setattr(victim, "_protocol", Broken(call))
        with pytest.raises(ConnectionLostError):
            await bad.queues()
        assert await good.queues() == []
        assert "connection.internal_error" in names(caplog)
        assert [each.getMessage() for each in caplog.records if each.name == "asyncio"] == []
        await bad.close()


async def test_a_consumer_whose_credit_defeats_the_order_is_warned_of_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with BrokerServer(ServerOptions(port=0)) as server, connect(url(server)) as connection:
        queue = await connection.declare("prices", priorities=10)
        async with queue.receive(credit=10) as receiver:
            await queue.send_many(Message(number) for number in range(3))
            await receiver.batch(3)
            for _ in range(2):
                await queue.send(Message("high", priority=9))
        info = await queue.info()
    assert info.overtaken > 0
    assert fields(caplog, "consumer.overtaken") == [{"queue": "prices"}]


UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Protocol: amqp\r\n\r\n"
)


def connections_in_memory() -> int:
    found = [type(each).__name__ for each in gc.get_objects()]
    return sum(found.count(name) for name in ("ServerConnection", "Connection", "ConnectionContext"))


@pytest.mark.parametrize(
    ("port", "data"),
    [
        ("port", b"AMQP\0\1\0\0"),
        ("port", b"AMQP\1\1\0\n"),
        ("port", b"AMQP\0\0\x09\1"),
        ("port", b"AMQ"),
        ("ws_port", UPGRADE),
    ],
)
async def test_a_connection_that_has_gone_does_not_wait_for_the_garbage_collector(
    port: str, data: bytes
) -> None:
    # One that has gone is held until its deadline; a circle of references would hold it longer.
    options = ServerOptions(port=0, ws_port=0, open_timeout_ms=1000)
    async with BrokerServer(options) as server:

        async def come_and_go() -> None:
            reader, writer = await asyncio.open_connection("127.0.0.1", getattr(server, port))
            writer.write(data)
            await until(lambda: server.connections == 1)
            if len(data) >= len(b"AMQP\0\1\0\0"):
                await reader.read(1)
            writer.close()
            await until(lambda: server.connections == 0)

        await come_and_go()
        gc.collect()
        gc.disable()
        try:
            before = connections_in_memory()
            for _ in range(3):
                await come_and_go()
            # The last turn may still be about to end.
            await until(lambda: connections_in_memory() <= before)
        finally:
            gc.enable()


class Busy(Silent):
    """A connection whose peer has given a long command."""

    def __init__(self) -> None:
        super().__init__()
        self.under_way = True
        self.received = b""

    @property
    def busy(self) -> bool:
        return self.under_way

    def receive(self, data: bytes, wire_now: int, now: int) -> None:
        self.received += data


async def test_what_a_peer_sends_waits_until_its_long_command_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with BrokerServer(ServerOptions(port=0)) as server:
        _, writer = await asyncio.open_connection("127.0.0.1", server.port)
        await until(lambda: server.connections == 1)
        (connection,) = server._connections
        protocol = Busy()
        monkeypatch.setattr(connection, "_protocol", protocol)
        for sent in (b"one ", b"two"):
            writer.write(sent)
        await until(lambda: connection._waiting_input != b"")
        assert protocol.received == b""
        protocol.under_way = False
        connection._schedule_write()
        await until(lambda: protocol.received == b"one two")
        writer.close()


async def test_one_read_is_kept_of_what_comes_while_input_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    async with BrokerServer(ServerOptions(port=0)) as server:
        with socket.create_connection(("127.0.0.1", server.port)) as peer:
            await until(lambda: server.connections == 1)
            (connection,) = server._connections
            monkeypatch.setattr(connection, "_protocol", Busy())
            peer.settimeout(0)
            assert peer.send(bytes(1 << 21)) > READ_SIZE
            await until(lambda: connection._waiting_input != b"")
            assert len(connection._waiting_input) <= LARGEST_READ


async def until_received(protocol: Busy, octet: bytes, count: int) -> None:
    await until(lambda: protocol.received.count(octet) == count)


async def test_a_socket_is_read_into_the_buffer_while_much_comes_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with BrokerServer(ServerOptions(port=0)) as server:
        _, writer = await asyncio.open_connection("127.0.0.1", server.port)
        await until(lambda: server.connections == 1)
        (connection,) = server._connections
        protocol = Busy()
        protocol.under_way = False
        monkeypatch.setattr(connection, "_protocol", protocol)
        transport = connection._transport
        assert transport is not None
        at_first = type(transport.get_protocol())
        writer.write(bytes(1 << 20))
        await until(lambda: len(protocol.received) == 1 << 20)
        assert type(transport.get_protocol()) is SocketProtocol
        for number in range(1, SMALL_READS + 1):
            writer.write(b"1")
            await until_received(protocol, b"1", number)
        assert type(transport.get_protocol()) is at_first
        writer.close()


LARGEST_READ = 256_000
"""What uvloop reads at once into a buffer of its own."""
AMQP_HEADER = b"AMQP\0\1\0\0"
CORE_PING = b"\0\0\0\x11\x0a" + bytes(8) + (60_000).to_bytes(8, "big")


@pytest.mark.parametrize(
    ("opening", "answer"), [(AMQP_HEADER, AMQP_HEADER), (b"ARTEMIS" + CORE_PING, CORE_PING)]
)
async def test_the_port_of_artemis_clients_takes_every_protocol(opening: bytes, answer: bytes) -> None:
    async with BrokerServer(ServerOptions(port=0, core_port=0)) as server:
        assert server.core_port not in (0, server.port)
        reader, writer = await asyncio.open_connection("127.0.0.1", server.core_port)
        writer.write(opening)
        assert await reader.readexactly(len(answer)) == answer
        writer.close()
