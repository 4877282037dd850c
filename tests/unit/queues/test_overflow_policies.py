"""The table of overflow policies, against everything that reads it."""

import pytest

from lastvalue.client import QueueInfo
from lastvalue.compat.broker_j.queue_attributes import queue_object
from lastvalue.config.setting_fields import WHOLE
from lastvalue.queues.overflow_policies import POLICIES, OverflowPolicy, other_spellings
from lastvalue.queues.spec import WhenFull
from lastvalue.queues.spec_arguments import spec_from_arguments, spec_to_arguments

ARGUMENTS = {"qpid_cpp": "qpid.policy_type", "broker_j": "overflowPolicy", "rabbitmq": "x-overflow"}
SPELLED = [
    pytest.param(argument, getattr(each, product), each.policy, id=f"{argument}={getattr(each, product)}")
    for each in POLICIES
    for product, argument in ARGUMENTS.items()
    if getattr(each, product)
] + [pytest.param("when_full", each.name, each.policy, id=each.name) for each in POLICIES]


def test_every_policy_is_declared_once() -> None:
    assert [each.policy for each in POLICIES] == list(WhenFull)


@pytest.mark.parametrize(("argument", "word", "policy"), SPELLED)
def test_each_spelling_declares_its_policy(argument: str, word: str, policy: WhenFull) -> None:
    spec = spec_from_arguments("q", {"max_messages": 5, argument: word})
    assert spec_to_arguments(spec).get("when_full", WhenFull.REFUSE.value) == policy.value


def test_no_word_means_two_policies() -> None:
    words = [word for word, _ in other_spellings()]
    assert len(words) == len(set(words))
    for product in (*ARGUMENTS, "artemis"):
        of_one = [getattr(each, product) for each in POLICIES if getattr(each, product)]
        assert len(of_one) == len(set(of_one))


@pytest.mark.parametrize("policy", POLICIES, ids=lambda each: each.name)
def test_the_management_of_broker_j_and_settings_of_artemis_know_it(policy: OverflowPolicy) -> None:
    shown = queue_object(QueueInfo("q", "standard", {"max_messages": 5, "when_full": policy.name}), 0)
    assert shown["overflowPolicy"] == (policy.broker_j or "NONE")
    assert bool(policy.artemis) == bool(policy.artemis_option)
    assert policy.artemis in ("", *WHOLE["address-full-policy"].split(" or "))
