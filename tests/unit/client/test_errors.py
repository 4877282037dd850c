"""lastvalue.client.errors."""

from lastvalue.client.errors import RefusedError, SendRejectedError, TimedOutError
from lastvalue.model.conditions import Condition


def test_a_refusal_names_its_condition_and_says_why() -> None:
    error = RefusedError("the broker refused CREATE a", "amqp:invalid-field", "a is no name")
    assert str(error) == "the broker refused CREATE a: a is no name (amqp:invalid-field)"
    assert error.condition is Condition.INVALID_FIELD


def test_a_refusal_may_have_no_description() -> None:
    assert str(RefusedError("the broker refused CREATE a", "amqp:not-allowed")) == (
        "the broker refused CREATE a: amqp:not-allowed"
    )


def test_a_condition_that_is_not_the_standards_is_kept_as_written() -> None:
    error = RefusedError("no", "example:teapot", "short and stout")
    assert (error.condition, error.symbol) == (Condition.INTERNAL_ERROR, "example:teapot")


def test_rejected_messages_are_counted() -> None:
    error = SendRejectedError("a", "rejected", "amqp:decode-error", "broken", index=3, rejected=2)
    assert str(error) == "queue 'a' rejected 2 messages, the first of them: broken (amqp:decode-error)"


def test_a_timeout_is_a_timeout_for_everyone() -> None:
    error = TimedOutError("opening", 1.5)
    assert str(error) == "opening took longer than 1.5 s"
    assert isinstance(error, TimeoutError)
