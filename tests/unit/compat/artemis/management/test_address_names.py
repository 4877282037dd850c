"""The queues and addresses that a caller reaches."""

import pytest
from core_management import ManagedBroker

from lastvalue.broker.rights.owner import NOBODY
from lastvalue.compat.artemis.management.address_names import (
    address_names,
    bound_queues,
    check_address,
    queue_names,
    routing_types,
)
from lastvalue.compat.artemis.management.management_call import ManagementCall, ManagementError


def test_a_queue_alone_is_an_address_and_one_that_is_bound_is_not(managed: ManagedBroker) -> None:
    managed.ask("broker", "createQueue", "a", "MULTICAST", "one", None, True, -1, False, True)
    call = ManagementCall(managed.broker, "", NOBODY, 0)
    assert [name for name in address_names(call) if name is not None] == ["a", "answers"]
    assert [name for name in queue_names(call) if name is not None] == ["answers", "one"]
    assert (bound_queues(call, "a"), bound_queues(call, "answers"), bound_queues(call, "x")) == (
        ["one"],
        ["answers"],
        [],
    )
    assert routing_types(call, "answers") == ["ANYCAST"]


def test_an_address_that_does_not_exist_is_refused(managed: ManagedBroker) -> None:
    with pytest.raises(ManagementError, match="no address named 'x'"):
        check_address(ManagementCall(managed.broker, "", NOBODY, 0), "x")
