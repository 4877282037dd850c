"""The codes of failures that clients get."""

from typing import Final

from lastvalue.broker.routing.exchanges import ExchangeNotFoundError
from lastvalue.broker.transaction_duplicates import DuplicateInTransactionError
from lastvalue.broker.transactions import TransactionError
from lastvalue.codec.core import errors
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import (
    InvalidSpecError,
    LastvalueError,
    NodeUsedError,
    QueueExistsError,
    QueueNotFoundError,
)
from lastvalue.queues.errors import TooManyConsumersError
from lastvalue.selectors import InvalidSelectorError

_BY_CLASS: Final[tuple[tuple[type[LastvalueError], int], ...]] = (
    (QueueNotFoundError, errors.QUEUE_DOES_NOT_EXIST),
    (QueueExistsError, errors.QUEUE_EXISTS),
    (ExchangeNotFoundError, errors.ADDRESS_DOES_NOT_EXIST),
    (NodeUsedError, errors.ILLEGAL_STATE),
    (InvalidSelectorError, errors.INVALID_FILTER_EXPRESSION),
    (InvalidSpecError, errors.INVALID_QUEUE_CONFIGURATION),
    (TooManyConsumersError, errors.MAX_CONSUMERS),
    (DuplicateInTransactionError, errors.DUPLICATE_ID_REJECTED),
    (TransactionError, errors.TRANSACTION_ROLLED_BACK),
)

_BY_CONDITION: Final[dict[Condition, int]] = {
    Condition.NOT_FOUND: errors.QUEUE_DOES_NOT_EXIST,
    Condition.RESOURCE_DELETED: errors.QUEUE_DOES_NOT_EXIST,
    Condition.UNAUTHORIZED_ACCESS: errors.SECURITY_EXCEPTION,
    Condition.RESOURCE_LIMIT_EXCEEDED: errors.ADDRESS_FULL,
    Condition.INVALID_FIELD: errors.ILLEGAL_STATE,
    Condition.PRECONDITION_FAILED: errors.ILLEGAL_STATE,
    Condition.NOT_IMPLEMENTED: errors.UNSUPPORTED_PACKET,
    Condition.DECODE_ERROR: errors.ILLEGAL_STATE,
    Condition.ILLEGAL_STATE: errors.ILLEGAL_STATE,
    Condition.NOT_ALLOWED: errors.ILLEGAL_STATE,
    Condition.LINK_REDIRECT: errors.ILLEGAL_STATE,
    Condition.RESOURCE_LOCKED: errors.ILLEGAL_STATE,
    Condition.MESSAGE_SIZE_EXCEEDED: errors.LARGE_MESSAGE_ERROR,
    Condition.TRANSACTION_ROLLBACK: errors.TRANSACTION_ROLLED_BACK,
    Condition.TRANSACTION_UNKNOWN: errors.ILLEGAL_STATE,
}


def error_code(fault: LastvalueError) -> int:
    """The code of a failure; 0, an internal error, where none fits."""
    if isinstance(fault, errors.CoreError):
        return fault.code
    for kind, code in _BY_CLASS:
        if isinstance(fault, kind):
            return code
    return _BY_CONDITION.get(fault.condition, errors.INTERNAL_ERROR)
