"""lastvalue.addresses.destinations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.addresses import Destination, InvalidAddressError, destination_arguments, parse_destination
from lastvalue.addresses.tokens import MAX_LENGTH
from lastvalue.queues.spec import LastValue
from lastvalue.queues.spec_arguments import spec_from_arguments

EVERY_PARAMETER = (
    "routing-type=anycast&filter-string=colour%3D'red'&durable=TRUE&max-consumers=-1&exclusive=false"
    "&group-rebalance=false&group-rebalance-pause-dispatch=true&group-buckets=-1&group-first-key=first"
    "&last-value=true&last-value-key=symbol&non-destructive=true&purge-on-no-consumers=false"
    "&consumers-before-dispatch=0&delay-before-dispatch=-1&consumer-priority=5&auto-delete=no"
    "&auto-delete-delay=0&auto-delete-message-count=0&ring-size=-1&enabled=true"
)


def test_a_last_value_destination_is_read() -> None:
    assert parse_destination("prices?last-value-key=symbol&non-destructive=true") == Destination(
        "prices", None, {"last-value-key": "symbol", "non-destructive": True}
    )


def test_every_parameter_has_its_type() -> None:
    destination = parse_destination(f"q?{EVERY_PARAMETER}")
    assert destination.parameters == {
        "routing-type": "ANYCAST",
        "filter-string": "colour='red'",
        "durable": True,
        "max-consumers": -1,
        "exclusive": False,
        "group-rebalance": False,
        "group-rebalance-pause-dispatch": True,
        "group-buckets": -1,
        "group-first-key": "first",
        "last-value": True,
        "last-value-key": "symbol",
        "non-destructive": True,
        "purge-on-no-consumers": False,
        "consumers-before-dispatch": 0,
        "delay-before-dispatch": -1,
        "consumer-priority": 5,
        "auto-delete": False,
        "auto-delete-delay": 0,
        "auto-delete-message-count": 0,
        "ring-size": -1,
        "enabled": True,
    }
    assert destination.ignored == ()


def test_parameters_that_mean_nothing_are_told() -> None:
    destination = parse_destination("q?user=me&temporary=true&lastvalue=true&ring-size=2")
    assert destination.ignored == ("user", "temporary", "lastvalue")
    assert destination.parameters == {"ring-size": 2}


@pytest.mark.parametrize(
    ("text", "address", "queue", "name"),
    [
        ("news", "news", None, "news"),
        ("news::mine", "news", "mine", "mine"),
        ("news::mine?consumer-priority=1", "news", "mine", "mine"),
        ("news?", "news", None, "news"),
        ("news?filter-string=a::b", "news", None, "news"),
    ],
)
def test_a_name_may_be_fully_qualified(text: str, address: str, queue: str | None, name: str) -> None:
    destination = parse_destination(text)
    assert (destination.address, destination.queue, destination.name) == (address, queue, name)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "a destination must be name"),
        ("?last-value=true", "a destination must be name"),
        ("::q", "a destination must be name"),
        ("a::", "a destination must be name"),
        ("q?ring-size=many", "parameter 'ring-size' is 'many'; expected a whole number"),
        ("q?ring-size", "parameter 'ring-size' is ''; expected a whole number"),
        ("q?max-consumers=1.5", "expected a whole number"),
        ("q?routing-type=both", "parameter 'routing-type' is 'both'; expected ANYCAST or MULTICAST"),
        ("q?filter-string=%ff", "'%ff' is not percent-encoded UTF-8"),
    ],
)
def test_what_is_no_destination_is_refused(text: str, fault: str) -> None:
    with pytest.raises(InvalidAddressError) as refused:
        parse_destination(text)
    assert fault in str(refused.value)


def test_the_parameters_declare_a_queue() -> None:
    """Row 10 of the conflicts."""
    arguments = destination_arguments(parse_destination(f"q?{EVERY_PARAMETER}"))
    spec = spec_from_arguments("q", arguments)
    assert spec.ordering == LastValue("symbol", fallback_key="_AMQ_LVQ_NAME")
    assert spec.readers.non_destructive
    assert spec.filter == "colour='red'"


def test_a_blank_filter_is_none() -> None:
    assert destination_arguments(parse_destination("q?filter-string=%20")) == {}


@given(st.text())
def test_any_text_is_a_destination_or_refused(text: str) -> None:
    outcome: Destination | str
    try:
        outcome = parse_destination(text)
    except InvalidAddressError as error:
        outcome = str(error)
    assert outcome


def test_a_destination_is_no_longer_than_an_address_may_be() -> None:
    longest = "a?" + "b" * (MAX_LENGTH - 2)
    assert parse_destination(longest).ignored
    with pytest.raises(InvalidAddressError, match=f"at most {MAX_LENGTH}"):
        parse_destination(longest + "b")
