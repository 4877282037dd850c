"""lastvalue.cli.moves."""

import json
from collections.abc import Callable

import pytest

from lastvalue.client import Message
from lastvalue.client.blocking import connect

pytestmark = pytest.mark.usefixtures("url")
Lastvalue = Callable[[str], tuple[int, str, str]]


@pytest.fixture(autouse=True)
def _queues(url: str) -> None:
    with connect(url) as connection:
        connection.declare("orders.failed")
        connection.declare("small", max_messages=1)
        orders = connection.declare("orders", alternate="orders.failed")
        orders.send_many(Message(str(number), {"n": number}) for number in (1, 2, 3, 4))


def bodies(url: str, queue: str) -> str:
    with connect(url) as connection:
        return "".join(str(message.body) for message in connection.queue(queue).browse())


@pytest.mark.parametrize(
    ("line", "said", "left", "there"),
    [
        (
            "move orders orders.failed --id 2 --id 4",
            "moved 2 messages from orders to orders.failed",
            "13",
            "24",
        ),
        (
            "move orders orders.failed --selector n=1",
            "moved 1 message from orders to orders.failed",
            "234",
            "1",
        ),
        (
            "copy orders orders.failed --id 2-3",
            "copied 2 messages from orders to orders.failed",
            "1234",
            "23",
        ),
        ("copy orders orders.failed -n 1", "copied 1 message from orders to orders.failed", "1234", "1"),
        ("delete-messages orders --selector n>2", "deleted 2 messages from orders", "12", ""),
        ("delete-messages orders --all", "deleted 4 messages from orders", "", ""),
    ],
)
def test_chosen_messages_are_handled(
    url: str, lastvalue: Lastvalue, line: str, said: str, left: str, there: str
) -> None:
    assert lastvalue(f"queue {line}") == (0, "", f"{said}\n")
    assert (bodies(url, "orders"), bodies(url, "orders.failed")) == (left, there)


def test_dead_letters_go_back(url: str, lastvalue: Lastvalue) -> None:
    lastvalue("receive orders --reject --count 2")
    assert bodies(url, "orders.failed") == "12"
    code, output, errors = lastvalue("queue retry orders.failed --all -o json")
    assert (code, json.loads(output)) == (0, {"messages": [1, 2], "stayed": []})
    assert errors == "moved 2 messages from orders.failed back to where they came from\n"
    assert bodies(url, "orders") == "3412"


@pytest.mark.parametrize(
    ("line", "code", "fault"),
    [
        ("move orders small --all", 1, "messages 2, 3, 4 stayed: small did not take them"),
        ("retry orders --id 1", 1, "message 1 stayed: they are no dead letters"),
        ("delete-messages orders --id 1 --id 9", 1, "left out message 9: not there"),
        (
            "delete-messages orders",
            2,
            "say which messages: --id, --selector, --count, or all of them by --all",
        ),
        ("delete-messages orders --all --id 1", 2, "say which messages"),
        ("delete-messages orders --id one", 2, "--id 'one' is not a sequence, as in 17"),
        ("move orders nowhere --all", 1, "no queue named 'nowhere'"),
        ("move nowhere orders --all", 1, "no queue named 'nowhere'"),
        ("move orders orders --all", 1, "name another destination"),
        ("copy orders small --selector n>", 1, "column 3"),
    ],
)
def test_what_was_not_done_is_told(lastvalue: Lastvalue, line: str, code: int, fault: str) -> None:
    ended, output, errors = lastvalue(f"queue {line}")
    assert (ended, output) == (code, "")
    assert fault in errors
