"""Routing against naive models: patterns word by word, and queues that are one another's alternates."""

from bare_queue import START_MS, body_of
from broker_desk import message
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.broker.broker import Broker
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.patterns import PatternTree, normalised
from lastvalue.queues.spec import Limit, QueueSpec, WhenFull

WORDS = st.sampled_from(["a", "b", "", "*", "#"])
PATTERNS = st.lists(WORDS, min_size=1, max_size=5).map(".".join)
KEYS = st.lists(st.sampled_from(["a", "b", "c", ""]), min_size=1, max_size=6).map(".".join)
NAMES = ("p", "q", "r", "s")


def matches(pattern: list[str], key: list[str], *, empty_words: bool) -> bool:
    """What the words say, tried one after the other."""
    if not pattern:
        return not key
    word, rest = pattern[0], pattern[1:]
    if word == "#":
        return any(matches(rest, key[taken:], empty_words=empty_words) for taken in range(len(key) + 1))
    if not key:
        return False
    fits = (empty_words or key[0] != "") if word == "*" else word == key[0]
    return fits and matches(rest, key[1:], empty_words=empty_words)


@given(st.lists(PATTERNS, max_size=8), st.sets(st.integers(0, 7)), KEYS, st.booleans())
def test_the_tree_finds_what_the_words_say(
    patterns: list[str], removed: set[int], key: str, empty_words: bool
) -> None:
    tree = PatternTree(empty_words)
    bindings = [Binding(str(number), pattern) for number, pattern in enumerate(patterns)]
    for binding in bindings:
        tree.add(binding.key, binding)
    for number in removed & set(range(len(bindings))):
        tree.remove(bindings[number].key, bindings[number])
    wanted = [
        binding.destination
        for number, binding in enumerate(bindings)
        if number not in removed and matches(binding.key.split("."), key.split("."), empty_words=empty_words)
    ]
    assert sorted(binding.destination for binding in tree.match(key)) == wanted


@given(PATTERNS, KEYS)
def test_the_normal_form_matches_the_same(pattern: str, key: str) -> None:
    words = key.split(".")
    assert matches(pattern.split("."), words, empty_words=True) == matches(
        normalised(pattern).split("."), words, empty_words=True
    )


@given(
    st.lists(st.sampled_from([*NAMES, None]), min_size=4, max_size=4),
    st.lists(st.integers(1, 3), min_size=4, max_size=4),
    st.lists(st.sampled_from(NAMES), max_size=20),
    st.lists(st.integers(0, 20), max_size=3),
)
def test_a_message_is_on_one_queue_or_lost_however_alternates_lead_in_circles(
    alternates: list[str | None], room: list[int], published: list[str], pauses: list[int]
) -> None:
    broker = Broker()
    for name in NAMES:
        broker.declare(QueueSpec(name))
    for name, alternate, most in zip(NAMES, alternates, room, strict=True):
        limit = Limit(messages=most, when_full=WhenFull.DROP_OLDEST)
        spec = QueueSpec(name, limit=limit, alternate=None if alternate == name else alternate)
        broker.reconfigure(spec, START_MS)
    for number, name in enumerate(published):
        broker.publish(broker.queue_target(name), message(str(number)), START_MS)
        if number in pauses:
            broker.pump(START_MS)
            broker.drain(START_MS)
    broker.pump(START_MS)
    present = [body_of(entry.message.encoded) for queue in broker.queues() for entry in queue.entries()]
    assert len(present) == len(set(present))
    assert all(
        queue.depth <= queue.spec.limit.messages and queue.take_removals() == [] for queue in broker.queues()
    )
    if all(alternates) and len(published) <= min(room):
        assert len(present) == len(published)
