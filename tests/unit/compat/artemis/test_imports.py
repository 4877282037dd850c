"""lastvalue.compat.artemis.imports."""

import pytest

from lastvalue.compat.artemis.imports import import_artemis
from lastvalue.config.address_settings import Wildcards
from lastvalue.config.configuration import Configuration, ConfiguredBinding, ConfiguredExchange
from lastvalue.config.report import Report, UnreadableSourceError
from lastvalue.config.toml_reader import parse_toml
from lastvalue.config.toml_writer import to_toml
from lastvalue.queues.spec import Limit, QueueSpec, WhenFull

OWN = ["the defaults of Artemis are written out as settings of '#'"]


def address_of(attributes: str, children: str) -> str:
    """An address that is a queue, with these attributes and children."""
    return f'<address name="a"><anycast><queue name="a" {attributes}>{children}</queue></anycast></address>'


def imported(*, addresses: str = "", settings: str = "", rest: str = "") -> tuple[Configuration, Report]:
    """The import of a broker.xml with these parts; what is written of it is read the same."""
    configuration, report = import_artemis(
        f"""<?xml version="1.0"?>
        <configuration xmlns="urn:activemq"><core xmlns="urn:activemq:core">
          <addresses>{addresses}</addresses>
          <address-settings>{settings}</address-settings>
          {rest}
        </core></configuration>"""
    )
    assert parse_toml(to_toml(configuration)) == configuration
    return configuration, report


def queue(attributes: str = "", children: str = "", settings: str = "") -> tuple[QueueSpec, list[str]]:
    """The declaration of a queue with these attributes and children, and what does not map."""
    configuration, report = imported(addresses=address_of(attributes, children), settings=settings)
    left = [f"{left.path.rpartition('/')[2]}: {left.reason}" for left in report.not_mapped]
    return configuration.spec_of(configuration.queues[0]), left


def test_a_queue_that_is_all_there_is_of_its_address_is_the_address() -> None:
    configuration, report = imported(
        addresses='<address name="a"><anycast><queue name="a"/></anycast></address>'
        '<address name="b"><multicast><queue name="b"/></multicast></address>'
    )
    assert [queue.name for queue in configuration.queues] == ["a", "b"]
    assert (configuration.exchanges, configuration.bindings, report.not_mapped) == ((), (), ())


def test_any_other_address_routes_to_its_queues() -> None:
    configuration, _ = imported(
        addresses='<address name="a"><multicast><queue name="s1"/><queue name="a"/></multicast>'
        '<anycast><queue name="q"/></anycast></address>'
        '<address name="empty"><multicast/></address>'
        '<address name="a.*"><anycast><queue name="a.*"/></anycast></address>'
    )
    assert configuration.exchanges == tuple(
        ConfiguredExchange(name, "address", durable=True) for name in ("a", "empty", "a.*")
    )
    assert configuration.bindings == (
        ConfiguredBinding("a", "s1", arguments={"routing-type": "multicast"}),
        ConfiguredBinding("a", "a", arguments={"routing-type": "multicast"}),
        ConfiguredBinding("a", "q", arguments={"routing-type": "anycast"}),
        ConfiguredBinding("a.*", "a.*", arguments={"routing-type": "anycast"}),
    )
    assert [queue.address for queue in configuration.queues] == ["a", "a", "a", "a.*"]


def test_attributes_and_children_of_a_queue_are_its_options() -> None:
    spec, left = queue(
        'max-consumers="3" exclusive="true" last-value-key="k" non-destructive="true" '
        'consumers-before-dispatch="2" delay-before-dispatch="0" enabled="false" ring-size="7" '
        'purge-on-no-consumers="true" group-rebalance="true" group-buckets="8" '
        'group-first-key="f" group-rebalance-pause-dispatch="true"',
        '<filter string="size &gt; 5"/><durable>false</durable>',
    )
    expected = parse_toml(
        """
        [[queue]]
        name = "a"
        max_consumers = 3
        live_consumers = 1
        lvq_key = "k"
        non_destructive = true
        consumers_before_dispatch = 2
        dispatch_delay_ms = 1
        paused = true
        max_messages = 7
        when_full = "drop-oldest"
        purge_on_no_consumers = true
        group_rebalance = true
        group_rebalance_pauses = true
        group_buckets = 8
        group_first_key = "f"
        filter = "size > 5"
        max_delivery_attempts = 10
        priorities = 10
        """
    )
    assert (spec, left) == (expected.spec_of(expected.queues[0]), [])


def test_a_queue_in_xml_has_its_own_ring_size_and_purging_and_takes_the_rest_of_its_address() -> None:
    settings = """<address-setting match="a">
        <default-ring-size>5</default-ring-size>
        <default-purge-on-no-consumers>true</default-purge-on-no-consumers>
        <default-max-consumers>3</default-max-consumers>
    </address-setting>"""
    spec, _ = queue(settings=settings)
    assert (spec.limit, spec.purge_unread, spec.readers.most) == (Limit(), False, 3)
    spec, _ = queue('ring-size="4" purge-on-no-consumers="true" max-consumers="-1"', settings=settings)
    assert spec.limit == Limit(4, when_full=WhenFull.DROP_OLDEST)
    assert (spec.purge_unread, spec.readers.most) == (True, 0)


@pytest.mark.parametrize(
    ("attributes", "children", "left"),
    [
        ('max-consumers="0"', "", "@max-consumers: lastvalue does not have queues without consumers"),
        ('ring-size="0"', "", "@ring-size: lastvalue does not have a ring of size 0"),
        ('ring-size="x"', "", "ring-size: expected a number"),
        ('max-consumers="x"', "", "max-consumers: expected number (consumers)"),
        ('colour="red"', "", "@colour: lastvalue's configuration does not have this"),
        ("", "<user>bob</user>", "user: lastvalue's configuration does not have this"),
        ("", '<filter string="a &gt;"/>', "queue[a]: "),
    ],
)
def test_what_does_not_map_of_a_queue_is_reported(attributes: str, children: str, left: str) -> None:
    _, report = imported(addresses=address_of(attributes, children))
    (found,) = report.not_mapped
    path, _, reason = left.partition(": ")
    assert found.path == "core/addresses/address[a]/anycast/" + (
        path if path == "queue[a]" else f"queue[a]/{path}"
    )
    assert reason in found.reason


def test_what_does_nothing_anyway_is_not_reported() -> None:
    assert queue('enabled="true"')[1] == []
    settings = """<address-setting match="a"><redelivery-delay>0</redelivery-delay>
        <redelivery-delay-multiplier>1.0</redelivery-delay-multiplier></address-setting>"""
    assert queue(settings=settings)[1] == []


def test_settings_are_taken_over_with_what_artemis_does_without_being_told() -> None:
    configuration, report = imported(
        settings="""
        <address-setting match="#">
          <max-delivery-attempts>3</max-delivery-attempts>
          <auto-create-queues>false</auto-create-queues>
        </address-setting>
        <address-setting match="prices.#">
          <default-last-value-queue>true</default-last-value-queue>
          <default-exclusive-queue>false</default-exclusive-queue>
          <default-group-buckets>-1</default-group-buckets>
          <max-size-bytes>10M</max-size-bytes>
          <address-full-policy>BLOCK</address-full-policy>
          <expiry-delay>5</expiry-delay>
          <dead-letter-address>123</dead-letter-address>
        </address-setting>"""
    )
    everything, prices = configuration.address_settings
    assert (everything.match, everything.fields) == (
        "#",
        {
            "max_delivery_attempts": 3,
            "durable": True,
            "priorities": 10,
            "auto-create-queues": False,
            "auto-create-addresses": True,
            "auto-delete-queues": True,
            "default-queue-routing-type": "MULTICAST",
            "default-address-routing-type": "MULTICAST",
        },
    )
    assert (prices.match, prices.fields) == (
        "prices.#",
        {
            "last-value": True,
            "exclusive": False,
            "group-buckets": -1,
            "max-size-bytes": 10 * 2**20,
            "address-full-policy": "BLOCK",
            "expiry-delay": 5,
            "alternate": "123",
        },
    )
    assert report.not_mapped == ()
    assert report.notes[0] == OWN[0]


@pytest.mark.parametrize(
    ("setting", "lines"),
    [
        ("<redelivery-delay>5</redelivery-delay>", ["/redelivery-delay = '5': lastvalue redelivers at once"]),
        ("<page-size-bytes>5</page-size-bytes>", ["/page-size-bytes = '5': unknown setting"]),
        ("<expiry-delay>soon</expiry-delay>", ["/expiry-delay = 'soon': expected a number"]),
        (
            "<address-full-policy>DROP</address-full-policy>",
            ["/address-full-policy = 'DROP': lastvalue refuses"],
        ),
        (
            "<default-max-consumers>0</default-max-consumers>",
            ["/default-max-consumers = '0': lastvalue does not"],
        ),
    ],
)
def test_what_does_not_map_of_a_setting_is_reported(setting: str, lines: list[str]) -> None:
    _, report = imported(settings=f'<address-setting match="a">{setting}</address-setting>')
    told = [str(left) for left in report.not_mapped]
    assert len(told) == len(lines)
    assert all(
        line.startswith(f"core/address-settings/address-setting[a]{start}")
        for line, start in zip(told, lines, strict=True)
    )


def test_an_illegal_match_is_reported_and_the_others_are_kept() -> None:
    configuration, report = imported(
        settings='<address-setting match="a.#.b"><expiry-delay>5</expiry-delay></address-setting>'
        '<address-setting match="a" colour="red"><expiry-delay>5</expiry-delay></address-setting><other/>'
    )
    assert [setting.match for setting in configuration.address_settings] == ["a", "#"]
    assert [left.path for left in report.not_mapped] == [
        "core/address-settings/address-setting[a]/@colour",
        "core/address-settings/other[]",
        "core/address-settings/address-setting[a.#.b]",
    ]


def test_an_alternate_that_is_nowhere_may_come_later() -> None:
    address = '<address name="a"><anycast><queue name="a"/></anycast></address>'
    letters = "<dead-letter-address>DLQ</dead-letter-address>"
    kept, report = imported(
        addresses=address, settings=f'<address-setting match="a">{letters}</address-setting>'
    )
    assert (kept.spec_of(kept.queues[0]).alternate, report.not_mapped) == ("DLQ", ())
    uncreated, report = imported(
        addresses=address,
        settings=f"""<address-setting match="#"><auto-create-queues>false</auto-create-queues>{letters}
        </address-setting>""",
    )
    assert (uncreated.spec_of(uncreated.queues[0]).alternate, report.not_mapped) == ("DLQ", ())


def test_the_size_of_the_id_cache_is_the_window_of_ids() -> None:
    own = '<address-setting match="a"><id-cache-size>7</id-cache-size></address-setting>'
    rest = "<id-cache-size>500</id-cache-size>"
    configuration, report = imported(settings=own, rest=rest)
    windows = {each.match: each.fields.get("duplicate_window") for each in configuration.address_settings}
    assert windows == {"a": 7, "#": 500}
    assert report.not_mapped == ()


def test_a_size_of_the_id_cache_that_is_none_is_reported() -> None:
    _, report = imported(rest="<id-cache-size>many</id-cache-size>")
    (left,) = report.not_mapped
    assert left.path == "core/id-cache-size"


def test_wildcard_characters_are_taken_over() -> None:
    configuration, report = imported(
        rest="""<literal-match-markers>()</literal-match-markers>
        <wildcard-addresses><routing-enabled>false</routing-enabled><delimiter>/</delimiter>
        <any-words>&gt;</any-words><single-word>+</single-word><other>1</other></wildcard-addresses>""",
        settings='<address-setting match="a/&gt;"><expiry-delay>5</expiry-delay></address-setting>',
    )
    assert configuration.wildcards == Wildcards("/", ">", "+", "()")
    assert "other wildcard characters apply to settings only; addresses use . * and #" in report.notes
    assert [setting.match for setting in configuration.address_settings] == ["a/>", ">"]
    assert [left.path for left in report.not_mapped] == [
        "core/wildcard-addresses/routing-enabled",
        "core/wildcard-addresses/other",
    ]


def test_wildcard_characters_that_cannot_be_told_apart_are_reported() -> None:
    configuration, report = imported(rest="<wildcard-addresses><delimiter>#</delimiter></wildcard-addresses>")
    assert configuration.wildcards == Wildcards()
    assert [left.path for left in report.not_mapped] == ["core/wildcard-addresses"]


def test_every_other_element_is_reported_with_its_path_and_no_secret() -> None:
    _, report = imported(
        addresses='<address name="a" x="1"><multicast y="2"/><other/></address><stray/>',
        rest="""
        <name>b</name>
        <acceptors><acceptor name="amqp">tcp://0.0.0.0:5672?keyStorePassword=secret</acceptor></acceptors>
        <cluster-password>secret</cluster-password>
        <security-settings><security-setting match="#"><permission type="send" roles="r"/></security-setting>
        </security-settings>
        <diverts><stranger/></diverts>""",
    )
    assert [left.path for left in report.not_mapped] == [
        "core/addresses/address[a]/@x",
        "core/addresses/address[a]/other",
        "core/addresses/address[a]/multicast/@y",
        "core/addresses/stray",
        "core/name",
        "core/acceptors/acceptor[amqp]",
        "core/cluster-password",
        "core/security-settings/security-setting[#]/permission/@type",
        "core/security-settings/security-setting[#]/permission/@roles",
        "core/diverts/stranger",
    ]
    assert "secret" not in "\n".join(report.lines())


def test_a_core_alone_and_names_that_are_missing_are_read() -> None:
    configuration, report = import_artemis(
        "<core><addresses><address><anycast><queue/></anycast></address></addresses></core>"
    )
    assert (configuration.queues, configuration.exchanges) == ((), ())
    assert {left.path for left in report.not_mapped} == {
        "core/addresses/address[]",
        "core/addresses/address[]/anycast/queue[]",
    }


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not a broker.xml"),
        ("<a>", "not a broker.xml"),
        ("<a/>", "it has no element <core>"),
        ("<core>" + "<a>" * 5000 + "</a>" * 5000 + "</core>", "nested too deeply"),
        ('<!DOCTYPE a [<!ENTITY x "y">]><core>&x;</core>', "not a broker.xml"),
    ],
)
def test_what_is_no_broker_xml_is_told(text: str, reason: str) -> None:
    with pytest.raises(UnreadableSourceError, match=reason):
        import_artemis(text)
