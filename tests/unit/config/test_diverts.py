"""Diverts of an Artemis broker.xml."""

import pytest

from lastvalue.compat.artemis.imports import import_artemis
from lastvalue.config.configuration import Configuration, ConfiguredBinding, ConfiguredExchange
from lastvalue.config.report import Report


def imported(*, addresses: str = "", rest: str = "") -> tuple[Configuration, Report]:
    return import_artemis(f"<core><addresses>{addresses}</addresses>{rest}</core>")


def test_a_divert_is_a_binding_of_its_address_to_another() -> None:
    configuration, report = imported(
        addresses='<address name="a"><anycast><queue name="a"/></anycast></address>'
        '<address name="b"><anycast><queue name="b"/></anycast></address>',
        rest="""<diverts>
        <divert name="one"><routing-name>r</routing-name><address>a</address>
          <forwarding-address>b</forwarding-address><exclusive>false</exclusive>
          <filter string="color = 'red'"/></divert>
        <divert name="two"><address>a</address><forwarding-address>c</forwarding-address></divert>
        </diverts>""",
    )
    assert configuration.exchanges == tuple(
        ConfiguredExchange(name, "address", durable=True) for name in ("a", "c")
    )
    assert configuration.bindings == (
        ConfiguredBinding("a", "a", arguments={"routing-type": "anycast"}),
        ConfiguredBinding("a", "b", arguments={"x-filter-jms-selector": "color = 'red'"}),
        ConfiguredBinding("a", "c"),
    )
    assert report.not_mapped == ()


@pytest.mark.parametrize(
    ("children", "reason"),
    [
        ("<exclusive>true</exclusive>", "let producers send to 'b', or give the queues of 'a' filters"),
        ("<routing-type>ANYCAST</routing-type>", "does not change the routing type of messages"),
        ("<transformer-class-name>T</transformer-class-name>", "has no transformer-class-name"),
        ("<address>b</address>", "an address"),
    ],
)
def test_a_divert_that_no_binding_can_be_is_refused_by_name(children: str, reason: str) -> None:
    address = "" if "<address>" in children else "<address>a</address>"
    forwarding = "<forwarding-address>b</forwarding-address>" if address else ""
    configuration, report = imported(
        rest=f"<diverts><divert name='d'>{address}{forwarding}{children}</divert></diverts>"
    )
    assert (configuration.exchanges, configuration.bindings) == ((), ())
    (left,) = report.not_mapped
    assert left.path == "core/diverts/divert[d]"
    assert reason in left.reason
