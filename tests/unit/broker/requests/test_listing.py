"""Long lists are made in several turns."""

from itertools import count

import pytest
from bare_queue import START_MS
from broker_desk import made

from lastvalue.broker.broker import Broker
from lastvalue.broker.faults import Faults
from lastvalue.broker.long_commands import TURN_S, LongCommands
from lastvalue.broker.requests.listing import LISTED_AT_ONCE, Listing
from lastvalue.broker.requests.management import Request, manage
from lastvalue.broker.rights.permissions import Permissions, parse_rule
from lastvalue.codec.amqp10.value_codec import decode_value, encode_value

NAMES = [f"q{number:03}" for number in range(3 * LISTED_AT_ONCE - 1)]


def listed(broker: Broker, **body: object) -> list[str]:
    """The names that a client reads, when the list is complete."""
    response = manage(broker, Request("QUERY", "queue", body=body), START_MS)
    while broker.long_commands.busy:
        broker.pump(START_MS)
    encoded = encode_value(response.body)
    descriptions, _ = decode_value(encoded, 0, len(encoded))
    assert isinstance(descriptions, list)
    return [each["name"] for each in descriptions]


def test_a_long_list_takes_several_turns() -> None:
    broker = made(*NAMES)
    response = manage(broker, Request("QUERY", "queue"), START_MS)
    lengths = [len(response.body)]
    while broker.long_commands.busy:
        broker.pump(START_MS)
        lengths.append(len(response.body))
    assert lengths == [LISTED_AT_ONCE, 2 * LISTED_AT_ONCE, len(NAMES)]


def test_a_node_that_takes_long_to_describe_is_the_last_of_its_turn() -> None:
    seconds = count(step=TURN_S)
    described: list[object] = []
    commands = LongCommands(Faults())
    commands.clock_s = seconds.__next__
    found = Listing(({"name": name} for name in NAMES), 0).begin(commands, START_MS)
    while commands.busy:
        described.append(len(found))
        commands.step(START_MS)
    assert described == list(range(1, len(NAMES) + 1))


def test_a_list_has_the_same_descriptions_however_long_it_is() -> None:
    assert listed(made(*NAMES)) == NAMES
    assert listed(made(*NAMES[:2])) == NAMES[:2]


def test_a_queue_that_is_deleted_meanwhile_is_left_out() -> None:
    broker = made(*NAMES)
    response = manage(broker, Request("QUERY", "queue"), START_MS)
    broker.delete(NAMES[-1], START_MS)
    while broker.long_commands.busy:
        broker.pump(START_MS)
    assert len(response.body) == len(NAMES) - 1


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ({"count": 2}, ["a1", "a2"]),
        ({"after": "a2"}, ["b1", "b2"]),
        ({"after": "a1", "count": 2}, ["a2", "b1"]),
        ({"contains": "2"}, ["a2", "b2"]),
        ({"after": "b2"}, []),
    ],
)
def test_a_page_has_the_names_that_it_asks_for_in_their_order(
    body: dict[str, object], names: list[str]
) -> None:
    assert listed(made("b2", "a1", "b1", "a2"), **body) == names


def test_what_the_caller_may_not_see_does_not_count_for_a_page() -> None:
    broker = made(*NAMES)
    permissions = Permissions([parse_rule("browse q02*")])
    broker.authorization.permissions = lambda _: permissions
    assert listed(broker, count=2) == ["q020", "q021"]


@pytest.mark.parametrize(
    "body", [{"after": 1}, {"contains": None}, {"count": 0}, {"count": True}, {"count": "2"}]
)
@pytest.mark.parametrize("kind", ["queue", "exchange"])
def test_a_page_of_wrong_types_is_refused(kind: str, body: dict[str, object]) -> None:
    assert manage(made(), Request("QUERY", kind, body=body), START_MS).status == 422
