"""lastvalue.config.toml_writer, and the way from an import through a file and back."""

import tomllib
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from hypothesis import given
from hypothesis import strategies as st

from lastvalue.compat.artemis.imports import import_artemis
from lastvalue.config.configuration import AutoCreate, Configuration
from lastvalue.config.toml_reader import from_document, parse_toml
from lastvalue.config.toml_writer import to_toml

ANY_CHARACTER = st.characters(codec="utf-8")
NAMES = st.text(ANY_CHARACTER, min_size=1, max_size=12).filter(
    lambda name: not name.startswith(("$", "amq.", "qpid."))
)
TEXTS = st.text(ANY_CHARACTER, max_size=12)
NUMBERS = st.integers(0, 2**40)
ARGUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "lvq_key": NAMES,
        "durable": st.booleans(),
        "maximumQueueDepthMessages": NUMBERS,
        "description": TEXTS,
        "ring-size": st.just(-1) | st.integers(1, 2**40),
        "exclusive": st.sampled_from([True, False, "link", "NONE"]),
        "enabled": st.booleans(),
        "default_filters": st.just({"mine": {"x-qpid-replay-period": ["5"]}}),
        "qpid.flow_stop_count": NUMBERS,
    },
)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "default-ring-size": st.just(-1) | st.integers(1, 100),
        "expiry-delay": st.integers(-1, 2**40),
        "max-expiry-delay": st.integers(-1, 2**40),
        "no-expiry": st.booleans(),
        "auto-create-queues": st.booleans(),
        "address-full-policy": st.sampled_from(["BLOCK", "fail", "PAGE"]),
        "max-size-bytes": st.integers(-1, 2**40),
        "default-last-value-key": NAMES,
    },
)
MATCHES = st.lists(st.sampled_from(["a", "prices", "*", "x y", '"']), min_size=1, max_size=4).map(
    ".".join
) | st.just("a.#")


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    """Documents without faults."""
    queues = draw(st.lists(NAMES, max_size=4, unique=True))
    exchanges = draw(st.lists(NAMES, max_size=3, unique=True))
    destinations = [*queues, *exchanges]
    bindings = []
    if destinations and exchanges:
        bindings = draw(
            st.lists(
                st.fixed_dictionaries(
                    {"exchange": st.sampled_from(exchanges), "queue": st.sampled_from(destinations)},
                    optional={
                        "key": TEXTS,
                        "arguments": st.just({"x-match": "all", "size": 5, "to go": "", "b": True}),
                    },
                ),
                max_size=3,
            )
        )
    return {
        "server": draw(
            st.fixed_dictionaries(
                {},
                optional={"port": st.integers(0, 65535), "users": st.just({"a b": "s€cret"}), "host": NAMES},
            )
        ),
        "queue": [{"name": name, **draw(ARGUMENTS)} for name in queues],
        "exchange": [
            {"name": name, "type": draw(st.sampled_from(["topic", "fanout", "headers", "address", "direct"]))}
            for name in exchanges
        ],
        "binding": bindings,
        "address-setting": [
            {"match": match, **draw(FIELDS)} for match in draw(st.lists(MATCHES, max_size=3, unique=True))
        ],
        "auto-create": draw(
            st.lists(
                st.fixed_dictionaries(
                    {"pattern": st.sampled_from(["a.*", "x"]), "on_publish": st.just(True)},
                    optional={"options": st.just({"lvqKey": "k", "alternateBinding": {"destination": "d"}})},
                ),
                max_size=2,
            )
        ),
    }


@given(documents())
def test_what_is_written_of_a_configuration_is_read_the_same(document: dict[str, Any]) -> None:
    configuration, faults = from_document(document)
    if not faults:
        text = to_toml(configuration, "a title")
        assert parse_toml(text) == configuration
        assert to_toml(parse_toml(text), "a title") == text


XML_TEXTS = st.text(st.characters(min_codepoint=32, exclude_categories=("Cs", "Cc", "Cn")), max_size=10)
XML_NAMES = XML_TEXTS | st.sampled_from(["a", "a.b", "#", "*", "a.*", "DLQ"])
XML_VALUES = (
    st.sampled_from(["true", "false", "0", "-1", "5", "10M", "PAGE", "BLOCK", "DROP", "a > 5", ""])
    | XML_TEXTS
)
ATTRIBUTES = st.dictionaries(
    st.sampled_from(
        ["max-consumers", "ring-size", "last-value-key", "exclusive", "group-buckets", "enabled", "colour"]
    ),
    XML_VALUES,
    max_size=3,
)
SETTINGS = st.dictionaries(
    st.sampled_from(
        [
            "default-ring-size",
            "dead-letter-address",
            "expiry-address",
            "expiry-delay",
            "no-expiry",
            "default-last-value-key",
            "max-size-bytes",
            "address-full-policy",
            "redelivery-delay",
            "auto-create-queues",
            "default-group-buckets",
            "max-delivery-attempts",
        ]
    ),
    XML_VALUES,
    max_size=4,
)


@given(
    st.lists(
        st.tuples(XML_NAMES, st.lists(st.tuples(XML_NAMES, ATTRIBUTES, XML_VALUES), max_size=2)), max_size=3
    ),
    st.lists(st.tuples(XML_NAMES, SETTINGS), max_size=3),
)
def test_whatever_is_imported_passes_the_check(addresses: Any, settings: Any) -> None:
    xml = ["<core><addresses>"]
    for address, queues in addresses:
        xml.append(f"<address name={quoteattr(address)}><multicast>")
        for name, attributes, filtered in queues:
            given_attributes = " ".join(f"{key}={quoteattr(value)}" for key, value in attributes.items())
            xml.append(f"<queue name={quoteattr(name)} {given_attributes}>")
            xml.append(f"<filter string={quoteattr(filtered)}/></queue>")
        xml.append("</multicast></address>")
    xml.append("</addresses><address-settings>")
    for match, fields in settings:
        elements = "".join(f"<{key}>{escape(value)}</{key}>" for key, value in fields.items())
        xml.append(f"<address-setting match={quoteattr(match)}>{elements}</address-setting>")
    xml.append("</address-settings></core>")
    configuration, report = import_artemis("".join(xml))
    assert parse_toml(to_toml(configuration)) == configuration
    assert report.lines()


def test_what_is_so_without_being_said_is_not_written() -> None:
    assert to_toml(Configuration()) == ""
    policy = AutoCreate("x", "exchange", on_publish=True, options={"type": "fanout", "alternate": None})
    text = to_toml(Configuration({"port": 5}, auto_creates=(policy,)))
    assert tomllib.loads(text) == {
        "server": {"port": 5},
        "auto-create": [
            {"pattern": "x", "node": "exchange", "on_publish": True, "options": {"type": "fanout"}},
        ],
    }
