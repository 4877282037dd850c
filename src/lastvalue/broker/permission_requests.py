"""Requests that show and change the permissions of users, without anything secret."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Final

from mypy_extensions import mypyc_attr

from lastvalue.broker.permissions import PermissionRuleError, parse_rule
from lastvalue.broker.requests import Request, Response
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError, InvalidSpecError

TYPE: Final = "permission"
CHANGE: Final = "UPDATE"


@mypyc_attr(allow_interpreted_subclasses=True)
class PermittedUsers:
    """The users of a broker, as far as their permissions go."""

    __slots__ = ()

    @abstractmethod
    def rules(self) -> dict[str, tuple[str, ...]]:
        """The rules of each user, by name."""
        raise NotImplementedError

    @abstractmethod
    def permit(self, user: str, rules: tuple[str, ...]) -> None:
        """Replace the rules of a user that there is, for good."""
        raise NotImplementedError


@mypyc_attr(native_class=False)
class NoUsersError(BrokerError):
    """The broker has no users whose permissions could change."""

    condition = Condition.NOT_ALLOWED

    def __init__(self) -> None:
        super().__init__("the broker has no users file; start it with `lastvalue serve --users-file FILE`")


def ask_permissions(users: PermittedUsers | None, request: Request) -> Response:
    """QUERY returns the rules of all users; UPDATE replaces those of the named user by the body's `rules`.

    Raises:
        NoUsersError: there is no users file to change.
        InvalidSpecError: the rules are no list of rules.
    """
    if request.operation == "QUERY":
        rules = {} if users is None else users.rules()
        return Response(200, "OK", [{"user": name, "rules": list(each)} for name, each in rules.items()])
    if request.operation != CHANGE:
        return Response(
            501,
            f"unknown operation {request.operation!r}; expected QUERY or {CHANGE}",
            None,
            Condition.NOT_IMPLEMENTED.amqp10,
        )
    if users is None:
        raise NoUsersError
    users.permit(request.name, _rules(request.body))
    return Response(200, "updated", None)


def _rules(body: Mapping[str, Any]) -> tuple[str, ...]:
    rules = body.get("rules")
    if not isinstance(rules, list):
        raise InvalidSpecError("the body of UPDATE needs rules, a list of texts such as 'read prices.*'")
    for rule in rules:
        try:
            parse_rule(str(rule))
        except PermissionRuleError as error:
            raise InvalidSpecError(str(error)) from None
    return tuple(str(rule) for rule in rules)
