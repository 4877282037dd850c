"""lastvalue.client.calls_blocking, and the script that writes it."""

import ast

import pytest
from blocking_calls import Face, Method, lines_of, main, names_to_import

from lastvalue.client import Message, blocking
from lastvalue.testing import BrokerThread

pytestmark = pytest.mark.pure

QUEUE = Face("Queue", "queue", "blocking", "_queue")


def method(text: str) -> Method:
    (found,) = ast.parse(f"{text}: ...").body
    assert isinstance(found, Method)
    return found


def test_the_module_is_what_the_asyncio_client_makes() -> None:
    assert main(["--check"]) == 0


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("async def f(self, a, *, b=1, **c) -> int", "return self._thread.run(self._queue.f(a, b=b, **c))"),
        ("async def f(self) -> None", "self._thread.run(self._queue.f())"),
        (
            "async def f(self, *, transaction) -> None",
            "self._thread.run(self._queue.f(transaction=inner_transaction(transaction)))",
        ),
        ("def f(self) -> int", "return self._thread.run_function(self._queue.f)"),
        ("def f(self, a) -> int", "return self._thread.run_function(lambda: self._queue.f(a))"),
        ("@property\ndef f(self) -> int", "return self._queue.f"),
    ],
)
def test_a_method_calls_the_asyncio_client(text: str, made: str) -> None:
    assert list(lines_of(QUEUE, method(text)))[-1].strip() == made


@pytest.mark.parametrize("returned", ["Browser", "'list[Sender]'", "AsyncIterator[int]"])
def test_a_method_that_gives_something_else_without_await_is_for_a_hand(returned: str) -> None:
    with pytest.raises(SystemExit, match=r"Queue\.f has \w+: define it in blocking\.Queue by hand"):
        names_to_import(QUEUE, method(f"async def f(self) -> {returned}"))


def test_calls_wait_for_the_broker(lastvalue_broker: BrokerThread) -> None:
    with blocking.connect(lastvalue_broker.url) as connection:
        prices = connection.declare("prices", lvq_key="symbol")
        prices.put("A", 1)
        with prices.sender() as sender, connection.transaction() as transaction:
            sender.send(Message(2, {"symbol": "B"}), transaction=transaction)
            assert sender.is_open
        assert {key: value.body for key, value in prices.get_many(["A", "B"]).items()} == {"A": 1, "B": 2}
        assert [each.name for each in connection.queues()] == ["prices"]
