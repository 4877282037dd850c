import pytest

from lastvalue.addresses.address import Address, AddressOptions, Mode, Policy, Side


@pytest.mark.parametrize(
    ("policy", "sender", "receiver"),
    [
        (Policy.NEVER, False, False),
        (Policy.SENDER, True, False),
        (Policy.RECEIVER, False, True),
        (Policy.ALWAYS, True, True),
    ],
)
def test_a_policy_covers_the_sides_that_it_names(policy: Policy, sender: bool, receiver: bool) -> None:
    assert (policy.covers(Side.SENDER), policy.covers(Side.RECEIVER)) == (sender, receiver)


@pytest.mark.parametrize(("name", "temporary"), [("#", True), ("#prices", True), ("prices#", False)])
def test_a_name_that_begins_with_a_hash_is_of_a_node_of_its_own(name: str, temporary: bool) -> None:
    assert Address(name).is_temporary is temporary


@pytest.mark.parametrize(("mode", "browses"), [(None, False), (Mode.CONSUME, False), (Mode.BROWSE, True)])
def test_a_receiver_consumes_unless_the_address_says_browse(mode: Mode | None, browses: bool) -> None:
    assert Address("q", options=AddressOptions(mode=mode)).browses is browses


def test_an_address_asks_nothing_that_it_does_not_say() -> None:
    options = Address("q").options
    assert {options.create, options.assert_, options.delete} == {Policy.NEVER}
    assert (options.node.type, options.link.name, options.link.selector) == (None, None, None)
