"""lastvalue.addresses.address_parser."""

import pytest

from lastvalue.addresses import (
    Address,
    AddressOptions,
    Binding,
    InvalidAddressError,
    LinkFilter,
    LinkOptions,
    NodeOptions,
    NodeType,
    Policy,
    Reliability,
    Side,
    is_plain,
    parse_address,
)


@pytest.mark.parametrize(
    "text",
    [
        "prices;{create:always,node:{type:queue,x-declare:{arguments:{'qpid.last_value_queue_key':'ticker'}}}}",
        "prices;{create:always,node:{type:queue,x-declare:{arguments:{'qpid.last_value_queue_key':ticker}}}}",
        "prices;{create:always,node:{type:queue,x-declare:{arguments:{qpid.last_value_queue_key:ticker}}}}",
    ],
)
def test_the_addresses_of_the_last_value_page_make_a_last_value_queue(text: str) -> None:
    """S-002, and row 14 of the conflicts: `ticker` needs no quotes."""
    assert parse_address(text) == Address(
        "prices",
        options=AddressOptions(
            create=Policy.ALWAYS,
            node=NodeOptions(
                type=NodeType.QUEUE, x_declare={"arguments": {"qpid.last_value_queue_key": "ticker"}}
            ),
        ),
    )


def test_a_browsing_address_browses() -> None:
    assert parse_address("prices;{mode:browse}").browses
    assert not parse_address("prices").browses
    assert not parse_address("prices;{mode:consume}").browses


def test_every_option_of_a_link_is_read() -> None:
    link = """name: mine, durable: true, reliability: at-least-once, selector: "a = 'b'", timeout: 30,
        x-declare: {alternate-exchange: 'amq.fanout'},
        x-subscribe: {arguments: {x-qpid-replay-period: '3600'}},
        x-bindings: [{exchange: 'amq.topic', key: 'a.#', arguments: {x: 1}}, {queue: q}],
        filter: {name: f, descriptor: 'apache.org:no-local-filter:list', value: []},
        properties: {a: 1}, capabilities: shared"""
    assert parse_address(f"q; {{link: {{{link}}}}}").options.link == LinkOptions(
        name="mine",
        durable=True,
        reliability=Reliability.AT_LEAST_ONCE,
        selector="a = 'b'",
        timeout=30,
        x_declare={"alternate-exchange": "amq.fanout"},
        x_subscribe={"arguments": {"x-qpid-replay-period": "3600"}},
        x_bindings=(Binding("amq.topic", None, "a.#", {"x": 1}), Binding(queue="q")),
        filter=(LinkFilter("f", "apache.org:no-local-filter:list", []),),
        properties={"a": 1},
        capabilities=("shared",),
    )


def test_every_option_of_a_node_is_read() -> None:
    node = "type: topic, durable: False, properties: {a: [1]}, capabilities: [b, c], x-bindings: [{key: k}]"
    assert parse_address(f"t; {{node: {{{node}}}}}").options.node == NodeOptions(
        type=NodeType.TOPIC,
        durable=False,
        properties={"a": [1]},
        capabilities=("b", "c"),
        x_bindings=(Binding(key="k"),),
    )


@pytest.mark.parametrize(
    ("policy", "sender", "receiver"),
    [("always", True, True), ("sender", True, False), ("receiver", False, True), ("never", False, False)],
)
def test_a_policy_covers_its_ends(policy: str, sender: bool, receiver: bool) -> None:
    options = parse_address(f"q; {{create: {policy}, assert: {policy}, delete: {policy}}}").options
    for found in (options.create, options.assert_, options.delete):
        assert (found.covers(Side.SENDER), found.covers(Side.RECEIVER)) == (sender, receiver)


def test_without_options_nothing_is_done() -> None:
    options = parse_address("q").options
    assert (options.create, options.assert_, options.delete) == (Policy.NEVER,) * 3
    assert options.mode is None


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ("crate: always", "unknown option 'crate'; did you mean 'create'?"),
        ("zzz: 1", "unknown option 'zzz'; the options are create, assert, delete, mode, node, link"),
        ("1: 1", "unknown option '1'"),
        ("node: {x-declar: {}}", "unknown option 'node.x-declar'; did you mean 'x-declare'?"),
        ("link: {selectr: x}", "unknown option 'link.selectr'; did you mean 'selector'?"),
        (
            "link: {x-bindings: [{}, {keys: x}]}",
            "unknown option 'link.x-bindings[1].keys'; did you mean 'key'?",
        ),
        (
            "create: sometimes",
            "option 'create' is 'sometimes'; expected one of never, sender, receiver, always",
        ),
        ("mode: None", "option 'mode' is None; expected one of consume, browse"),
        ("node: queue", "option 'node' is 'queue'; expected a map"),
        ("node: {durable: 1}", "option 'node.durable' is 1; expected true or false"),
        (
            "node: {x-declare: {1: 2}}",
            "option 'node.x-declare' is {1: 2}; expected a map whose keys are texts",
        ),
        ("node: {x-declare: {arguments: 5}}", "option 'node.x-declare.arguments' is 5; expected a map"),
        ("link: {x-subscribe: {arguments: x}}", "option 'link.x-subscribe.arguments' is 'x'"),
        ("node: {x-bindings: [1]}", "option 'node.x-bindings' is [1]; expected a map or a list of maps"),
        ("node: {capabilities: [1]}", "expected a text or a list of texts"),
        ("link: {timeout: true}", "option 'link.timeout' is True; expected a number"),
        ("link: {name: 5}", "option 'link.name' is 5; expected a text"),
        ("link: {filter: {value: 1}}", "option 'link.filter[0].name' is missing"),
        ("link: {filter: {name: f, descriptor: true}}", "option 'link.filter[0].descriptor' is True"),
    ],
)
def test_an_option_that_cannot_be_is_refused(options: str, fault: str) -> None:
    with pytest.raises(InvalidAddressError) as refused:
        parse_address(f"q; {{{options}}}")
    assert fault in str(refused.value)


@pytest.mark.parametrize(
    "text", ["prices", "a.b.c", "a/b", "o'brien", "a b", "a:b", "a#b", "$management", ""]
)
def test_a_mere_name_is_plain(text: str) -> None:
    assert is_plain(text)


@pytest.mark.parametrize("text", ["q;{}", "q?last-value=true", "a::q", "#", "#reply", "q : {mode: browse}"])
def test_address_syntax_is_not_plain(text: str) -> None:
    assert not is_plain(text)


def test_a_name_with_a_number_sign_is_temporary() -> None:
    assert parse_address("#").is_temporary
    assert parse_address("#reply").is_temporary
    assert not parse_address("reply#").is_temporary
