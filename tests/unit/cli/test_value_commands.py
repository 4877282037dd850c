"""`lastvalue get`, `put`, `delete`, `why` and `watch`."""

import json
from collections.abc import Callable

import pytest

from lastvalue.cli.exits import UsageError
from lastvalue.cli.value_commands import key_of
from lastvalue.client.loop_thread import LoopThread
from lastvalue.server.broker_server import BrokerServer, ServerOptions

Run = Callable[[str], tuple[int, str, str]]


@pytest.mark.usefixtures("url")
def test_values_are_put_together_and_got(lastvalue: Run) -> None:
    lastvalue("queue add prices --lvq-key symbol")
    code, _, said = lastvalue("put prices AAPL 101.7 MSFT 99 --if-sequence AAPL=0")
    assert (code, said) == (0, "AAPL has sequence 1\nMSFT has sequence 2\n")
    code, out, errors = lastvalue("get prices MSFT AAPL IBM -o jsonl")
    found = [json.loads(line) for line in out.splitlines()]
    assert [(each["key"], each["body"]) for each in found] == [("MSFT", "99"), ("AAPL", "101.7")]
    assert (code, errors) == (1, "lastvalue: no value in queue 'prices' has the key IBM\n")
    code, _, errors = lastvalue("put prices IBM 7 --delete AAPL --if-sequence MSFT=1")
    assert (code, "'MSFT' has sequence 2" in errors) == (1, True)
    assert lastvalue("put prices --key=-A=B 5 IBM 6")[::2] == (0, "-A=B has sequence 3\nIBM has sequence 4\n")
    assert lastvalue("put prices --key IBM")[0] == 2
    code, _, said = lastvalue("put prices IBM 7 --as json --delete AAPL --delete ORCL")
    assert said == "IBM has sequence 5\ndeleted the value of AAPL\nORCL had no value\n"


@pytest.mark.usefixtures("url")
def test_a_value_without_the_order_of_its_queue_is_put_with_a_warning(lastvalue: Run) -> None:
    lastvalue("queue add prices --lvq-key venue,symbol --order-by seq")
    code, _, said = lastvalue("put prices X,AAPL 1 X,MSFT 2")
    assert code == 0
    assert "warning: 2 messages are without 'seq', by which queue 'prices' decides what is newer" in said
    code, _, said = lastvalue("put prices X,AAPL 3 -p seq:=2")
    assert (code, said) == (0, "X,AAPL has sequence 3\n")


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ("put prices AAPL", 2),
        ("put prices AAPL 1 --if-sequence AAPL", 2),
        ("put prices AAPL 1 AAPL 2", 2),
        ("put plain A 1", 1),
    ],
)
@pytest.mark.usefixtures("url")
def test_what_cannot_be_put_is_told(lastvalue: Run, wrong: str, code: int) -> None:
    lastvalue("queue add prices --lvq-key symbol")
    lastvalue("queue add plain")
    assert lastvalue(wrong)[0] == code


@pytest.mark.usefixtures("url")
def test_delete_deletes_the_value_of_a_key(lastvalue: Run) -> None:
    lastvalue("queue add prices --lvq-key symbol")
    lastvalue("send prices 101 --key AAPL")
    assert lastvalue("delete prices AAPL --key AAPL")[0] == 2
    assert lastvalue("delete prices")[0] == 2
    assert lastvalue("delete prices --key AAPL --if-sequence 9")[0] == 1
    assert lastvalue("delete prices AAPL --if-sequence 1")[0] == 0
    code, _, errors = lastvalue("delete prices AAPL")
    assert (code, errors) == (1, "lastvalue: the key 'AAPL' has no value in queue 'prices'\n")


@pytest.mark.usefixtures("url")
def test_a_key_that_is_a_number_is_asked_for_as_one(lastvalue: Run) -> None:
    lastvalue("queue add prices --lvq-key n")
    lastvalue("send prices 101 -p n:=5")
    assert lastvalue("delete prices 5")[0] == 1
    assert lastvalue("delete prices 5 --number")[0] == 0
    assert lastvalue("delete prices five --number")[0] == 2
    with pytest.raises(UsageError, match="not a whole number"):
        key_of("x", number=True)


@pytest.mark.usefixtures("url")
def test_why_tells_what_became_of_a_key_and_of_a_sequence(lastvalue: Run) -> None:
    lastvalue("queue add prices --lvq-key symbol --removal-log 10")
    for price in (101, 102):
        lastvalue(f"send prices {price} --key AAPL")
    code, out, _ = lastvalue("why prices AAPL")
    assert (code, "it is the value of its key" in out, "replaced by a newer value" in out) == (0, True, True)
    assert lastvalue("why prices --key AAPL")[1] == out
    assert lastvalue("get prices AAPL -o jsonl") == lastvalue("get prices -k AAPL -o jsonl")
    assert lastvalue("get prices")[0] == 2
    assert '"reason": "replaced"' in lastvalue("why prices --sequence 1 -o json")[1]
    code, _, errors = lastvalue("why prices --sequence 9")
    assert (code, "its last sequence is 2" in errors) == (1, True)
    assert "none of the last 10 messages" in lastvalue("why prices --message-id x")[2]


@pytest.mark.usefixtures("url")
def test_why_says_how_to_make_a_queue_remember(lastvalue: Run) -> None:
    lastvalue("queue add prices --lvq-key symbol")
    code, _, errors = lastvalue("why prices AAPL")
    assert (code, "lastvalue queue set prices --removal-log 1000" in errors) == (1, True)
    assert lastvalue("why prices")[0] == 2
    assert lastvalue("why prices A --sequence 1")[0] == 2
    assert lastvalue("why none A")[0] == 1


@pytest.mark.usefixtures("url")
def test_why_says_so_too_where_it_knows_the_present_value_alone(lastvalue: Run) -> None:
    lastvalue("queue add prices --lvq-key symbol")
    lastvalue("send prices 101 --key AAPL")
    code, out, errors = lastvalue("why prices AAPL")
    assert (code, "it is the value of its key" in out, "--removal-log 1000" in errors) == (0, True, True)


@pytest.mark.usefixtures("url")
@pytest.mark.parametrize(
    ("values", "refused"), [("AAPL=3.5 MSFT=4", True), ("AAPL 3.5", False), ("a=b 3", False)]
)
def test_put_refuses_keys_that_look_as_if_they_had_their_bodies(
    lastvalue: Run, values: str, refused: bool
) -> None:
    lastvalue("queue add prices --lvq-key symbol")
    code, _, errors = lastvalue(f"put prices {values}")
    assert (code, "`put prices AAPL 3.5`" in errors) == (2 if refused else 0, refused)


@pytest.mark.usefixtures("url")
def test_put_gives_values_the_order_that_their_queue_asks_for(lastvalue: Run) -> None:
    lastvalue("queue add prices --lvq-key symbol --order-by sequence --order-missing refuse")
    code, _, errors = lastvalue("put prices AAPL 3.5")
    assert (code, "refuses messages without 'sequence'" in errors) == (1, True)
    assert lastvalue("put prices AAPL 3.5 -p sequence:=2")[0] == 0
    _, _, said = lastvalue("put prices AAPL 3.4 -p sequence:=1")
    assert "a newer value was there" in said


@pytest.mark.usefixtures("url")
def test_why_asks_the_history_about_what_the_broker_does_not_remember(lastvalue: Run) -> None:
    lastvalue("queue add prices --lvq-key symbol --history prices.history")
    for price in (101, 102):
        lastvalue(f"send prices {price} --key AAPL")
    lastvalue("delete prices AAPL")
    _, out, _ = lastvalue("why prices AAPL -o jsonl")
    told = [json.loads(line) for line in out.splitlines()]
    assert [(it["sequence"], it["reason"]) for it in told] == [(2, "key_deleted"), (1, "replaced")]
    assert all(it["arrival_time"] <= it["left"] for it in told)


@pytest.mark.usefixtures("url")
def test_watch_prints_the_values_and_their_changes(lastvalue: Run) -> None:
    lastvalue("queue add prices --lvq-key symbol")
    lastvalue("send prices 101 --key eu.A")
    lastvalue("send prices 102 --key us.B")
    assert lastvalue("watch prices --count 2")[1].splitlines() == ["eu.A  101", "us.B  102"]
    assert lastvalue("watch prices --prefix us. --count 1 -o jsonl")[1].startswith(
        '{"key": "us.B", "body": "102"'
    )
    assert lastvalue("watch prices --key us.B --count 1")[1] == "us.B  102\n"
    assert lastvalue("watch prices --count 1 -o json")[0] == 2
    assert lastvalue("watch missing")[0] == 1


@pytest.mark.usefixtures("url")
def test_keys_prints_the_oldest_and_the_busiest(lastvalue: Run) -> None:
    lastvalue("queue add prices --lvq-key symbol --top-talkers 10")
    for key in ("A", "B", "A"):
        lastvalue(f"send prices 1 --key {key}")
    told = [json.loads(line) for line in lastvalue("keys prices -o jsonl")[1].splitlines()]
    assert [(each["key"], each["updates"], each["age_s"] >= 0) for each in told] == [
        ("B", 1, True),
        ("A", 2, True),
    ]
    told = [json.loads(line) for line in lastvalue("keys prices --by updates -n 1 -o jsonl")[1].splitlines()]
    assert told == [{"key": "A", "messages": 2, "error": 0}]
    lastvalue("queue set prices --top-talkers 0")
    assert lastvalue("keys prices --by updates")[0] == 1


@pytest.mark.usefixtures("url")
def test_watch_prints_what_a_policy_makes_of_updates(lastvalue: Run) -> None:
    lastvalue("queue add prices --lvq-key symbol")
    lastvalue("send prices 5 --key AAPL")
    printed = lastvalue("watch prices --policy count --count 1")[1]
    assert printed.startswith("AAPL  ")
    assert '"count"' in printed
    code, _, errors = lastvalue("watch prices --policy median --count 1 --no-reconnect")
    assert (code, "is no policy of conflation" in errors) == (1, True)


@pytest.mark.usefixtures("url")
def test_a_key_of_several_properties_is_written_with_commas(lastvalue: Run) -> None:
    lastvalue("queue add quotes --lvq-key venue,symbol --removal-log 10")
    lastvalue("put quotes X,A 1 Y,A 2")
    assert lastvalue("send quotes 3 --key X,A")[0] == 0
    assert "properties" in lastvalue("get quotes X,A -o json")[1]
    found = json.loads(lastvalue("get quotes X,A -o jsonl")[1])
    assert (found["key"], found["body"], found["properties"]) == ("X,A", "3", {"venue": "X", "symbol": "A"})
    assert "replaced by a newer value" in lastvalue("why quotes X,A")[1]
    code, _, warned = lastvalue("send quotes 4 -p venue=X")
    assert (code, "1 message is without 'venue,symbol'" in warned) == (0, True)
    code, _, errors = lastvalue("send quotes 4 --key X")
    assert (code, "the values of venue and symbol with a comma between them" in errors) == (1, True)
    assert lastvalue("delete quotes Y,A")[0] == 0


def test_commands_at_a_follower_go_to_the_leader(lastvalue: Run, url: str) -> None:
    thread = LoopThread()
    follower = BrokerServer(ServerOptions(port=0))
    thread.run(follower.start())
    lastvalue(f"queue add prices --lvq-key symbol --url amqp://127.0.0.1:{follower.port}")
    follower.broker.authorization.leader = url.removeprefix("amqp://")
    asked = f"--url amqp://127.0.0.1:{follower.port}"
    try:
        assert lastvalue(f"queue add prices --lvq-key symbol {asked}")[0] == 0
        assert lastvalue(f"put prices AAPL 1 {asked}")[0] == 0
        assert lastvalue(f"send prices 2 --key MSFT --url {url}")[0] == 0
        assert lastvalue(f"delete prices AAPL {asked}")[0] == 0
        assert '"symbol":"MSFT"' in lastvalue("browse prices -o jsonl")[1].replace(" ", "")
        assert lastvalue(f"queue delete prices {asked}")[0] == 0
    finally:
        thread.run(follower.stop())
        thread.stop()
