"""lastvalue.cli.messages."""

import json
import subprocess
import sys
from collections.abc import Callable

import pytest

pytestmark = pytest.mark.usefixtures("url")
Lastvalue = Callable[[str], tuple[int, str, str]]


def piped(line: str, stdin: str) -> tuple[int, str, str]:
    """Run a command line in a process of its own, fed with standard input."""
    ended = subprocess.run(
        [sys.executable, "-c", "from lastvalue.cli.main import main; main()", *line.split()],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return ended.returncode, ended.stdout, ended.stderr


def sent(lastvalue: Lastvalue, queue: str) -> list[dict[str, object]]:
    """What a queue holds, without what the broker added."""
    lines = lastvalue(f"browse {queue} -o jsonl")[1].splitlines()
    added = ("sequence", "arrival_time_ms")
    return [{name: value for name, value in json.loads(line).items() if name not in added} for line in lines]


@pytest.fixture(autouse=True)
def _queues(url: str, lastvalue: Lastvalue) -> None:
    assert lastvalue("queue add prices --lvq-key symbol")[0] == 0
    assert lastvalue("queue add orders")[0] == 0


# ---- send


def test_the_newest_value_of_a_key_is_browsed(lastvalue: Lastvalue) -> None:
    assert lastvalue("send prices 101.5 --key AAPL")[:2] == (0, "")
    lastvalue("send prices 101.7 --key AAPL")
    assert lastvalue("browse prices")[1] == (
        "SEQUENCE  UPDATES  BODY                    PROPERTIES\n"
        "2         2        101.7                   symbol=AAPL\n"
    )


@pytest.mark.parametrize(
    ("options", "record"),
    [
        ("text", {"body": "text", "updates": 1}),
        ("1.5 --as json", {"body": 1.5, "updates": 1}),
        ('{"bid":[1,2]} --as json', {"body": {"bid": [1, 2]}, "updates": 1}),
        ('{"body":1,"updates":3} --as message', {"body": 1, "updates": 3}),
        (
            "a -p side=buy --property size:=5",
            {"body": "a", "properties": {"side": "buy", "size": 5}, "updates": 1},
        ),
        (
            "a --subject new --durable --priority 9 --ttl 60",
            {"body": "a", "subject": "new", "durable": True, "priority": 9, "ttl_ms": 60000, "updates": 1},
        ),
    ],
)
def test_a_message_is_sent_as_told(lastvalue: Lastvalue, options: str, record: dict[str, object]) -> None:
    assert lastvalue(f"send orders {options}")[:2] == (0, "")
    assert sent(lastvalue, "orders") == [record]


def test_a_body_is_sent_as_often_as_told(lastvalue: Lastvalue) -> None:
    lastvalue("send orders again --count 3")
    assert sent(lastvalue, "orders") == [{"body": "again", "updates": 1}] * 3


def test_each_line_of_standard_input_is_a_message(lastvalue: Lastvalue) -> None:
    assert piped("send orders", "one\ntwo\nthree")[:2] == (0, "")
    assert [record["body"] for record in sent(lastvalue, "orders")] == ["one", "two", "three"]


def test_as_many_lines_are_sent_as_told(lastvalue: Lastvalue) -> None:
    assert piped("send orders - --count 2", "one\ntwo\nthree\n")[:2] == (0, "")
    assert [record["body"] for record in sent(lastvalue, "orders")] == ["one", "two"]


def test_what_is_browsed_can_be_sent_elsewhere(lastvalue: Lastvalue) -> None:
    lastvalue("send prices 101.5 --key AAPL")
    lastvalue("send prices 7 --key MSFT --as json")
    assert piped("send orders --as message", lastvalue("browse prices -o jsonl")[1])[:2] == (0, "")
    assert sent(lastvalue, "orders") == sent(lastvalue, "prices")


@pytest.mark.parametrize(
    ("line", "code", "fault"),
    [
        ("send nowhere a", 1, "named 'nowhere'; `lastvalue queue list` and `exchange list` show those that"),
        ("send nowhere a --key A", 1, "no queue named 'nowhere'"),
        ("send orders a --key A", 2, "queue 'orders' has no key property; use --property"),
        ("send orders {a} --as json", 2, "the body '{a}' is not JSON"),
        ("send orders 5 --as message", 2, "a JSON object with a body"),
        ("send orders a -p side", 2, "--property 'side' is not NAME=VALUE"),
        ("send orders a -p size:=x", 2, "is not JSON"),
        ("send orders a --priority 256", 2, "--priority"),
        ("send orders a --ttl 0", 2, "--ttl"),
        ("send orders a --count 0", 2, "--count"),
        ("send orders a -p list:=[1]", 1, "property 'list' needs a simple value"),
        ("browse nowhere", 1, "there is no queue or exchange named 'nowhere'"),
        ("browse", 2, "see `lastvalue browse --help`"),
        ("receive nowhere", 1, "there is no queue or exchange named 'nowhere'"),
        ("receive orders --accept --reject", 2, "exclude each other"),
        ("receive orders --release", 2, "--count or --timeout"),
        ("receive orders --timeout 0", 2, "--timeout"),
    ],
)
def test_a_wrong_command_is_told_on_one_line(lastvalue: Lastvalue, line: str, code: int, fault: str) -> None:
    ended, output, errors = lastvalue(line)
    assert (ended, output) == (code, "")
    assert fault in errors
    assert errors.count("\n") == 1


def test_a_full_queue_is_told_with_a_hint(lastvalue: Lastvalue) -> None:
    lastvalue("queue add small --max-messages 1")
    code, _, errors = lastvalue("send small a --count 3")
    assert code == 1
    assert "rejected 2 messages" in errors
    assert "raise its limit" in errors


# ---- receive


def test_received_messages_leave_the_queue(lastvalue: Lastvalue) -> None:
    lastvalue("send orders a --count 3")
    assert lastvalue("receive orders --count 2 -o jsonl")[0] == 0
    assert len(sent(lastvalue, "orders")) == 1


def test_receiving_ends_after_a_silence(lastvalue: Lastvalue) -> None:
    lastvalue("send orders a --count 2")
    code, output, _ = lastvalue("receive orders --timeout 1 -o json")
    assert (code, len(json.loads(output))) == (0, 2)


@pytest.mark.parametrize("until", ["--count 2", "--timeout 0.1"])
def test_released_messages_stay(lastvalue: Lastvalue, until: str) -> None:
    lastvalue("send orders a --count 2")
    assert lastvalue(f"receive orders --release {until}")[0] == 0
    assert len(sent(lastvalue, "orders")) == 2


def test_rejected_messages_leave_as_rejected(lastvalue: Lastvalue) -> None:
    lastvalue("send orders a")
    lastvalue("receive orders --reject --count 1")
    assert json.loads(lastvalue("queue show orders -o json")[1])["removed"] == {"rejected": 1}


# ---- browse


def test_a_snapshot_of_an_empty_queue_prints_nothing(lastvalue: Lastvalue) -> None:
    assert lastvalue("browse orders")[:2] == (0, "")
    assert lastvalue("browse orders -o json") == (0, "[]\n", "")


def test_browsing_ends_after_a_count_or_a_silence(lastvalue: Lastvalue) -> None:
    lastvalue("send orders a --count 5")
    assert len(lastvalue("browse orders --follow --count 2 -o jsonl")[1].splitlines()) == 2
    assert len(lastvalue("browse orders --follow --timeout 1 -o jsonl")[1].splitlines()) == 5


def test_only_selected_messages_are_browsed_and_received(lastvalue: Lastvalue) -> None:
    lastvalue("queue add orders")
    for number in (1, 2, 3):
        lastvalue(f"send orders {number} --property n:={number} --group g")
    assert lastvalue("browse orders --selector n>1 -o jsonl")[1].count("\n") == 2
    received = lastvalue("receive orders --selector n=2 --consumer-priority 3 --count 1 -o jsonl")[1]
    assert json.loads(received)["group_id"] == "g"
    assert lastvalue("browse orders --replay-period 0 -o jsonl")[1] == ""
    code, _, errors = lastvalue("browse orders --selector n>")
    assert (code, "column 3" in errors) == (1, True)


def test_a_message_may_be_delayed(lastvalue: Lastvalue) -> None:
    lastvalue("queue add orders")
    lastvalue("send orders later --delay 3600")
    assert lastvalue("browse orders -o jsonl")[1] == ""
    assert json.loads(lastvalue("queue show orders -o json")[1])["depth"] == 1
