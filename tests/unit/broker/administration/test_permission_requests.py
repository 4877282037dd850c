"""lastvalue.broker.administration.permission_requests."""

from typing import Any

import pytest

from lastvalue.broker.administration.permission_requests import (
    NoUsersError,
    PermittedUsers,
    UserChange,
    UserExistsError,
    UserNotFoundError,
    ask_permissions,
    user_change,
)
from lastvalue.broker.administration.request import Request
from lastvalue.model.errors import BrokerError, InvalidSpecError


class NotedUsers(PermittedUsers):
    def __init__(self) -> None:
        self.of: dict[str, tuple[str, ...]] = {"ann": ("all *",)}
        self.changes: list[UserChange] = []

    def rules(self) -> dict[str, tuple[str, ...]]:
        return self.of

    def write(self, user: str, change: UserChange) -> None:
        self.of[user] = change.rules or self.of[user]
        self.changes.append(change)

    def remove(self, user: str) -> None:
        del self.of[user]


def test_users_are_made_shown_changed_and_removed() -> None:
    users = NotedUsers()
    assert ask_permissions(users, Request("QUERY")).body == [{"user": "ann", "rules": ["all *"]}]
    assert ask_permissions(users, Request("UPDATE", name="ann", body={"rules": ["read q"]})).status == 200
    body = {"rules": ["browse q"], "credentials": {"SCRAM-SHA-256": "4096 c2FsdA== c3RvcmVk c2VydmVy"}}
    assert ask_permissions(users, Request("CREATE", name="bob", body=body)).status == 201
    assert users.of == {"ann": ("read q",), "bob": ("browse q",)}
    assert users.changes[-1].credentials == body["credentials"]
    assert ask_permissions(users, Request("UPDATE", name="bob", body={"credentials": {}})).status == 200
    assert users.of["bob"] == ("browse q",)
    assert ask_permissions(users, Request("DELETE", name="bob")).status == 204
    assert users.of == {"ann": ("read q",)}


@pytest.mark.parametrize(
    ("operation", "name", "body", "fault"),
    [
        ("UPDATE", "ann", {}, InvalidSpecError),
        ("UPDATE", "ann", {"rules": None}, InvalidSpecError),
        ("UPDATE", "ann", {"rules": "read q"}, InvalidSpecError),
        ("UPDATE", "ann", {"rules": ["reed q"]}, InvalidSpecError),
        ("UPDATE", "ann", {"rules": [5]}, InvalidSpecError),
        ("UPDATE", "ann", {"rules": [], "password": "x"}, InvalidSpecError),
        ("UPDATE", "ann", {"credentials": ["x"]}, InvalidSpecError),
        ("UPDATE", "bob", {"rules": []}, UserNotFoundError),
        ("DELETE", "bob", {}, UserNotFoundError),
        ("CREATE", "ann", {"rules": []}, UserExistsError),
        ("CREATE", "bob", {"credentials": {}}, InvalidSpecError),
    ],
)
def test_what_is_wrong_is_refused_and_changes_nothing(
    operation: str, name: str, body: dict[str, Any], fault: type[BrokerError]
) -> None:
    users = NotedUsers()
    with pytest.raises(fault):
        ask_permissions(users, Request(operation, name=name, body=body))
    assert users.of == {"ann": ("all *",)}
    assert not users.changes


def test_without_users_there_is_nothing_to_change() -> None:
    assert ask_permissions(None, Request("QUERY")).body == []
    with pytest.raises(NoUsersError, match="--users-file"):
        ask_permissions(None, Request("UPDATE", name="ann", body={"rules": []}))
    assert ask_permissions(NotedUsers(), Request("FLY", name="ann")).status == 501


def test_what_the_audit_says_of_a_change_has_nothing_secret() -> None:
    change = user_change({"rules": ["read q"], "credentials": {"SCRAM-SHA-256": "4096 c2FsdA== x y"}})
    assert change.detail == "read q; another password"
    assert user_change({"rules": [], "credentials": {}}).detail == "no rules; no password"
