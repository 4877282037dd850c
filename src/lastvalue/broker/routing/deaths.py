"""The deaths of a message: from which queues it went to alternates, why and how often [RabbitMQ 4]."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from mypy_extensions import i64

from lastvalue.codec.amqp10.values import Symbol, Timestamp, ULong
from lastvalue.model.message import Message
from lastvalue.model.property_names import DEATHS
from lastvalue.queues.effects import Reason

Death: TypeAlias = dict[str, object]

_WORDS: Final = {
    Reason.REJECTED: "rejected",
    Reason.EXPIRED: "expired",
    Reason.OVERFLOW: "maxlen",
    Reason.DEAD_LETTERED: "delivery_limit",
    Reason.DELETED: "deleted",
}
_BY_CONSUMERS: Final = (_WORDS[Reason.REJECTED], _WORDS[Reason.DEAD_LETTERED])
_QUEUE: Final = "queue"
_REASON: Final = "reason"
_COUNT: Final = "count"
_FIRST: Final = "first"
_FIRST_TIME: Final = "first-time"
_LAST_TIME: Final = "last-time"
_TTL: Final = "ttl"


def deaths_of(message: Message) -> list[Death]:
    """The deaths that a message's annotation has, the last one first; without what is not of that form."""
    found = message.annotation(DEATHS)
    if not isinstance(found, list):
        return []
    deaths = [{str(name): value for name, value in each.items()} for each in found if isinstance(each, dict)]
    return [each for each in deaths if all(isinstance(each.get(name), str) for name in (_QUEUE, _REASON))]


def death_note(deaths: list[Death]) -> object:
    """The annotation that `deaths_of` reads."""
    return [{Symbol(name): value for name, value in death.items()} for death in deaths]


def died(
    deaths: list[Death], queue: str, reason: Reason, published: Mapping[str, object], now: i64
) -> list[Death]:
    """The deaths after one more, which comes first: one of the same queue and reason is counted with it.

    Args:
        deaths: those before.
        queue: that the message left.
        reason: why.
        published: to which `exchange` it came with which `routing-keys`, and its `ttl` if it had one.
        now: when.
    """
    word = _WORDS[reason]
    same = [each for each in deaths if each[_QUEUE] == queue and each[_REASON] == word]
    others = [each for each in deaths if each not in same]
    if same:
        count = same[0].get(_COUNT)
        return [
            {
                **same[0],
                _COUNT: ULong((count if isinstance(count, int) else 1) + 1),
                _LAST_TIME: Timestamp(int(now)),
            },
            *others,
        ]
    death: Death = {
        _QUEUE: queue,
        _REASON: Symbol(word),
        _COUNT: ULong(1),
        _FIRST_TIME: Timestamp(int(now)),
        _LAST_TIME: Timestamp(int(now)),
        **published,
    }
    if not deaths:
        death[_FIRST] = True
    return [death, *others]


def is_cycle(deaths: list[Death], queue: str) -> bool:
    """Whether a message comes again to a queue that it has left, and no consumer has refused it since."""
    for death in deaths:
        if death[_REASON] in _BY_CONSUMERS:
            return False
        if death[_QUEUE] == queue:
            return True
    return False
