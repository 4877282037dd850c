import pytest
from canned_message import CannedMessage

from lastvalue.broker.routing.bindings import NO_LOCAL_ARGUMENT
from lastvalue.delivery.reader_filters import SEQUENCES, ReaderFilters
from lastvalue.model.errors import InvalidSpecError
from lastvalue.model.message import NEVER
from lastvalue.queues.entry import Entry
from lastvalue.queues.filters import REPLAY_PERIOD, SELECTOR
from lastvalue.queues.spec import Readers
from lastvalue.queues.subscription import ANY, Terms
from lastvalue.selectors.errors import InvalidSelectorError

NOW_MS = 100_000


def gathered(*filters: tuple[str, object], readers: Readers | None = None) -> Terms:
    """The terms of a reader of the container `mine`."""
    each = ReaderFilters("mine", NOW_MS)
    for kind, value in filters:
        each.add(kind, value)
    return each.terms(readers or Readers(), 0)


def admitted(terms: Terms, *origins: str, **properties: object) -> list[str]:
    entries = []
    for number, origin in enumerate(origins, 1):
        message = CannedMessage(properties)
        message.origin = origin
        entries.append(Entry(number, message, NOW_MS, NEVER, 1))
    return [entry.message.origin for entry in entries if terms.admits(entry)]


def test_a_reader_without_filters_is_given_anything() -> None:
    assert gathered() is ANY
    assert gathered((NO_LOCAL_ARGUMENT, False)) is ANY


def test_all_filters_must_hold() -> None:
    terms = gathered((SELECTOR, "n > 1"), (NO_LOCAL_ARGUMENT, True))
    assert admitted(terms, "mine", "other", n=2) == ["other"]
    assert admitted(terms, "mine", "other", n=1) == []


@pytest.mark.parametrize(("period_s", "since_ms", "only_new"), [(30, 70_000, False), (0, NOW_MS, True)])
def test_a_replay_period_begins_so_many_seconds_ago(period_s: int, since_ms: int, only_new: bool) -> None:
    terms = gathered((REPLAY_PERIOD, period_s))
    assert (terms.since_ms, terms.only_new) == (since_ms, only_new)


def test_of_several_bounds_the_latest_counts() -> None:
    terms = gathered((REPLAY_PERIOD, 30), (SEQUENCES, [5, 9, 60_000]))
    assert (terms.since_ms, terms.after, terms.until) == (70_000, 5, 9)


@pytest.mark.parametrize(
    "value",
    [None, [], [1, 2], [1, 2, 3, 4, 5], [1, 2, 3, "4"], [-1, None, None], ["1", None, None], [True, 1, 1]],
)
def test_bounds_that_are_none_are_refused(value: object) -> None:
    with pytest.raises(InvalidSpecError):
        gathered((SEQUENCES, value))


def test_a_selector_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidSpecError):
        gathered((SELECTOR, 5))
    with pytest.raises(InvalidSelectorError):
        gathered((SELECTOR, "n >"))


def test_the_queues_default_filters_are_for_who_brings_none_of_their_type() -> None:
    readers = Readers(filters=((SELECTOR, SELECTOR, "n = 1"),), no_local=True)
    assert admitted(gathered(readers=readers), "mine", "other", n=1) == ["other"]
    own = gathered((SELECTOR, "n = 2"), (NO_LOCAL_ARGUMENT, False), readers=readers)
    assert admitted(own, "mine", "other", n=2) == ["mine", "other"]


@pytest.mark.parametrize(
    ("value", "priority"),
    [(5, 5), (-5, -5), (2**40, 2**31), (-(2**40), -(2**31)), (None, 0)],
)
def test_a_priority_is_a_number_or_none(value: object, priority: int) -> None:
    assert ReaderFilters("mine", NOW_MS).terms(Readers(), value).priority == priority


@pytest.mark.parametrize("value", [True, "5", 1.5])
def test_a_priority_that_is_none_is_refused(value: object) -> None:
    with pytest.raises(InvalidSpecError, match="whole number"):
        ReaderFilters("mine", NOW_MS).terms(Readers(), value)
