"""lastvalue.broker.watches.feed_factory."""

from typing import Any

import pytest

from lastvalue.broker.queue_counts import QueueCounts
from lastvalue.broker.watches.feed_factory import FeedFactory, WatchedQueue
from lastvalue.broker.watches.feeds import ConflatingFeed, Feed, KeyFeed, QueueFeed, UpdateFeed
from lastvalue.broker.watches.key_index import KeyIndex
from lastvalue.model.errors import InvalidSpecError
from lastvalue.model.memory_budget import MemoryAccount, MemoryBudget
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import Terms
from lastvalue.queues.watch_terms import read_watch_terms

KEYED = {"lvq_key": "k"}


def feed_of(options: dict[str, Any], terms: Terms | None = None, **asked: Any) -> Feed:
    queue = Queue(spec_from_arguments("q", options))
    watched = WatchedQueue(queue, KeyIndex(queue, MemoryAccount()), QueueCounts(), MemoryBudget())
    watch = read_watch_terms(asked)
    factory = FeedFactory(
        watched, terms or Terms(), watch, MemoryAccount(watched.budget), lambda: None, lambda: None
    )
    return factory.feed(queue.contents.keep_tombstones(0), 0, 0)


@pytest.mark.parametrize(
    ("options", "asked", "kind", "aside"),
    [
        ({}, {}, QueueFeed, False),
        (KEYED, {}, QueueFeed, False),
        (KEYED, {"prefix": "a"}, KeyFeed, True),
        (KEYED, {"keys": ["a"]}, KeyFeed, True),
        ({}, {"conflate": "k"}, ConflatingFeed, False),
        ({}, {"conflate": "k", "policy": "count"}, ConflatingFeed, False),
        (KEYED, {"policy": "count"}, UpdateFeed, True),
    ],
)
def test_what_a_reader_asks_decides_its_feed(
    options: dict[str, Any], asked: dict[str, Any], kind: type[Feed], aside: bool
) -> None:
    feed = feed_of(options, **asked)
    assert (type(feed), feed.aside) == (kind, aside)
    assert (feed.values is not None) == (kind in (ConflatingFeed, UpdateFeed))


@pytest.mark.parametrize(
    ("options", "asked", "fault"),
    [
        ({}, {"glob": "a*"}, "has no keys to watch"),
        (KEYED, {"conflate": "other"}, "conflates by 'k', not by 'other'"),
        ({}, {"policy": "count"}, "needs conflate"),
        ({**KEYED, "conflation": "count"}, {"policy": "count"}, "by a policy of its own"),
    ],
)
def test_what_the_queue_cannot_give_is_refused(
    options: dict[str, Any], asked: dict[str, Any], fault: str
) -> None:
    with pytest.raises(InvalidSpecError, match=fault):
        feed_of(options, **asked)


@pytest.mark.parametrize("asked", [{"keys": ["a"]}, {"policy": "count"}])
@pytest.mark.parametrize("terms", [Terms(since_ms=1), Terms(after=1), Terms(until=1)])
def test_keys_and_policies_do_not_go_with_sequences_and_times(asked: dict[str, Any], terms: Terms) -> None:
    with pytest.raises(InvalidSpecError, match="cannot ask for sequences or times, too"):
        feed_of(KEYED, terms, **asked)
