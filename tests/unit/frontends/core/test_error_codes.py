"""Every failure has a code of Artemis's."""

import pytest

from lastvalue.codec.core import errors
from lastvalue.codec.core.errors import CoreError
from lastvalue.frontends.core.error_codes import error_code
from lastvalue.model.errors import (
    InvalidSpecError,
    LastvalueError,
    NodeUsedError,
    QueueExistsError,
    QueueNotFoundError,
    ResourceLimitError,
    UnauthorizedError,
)
from lastvalue.selectors import InvalidSelectorError

pytestmark = pytest.mark.pure


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (CoreError(errors.ADDRESS_EXISTS, "x"), errors.ADDRESS_EXISTS),
        (QueueNotFoundError("q"), errors.QUEUE_DOES_NOT_EXIST),
        (QueueExistsError("q", ""), errors.QUEUE_EXISTS),
        (NodeUsedError("x"), errors.ILLEGAL_STATE),
        (InvalidSpecError("x"), errors.INVALID_QUEUE_CONFIGURATION),
        (InvalidSelectorError("x", "", 0), errors.INVALID_FILTER_EXPRESSION),
        (UnauthorizedError("x"), errors.SECURITY_EXCEPTION),
        (ResourceLimitError("x"), errors.ADDRESS_FULL),
        (LastvalueError("x"), errors.INTERNAL_ERROR),
    ],
)
def test_a_failure_has_a_code(fault: LastvalueError, code: int) -> None:
    assert error_code(fault) == code
