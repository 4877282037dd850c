"""lastvalue.client.queue_info."""

from lastvalue.client import QueueInfo
from lastvalue.client.queue_info import Sequences, queue_info, sequences


def test_a_description_is_read() -> None:
    described = {
        "name": "prices",
        "options": {"type": "lvq", "lvq_key": "symbol"},
        "depth": 2,
        "available": 1,
        "depth_bytes": 100,
        "subscriptions": 3,
        "published": 5,
        "refused": 4,
        "removed": {"replaced": 3},
        "overtaken": 1,
    }
    assert queue_info(described) == QueueInfo(
        "prices", "lvq", {"type": "lvq", "lvq_key": "symbol"}, 2, 1, 100, 3, 5, 4, {"replaced": 3}, 1
    )


def test_what_another_version_leaves_out_or_adds_does_no_harm() -> None:
    assert queue_info({"name": "prices", "more": 1, "depth": "two"}) == QueueInfo(
        "prices", "", statistics={"more": 1}
    )
    assert queue_info(None) == QueueInfo("", "")


def test_the_sequences_of_a_queue_are_read() -> None:
    assert sequences({"last": 9, "first": 3, "gone": 2, "end": 7}) == Sequences(9, 3, 2, 7)
    assert sequences({"last": 9, "first": None, "end": 9}) == Sequences(9, None, 0, 9)
