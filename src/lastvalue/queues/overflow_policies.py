"""What a full queue does, each policy declared once with the words that other brokers have for it."""

from dataclasses import dataclass
from typing import Final

from lastvalue.queues.spec import WhenFull


@dataclass(frozen=True)
class OverflowPolicy:
    """A policy, and what other brokers call it; "" if one does not have it.

    Attributes:
        sentence: what a full queue does.
        ends_turn: whether the broker acts at the end of the turn in which the queue was full.
        qpid_cpp: the value of `qpid.policy_type`.
        broker_j: the value of `overflowPolicy`.
        rabbitmq: the value of `x-overflow`.
        artemis: the value of `address-full-policy`.
        artemis_option: the option that `max-size-bytes` then sets.
    """

    policy: WhenFull
    sentence: str
    ends_turn: bool = False
    qpid_cpp: str = ""
    broker_j: str = ""
    rabbitmq: str = ""
    artemis: str = ""
    artemis_option: str = ""

    @property
    def name(self) -> str:
        """How the option `when_full` spells it."""
        return str(self.policy.value)


POLICIES: Final = (
    OverflowPolicy(
        WhenFull.REFUSE,
        "refuse the new message",
        qpid_cpp="reject",
        broker_j="REJECT",
        rabbitmq="reject-publish",
        artemis="FAIL",
        artemis_option="max_bytes",
    ),
    OverflowPolicy(
        WhenFull.DROP_OLDEST,
        "drop its oldest available ones",
        qpid_cpp="ring",
        broker_j="RING",
        rabbitmq="drop-head",
    ),
    OverflowPolicy(
        WhenFull.BLOCK,
        "give its producers no credit",
        broker_j="PRODUCER_FLOW_CONTROL",
        artemis="BLOCK",
        artemis_option="flow_stop_bytes",
    ),
    OverflowPolicy(WhenFull.SELF_DESTRUCT, "delete itself", ends_turn=True, qpid_cpp="self-destruct"),
)
"""In the order in which they are listed."""


def other_spellings() -> tuple[tuple[str, str], ...]:
    """The words of other brokers' arguments in lower case, each with the policy's own name."""
    spelled = {
        word.lower(): each.name for each in POLICIES for word in (each.qpid_cpp, each.broker_j, each.rabbitmq)
    }
    own = {each.name for each in POLICIES}
    return tuple([(word, name) for word, name in spelled.items() if word and word not in own])
