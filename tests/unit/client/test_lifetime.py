"""How far the life of a client's link is."""

import asyncio

import pytest

from lastvalue.client.errors import ConnectionLostError, DetachedError, NotOpenError, RefusedError
from lastvalue.client.lifetime import Lifetime, detachment, refusal
from lastvalue.codec.amqp10.performatives import AmqpError
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import QueueNotFoundError

DELETED = AmqpError(condition=Condition.RESOURCE_DELETED.amqp10, description="the queue was deleted")


def attached() -> Lifetime:
    lifetime = Lifetime("q")
    lifetime.opened()
    return lifetime


async def test_an_opening_is_waited_for() -> None:
    lifetime = Lifetime("q")
    waiting = asyncio.create_task(lifetime.until_open())
    lifetime.opened()
    await waiting
    assert lifetime.is_open
    lifetime.check()


@pytest.mark.parametrize(
    ("description", "text"),
    [(None, "named 'q'"), ("there is no alternate 'a'", "^there is no alternate 'a'$")],
)
async def test_a_refused_link_raises_why_to_who_waits(description: str | None, text: str) -> None:
    lifetime = Lifetime("q")
    waiting = asyncio.create_task(lifetime.until_open())
    lifetime.ended(AmqpError(Condition.NOT_FOUND.amqp10, description))
    with pytest.raises(QueueNotFoundError, match=text):
        await waiting


def test_a_link_that_the_broker_ends_is_detached() -> None:
    lifetime = attached()
    lifetime.ended(DELETED)
    with pytest.raises(DetachedError, match="the queue was deleted"):
        lifetime.check()
    assert not lifetime.is_open


def test_the_first_failure_is_the_one_that_is_told() -> None:
    lifetime = attached()
    lifetime.ended(DELETED)
    lifetime.fail(ConnectionLostError("gone"))
    with pytest.raises(DetachedError):
        lifetime.check()


def test_a_link_is_closed_once_and_cannot_be_used_then() -> None:
    lifetime = attached()
    assert [lifetime.close(), lifetime.close()] == [True, False]
    with pytest.raises(NotOpenError, match="'q' is closed"):
        lifetime.check()


def test_what_fails_behind_a_close_is_no_failure() -> None:
    lifetime = attached()
    lifetime.close()
    lifetime.fail(ConnectionLostError("gone"))
    assert lifetime.failure is None


def test_a_link_that_failed_is_not_closed() -> None:
    lifetime = attached()
    lifetime.fail(ConnectionLostError("gone"))
    assert not lifetime.close()


@pytest.mark.parametrize(
    ("error", "condition"),
    [
        (None, Condition.NOT_ALLOWED),
        (AmqpError(condition=Condition.UNAUTHORIZED_ACCESS.amqp10), Condition.UNAUTHORIZED_ACCESS),
        (AmqpError(condition="strange:condition"), Condition.INTERNAL_ERROR),
    ],
)
def test_a_refusal_has_the_brokers_condition(error: AmqpError | None, condition: Condition) -> None:
    refused = refusal("q", error)
    assert isinstance(refused, RefusedError)
    assert refused.condition is condition


def test_an_end_without_a_reason_was_forced() -> None:
    assert detachment("q", None).condition is Condition.DETACH_FORCED
