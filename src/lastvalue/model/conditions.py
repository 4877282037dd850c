"""The conditions of errors, with the code of each in the versions of AMQP, in HTTP and in MQTT.

CORE has few codes, chosen by the class of the error: `frontends/core/error_codes.py`.
"""

from enum import Enum


class Condition(Enum):
    """The kind of an error, as peers see it.

    Each value is (AMQP 1.0 error condition, AMQP 0-10 execution error code, AMQP 0-9-1 reply code, HTTP
    status, MQTT reason code). Sources: AMQP 1.0 §2.8.15 to §2.8.18; AMQP 0-10 `execution.error-code`;
    AMQP 0-9-1 §1.1; MQTT 5.0 §2.4.
    """

    INTERNAL_ERROR = ("amqp:internal-error", 541, 541, 500, 0x80)
    NOT_FOUND = ("amqp:not-found", 404, 404, 404, 0x83)
    UNAUTHORIZED_ACCESS = ("amqp:unauthorized-access", 403, 403, 403, 0x87)
    DECODE_ERROR = ("amqp:decode-error", 501, 502, 400, 0x81)
    RESOURCE_LIMIT_EXCEEDED = ("amqp:resource-limit-exceeded", 506, 506, 429, 0x97)
    NOT_ALLOWED = ("amqp:not-allowed", 530, 530, 409, 0x83)
    INVALID_FIELD = ("amqp:invalid-field", 542, 542, 422, 0x83)
    NOT_IMPLEMENTED = ("amqp:not-implemented", 540, 540, 501, 0x83)
    RESOURCE_LOCKED = ("amqp:resource-locked", 405, 405, 409, 0x83)
    PRECONDITION_FAILED = ("amqp:precondition-failed", 406, 406, 412, 0x83)
    RESOURCE_DELETED = ("amqp:resource-deleted", 404, 404, 410, 0x83)
    ILLEGAL_STATE = ("amqp:illegal-state", 409, 504, 409, 0x83)
    FRAME_SIZE_TOO_SMALL = ("amqp:frame-size-too-small", 501, 501, 400, 0x95)
    CONNECTION_FORCED = ("amqp:connection:forced", 320, 320, 503, 0x98)
    FRAMING_ERROR = ("amqp:connection:framing-error", 501, 501, 400, 0x82)
    REDIRECT = ("amqp:connection:redirect", 320, 320, 421, 0x9C)
    WINDOW_VIOLATION = ("amqp:session:window-violation", 409, 504, 400, 0x93)
    ERRANT_LINK = ("amqp:session:errant-link", 409, 504, 400, 0x82)
    HANDLE_IN_USE = ("amqp:session:handle-in-use", 409, 504, 409, 0x91)
    UNATTACHED_HANDLE = ("amqp:session:unattached-handle", 409, 504, 409, 0x92)
    LINK_REDIRECT = ("amqp:link:redirect", 320, 320, 421, 0x9C)
    DETACH_FORCED = ("amqp:link:detach-forced", 320, 320, 503, 0x98)
    TRANSFER_LIMIT_EXCEEDED = ("amqp:link:transfer-limit-exceeded", 506, 506, 429, 0x97)
    MESSAGE_SIZE_EXCEEDED = ("amqp:link:message-size-exceeded", 506, 311, 413, 0x95)
    TRANSACTION_UNKNOWN = ("amqp:transaction:unknown-id", 409, 504, 404, 0x83)
    TRANSACTION_ROLLBACK = ("amqp:transaction:rollback", 409, 504, 409, 0x80)
    STOLEN = ("amqp:link:stolen", 405, 405, 409, 0x8E)

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

    @property
    def mqtt(self) -> int:
        """The MQTT 5.0 reason code."""
        return self.value[4]


CONDITION_BY_SYMBOL = {condition.amqp10: condition for condition in Condition}
