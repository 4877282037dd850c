"""lastvalue.broker.permission_requests."""

import pytest

from lastvalue.broker.permission_requests import NoUsersError, PermittedUsers, ask_permissions
from lastvalue.broker.requests import Request
from lastvalue.model.errors import InvalidSpecError


class NotedUsers(PermittedUsers):
    def __init__(self) -> None:
        self.of: dict[str, tuple[str, ...]] = {"ann": ("all *",)}

    def rules(self) -> dict[str, tuple[str, ...]]:
        return self.of

    def permit(self, user: str, rules: tuple[str, ...]) -> None:
        self.of[user] = rules


def test_the_rules_are_shown_and_replaced() -> None:
    users = NotedUsers()
    assert ask_permissions(users, Request("QUERY")).body == [{"user": "ann", "rules": ["all *"]}]
    assert ask_permissions(users, Request("UPDATE", name="ann", body={"rules": ["read q"]})).status == 200
    assert users.of == {"ann": ("read q",)}


@pytest.mark.parametrize("rules", [None, "read q", ["reed q"], [5]])
def test_what_are_no_rules_is_refused(rules: object) -> None:
    users = NotedUsers()
    with pytest.raises(InvalidSpecError):
        ask_permissions(users, Request("UPDATE", name="ann", body={"rules": rules}))
    assert users.of == {"ann": ("all *",)}


def test_without_users_there_is_nothing_to_change() -> None:
    assert ask_permissions(None, Request("QUERY")).body == []
    with pytest.raises(NoUsersError, match="--users-file"):
        ask_permissions(None, Request("UPDATE", name="ann", body={"rules": []}))
    assert ask_permissions(NotedUsers(), Request("DELETE", name="ann")).status == 501
