"""lastvalue.http.follow_events."""

import json

from lastvalue.http.follow_events import FollowBatch, FollowEvent, follow_event, snapshot_end


def test_an_event_is_written_for_a_stream_and_for_a_websocket() -> None:
    event = follow_event("value", {"key": "A", "body": "a\nb"}, "1-2-3")
    assert event.encoded == b'id: 1-2-3\r\nevent: value\r\ndata: {"key":"A","body":"a\\nb"}\r\n\r\n'
    assert json.loads(event.text) == {
        "event": "value",
        "id": "1-2-3",
        "data": {"key": "A", "body": "a\nb"},
    }


def test_an_event_without_its_token_ends_the_id_of_those_before() -> None:
    event = FollowEvent("value", "{}", "1-2-3", "A", 5).without_token()
    assert (event.token, event.key, event.sequence) == (None, (str, "A"), 5)
    assert event.encoded.startswith(b"id: \r\n")


def test_keys_of_different_types_are_different() -> None:
    assert FollowEvent("value", "{}", None, 1).key != FollowEvent("value", "{}", None, True).key


def test_a_batch_is_its_events_and_goes_on_after_the_last() -> None:
    batch = FollowBatch(
        [follow_event("value", {"key": "A"}, "1-2-3"), snapshot_end(7, "1-7-3", resumed=True)]
    )
    assert batch.encoded == b"".join(event.encoded for event in batch.events)
    assert batch.token == "1-7-3"
    assert FollowBatch([]).token is None
