"""The users file."""

from pathlib import Path

import pytest

from lastvalue.broker.permissions import PermissionRuleError
from lastvalue.server.users import MECHANISMS, Credential, UnknownUserError, Users, UsersFileError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "users.toml"


def opened(path: Path) -> Users:
    users = Users(path)
    users.load()
    return users


def test_what_was_put_is_read_again(path: Path) -> None:
    users = Users(path)
    users.put('ann "the first"', "geheim ✓", ("read,browse prices.*", "write orders"))
    users.put("bob", "other", None)
    again = opened(path)
    assert again.names() == ['ann "the first"', "bob"]
    assert again.check('ann "the first"', "geheim ✓")
    assert not again.check('ann "the first"', "other")
    assert again.get('ann "the first"').rules == ("read,browse prices.*", "write orders")
    assert again.permissions("bob").allows("manage", "anything")


def test_no_password_stands_in_the_file_and_nobody_else_may_read_it(path: Path) -> None:
    Users(path).put("ann", "geheim", None)
    assert "geheim" not in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_user_that_does_not_exist_has_no_password_and_may_do_nothing(path: Path) -> None:
    users = Users(path)
    users.put("ann", "geheim", None)
    assert not users.check("bob", "geheim")
    assert not users.permissions("bob").reaches("anything")
    with pytest.raises(UnknownUserError, match="user list"):
        users.remove("bob")


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_users_that_do_not_exist_cannot_be_told_by_their_salt(path: Path, mechanism: str) -> None:
    users = Users(path)
    one, same, other = (users.credential(name, mechanism) for name in ("x", "x", "y"))
    assert one.salt == same.salt != other.salt
    assert one.iterations == Credential.of(mechanism, "any").iterations


def test_a_change_is_seen_with_the_next_load(path: Path) -> None:
    Users(path).put("ann", "geheim", None)
    users = opened(path)
    Users(path).put("ann", "another one", None)
    users.load()
    assert users.check("ann", "another one")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[users", "cannot be read"),
        ('[users.ann]\nSCRAM-SHA-256 = "1 2"', "the entry of user 'ann' is not valid"),
        ('[users.ann]\npermissions = ["fly *"]', "not a rule"),
        ('[users.ann]\npasword = "x"', "'pasword'; expected one of"),
        ("[users]\nann = 1", "the entry of user 'ann' is not valid"),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_the_reason(path: Path, text: str, fault: str) -> None:
    path.write_text(text)
    with pytest.raises(UsersFileError, match=fault):
        opened(path)


def test_a_missing_file_is_told(path: Path) -> None:
    with pytest.raises(UsersFileError, match="No such file"):
        opened(path)


def test_wrong_input_changes_nothing(path: Path) -> None:
    users = Users(path)
    with pytest.raises(PermissionRuleError):
        users.put("ann", "x", ("fly *",))
    with pytest.raises(UsersFileError, match="not a user name"):
        users.put(" ann", "x", None)
    assert not path.exists()
