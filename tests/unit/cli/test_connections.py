"""lastvalue.cli.connections."""

import json
from collections.abc import Callable

import pytest

from lastvalue.broker.statistics import statistic as statistics
from lastvalue.cli import connections
from lastvalue.client.blocking import connect
from lastvalue.client.errors import DetachedError

Lastvalue = Callable[[str], tuple[int, str, str]]


@pytest.mark.parametrize(
    ("columns", "table"),
    [
        (connections.CONNECTION_COLUMNS, statistics.CONNECTION),
        (connections.SESSION_COLUMNS, statistics.SESSION),
        (connections.CONSUMER_COLUMNS, statistics.LINK),
        (connections.PRODUCER_COLUMNS, statistics.LINK),
    ],
)
def test_columns_have_the_names_of_statistics(columns: tuple[str, ...], table: tuple[object, ...]) -> None:
    named = {each.name for each in table if isinstance(each, statistics.Statistic)}
    assert set(columns) - named <= {"connection", "user"}


def test_a_consumer_is_listed_with_what_it_waits_for(lastvalue: Lastvalue, url: str) -> None:
    lastvalue("queue add orders")
    lastvalue("queue add others")
    lastvalue("send orders one")
    with connect(url) as connection, connection.queue("orders").receive() as receiver:
        next(receiver)
        (consumer,) = json.loads(lastvalue("consumer list --queue orders -o json")[1])
        assert (consumer["node"], consumer["waits_for"]) == ("orders", "empty")
        assert consumer["waits_since_ms"] > 0
        assert json.loads(lastvalue("consumer list --queue others -o json")[1]) == []
        assert "WAITS FOR  WAITS SINCE\n" in lastvalue("consumer list")[1]
        assert json.loads(lastvalue("producer list -o json")[1]) == []
        code, shown, _ = lastvalue(f"connection show {consumer['connection']}")
        assert (code, "consumer  orders" in shown) == (0, True)


def test_a_connection_is_closed_by_its_name(lastvalue: Lastvalue, url: str) -> None:
    with connect(url, container_id="feed", reconnect=False) as connection:
        listed = json.loads(lastvalue("connection list -o json")[1])
        (name,) = [each["name"] for each in listed if each["program"] == "feed"]
        assert [each["name"] for each in json.loads(lastvalue("session list -o json")[1])]
        assert lastvalue(f"connection close {name}") == (0, "", f"closed connection {name}\n")
        with pytest.raises(Exception, match="closed by management"):
            connection.clock_ms()


def test_a_consumer_is_closed_and_its_connection_stays(lastvalue: Lastvalue, url: str) -> None:
    lastvalue("queue add orders")
    lastvalue("send orders one")
    with connect(url, reconnect=False) as connection, connection.queue("orders").receive() as receiver:
        next(receiver)
        (shown,) = json.loads(lastvalue("consumer list --queue orders -o json")[1])
        where = f"--connection {shown['connection']} --session {shown['session']}"
        closed = f"closed consumer {shown['name']}\n"
        assert lastvalue(f"consumer close {shown['name']} {where}") == (0, "", closed)
        with pytest.raises(DetachedError, match="closed by management"):
            next(receiver)
        assert connection.clock_ms()
        code, _, errors = lastvalue(f"consumer close {shown['name']} {where}")
        assert (code, "there is no consumer named" in errors) == (1, True)


def test_the_columns_of_a_table_are_chosen(lastvalue: Lastvalue, url: str) -> None:
    with connect(url, container_id="feed"):
        assert "\nanonymous  feed\n" in lastvalue("connection list --columns user,program")[1]
        code, _, errors = lastvalue("connection list --columns program,colour")
        assert (code, errors.startswith("lastvalue: there is no column 'colour'; there are name, ")) == (
            2,
            True,
        )


@pytest.mark.parametrize("line", ["connection show nosuch", "connection close nosuch"])
def test_a_connection_that_is_not_there_is_told(lastvalue: Lastvalue, url: str, line: str) -> None:
    assert url
    code, _, errors = lastvalue(line)
    assert (code, "there is no connection named 'nosuch'" in errors, errors.count("\n")) == (1, True, 1)
