"""lastvalue.server.log_events."""

import logging
import re
from pathlib import Path

import pytest
from logged_events import logged

from lastvalue.config.log_levels import COMPONENTS
from lastvalue.server import log_events
from lastvalue.server.log_events import EVENTS, MOST_CHARACTERS, LogEvent, clean_text

PRICED = LogEvent("queue.priced", logging.INFO, "a price has come", "queue", "price", "by")


@pytest.fixture(autouse=True)
def everything(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "lastvalue")


def test_an_event_is_a_record_of_its_components_logger_with_its_fields(
    caplog: pytest.LogCaptureFixture,
) -> None:
    PRICED.log(queue="q", price=2.5, by=None)
    [record] = caplog.records
    assert (record.name, record.levelname) == ("lastvalue.queue", "INFO")
    assert logged(caplog) == [("queue.priced", {"queue": "q", "price": 2.5})]
    assert record.getMessage() == "queue.priced: a price has come queue=q price=2.5"


def test_a_value_with_spaces_or_quotes_is_quoted_in_the_text(caplog: pytest.LogCaptureFixture) -> None:
    PRICED.log(queue="a b", by="c=d")
    assert caplog.messages == ["queue.priced: a price has come queue='a b' by='c=d'"]


def test_an_event_has_no_other_fields() -> None:
    with pytest.raises(TypeError, match="volume"):
        PRICED.log(volume=1)


def test_below_its_level_nothing_is_made_of_it(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "lastvalue.queue")
    PRICED.log(queue="q")
    assert not caplog.records


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[2J\x1b]0;owned\x07", "\\x1b[2J\\x1b]0;owned\\x07"),
        ("a\nserver.stopped: it", "a\\nserver.stopped: it".replace("\\n", "\\x0a")),
        ("a\r\tb\x00", "a\\x0d\\x09b\\x00"),
        ("\x9b31m", "\\x9b31m"),
        ("admin\u202egnp", "admin\\u202egnp"),
        ("\u2028\ufeff", "\\u2028\\ufeff"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\U000e0041"),
        ("Größe 価格 🙂", "Größe 価格 🙂"),
        ("x" * 5000, "x" * MOST_CHARACTERS + "…"),
    ],
)
def test_no_peer_writes_to_the_terminal_or_begins_a_line(
    hostile: str, shown: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert clean_text(hostile) == shown
    PRICED.log(queue=hostile)
    [(_, fields)] = logged(caplog)
    assert fields == {"queue": shown}
    assert caplog.messages[0].isprintable()


def test_every_event_is_logged_somewhere() -> None:
    package = Path(log_events.__file__).parents[1]
    users = [path.read_text() for path in package.rglob("*.py") if path.name != "log_events.py"]
    used = {word for text in users for word in re.findall(r"\b[A-Z_]+\b", text)}
    constants = {name for name, value in vars(log_events).items() if isinstance(value, LogEvent)}
    assert len(constants) == len(EVENTS)
    assert constants - used == set()


def test_no_field_hides_what_every_line_has() -> None:
    taken = {"timestamp", "level", "component", "event", "message", "exception"}
    assert [event.name for event in EVENTS if taken.intersection(event.fields)] == []


def test_every_event_has_a_component_that_has_a_level_and_a_name_of_its_own() -> None:
    assert {event.component for event in EVENTS} == set(COMPONENTS)
    assert len({event.name for event in EVENTS}) == len(EVENTS)
