"""How source and sink reach the broker: credentials, and TLS against a real broker."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
import trustme

pytest.importorskip("pyspark")

from lastvalue.client import blocking
from lastvalue.client.errors import AuthenticationError, ConnectFailedError, InvalidUrlError
from lastvalue.client.loop_thread import LoopThread
from lastvalue.model.errors import LastvalueError
from lastvalue.pipeline.broker_access import broker_url, certificate_file, tls_context
from lastvalue.pipeline.sink.options import InvalidSinkError, parse_sink_options
from lastvalue.pipeline.sink.partition_writer import PartitionWriter
from lastvalue.pipeline.sink.target import ask_target, with_key_property
from lastvalue.pipeline.source.options import InvalidSourceError, parse_source_options
from lastvalue.pipeline.source.readers import BatchReader
from lastvalue.server.broker_server import BrokerServer, ServerOptions


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="module")
def ca_file(authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("authority") / "ca.pem"
    authority.cert_pem.write_to_path(path)
    return str(path)


@pytest.fixture(scope="module")
def url(authority: trustme.CA, ca_file: str) -> Iterator[str]:
    """The address of a broker in a thread, over TLS."""
    certificate = Path(ca_file).with_name("server.pem")
    authority.issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(certificate)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    users = {"trader": "open sesame"}
    server = BrokerServer(
        ServerOptions(port=0, users=users, anonymous=True, tls_certificate=certificate, tls_port=0)
    )
    asyncio.run_coroutine_threadsafe(server.start(), loop).result(60)
    yield f"amqps://localhost:{server.tls_port}"
    asyncio.run_coroutine_threadsafe(server.stop(), loop).result(60)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(60)
    loop.close()


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("amqp://host:5673", "amqp://a%40b:p%3Aw@host:5673"),
        ("amqps://host", "amqps://a%40b:p%3Aw@host"),
        ("host", "amqp://a%40b:p%3Aw@host"),
    ],
)
def test_credentials_become_part_of_the_url(url: str, expected: str) -> None:
    assert broker_url({"url": url, "user": "a@b", "password": "p:w"}, InvalidSinkError) == expected


def test_credentials_become_part_of_each_url_of_a_list() -> None:
    options = {"url": "amqp://one,amqps://two:5673", "user": "a", "password": "p"}
    assert broker_url(options, InvalidSinkError) == "amqp://a:p@one,amqps://a:p@two:5673"
    with pytest.raises(InvalidSinkError, match="names a user already"):
        broker_url({**options, "url": "amqp://one,amqp://b:q@two"}, InvalidSinkError)
    with pytest.raises(InvalidUrlError):
        broker_url({"url": "amqp://one,amqp://two:port"}, InvalidSinkError)


@pytest.fixture
def pair() -> Iterator[tuple[BrokerServer, BrokerServer]]:
    """Brokers in a thread, of which the first does not lead."""
    thread = LoopThread()
    servers = BrokerServer(ServerOptions(port=0)), BrokerServer(ServerOptions(port=0))
    for server in servers:
        thread.run(server.start())
        with blocking.connect(f"amqp://127.0.0.1:{server.port}") as connection:
            connection.declare("prices", lvq_key="k")
    servers[0].broker.authorization.leader = f"127.0.0.1:{servers[1].port}"
    yield servers
    for server in servers:
        thread.run(server.stop())
    thread.stop()


ROW = pa.RecordBatch.from_pydict({"key": ["a"], "body": ["x"]})


def test_a_task_that_meets_a_follower_writes_to_the_leader(pair: tuple[BrokerServer, BrokerServer]) -> None:
    follower, leader = (f"amqp://127.0.0.1:{each.port}" for each in pair)
    for url in (follower, f"{follower},{leader}"):
        options = parse_sink_options({"queue": "prices", "url": url})
        options = with_key_property(options, ["key", "body"], ask_target(options))
        assert PartitionWriter(options, f"task {url}").write([ROW]).rows == 1
    with blocking.connect(leader) as connection:
        assert connection.queue("prices").info().published == 2


def test_while_no_leader_is_known_a_task_waits_and_then_says_so(
    pair: tuple[BrokerServer, BrokerServer],
) -> None:
    follower, leader = pair
    follower.broker.authorization.leader = ""
    options = parse_sink_options(
        {"queue": "prices", "url": f"amqp://127.0.0.1:{follower.port}", "timeoutSeconds": "0.5"}
    )
    with pytest.raises(ConnectFailedError, match="its leader is not known yet"):
        PartitionWriter(options, "task").write([ROW])
    follower.broker.authorization.leader = f"127.0.0.1:{leader.port}"
    assert PartitionWriter(options, "task").write([ROW]).rows == 1


def test_brokers_that_send_a_task_in_a_circle_are_left(pair: tuple[BrokerServer, BrokerServer]) -> None:
    one, two = pair
    two.broker.authorization.leader = f"127.0.0.1:{one.port}"
    options = parse_sink_options(
        {"queue": "prices", "url": f"amqp://127.0.0.1:{one.port}", "timeoutSeconds": "0.5"}
    )
    with pytest.raises(ConnectFailedError, match="which leads"):
        PartitionWriter(options, "task").write([ROW])


def test_who_asks_is_told_in_errors_of_its_own(tmp_path: Path) -> None:
    for refusal in (InvalidSinkError, InvalidSourceError):
        with pytest.raises(refusal, match="a password needs the option 'user'"):
            broker_url({"password": "p"}, refusal)
        with pytest.raises(refusal, match="caFile names the authorities to trust over TLS: it needs a url"):
            certificate_file({"cafile": "/ca.pem"}, refusal)


@pytest.mark.parametrize("text", [None, "no certificate"])
def test_a_file_of_no_use_is_told_before_anything_is_sent(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "ca.pem"
    if text is not None:
        path.write_text(text)
    with pytest.raises(
        InvalidSourceError, match=r"caFile is '.*ca\.pem', which is not a file of certificates"
    ):
        parse_source_options({"queue": "q", "url": "amqps://host", "caFile": str(path)})


def test_without_a_file_the_machine_says_whom_to_believe() -> None:
    assert certificate_file({"url": "amqps://host"}, InvalidSinkError) is None
    assert tls_context(None) is None


def test_rows_go_to_a_queue_and_come_back_over_tls(url: str, ca_file: str) -> None:
    with blocking.connect(url, tls=tls_context(ca_file)) as connection:
        connection.declare("there and back")
    options = {"queue": "there and back", "url": url, "caFile": ca_file}
    rows = pa.RecordBatch.from_pydict({"body": [str(number) * 1000 for number in range(3000)]})
    assert PartitionWriter(parse_sink_options(options), "task").write([rows]).rows == 3000
    reader = BatchReader(parse_source_options(options))
    read = [batch for part in reader.partitions() for batch in reader.read(part)]
    bodies = [body.decode() for batch in read for body in batch.column("body").to_pylist()]
    assert bodies == rows.column("body").to_pylist()


@pytest.mark.parametrize("believed", [None, "another"])
def test_a_broker_that_is_not_believed_is_told(url: str, believed: str | None, tmp_path: Path) -> None:
    options = {"queue": "q", "url": url}
    if believed is not None:
        options["caFile"] = str(tmp_path / "ca.pem")
        trustme.CA().cert_pem.write_to_path(options["caFile"])
    with pytest.raises(ConnectFailedError, match="the broker's certificate is not trusted"):
        BatchReader(parse_source_options(options)).partitions()
    with pytest.raises(LastvalueError, match="the broker's certificate is not trusted"):
        PartitionWriter(parse_sink_options(options), "task").write(
            [pa.RecordBatch.from_pydict({"body": ["x"]})]
        )


def test_a_wrong_password_is_told(url: str, ca_file: str) -> None:
    options = {"queue": "q", "url": url, "caFile": ca_file, "user": "trader", "password": "0pen"}
    with pytest.raises(AuthenticationError, match="refused the credentials") as told:
        BatchReader(parse_source_options(options)).partitions()
    with pytest.raises(AuthenticationError):
        PartitionWriter(parse_sink_options(options), "task").write(
            [pa.RecordBatch.from_pydict({"body": ["x"]})]
        )
    assert "0pen" not in str(told.value)
