"""The conditions of errors, with the code of each in the versions of AMQP and in HTTP.

CORE has few codes, chosen by the class of the error: `frontends/core/error_codes.py`.
"""

from enum import Enum


class Condition(Enum):
    """The kind of an error, as peers see it.

    Each value is (AMQP 1.0 error condition, AMQP 0-10 execution error code, AMQP 0-9-1 reply code, HTTP
    status). Sources: AMQP 1.0 §2.8.15 to §2.8.18; AMQP 0-10 `execution.error-code`; AMQP 0-9-1 §1.1.
    """

    INTERNAL_ERROR = ("amqp:internal-error", 541, 541, 500)
    NOT_FOUND = ("amqp:not-found", 404, 404, 404)
    UNAUTHORIZED_ACCESS = ("amqp:unauthorized-access", 403, 403, 403)
    DECODE_ERROR = ("amqp:decode-error", 501, 502, 400)
    RESOURCE_LIMIT_EXCEEDED = ("amqp:resource-limit-exceeded", 506, 506, 429)
    NOT_ALLOWED = ("amqp:not-allowed", 530, 530, 409)
    INVALID_FIELD = ("amqp:invalid-field", 542, 542, 422)
    NOT_IMPLEMENTED = ("amqp:not-implemented", 540, 540, 501)
    RESOURCE_LOCKED = ("amqp:resource-locked", 405, 405, 409)
    PRECONDITION_FAILED = ("amqp:precondition-failed", 406, 406, 412)
    RESOURCE_DELETED = ("amqp:resource-deleted", 404, 404, 410)
    ILLEGAL_STATE = ("amqp:illegal-state", 409, 504, 409)
    FRAME_SIZE_TOO_SMALL = ("amqp:frame-size-too-small", 501, 501, 400)
    CONNECTION_FORCED = ("amqp:connection:forced", 320, 320, 503)
    FRAMING_ERROR = ("amqp:connection:framing-error", 501, 501, 400)
    REDIRECT = ("amqp:connection:redirect", 320, 320, 421)
    WINDOW_VIOLATION = ("amqp:session:window-violation", 409, 504, 400)
    ERRANT_LINK = ("amqp:session:errant-link", 409, 504, 400)
    HANDLE_IN_USE = ("amqp:session:handle-in-use", 409, 504, 409)
    UNATTACHED_HANDLE = ("amqp:session:unattached-handle", 409, 504, 409)
    LINK_REDIRECT = ("amqp:link:redirect", 320, 320, 421)
    DETACH_FORCED = ("amqp:link:detach-forced", 320, 320, 503)
    TRANSFER_LIMIT_EXCEEDED = ("amqp:link:transfer-limit-exceeded", 506, 506, 429)
    MESSAGE_SIZE_EXCEEDED = ("amqp:link:message-size-exceeded", 506, 311, 413)
    TRANSACTION_UNKNOWN = ("amqp:transaction:unknown-id", 409, 504, 404)
    TRANSACTION_ROLLBACK = ("amqp:transaction:rollback", 409, 504, 409)
    STOLEN = ("amqp:link:stolen", 405, 405, 409)

    @property
    def amqp10(self) -> str:
        """The AMQP 1.0 error condition symbol."""
        return self.value[0]

    @property
    def amqp010(self) -> int:
        """The AMQP 0-10 execution error code."""
        return self.value[1]

    @property
    def amqp091(self) -> int:
        """The AMQP 0-9-1 reply code."""
        return self.value[2]

    @property
    def http(self) -> int:
        """The HTTP status."""
        return self.value[3]


CONDITION_BY_SYMBOL = {condition.amqp10: condition for condition in Condition}
