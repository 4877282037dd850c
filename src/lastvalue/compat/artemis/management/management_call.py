"""One call of an operation or an attribute: who asks what, and when."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.management import Request, manage
from lastvalue.broker.rights.owner import Owner
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError
from lastvalue.model.nested_json import parse_json

Operation: TypeAlias = Callable[..., Any]
"""What carries out a call, with its parameters; it may return a function that has the result later."""

_REFUSED: Final = 300
_MOST_DIGITS: Final = 20
MOST_JSON_CHARACTERS: Final = 1 << 20
"""The longest JSON that is read: some milliseconds."""


class ManagementError(BrokerError):
    """An operation or an attribute is unknown, or its parameters are wrong, or it was refused."""

    condition = Condition.INVALID_FIELD


class ManagementCall:
    """What an operation works with.

    Attributes:
        broker: that is asked.
        node_id: of the broker, as its clients know it.
        owner: who asks.
        moment: when, in milliseconds since the epoch.
    """

    __slots__ = ("broker", "moment", "node_id", "owner")

    def __init__(self, broker: Broker, node_id: str, owner: Owner, now: int) -> None:
        self.broker = broker
        self.node_id = node_id
        self.owner = owner
        self.moment = now

    def ask(self, operation: str, name: str, body: Mapping[str, Any] | None = None, kind: str = "") -> Any:
        """The answer of `$management` to a request, which decides the rights.

        Raises:
            ManagementError: it is refused.
        """
        response = manage(self.broker, Request(operation, kind, name, body or {}), self.moment, self.owner)
        if response.status >= _REFUSED:
            raise ManagementError(response.description)
        return response.body


def text(value: object, meaning: str) -> str:
    """A parameter that is a text.

    Raises:
        ManagementError: it is not.
    """
    if not isinstance(value, str):
        raise ManagementError(f"{meaning} is {value!r}; expected text")
    return value


def number(value: object, meaning: str) -> int:
    """A parameter that is a whole number, or the text of one.

    Raises:
        ManagementError: it is not.
    """
    found = whole_number(value) if isinstance(value, str) else value
    if isinstance(found, bool) or not isinstance(found, int):
        raise ManagementError(f"{meaning} is {value!r}; expected a whole number")
    return found


def whole_number(text: str) -> int | None:
    """The whole number that a text is, or None."""
    is_number = len(text) < _MOST_DIGITS and text.removeprefix("-").isdecimal()
    return int(text) if is_number else None


def read_json(text: str, meaning: str) -> Any:
    """The value that a text of JSON has.

    Raises:
        ManagementError: it is none, or too long, or a text in it is no Unicode.
    """
    if len(text) > MOST_JSON_CHARACTERS:
        raise ManagementError(f"{meaning} has at most {MOST_JSON_CHARACTERS} characters, not {len(text)}")
    try:
        found = parse_json(text)
        if "\\u" in text:
            # Half of a pair of surrogates, which UTF-8 cannot have.
            json.dumps(found, ensure_ascii=False).encode()
    except ValueError as fault:
        raise ManagementError(f"{meaning} is not JSON: {fault}") from None
    return found


def shown_in_java(value: object) -> str:
    """A value as Java prints it."""
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)
