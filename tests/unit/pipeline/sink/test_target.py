"""What the driver asks the broker before a write."""

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

pytest.importorskip("pyspark")

from pyspark.sql.types import DataType, LongType, MapType, StringType, StructType

from lastvalue.client import ConnectFailedError, QueueNotFoundError, blocking
from lastvalue.client.errors import AuthenticationError, RefusedError
from lastvalue.pipeline.sink.options import InvalidSinkError, SinkOptions
from lastvalue.pipeline.sink.sink_columns import UnusableColumnsError
from lastvalue.pipeline.sink.target import Target, check_target, with_key_property
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.users import Users

ROWS = StructType().add("body", "string").add("key", "string")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The host and port of a broker where `writer` may only publish to `prices`."""
    path = tmp_path_factory.mktemp("users") / "users.toml"
    users = Users(path)
    users.put("admin", "all", None)
    users.put("writer", "send", ("write prices",))
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = BrokerServer(ServerOptions(port=0, users_file=path, anonymous=False))
    asyncio.run_coroutine_threadsafe(server.start(), loop).result(60)
    with blocking.connect(f"amqp://admin:all@127.0.0.1:{server.port}") as connection:
        connection.declare("prices", lvq_key="symbol")
        connection.declare("orders")
        connection.declare("ordered", lvq_key="symbol", order_by="sequence")
        connection.declare("strict", lvq_key="symbol", order_by="sequence", order_missing="refuse")
    yield f"127.0.0.1:{server.port}"
    asyncio.run_coroutine_threadsafe(server.stop(), loop).result(60)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(60)
    loop.close()


@pytest.fixture
def prices(address: str) -> SinkOptions:
    return SinkOptions("prices", f"amqp://writer:send@{address}")


def test_the_key_goes_to_the_property_that_the_queue_reads(prices: SinkOptions) -> None:
    assert check_target(prices, ROWS) == replace(prices, key_property="symbol")


def test_rows_without_the_order_of_their_queue_are_warned_of_or_refused(address: str) -> None:
    ordered = SinkOptions("ordered", f"amqp://admin:all@{address}")
    with pytest.warns(UserWarning, match=r"'sequence'.*F\.struct\('sequence'\)"):
        check_target(ordered, ROWS)
    other = StructType().add("body", "string").add("properties", StructType().add("price", "double"))
    with pytest.warns(UserWarning, match="'sequence'"):
        check_target(ordered, other)
    with pytest.raises(InvalidSinkError, match="'strict' decides by the property 'sequence'"):
        check_target(replace(ordered, queue="strict"), ROWS)


@pytest.mark.filterwarnings("error")
def test_an_order_may_be_a_field_of_messages(address: str) -> None:
    with blocking.connect(f"amqp://admin:all@{address}") as connection:
        connection.declare("fields", lvq_key="symbol", order_by="message-id", order_missing="refuse")
    fields = SinkOptions("fields", f"amqp://admin:all@{address}")
    check_target(fields, StructType().add("body", "string").add("message_id", "string"))
    with pytest.raises(InvalidSinkError, match="'message-id'"):
        check_target(fields, StructType().add("body", "string").add("subject", "string"))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "properties", [StructType().add("sequence", "long"), MapType(StringType(), LongType())]
)
def test_rows_that_may_have_the_order_of_their_queue_are_published(
    address: str, properties: DataType
) -> None:
    rows = StructType().add("body", "string").add("properties", properties)
    for queue in ("ordered", "strict"):
        check_target(SinkOptions(queue, f"amqp://admin:all@{address}"), rows)


def test_a_queue_that_does_not_exist_is_named(address: str) -> None:
    options = SinkOptions("absent", f"amqp://admin:all@{address}")
    with pytest.raises(QueueNotFoundError, match="absent"):
        check_target(options, ROWS)
    with pytest.raises(QueueNotFoundError, match="absent"):
        check_target(replace(options, queue="orders", dead_letters="absent"), ROWS)


def test_a_user_who_may_not_publish_is_told_before_any_task(prices: SinkOptions) -> None:
    with pytest.raises(RefusedError, match="orders"):
        check_target(replace(prices, queue="orders"), ROWS)


def test_columns_are_checked_before_the_broker_is_asked() -> None:
    with pytest.raises(UnusableColumnsError, match="no column 'body'"):
        check_target(SinkOptions("prices", "amqp://127.0.0.1:1"), StructType().add("key", "string"))


def test_a_broker_that_does_not_answer_is_waited_for_as_long_as_asked(
    monkeypatch: pytest.MonkeyPatch, prices: SinkOptions
) -> None:
    with pytest.raises(ConnectFailedError, match=r"127\.0\.0\.1:1"):
        check_target(replace(prices, url="amqp://127.0.0.1:1"), ROWS)
    attempts = iter([ConnectFailedError("127.0.0.1", 1, "refused"), None])

    def connect(url: str, ca_file: str | None) -> blocking.Connection:
        assert ca_file is None
        fault = next(attempts)
        if fault is not None:
            raise fault
        return blocking.connect(url)

    monkeypatch.setattr("lastvalue.pipeline.broker_access.connect", connect)
    assert check_target(prices, ROWS, wait_s=60).key_property == "symbol"


def test_a_wrong_password_is_not_tried_again(address: str) -> None:
    with pytest.raises(AuthenticationError):
        check_target(SinkOptions("prices", f"amqp://writer:wrong@{address}"), ROWS, wait_s=60)


SYMBOLS = Target(("symbol", "name"))


@pytest.mark.parametrize(
    ("named", "target", "expected"),
    [
        (None, Target(), None),
        (None, SYMBOLS, "symbol"),
        ("symbol", SYMBOLS, "symbol"),
        ("name", SYMBOLS, "name"),
        ("id", Target(), "id"),
    ],
)
def test_a_named_property_is_kept_where_the_queue_reads_it(
    named: str | None, target: Target, expected: str | None
) -> None:
    options = with_key_property(SinkOptions("q", key_property=named), ["body", "key"], target)
    assert options.key_property == expected


def test_a_key_that_the_queue_would_not_read_is_refused_unless_the_properties_may_have_it() -> None:
    options = SinkOptions("q", key_property="key")
    with pytest.raises(InvalidSinkError, match="keys in the property 'symbol' and keyProperty is 'key'"):
        with_key_property(options, ["body", "key"], SYMBOLS)
    assert with_key_property(options, ["body", "key", "properties"], SYMBOLS) == options
    assert with_key_property(options, ["body"], SYMBOLS) == options
