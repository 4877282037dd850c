"""lastvalue.cli.queues."""

import json
from collections.abc import Callable

import pytest

pytestmark = pytest.mark.usefixtures("url")
Lastvalue = Callable[[str], tuple[int, str, str]]


def test_a_queue_is_added_listed_shown_purged_and_deleted(lastvalue: Lastvalue) -> None:
    assert lastvalue("queue add prices --lvq-key symbol --order-by sequence")[:2] == (0, "")
    lastvalue("send prices 1 --key A")
    assert lastvalue("queue list")[1] == (
        "NAME    TYPE  DEPTH  PUBLISHED  SUBSCRIPTIONS  OPTIONS\n"
        "prices  lvq   1      1          0              lvq_key=symbol order_by=sequence\n"
    )
    shown = lastvalue("queue show prices")[1]
    assert "order_by       sequence" in shown
    assert "redirect_peer" not in shown
    assert lastvalue("queue purge prices") == (0, "queue   prices\npurged  1\n", "")
    assert lastvalue("queue delete prices")[:2] == (0, "")
    assert lastvalue("queue list -o json")[1] == "[]\n"


def test_every_option_of_the_table_is_a_flag(lastvalue: Lastvalue) -> None:
    code, _, errors = lastvalue(
        "queue add prices --type lvq --lvq-key k --order-by o --max-messages 5 --max-bytes 6"
        " --when-full drop-oldest --minimum-ttl-ms 7 --maximum-ttl-ms 8 --durable"
    )
    assert (code, errors.count("warning")) == (0, 1)
    assert json.loads(lastvalue("queue show prices -o json")[1])["options"] == {
        "type": "lvq",
        "lvq_key": "k",
        "order_by": "o",
        "max_messages": 5,
        "max_bytes": 6,
        "when_full": "drop-oldest",
        "minimum_ttl_ms": 7,
        "maximum_ttl_ms": 8,
        "durable": True,
    }


@pytest.mark.parametrize(
    ("line", "options"),
    [
        ("queue add q --paused", {"type": "standard", "paused": True}),
        ("queue add q --no-paused", {"type": "standard"}),
        ("queue set q --no-paused --no-hold-on-publish", {"type": "standard", "durable": True}),
        ("queue resume q", {"type": "standard", "durable": True, "hold_on_publish": True}),
    ],
)
def test_a_flag_is_switched_on_and_off(lastvalue: Lastvalue, line: str, options: dict[str, object]) -> None:
    if "add" not in line:
        lastvalue("queue add q --hold-on-publish --durable")
        assert lastvalue("queue pause q")[0] == 0
        assert json.loads(lastvalue("queue show q -o json")[1])["options"]["paused"] is True
    assert lastvalue(line)[0] == 0
    assert json.loads(lastvalue("queue show q -o json")[1])["options"] == options


def test_adding_twice_does_nothing(lastvalue: Lastvalue) -> None:
    lastvalue("queue add prices --lvq-key symbol")
    assert lastvalue("queue add prices --lvq-key symbol")[:2] == (0, "")


def test_queues_are_printed_as_json(lastvalue: Lastvalue) -> None:
    lastvalue("queue add a")
    lastvalue("queue add b")
    assert [queue["name"] for queue in json.loads(lastvalue("queue list -o json")[1])] == ["a", "b"]
    lines = lastvalue("queue list -o jsonl")[1].splitlines()
    assert [json.loads(line)["type"] for line in lines] == ["standard", "standard"]
    assert json.loads(lastvalue("queue purge a -o jsonl")[1]) == {"queue": "a", "purged": 0}


@pytest.mark.parametrize(
    ("line", "code", "fault"),
    [
        ("queue add prices --lvq-key k", 1, "lvq_key: wanted 'k', has 'symbol'"),
        ("queue show nowhere", 1, "no queue named 'nowhere'; `lastvalue queue list`"),
        ("queue delete nowhere", 1, "no queue named 'nowhere'"),
        ("queue purge nowhere", 1, "no queue named 'nowhere'"),
        ("queue add", 2, "see `lastvalue queue add --help`"),
        ("queue add a --order-by o", 2, "order_by needs lvq_key"),
        ("queue add a --type lvq", 2, "needs lvq_key"),
        ("queue add a --type fifo", 2, "--type"),
        ("queue add a --max-messages many", 2, "--max-messages"),
        ("queue add a --minimum-ttl-ms 5 --maximum-ttl-ms 3", 2, "minimum_ttl_ms 5 exceeds maximum_ttl_ms 3"),
        ("queue add $a", 2, "names that begin with $"),
        ("queue add a --lvq-kye k", 2, "--lvq-kye"),
        ("queue list -o xml", 2, "--output"),
        ("queue lst", 2, "lst"),
        ("queue list --url http://a", 2, "the protocol must be amqp or amqps, not 'http'"),
        ("queue list --url ftp://a", 2, "amqp or amqps"),
        ("queue list --url amqp://127.0.0.1:1", 3, "127.0.0.1:1: Connection refused; is it running?"),
        ("queue list --url amqp://host.invalid", 3, "cannot connect to host.invalid:5672"),
    ],
)
def test_a_wrong_command_is_told_on_one_line(lastvalue: Lastvalue, line: str, code: int, fault: str) -> None:
    lastvalue("queue add prices --lvq-key symbol")
    ended, output, errors = lastvalue(line)
    assert (ended, output) == (code, "")
    assert fault in errors
    assert errors.startswith("lastvalue: ")
    assert errors.count("\n") == 1


def test_a_wrong_password_is_told_and_not_shown(lastvalue: Lastvalue, url: str) -> None:
    code, _, errors = lastvalue(f"queue list --url {url.replace('//', '//alice:wrong@')}")
    assert (code, errors.count("\n")) == (3, 1)
    assert "wrong user or password; check user and password" in errors
    assert "wrong@" not in errors


def test_the_right_password_is_taken(lastvalue: Lastvalue, url: str) -> None:
    assert lastvalue(f"queue list --url {url.replace('//', '//alice:secret@')} -o json") == (0, "[]\n", "")


def test_options_of_a_queue_are_changed(lastvalue: Lastvalue) -> None:
    lastvalue("queue add orders")
    lastvalue("send orders one")
    assert lastvalue("queue set orders --max-messages 5 --paused")[:2] == (0, "")
    assert json.loads(lastvalue("queue show orders -o json")[1])["options"] == {
        "type": "standard",
        "max_messages": 5,
        "paused": True,
    }
    assert lastvalue("queue set orders")[0] == 2
    assert lastvalue("queue set nosuch --paused")[0] != 0


def test_what_was_done_is_said_on_standard_error(lastvalue: Lastvalue) -> None:
    assert lastvalue("queue add orders")[2] == "declared queue orders\n"
    assert lastvalue("queue set orders --max-messages 5")[2] == "changed queue orders: max_messages=5\n"
    assert lastvalue("queue delete orders")[2] == "deleted queue orders\n"
    assert lastvalue("queue add orders -q")[2] == ""


def test_a_durable_queue_without_a_store_is_warned_of(lastvalue: Lastvalue) -> None:
    _, _, errors = lastvalue("queue add orders --durable --quiet")
    assert errors == (
        "lastvalue: warning: queue 'orders' is durable, but the broker has no store: "
        "a restart loses it and its messages\n"
    )
