"""The options of a queue's order and its groups."""

from lastvalue.queues.options import OPTIONS
from lastvalue.queues.order_options import ORDER_OPTIONS


def test_all_options_of_the_order_and_of_groups_are_here_and_no_other() -> None:
    parts = ("ordering.", "grouping.")
    found = [each.name for each in OPTIONS if each.name == "type" or each.field.startswith(parts)]
    assert [each.name for each in ORDER_OPTIONS] == found
