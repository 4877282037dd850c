import pytest

from lastvalue.broker.permissions import ACTIONS, ADMINISTER, BROWSE, MANAGE, READ, WRITE
from lastvalue.broker.verbs import NEEDS, REACH, Need, Verb


@pytest.mark.parametrize("verb", Verb)
def test_every_verb_needs_a_right_that_a_rule_can_give(verb: Verb) -> None:
    assert NEEDS[verb]
    assert {need.right for need in NEEDS[verb]} <= {*ACTIONS, REACH}


@pytest.mark.parametrize("verb", Verb)
def test_only_administrative_rights_are_on_fixed_names(verb: Verb) -> None:
    assert [need.fixed for need in NEEDS[verb]] == [need.right == ADMINISTER for need in NEEDS[verb]]


@pytest.mark.parametrize(
    ("verb", "needs"),
    [
        (Verb.BIND, (Need(READ, "exchange"), Need(WRITE, "destination"))),
        (Verb.BROWSE, (Need(BROWSE, "queue"),)),
        (Verb.ACQUIRE, (Need(READ, "queue"),)),
    ],
)
def test_who_binds_reads_the_source_and_who_acquires_consumes(verb: Verb, needs: tuple[Need, ...]) -> None:
    assert NEEDS[verb] == needs


TAKERS = ("alternate", "expiry alternate", "history", "destination", "redirect")
"""What a verb names as the place where messages go."""


@pytest.mark.parametrize("verb", Verb)
def test_a_verb_that_sends_messages_somewhere_needs_the_right_to_write_there(verb: Verb) -> None:
    subjects = {need.subject for need in NEEDS[verb]}
    written = {need.subject for need in NEEDS[verb] if need.right == WRITE}
    assert subjects.intersection(TAKERS) <= written


@pytest.mark.parametrize("verb", [Verb.CONSUME, Verb.ACQUIRE])
def test_only_who_may_read_takes_messages_off_a_queue(verb: Verb) -> None:
    assert [need.right for need in NEEDS[verb]] == [READ]


@pytest.mark.parametrize("verb", [Verb.PURGE_QUEUE, Verb.MOVE, Verb.COPY, Verb.DELETE_MESSAGES])
def test_only_who_may_manage_a_queue_handles_the_messages_of_others(verb: Verb) -> None:
    assert NEEDS[verb][0] == Need(MANAGE, "queue")
