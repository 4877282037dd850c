"""Long lists are made in several turns."""

from bare_queue import START_MS
from broker_desk import made

from lastvalue.broker.broker import Broker
from lastvalue.broker.listing import LISTED_AT_ONCE
from lastvalue.broker.management import Request, manage
from lastvalue.codec.amqp10.value_codec import decode_value, encode_value

NAMES = [f"q{number:03}" for number in range(3 * LISTED_AT_ONCE)]


def listed(broker: Broker) -> list[str]:
    """The names that a client reads, when the list is complete."""
    response = manage(broker, Request("QUERY", "queue"), START_MS)
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
    assert lengths == [LISTED_AT_ONCE, 2 * LISTED_AT_ONCE, 3 * LISTED_AT_ONCE]


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
