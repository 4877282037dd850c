import pytest

from lastvalue.broker.node_policies import NodePolicy
from lastvalue.model.errors import InvalidSpecError


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("q", "q", True),
        ("q", "qq", False),
        ("a.*", "a.b", True),
        ("a.*", "a.b.c", False),
        ("a.#", "a.b.c", True),
        ("*", "a", True),
        ("*", "a.b", False),
    ],
)
def test_a_policy_is_for_whole_names(pattern: str, name: str, fits: bool) -> None:
    assert NodePolicy(pattern).fits(name, publishing=True) is fits


def test_a_policy_makes_queues_or_exchanges_only() -> None:
    with pytest.raises(InvalidSpecError, match="not 'topic'"):
        NodePolicy("#", "topic")
