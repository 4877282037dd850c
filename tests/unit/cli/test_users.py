"""lastvalue user."""

import io
from base64 import b64encode
from collections.abc import Callable
from getpass import GetPassWarning
from hashlib import pbkdf2_hmac
from pathlib import Path

import pytest
import typer

from lastvalue.server.users import Users

Lastvalue = Callable[[str], tuple[int, str, str]]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "users.toml"
    monkeypatch.setenv("LASTVALUE_USERS_FILE", str(path))
    monkeypatch.setattr("sys.stdin", io.StringIO("geheim\nrest"))
    return path


def opened(path: Path) -> Users:
    users = Users(path)
    users.load()
    return users


def test_a_user_is_added_shown_changed_and_deleted(
    lastvalue: Lastvalue, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert lastvalue("user add ann --password-file - --allow all:x --allow x")[0] == 1
    added = lastvalue("user add ann --password-file -")
    assert added == (0, "", f"added user ann to {path}; without a rule that user may do everything\n")
    assert opened(path).check("ann", "rest")
    assert "everything" in lastvalue("user list")[1]
    assert lastvalue("user allow ann") == (0, "", "changed the permissions of user ann\n")
    assert not opened(path).permissions("ann").reaches("q")
    monkeypatch.setattr("sys.stdin", io.StringIO("other\n"))
    changed = lastvalue("user passwd ann --password-file -")
    assert changed == (0, "", "changed the password of user ann\n")
    assert opened(path).check("ann", "other")
    assert lastvalue("user list -o jsonl")[1] == '{"name": "ann", "permissions": ""}\n'
    assert lastvalue("user delete ann") == (0, "", f"removed user ann from {path}\n")
    assert opened(path).names() == []


def test_mosquittos_users_are_imported_with_their_passwords(
    lastvalue: Lastvalue, path: Path, tmp_path: Path
) -> None:
    salted = b64encode(pbkdf2_hmac("sha512", b"secret", b"salt", 101)).decode()
    passwords = tmp_path / "passwd"
    passwords.write_text(f"ann:$7$101$c2FsdA==${salted}\nbob:$6$c2FsdA==$aGFzaA==\n")
    code, _, errors = lastvalue(f"user import {passwords}")
    assert code == 0
    assert "lastvalue: not imported: line 2, user 'bob': its password is kept as one round" in errors
    assert f"added 1 users to {path}; they may do nothing yet" in errors
    users = opened(path)
    assert users.check("ann", "secret")
    assert not users.check("ann", "other")
    assert not users.permissions("ann").reaches("amq.topic")
    code, _, errors = lastvalue(f"user import {passwords} --allow all:x")
    assert code == 1
    assert "user 'ann' exists" in errors


def test_a_file_that_is_no_text_has_no_passwords(lastvalue: Lastvalue, path: Path, tmp_path: Path) -> None:
    passwords = tmp_path / "passwd"
    passwords.write_bytes(b"\xff")
    assert lastvalue(f"user import {passwords}")[0] == 2
    assert not path.exists()
    passwords.write_text("# nobody\n")
    assert lastvalue(f"user import {passwords}") == (0, "", f"added 0 users to {path}\n")


@pytest.mark.parametrize(
    ("line", "code", "fault"),
    [
        ("user passwd nobody --password-file -", 1, "No such file"),
        ("user add ann --password-file /no/such", 2, "/no/such cannot be read"),
        ("user add ann --password-file /dev/null", 2, "the password is empty"),
        ("user add ann --password-file - --allow fly", 1, "not a rule"),
    ],
)
def test_a_wrong_command_is_told_on_one_line(
    lastvalue: Lastvalue, path: Path, line: str, code: int, fault: str
) -> None:
    ended, output, errors = lastvalue(line)
    assert (ended, output) == (code, "")
    assert fault in errors
    assert not path.exists()


def test_a_user_that_exists_is_not_added_again(lastvalue: Lastvalue, path: Path) -> None:
    Users(path).put("ann", "geheim", None)
    ended, _, errors = lastvalue("user add ann --password-file -")
    assert (ended, "user passwd" in errors) == (2, True)
    ended, _, errors = lastvalue("user delete bob")
    assert (ended, "no user 'bob'" in errors) == (1, True)


@pytest.mark.parametrize("missing", [typer.Abort, GetPassWarning])
def test_a_password_that_nobody_types_is_one_line(
    lastvalue: Lastvalue, path: Path, monkeypatch: pytest.MonkeyPatch, missing: type[Exception]
) -> None:
    """It was interrupted, or there is no terminal."""

    def nobody(*_: object, **__: object) -> str:
        raise missing

    monkeypatch.setattr(typer, "prompt", nobody)
    ended, _, errors = lastvalue("user add ann")
    assert (ended, errors.count("\n")) == (2, 1)
    assert "no password was typed" in errors
    assert not path.exists()
