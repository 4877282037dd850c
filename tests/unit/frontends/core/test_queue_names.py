"""The queues that names stand for."""

import pytest

from lastvalue.broker.rights.owner import Owner
from lastvalue.frontends.core.queue_names import bare_name, own_name, shown_name

pytestmark = pytest.mark.pure
ANN = Owner(principal="ann")


@pytest.mark.parametrize(("name", "bare"), [("q", "q"), ("a::q", "q"), ("a::b::q", "q")])
def test_a_qualified_name_ends_with_the_queue_s(name: str, bare: str) -> None:
    assert bare_name(name) == bare


def test_a_client_sees_its_subscription_under_its_own_name() -> None:
    assert shown_name(own_name("me.prices/eu", ANN), ANN) == "me.prices/eu"
    assert shown_name(own_name("x", Owner(principal="bob")), ANN) == own_name("x", Owner(principal="bob"))
