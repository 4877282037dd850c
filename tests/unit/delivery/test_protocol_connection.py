"""What the connections of all protocols do alike."""

import pytest

from lastvalue.broker.broker import Broker
from lastvalue.broker.long_commands import Steps
from lastvalue.broker.statistics.connections import ConnectionStatistics, Traffic
from lastvalue.codec.output_buffer import OutputBuffer
from lastvalue.delivery.confirmations import Confirmations, Run
from lastvalue.delivery.output import Output
from lastvalue.delivery.protocol_connection import CONNECTION_BYTES, ConnectionContext, EngineConnection
from lastvalue.model.conditions import Condition
from lastvalue.protocols.engine import Engine
from lastvalue.protocols.sasl import Authenticator

NOW = 1_700_000_000_000
WIRE_NOW = 5_000


class Echo(Engine):
    """An engine that answers with what it is sent."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting = b""
        self.calls: list[tuple[str, int]] = []

    def receive(self, data: bytes, now: int) -> None:
        self.calls.append(("receive", now))
        self.waiting += data

    def receive_eof(self, now: int) -> None:
        self.calls.append(("eof", now))

    def data_to_send(self) -> bytes:
        data, self.waiting = self.waiting, b""
        return data

    def next_deadline(self) -> int:
        return WIRE_NOW + 1

    def advance(self, now: int) -> None:
        self.calls.append(("advance", now))


class EchoConnection(EngineConnection[Echo]):
    """A connection with such an engine."""

    def __init__(self, context: ConnectionContext) -> None:
        self.confirmed: list[int] = []
        self.steps: list[tuple[str, object]] = []
        confirmations: Confirmations[str, str] = Confirmations(self._confirm)
        output = Output(OutputBuffer(), context.on_schedule)
        super().__init__(context, Echo(), output, confirmations, WIRE_NOW)

    def _confirm(self, run: Run[str, str]) -> None:
        self.confirmed.append(run.last)

    def _handle(self, now: int) -> None:
        self.steps.append(("handle", now))

    def _open_bytes(self) -> int:
        return len(self._engine.waiting)

    def _close(self, condition: Condition, reason: str) -> None:
        self.steps.append((condition.amqp10, reason))

    def _release(self, now: int) -> None:
        self.steps.append(("release", now))

    def _statistics(self) -> ConnectionStatistics:
        return ConnectionStatistics("echo:1", "ECHO", "me", Traffic())


@pytest.fixture
def broker() -> Broker:
    return Broker()


@pytest.fixture
def context(broker: Broker) -> ConnectionContext:
    return ConnectionContext(broker, Authenticator(), lambda: None, lambda _: None)


@pytest.fixture
def connection(context: ConnectionContext) -> EchoConnection:
    return EchoConnection(context)


def test_bytes_go_to_the_engine_at_the_time_of_connections_and_its_events_are_handled_at_that_of_queues(
    connection: EchoConnection,
) -> None:
    connection.receive(b"hello", WIRE_NOW, NOW)
    connection.advance(WIRE_NOW + 1, NOW + 1)
    assert connection._engine.calls == [("receive", WIRE_NOW), ("advance", WIRE_NOW + 1)]
    assert connection.steps == [("handle", NOW), ("handle", NOW + 1)]
    assert connection.next_deadline() == WIRE_NOW + 1


def test_it_counts_bytes_and_says_when_the_engine_is_finished(
    broker: Broker, connection: EchoConnection
) -> None:
    connection.receive(b"hello", WIRE_NOW, NOW)
    finished: list[bool] = []
    for _ in range(2):
        assert connection.data_to_send() == (b"" if finished else b"hello")
        finished.append(connection.finished)
        connection._engine.finished = True
    assert finished == [False, True]
    statistics = connection.statistics()
    assert statistics is not None
    assert (statistics.bytes_in, statistics.bytes_out, statistics.since_ms) == (5, 5, WIRE_NOW)


def test_a_peer_that_has_too_much_open_is_closed_and_keeps_nothing(
    broker: Broker, connection: EchoConnection
) -> None:
    broker.memory.account_limit_bytes = CONNECTION_BYTES + 4
    connection.receive(b"1234", WIRE_NOW, NOW)
    assert connection.steps == [("handle", NOW)]
    connection.receive(b"5", WIRE_NOW, NOW)
    assert [step for step, _ in connection.steps] == [
        "handle",
        "handle",
        "amqp:resource-limit-exceeded",
        "handle",
        "release",
    ]


class ManySessions(EchoConnection):
    """A connection on which each 16 bytes open a session of 8 KiB.

    Attributes:
        visits: how many sessions were looked at to count them.
    """

    def __init__(self, context: ConnectionContext) -> None:
        super().__init__(context)
        self.visits = 0

    def _open_bytes(self) -> int:
        sessions = len(self._engine.waiting) // 16
        self.visits += sessions
        return 8192 * sessions


def test_to_count_what_is_open_costs_the_same_for_each_byte_however_much_is_open(
    context: ConnectionContext,
) -> None:
    connection = ManySessions(context)
    context.enter("ann")
    visits = []
    for _ in range(8):
        before = connection.visits
        for _ in range(1000):
            connection.receive(bytes(16), WIRE_NOW, NOW)
        visits.append(connection.visits - before)
    # One visit of each session for each of them would be 7,500,000 at the end.
    assert max(visits[1:]) <= 10_000


def test_what_is_open_beyond_a_limit_is_noticed_however_much_is_open(
    broker: Broker, context: ConnectionContext
) -> None:
    connection = ManySessions(context)
    context.enter("ann")
    broker.memory.account_limit_bytes = 2000 * 8192
    received = 0
    while not connection.steps or connection.steps[-1][0] != "release":
        connection.receive(bytes(16), WIRE_NOW, NOW)
        received += 1
    assert 2000 - 1 <= received < 1.3 * 2000


def test_what_is_sealed_is_confirmed_when_it_is_flushed(connection: EchoConnection) -> None:
    connection._confirmations.add("source", 7, "accepted", True)
    connection.seal(10, NOW)
    assert connection.confirm(9, NOW)
    assert connection.confirmed == []
    assert not connection.confirm(10, NOW)
    assert connection.confirmed == [7]


def test_a_connection_is_shut_down_with_its_reason(connection: EchoConnection) -> None:
    connection.shut_down("good night")
    assert connection.steps == [("amqp:connection:forced", "good night")]


def test_a_lost_connection_releases_what_its_peer_held_and_is_listed_no_more(
    broker: Broker, connection: EchoConnection
) -> None:
    connection.receive(b"hello", WIRE_NOW, NOW)
    assert broker.memory.used_bytes == CONNECTION_BYTES + 5
    connection.lost(WIRE_NOW, NOW)
    connection.lost(WIRE_NOW, NOW)
    assert connection._engine.calls[-1] == ("eof", WIRE_NOW)
    assert connection.steps[-1] == ("release", NOW)
    assert broker.memory.used_bytes == 0
    assert list(broker.connections._open()) == []


def test_while_a_long_command_of_the_peer_is_under_way_it_is_busy_and_counts_as_heard(
    broker: Broker, connection: EchoConnection
) -> None:
    connection.number = 7
    connection._confirmations.add("source", 7, "accepted", True)
    broker.long_commands.begin(Steps(iter([None]), 7, 1), NOW)
    connection.seal(10, NOW)
    assert (connection.busy, connection.confirm(10, NOW), connection.confirmed) == (True, True, [])
    connection.advance(WIRE_NOW, NOW)
    assert connection._engine.calls == [("receive", WIRE_NOW), ("advance", WIRE_NOW)]
    broker.pump(NOW)
    connection.seal(10, NOW)
    assert (connection.busy, connection.confirm(10, NOW), connection.confirmed) == (False, False, [7])
