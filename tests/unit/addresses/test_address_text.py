"""lastvalue.addresses.address_text."""

from typing import Any

import pytest
from example_counts import example_count
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lastvalue.addresses import (
    Address,
    AddressOptions,
    Binding,
    InvalidAddressError,
    LinkFilter,
    LinkOptions,
    Mode,
    NodeOptions,
    NodeType,
    Parts,
    Policy,
    Reliability,
    address_text,
    parse_address,
    parse_parts,
    parts_text,
)

TEXTS = st.text(max_size=8)
NAMES = st.text(min_size=1, max_size=12)
NUMBERS = st.integers(-(2**64), 2**64) | st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.none() | st.booleans() | NUMBERS | TEXTS | st.sampled_from(["None", "true", "a-", "1", "qpid.x"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
MAPS = st.dictionaries(TEXTS, VALUES, max_size=3)
DECLARATIONS = MAPS.filter(lambda declaration: "arguments" not in declaration)
OPTIONAL_FLAGS = st.none() | st.booleans()
BINDINGS = st.lists(
    st.builds(Binding, st.none() | TEXTS, st.none() | TEXTS, st.none() | TEXTS, MAPS), max_size=2
)
FILTERS = st.lists(st.builds(LinkFilter, TEXTS, TEXTS | st.integers(0, 2**63), VALUES), max_size=2)
CAPABILITIES = st.lists(TEXTS, max_size=2).map(tuple)
NODES = st.builds(
    NodeOptions,
    type=st.none() | st.sampled_from(NodeType),
    durable=OPTIONAL_FLAGS,
    x_declare=DECLARATIONS,
    x_bindings=BINDINGS.map(tuple),
    properties=MAPS,
    capabilities=CAPABILITIES,
)
LINKS = st.builds(
    LinkOptions,
    name=st.none() | TEXTS,
    durable=OPTIONAL_FLAGS,
    reliability=st.none() | st.sampled_from(Reliability),
    x_declare=DECLARATIONS,
    x_subscribe=DECLARATIONS,
    x_bindings=BINDINGS.map(tuple),
    selector=st.none() | TEXTS,
    timeout=st.none() | NUMBERS,
    filter=FILTERS.map(tuple),
    properties=MAPS,
    capabilities=CAPABILITIES,
)
ADDRESSES = st.builds(
    Address,
    NAMES,
    st.none() | TEXTS,
    st.builds(
        AddressOptions,
        create=st.sampled_from(Policy),
        assert_=st.sampled_from(Policy),
        delete=st.sampled_from(Policy),
        mode=st.none() | st.sampled_from(Mode),
        node=NODES,
        link=LINKS,
    ),
)
SYNTAX = st.text(alphabet=" ;:/{}[],'\"\\.#x-1aNu\n", max_size=40)
PRINTED = ADDRESSES.map(address_text)


@given(ADDRESSES)
@settings(deadline=None)
def test_a_printed_address_is_the_same_address(address: Address) -> None:
    assert parse_address(address_text(address)) == address


@given(NAMES, st.none() | TEXTS, st.none() | st.dictionaries(TEXTS | NUMBERS, VALUES, max_size=4))
@settings(deadline=None)
def test_printed_parts_are_the_same_parts(name: str, subject: str | None, options: Any) -> None:
    parts = Parts(name, subject, options)
    assert parse_parts(parts_text(parts)) == parts


@given(st.text() | SYNTAX | SYNTAX.map("q; {{node: {}}}".format))
@example("q; {a: " + "[" * 5000)
@example("q; {a: " + "9" * 5000)
@example("-" * 5000)
@settings(deadline=None, max_examples=example_count(300))
def test_any_text_is_an_address_or_refused(text: str) -> None:
    outcome: Address | str
    try:
        outcome = parse_address(text)
    except InvalidAddressError as error:
        outcome = str(error)
    assert outcome


@given(PRINTED, st.data())
@settings(deadline=None)
def test_an_address_with_a_piece_cut_out_is_an_address_or_refused(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    outcome: Address | str
    try:
        outcome = parse_address(text[:start] + text[end:])
    except InvalidAddressError as error:
        outcome = str(error)
    assert outcome


@pytest.mark.parametrize(
    "text",
    [
        "prices",
        "prices/a.b",
        "'my queue'/'a;b'",
        "prices; {mode: browse}",
        "q; {create: always, node: {type: queue, x-declare: {arguments: {'qpid.x': [-2.5, 'True', True]}}}}",
    ],
)
def test_an_address_is_printed_as_people_write_it(text: str) -> None:
    assert address_text(parse_address(text)) == text
