"""lastvalue.http.broker_j.queue_attributes."""

import pytest

from lastvalue.client import QueueInfo
from lastvalue.http.broker_j.queue_attributes import ATTRIBUTES, OF_TYPES, object_id, options_of, queue_object
from lastvalue.queues.spec_arguments import spec_from_arguments, spec_to_arguments


@pytest.mark.parametrize("kind", ["standard", "lvq", "priority", "sorted"])
def test_what_is_shown_of_a_queue_makes_the_same_queue(kind: str) -> None:
    given = {"type": kind, "lvqKey": "k", "sortKey": "k", "priorities": 7}
    chosen = {name: given[name] for name in ("type", *(each.name for each in OF_TYPES.get(kind, ())))}
    options = spec_to_arguments(spec_from_arguments("q", chosen))
    shown = queue_object(QueueInfo("q", kind, options), 0)
    again = spec_from_arguments("q", options_of(shown))
    assert spec_to_arguments(again) == options


def test_an_id_is_always_that_of_the_name() -> None:
    assert object_id("queue", "a") == object_id("queue", "a") != object_id("exchange", "a")


def test_names_are_unique() -> None:
    names = [each.name for each in ATTRIBUTES]
    assert len(names) == len(set(names))
