"""lastvalue.cli.exchanges."""

import json
from collections.abc import Callable

import pytest

pytestmark = pytest.mark.usefixtures("url")
Lastvalue = Callable[[str], tuple[int, str, str]]


def test_an_exchange_is_added_bound_listed_unbound_and_deleted(lastvalue: Lastvalue) -> None:
    lastvalue("queue add sports")
    assert lastvalue("exchange add news --type topic --alternate amq.fanout")[:2] == (0, "")
    assert lastvalue("exchange add news --type topic")[:2] == (0, "")
    assert lastvalue("exchange bind news sports --key sports.#")[:2] == (0, "")
    assert lastvalue("send news/sports.cricket won")[:2] == (0, "")
    assert lastvalue("send news/politics.uk lost")[0] == 1
    assert lastvalue("exchange list")[1].splitlines()[-1] == (
        "news         topic    2         1         sports(sports.#)  alternate=amq.fanout"
    )
    (sports,) = json.loads(lastvalue("queue list -o json")[1])
    assert sports["depth"] == 1
    assert lastvalue("exchange unbind news sports --key sports.#")[:2] == (0, "")
    assert lastvalue("exchange delete news")[:2] == (0, "")
    names = [exchange["name"] for exchange in json.loads(lastvalue("exchange list -o json")[1])]
    assert names == ["amq.direct", "amq.fanout", "amq.headers", "amq.match", "amq.topic"]


def test_every_flag_is_an_option_of_the_exchange(lastvalue: Lastvalue) -> None:
    flags = "--type fanout --unroutable refuse --auto-delete --initial-value --numbered --internal --durable"
    assert lastvalue(f"exchange add x {flags}")[:2] == (0, "")
    exchanges = json.loads(lastvalue("exchange list -o json")[1])
    assert exchanges[-1]["options"] == {
        "type": "fanout",
        "durable": True,
        "unroutable": "refuse",
        "auto_delete": True,
        "initial_value": True,
        "numbered": True,
        "internal": True,
    }


def test_options_of_an_exchange_are_changed_and_its_bindings_stay(lastvalue: Lastvalue) -> None:
    lastvalue("queue add q")
    lastvalue("exchange add x --numbered")
    lastvalue("exchange bind x q --key k")
    change = "exchange set x --alternate amq.fanout --no-numbered --unroutable refuse --description spare"
    assert lastvalue(change) == (0, "", "changed exchange x\n")
    exchange = json.loads(lastvalue("exchange list -o json")[1])[-1]
    assert exchange["options"] == {
        "type": "direct", "alternate": "amq.fanout", "unroutable": "refuse", "description": "spare",
    }  # fmt: skip
    assert [binding["key"] for binding in exchange["bindings"]] == ["k"]
    assert lastvalue("exchange set x")[0] == 2
    assert lastvalue("exchange set none --durable")[0] == 2
    assert "'none'" in lastvalue("exchange set none --numbered")[2]


def test_arguments_and_a_selector_of_a_binding(lastvalue: Lastvalue) -> None:
    lastvalue("queue add q")
    bind = "exchange bind amq.match q -a x-match=all -a n:=1 --selector size>5"
    assert lastvalue(bind)[:2] == (0, "")
    exchanges = json.loads(lastvalue("exchange list -o json")[1])
    (binding,) = next(exchange["bindings"] for exchange in exchanges if exchange["name"] == "amq.match")
    arguments = {"x-match": "all", "n": 1, "x-filter-jms-selector": "size>5"}
    assert binding == {"destination": "q", "key": "", "arguments": arguments}
    lastvalue("send amq.match yes -p n:=1 -p size:=6")
    lastvalue("send amq.match no -p n:=1 -p size:=5")
    lastvalue("send amq.match no -p n:=2 -p size:=6")
    assert json.loads(lastvalue("receive q -n 1 -o jsonl")[1])["body"] == "yes"
    (queue,) = json.loads(lastvalue("queue list -o json")[1])
    assert queue["depth"] == 0


@pytest.mark.parametrize(
    ("line", "code", "fault"),
    [
        ("exchange add amq.mine", 1, "are reserved"),
        ("exchange add x --type xml", 2, "--type"),
        ("exchange delete amq.topic", 1, "cannot be deleted"),
        ("exchange delete nosuch", 1, "no exchange named 'nosuch'"),
        ("exchange bind amq.topic nosuch", 1, "no queue named 'nosuch'"),
        ("exchange unbind amq.topic nosuch", 1, "not bound"),
        ("exchange bind amq.topic q -a novalue", 2, "NAME=VALUE"),
    ],
)
def test_what_goes_wrong_is_told_on_one_line(lastvalue: Lastvalue, line: str, code: int, fault: str) -> None:
    exit_code, output, errors = lastvalue(line)
    assert (exit_code, output) == (code, "")
    assert fault in errors
    assert errors.count("\n") == 1


def test_what_was_done_is_said_on_standard_error(lastvalue: Lastvalue, url: str) -> None:
    assert url
    lastvalue("queue add sports -q")
    assert lastvalue("exchange add news --type topic")[2] == "declared exchange news\n"
    assert lastvalue("exchange bind news sports --key a.#")[2] == (
        "bound sports to exchange news with key 'a.#'\n"
    )
    assert lastvalue("exchange unbind news sports --key a.#")[2] == (
        "unbound sports from exchange news with key 'a.#'\n"
    )
    assert lastvalue("exchange delete news")[2] == "deleted exchange news\n"
