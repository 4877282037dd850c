import pytest

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import (
    BrokerError,
    InvalidSpecError,
    LastvalueError,
    QueueExistsError,
    QueueNotFoundError,
    ResourceLimitError,
    UnauthorizedError,
)


@pytest.mark.parametrize(
    ("error", "condition"),
    [
        (LastvalueError(), Condition.INTERNAL_ERROR),
        (BrokerError(), Condition.INTERNAL_ERROR),
        (InvalidSpecError(), Condition.INVALID_FIELD),
        (QueueNotFoundError("q"), Condition.NOT_FOUND),
        (QueueExistsError("q", "type"), Condition.PRECONDITION_FAILED),
        (UnauthorizedError(), Condition.UNAUTHORIZED_ACCESS),
        (ResourceLimitError(), Condition.RESOURCE_LIMIT_EXCEEDED),
    ],
    ids=lambda each: type(each).__name__,
)
def test_an_error_has_the_condition_that_a_peer_is_told(error: LastvalueError, condition: Condition) -> None:
    assert error.condition is condition


def test_a_queue_that_is_not_there_is_named_with_what_shows_those_that_are() -> None:
    error = QueueNotFoundError("prices")
    assert error.name == "prices"
    assert "'prices'" in str(error)
    assert "lastvalue queue list" in str(error)


def test_a_queue_that_is_declared_differently_says_what_differs() -> None:
    error = QueueExistsError("prices", "type: wanted 'lvq', has 'standard'")
    assert "'prices'" in str(error)
    assert "wanted 'lvq', has 'standard'" in str(error)
