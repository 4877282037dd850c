"""lastvalue.cli.send."""

import os
from collections.abc import Callable

import pytest

from lastvalue.cli.send import Slips
from lastvalue.client import Message, Queue, QueueInfo, RefusedError
from lastvalue.client.blocking import connect
from lastvalue.client.sender import Sender
from lastvalue.config.server_options import ServerOptions

Lastvalue = Callable[[str], tuple[int, str, str]]


@pytest.fixture(autouse=True)
def _nodes(url: str) -> None:
    with connect(url) as connection:
        connection.declare("prices", lvq_key="symbol", lvq_fallback_key="sign")
        connection.declare("ranked", lvq_key="symbol", order_by="rank")
        connection.declare("orders")
        connection.declare("of/parts", lvq_key="symbol")
        connection.declare_exchange("news", type="topic")
        connection.bind("news", "orders", "sports.#")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("send orders a", "sent 1 message to orders\n"),
        ("send orders a --count 3", "sent 3 messages to orders\n"),
        ("send news/sports.cricket a", "sent 1 message to news/sports.cricket\n"),
        ("send prices a --key A -q", ""),
        ("send of/parts a --key A -q", ""),
        ("send prices a -p sign=A -q", ""),
        (
            "send prices a -q -n 2",
            (
                "lastvalue: warning: 2 messages are without 'symbol', the key of the last-value queue "
                "'prices': "
                "no newer one replaces it; --key gives one\n"
            ),
        ),
        ("send ranked a -q --key A -p rank:=5 -p rank2=7", ""),
        (
            "send ranked a -q --key A -p rank=5",
            (
                "lastvalue: warning: 1 message is sent with a text in 'rank', by which queue 'ranked' "
                "decides what is newer: a text is not compared with a number; -p rank:=1 sends a number\n"
            ),
        ),
        (
            "send ranked a -q --key A",
            (
                "lastvalue: warning: 1 message is without 'rank', by which queue 'ranked' decides what is "
                "newer: it replaces any value of its key; -p rank:=1 gives one\n"
            ),
        ),
        (
            "send orders a -q --durable",
            (
                "lastvalue: warning: 1 message is marked as durable: queue 'orders' loses it, "
                "as it is not durable\n"
            ),
        ),
    ],
)
def test_what_was_sent_and_likely_slips_are_said(lastvalue: Lastvalue, line: str, said: str) -> None:
    assert lastvalue(line) == (0, "", said)


@pytest.mark.parametrize(
    ("key", "message", "slips"),
    [
        ("subject", Message("a", subject="A"), 0),
        ("properties.subject", Message("a", subject="A"), 0),
        ("group-id", Message("a"), 1),
        ("x-opt-key", Message("a", annotations={"x-opt-key": 1}), 0),
    ],
)
def test_a_key_may_be_a_field_of_the_message(key: str, message: Message, slips: int) -> None:
    seen = Slips(QueueInfo("prices", "lvq", {"lvq_key": key}))
    seen.look_at(message)
    assert len(seen.found()) == slips


@pytest.mark.parametrize(
    ("order", "message", "slips"),
    [
        ("sequence", Message("a", {"k": "A"}), 1),
        ("sequence", Message("a", {"k": "A", "sequence": 2}), 0),
        ("properties.message-id", Message("a", {"k": "A"}, message_id="7"), 0),
        ("message-id", Message("a", {"k": "A"}), 1),
        ("x-opt-order", Message("a", {"k": "A"}, {"x-opt-order": 1}), 0),
    ],
)
def test_so_may_an_order_value(order: str, message: Message, slips: int) -> None:
    seen = Slips(QueueInfo("prices", "lvq", {"lvq_key": "k", "order_by": order}))
    seen.look_at(message)
    assert len(seen.found()) == slips


def test_a_message_that_no_queue_gets_is_an_error(lastvalue: Lastvalue) -> None:
    code, _, errors = lastvalue("send news/politics a")
    assert code == 1
    assert "exchange 'news/politics' rejected a message: no binding of 'news' takes 'politics'" in errors
    assert errors.endswith("; `lastvalue exchange list` shows the bindings of exchanges\n")


@pytest.mark.parametrize(("name", "code"), [("news/sports", 0), ("orders", 1)])
def test_who_may_not_see_a_queue_of_that_name_may_publish_by_a_key(
    lastvalue: Lastvalue, monkeypatch: pytest.MonkeyPatch, name: str, code: int
) -> None:
    async def info(_: Queue) -> QueueInfo:
        raise RefusedError("READ", "amqp:unauthorized-access")

    monkeypatch.setattr(Queue, "info", info)
    assert lastvalue(f"send {name} a")[0] == code


def test_a_line_above_the_largest_message_is_refused_before_its_end(
    lastvalue: Lastvalue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Sender, "max_message_bytes", 10)
    before, (reading, writing) = os.dup(0), os.pipe()
    os.dup2(reading, 0)
    try:
        # The pipe stays open: the refusal does not wait for the line's end.
        os.write(writing, b"first\n" + b"x" * 11)
        code, _, errors = lastvalue("send orders")
    finally:
        os.dup2(before, 0)
        for descriptor in (before, reading, writing):
            os.close(descriptor)
    assert (code, errors) == (
        1,
        (
            "lastvalue: line 2 of standard input has more than 10 bytes; "
            "the broker takes no message of that size\n"
        ),
    )


def test_the_broker_says_what_its_largest_message_is(url: str) -> None:
    with connect(url) as connection, connection.queue("orders").sender() as sender:
        assert sender.max_message_bytes == ServerOptions().max_message_size
