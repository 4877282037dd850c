import pytest

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError
from lastvalue.queues.errors import DelayRefusedError, NotAcquiredError, TooManyConsumersError


@pytest.mark.parametrize(
    ("error", "condition", "text"),
    [
        (NotAcquiredError(7), Condition.ILLEGAL_STATE, "entry 7"),
        (TooManyConsumersError("two"), Condition.RESOURCE_LIMIT_EXCEEDED, "two"),
        (DelayRefusedError("q"), Condition.PRECONDITION_FAILED, "'q'"),
    ],
    ids=lambda each: type(each).__name__,
)
def test_an_error_names_its_subject_and_its_condition(
    error: BrokerError, condition: Condition, text: str
) -> None:
    assert error.condition is condition
    assert text in str(error)
