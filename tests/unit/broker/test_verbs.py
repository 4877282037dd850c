import pytest

from lastvalue.broker.permissions import ACTIONS, ADMINISTER, BROWSE, READ, WRITE
from lastvalue.broker.verbs import NEEDS, REACH, Need, Verb


@pytest.mark.parametrize("verb", Verb)
def test_every_verb_needs_a_right_that_a_rule_can_give(verb: Verb) -> None:
    assert NEEDS[verb]
    assert {need.right for need in NEEDS[verb]} <= {*ACTIONS, REACH}


@pytest.mark.parametrize("verb", Verb)
def test_only_administrative_verbs_have_fixed_names(verb: Verb) -> None:
    assert {need.fixed for need in NEEDS[verb]} == {NEEDS[verb][0].right == ADMINISTER}


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
