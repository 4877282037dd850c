"""The index of a headers exchange against each binding asked by itself."""

from typing import Any

from canned_message import CannedMessage
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import ExchangeType
from lastvalue.broker.routing.matchers import matcher_of
from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.fields import STANDARD_FIELDS, utf8_of
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.values import Float, Int, Symbol, ULong
from lastvalue.model.message import FieldValue, Message, PropertyName

NAMES = st.sampled_from(
    ["a", "b", "c", "d", "subject", "properties.subject", "properties.group-sequence", "header.durable"]
)
WANTED = st.sampled_from(
    [None, 1, 0, 1.0, 0.0, -0.0, float("nan"), True, False, "1", "x", b"x", b"1", "", 2**40]
)
VALUES = WANTED | st.sampled_from([Int(1), ULong(0), Float(1.0), Symbol("x"), ULong(2**40)])
ARGUMENTS = st.builds(
    lambda how, wanted, more: {"x-match": how, **wanted, **more},
    st.sampled_from(["all", "any"]),
    st.dictionaries(NAMES, WANTED, max_size=8),
    st.sampled_from([{}, {"x-other": 1}, {"routing-type": "multicast"}]),
)
MESSAGES = st.builds(
    lambda application, annotations, subject, durable: read_message(
        encode_content(
            MessageContent(
                application_properties=application,
                message_annotations={Symbol(name): value for name, value in annotations.items()},
                subject=subject,
                group_sequence=1,
                durable=durable,
            )
        )
    ),
    st.dictionaries(NAMES, VALUES | st.none(), max_size=8),
    st.dictionaries(NAMES, VALUES | st.none(), max_size=3),
    st.sampled_from([None, "x", "1", ""]),
    st.booleans(),
)


IGNORED = ("x-match", "x-other", "routing-type")


def naive(arguments: dict[str, Any], message: Message) -> bool:
    """Whether a message meets the conditions, asked one after the other."""
    wanted = {
        name: value for name, value in arguments.items() if name not in {"x-match", "x-other", "routing-type"}
    }
    met = [
        is_present(name, message) if value is None else equal(message.field(name), value)
        for name, value in wanted.items()
    ]
    return all(met) if arguments["x-match"] == "all" else any(met)


def is_present(name: str, message: Message) -> bool:
    return message.key(PropertyName(name)) is not None or is_null(name, message)


def is_null(name: str, message: Message) -> bool:
    """Whether the message has a property or an annotation of this name that is null."""
    content = decode_content(message.encoded)
    named: dict[str, Any] = {str(each): value for each, value in content.message_annotations.items()}
    named.update(content.application_properties)
    return name not in STANDARD_FIELDS and name in named and named[name] is None


def equal(first: FieldValue, second: FieldValue) -> bool:
    if isinstance(first, bool) or isinstance(second, bool):
        return first is second
    return isinstance(first, float) == isinstance(second, float) and first == second


@given(
    st.lists(ARGUMENTS, max_size=10), st.sets(st.integers(0, 9)), st.lists(MESSAGES, min_size=1, max_size=4)
)
def test_the_index_finds_the_bindings_whose_conditions_the_message_meets(
    asked: list[dict[str, Any]], removed: set[int], messages: list[Message]
) -> None:
    matcher = matcher_of(ExchangeType.HEADERS)
    bindings = [Binding(str(number), "", arguments) for number, arguments in enumerate(asked)]
    for binding in bindings:
        matcher.add(binding)
    left = [binding for number, binding in enumerate(bindings) if number not in removed]
    for binding in set(bindings) - set(left):
        matcher.remove(binding)
    for message in messages:
        found = [binding.destination for binding in matcher.match("", message)]
        assert sorted(found) == [each.destination for each in left if naive(each.arguments, message)]


@given(MESSAGES, st.sets(NAMES, max_size=8))
def test_fields_that_are_asked_together_are_those_that_are_asked_one_by_one(
    message: Message, names: set[str]
) -> None:
    found = message.fields({utf8_of(name): name for name in names})
    one_by_one = {name: message.field(name) for name in names}
    assert repr(sorted(found.items())) == repr(
        sorted(
            (name, value) for name, value in one_by_one.items() if value is not None or is_null(name, message)
        )
    )


class Counted(CannedMessage):
    """A message that counts how often a field of it is read."""

    reads = 0

    def field(self, name: str) -> FieldValue:
        self.reads += 1
        return super().field(name)


def test_the_cost_is_that_of_the_names_and_of_what_matches_not_of_the_bindings() -> None:
    matcher = matcher_of(ExchangeType.HEADERS)
    for number in range(1500):
        matcher.add(Binding(str(number), "", {"x-match": "all", "kind": "k", "number": number}))
    message = Counted({"kind": "k", "number": 1})
    assert [each.destination for each in matcher.match("", message)] == ["1"]
    assert message.reads == 2
