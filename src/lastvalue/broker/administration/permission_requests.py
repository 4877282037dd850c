"""Requests that show and change users and their permissions, without any password."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from mypy_extensions import mypyc_attr

from lastvalue.broker.administration.request import Request, Response, unknown_operation
from lastvalue.broker.rights.permissions import PermissionRuleError, parse_rule
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError, InvalidSpecError

TYPE: Final = "permission"
CHANGES: Final = ("CREATE", "UPDATE", "DELETE")
_RULES: Final = "rules"
_CREDENTIALS: Final = "credentials"


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class UserChange:
    """What a user gets; None stays as it is.

    Attributes:
        rules: the permissions.
        credentials: by which the user's password is checked, by mechanism. The password stays with who asks.
    """

    rules: tuple[str, ...] | None = None
    credentials: Mapping[str, str] | None = None

    @property
    def detail(self) -> str:
        """What changes, without anything secret, for the audit."""
        parts = [] if self.rules is None else list(self.rules) or ["no rules"]
        if self.credentials is not None:
            parts.append("another password" if self.credentials else "no password")
        return "; ".join(parts)


@mypyc_attr(allow_interpreted_subclasses=True)
class PermittedUsers:
    """The users of a broker, as far as they can be shown and changed."""

    __slots__ = ()

    @abstractmethod
    def rules(self) -> dict[str, tuple[str, ...]]:
        """The rules of each user, by name."""
        raise NotImplementedError

    @abstractmethod
    def write(self, user: str, change: UserChange) -> None:
        """Change a user, who is made where there is none of the name, for good."""
        raise NotImplementedError

    @abstractmethod
    def remove(self, user: str) -> None:
        """Remove a user, for good."""
        raise NotImplementedError


@mypyc_attr(native_class=False)
class NoUsersError(BrokerError):
    """The broker has no users whose permissions could change."""

    condition = Condition.NOT_ALLOWED

    def __init__(self) -> None:
        super().__init__("the broker has no users file; start it with `lastvalue serve --users-file FILE`")


@mypyc_attr(native_class=False)
class UserExistsError(BrokerError):
    """There is a user of that name."""

    condition = Condition.NOT_ALLOWED

    def __init__(self, name: str) -> None:
        super().__init__(f"there is a user {name!r}; UPDATE changes it")


@mypyc_attr(native_class=False)
class UserNotFoundError(BrokerError):
    """There is no user of that name."""

    condition = Condition.NOT_FOUND

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no user {name!r}")


def ask_permissions(users: PermittedUsers | None, request: Request) -> Response:
    """QUERY returns the rules of all users; CREATE makes the named user, UPDATE changes, DELETE removes it.

    The body has `rules`, which CREATE needs, and `credentials`.

    Raises:
        NoUsersError: there is no users file to change.
        UserExistsError, UserNotFoundError: the user is there already, or is not.
        InvalidSpecError: the body is wrong.
    """
    operation, name = request.operation, request.name
    if operation == "QUERY":
        rules = {} if users is None else users.rules()
        return Response(200, "OK", [{"user": user, "rules": list(each)} for user, each in rules.items()])
    if operation not in CHANGES:
        return unknown_operation(request, f"QUERY or one of {', '.join(CHANGES)}")
    if users is None:
        raise NoUsersError
    exists = name in users.rules()
    if operation == "CREATE" and exists:
        raise UserExistsError(name)
    if operation != "CREATE" and not exists:
        raise UserNotFoundError(name)
    if operation == "DELETE":
        users.remove(name)
        return Response(204, "deleted", {})
    change = user_change(request.body)
    if change.rules is None and (operation == "CREATE" or change.credentials is None):
        raise InvalidSpecError(
            f"the body of {operation} needs rules, a list of texts such as 'read prices.*'"
        )
    users.write(name, change)
    return Response(201 if operation == "CREATE" else 200, "created" if not exists else "updated", None)


def user_change(body: Mapping[str, Any]) -> UserChange:
    """The change that a request's body asks for.

    Raises:
        InvalidSpecError: it is none.
    """
    unknown = sorted(set(body) - {_RULES, _CREDENTIALS})
    if unknown:
        raise InvalidSpecError(f"unknown {unknown[0]!r:.80}; expected {_RULES} and {_CREDENTIALS}")
    rules = _rules(body[_RULES]) if _RULES in body else None
    return UserChange(rules, _texts(body[_CREDENTIALS]) if _CREDENTIALS in body else None)


def _rules(rules: object) -> tuple[str, ...]:
    if not isinstance(rules, list):
        raise InvalidSpecError("rules must be a list of texts such as 'read prices.*'")
    for rule in rules:
        try:
            parse_rule(str(rule))
        except PermissionRuleError as error:
            raise InvalidSpecError(f"rules: {error}") from None
    return tuple(str(rule) for rule in rules)


def _texts(credentials: object) -> dict[str, str]:
    if not isinstance(credentials, Mapping):
        raise InvalidSpecError("credentials must be a map of mechanisms to texts, as in the users file")
    return {str(mechanism): str(text) for mechanism, text in credentials.items()}
