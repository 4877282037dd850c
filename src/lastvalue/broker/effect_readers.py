"""Who reads the effects on a queue, by its declaration."""

from typing import Final

from lastvalue.queues.spec import FlowControl, Lifetime, QueueSpec, WhenFull

_NO_FLOW: Final = FlowControl()


def has_effect_readers(spec: QueueSpec) -> bool:
    """Whether a history or an observer reads what comes to the queue and leaves it, beside the journal."""
    return (
        spec.history is not None
        or spec.top_talkers > 0
        or spec.removal_log > 0
        or spec.expiry.maximum_age_ms > 0
    )


def has_turn_work(spec: QueueSpec) -> bool:
    """Whether the broker acts on the effects on the queue at the end of a turn."""
    return (
        spec.alternate is not None
        or spec.expiry_alternate is not None
        or spec.limit.when_full is WhenFull.SELF_DESTRUCT
        or spec.lifetime is Lifetime.NO_LINKS_OR_MESSAGES
        or spec.flow != _NO_FLOW
    )
