"""lastvalue.client.watched_values; against a broker in test_watcher."""

import pytest

from lastvalue.client.message import Message
from lastvalue.client.watched_values import Change, WatchedValues


def value(key: str, body: object) -> Message:
    return Message(body, {"k": key})


def removal(key: str, reason: str) -> Message:
    return Message(None, {"k": key}, removed=reason)


def marker(kind: str) -> Message:
    return Message(snapshot=kind)


def told(watched: WatchedValues) -> list[tuple[object, object, str | None]]:
    """Key, body and reason of each change."""
    changes = [watched.change_of(key, reason) for key, reason in watched.take_changed().items()]
    return [(each.key, each.value and each.value.body, each.reason) for each in changes]


@pytest.fixture
def watched() -> WatchedValues:
    watched = WatchedValues(None)
    watched.take([value("a", 1), value("b", 2), marker("fresh")], "k")
    assert told(watched) == [("a", 1, None), ("b", 2, None)]
    return watched


def test_a_change_is_told_once_with_the_newest_value_where_its_last_one_came(watched: WatchedValues) -> None:
    watched.take([value("a", 3), value("b", 4), value("a", 5), removal("b", "expired")], "k")
    assert told(watched) == [("a", 5, None), ("b", None, "expired")]
    assert told(watched) == []


def test_what_changes_while_changes_are_told_is_told_with_them_and_not_again(watched: WatchedValues) -> None:
    watched.take([value("a", 3), value("b", 4)], "k")
    changed = watched.take_changed()
    watched.take([removal("b", "key_deleted"), value("a", 5)], "k")
    assert watched.change_of("a", changed["a"]) == Change("a", watched.values["a"])
    assert watched.change_of("b", changed["b"]) == Change("b", None, "key_deleted")
    assert told(watched) == []


def test_a_removal_of_what_was_not_there_is_no_change(watched: WatchedValues) -> None:
    watched.take([removal("c", "expired")], "k")
    assert told(watched) == []


def test_all_are_told_anew(watched: WatchedValues) -> None:
    watched.take([removal("a", "expired")], "k")
    watched.tell_all()
    assert told(watched) == [("b", 2, None)]


def test_what_does_not_come_again_after_an_interruption_is_gone(watched: WatchedValues) -> None:
    watched.interrupted()
    away = watched.complete
    watched.take([value("b", 2), marker("fresh")], "k")
    assert (away, watched.complete) == (False, True)
    assert told(watched) == [("b", 2, None), ("a", None, "unknown")]


def test_of_a_watcher_that_resumes_nothing_is_gone(watched: WatchedValues) -> None:
    watched.interrupted()
    watched.take([value("b", 3), marker("resumed")], "k")
    assert (watched.complete, told(watched)) == (True, [("b", 3, None)])


def test_values_that_are_sent_again_replace_all(watched: WatchedValues) -> None:
    watched.take([marker("begun"), value("a", 7), marker("fresh")], "k")
    assert told(watched) == [("a", 7, None), ("b", None, "unknown")]


def test_each_change_is_heard_as_it_comes() -> None:
    heard: list[Change] = []
    watched = WatchedValues(heard.append)
    watched.take([value("a", 1), value("a", 2), removal("a", "expired")], "k")
    assert [(each.value and each.value.body, each.reason) for each in heard] == [
        (1, None),
        (2, None),
        (None, "expired"),
    ]


def test_a_delta_changes_the_value_before() -> None:
    watched = WatchedValues(None)
    watched.take([value("a", {"x": 1, "y": 1}), Message({"y": 2}, {"k": "a"}, delta="merge-patch")], "k")
    assert (watched.values["a"].body, watched.values["a"].delta) == ({"x": 1, "y": 2}, None)


def test_a_key_of_several_properties_is_one_text() -> None:
    watched = WatchedValues(None)
    watched.take([Message(1, {"venue": "x", "symbol": "A"})], "venue,symbol")
    assert [type(each) for each in watched.values] == [str]
