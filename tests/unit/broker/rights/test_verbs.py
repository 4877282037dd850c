import pytest

from lastvalue.broker.rights.permissions import ACTIONS, ADMINISTER, BROWSE, MANAGE, READ, WRITE
from lastvalue.broker.rights.verbs import NEEDS, REACH, Need, Verb


def test_every_verb_needs_a_right_that_a_rule_can_give() -> None:
    rights = {verb: {need.right for need in NEEDS[verb]} for verb in Verb}
    assert {verb: each for verb, each in rights.items() if not each or not each <= {*ACTIONS, REACH}} == {}


def test_only_administrative_rights_are_on_fixed_names() -> None:
    fixed = {verb: [need.fixed for need in NEEDS[verb]] for verb in Verb}
    assert fixed == {verb: [need.right == ADMINISTER for need in NEEDS[verb]] for verb in Verb}


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


def test_a_verb_that_sends_messages_somewhere_needs_the_right_to_write_there() -> None:
    takers = {(verb, need) for verb in Verb for need in NEEDS[verb] if need.subject in TAKERS}
    written = {(verb, need.subject) for verb in Verb for need in NEEDS[verb] if need.right == WRITE}
    assert {(verb, need.subject) for verb, need in takers} <= written


def test_a_verb_that_sends_messages_somewhere_needs_a_right_to_them() -> None:
    sends = {verb for verb in Verb for need in NEEDS[verb] if need.subject in TAKERS}
    assert {verb for verb in sends if not {need.right for need in NEEDS[verb]} & {READ, MANAGE}} == set()


@pytest.mark.parametrize("verb", [Verb.CONSUME, Verb.ACQUIRE])
def test_only_who_may_read_takes_messages_off_a_queue(verb: Verb) -> None:
    assert [need.right for need in NEEDS[verb]] == [READ]


@pytest.mark.parametrize("verb", [Verb.PURGE_QUEUE, Verb.MOVE, Verb.COPY, Verb.DELETE_MESSAGES])
def test_only_who_may_manage_a_queue_handles_the_messages_of_others(verb: Verb) -> None:
    assert NEEDS[verb][0] == Need(MANAGE, "queue")
