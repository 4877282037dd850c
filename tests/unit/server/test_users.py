"""The users file."""

import os
from pathlib import Path

import pytest

from lastvalue.broker.administration.permission_requests import UserChange
from lastvalue.broker.rights.permissions import PermissionRuleError
from lastvalue.protocols.scram_credential import ITERATIONS, SCRAM_MECHANISMS, ScramCredential
from lastvalue.server.users import UnknownUserError, Users, UsersFileError


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


def test_a_link_that_was_planted_for_a_new_version_is_not_followed(path: Path) -> None:
    victim = path.with_name("victim")
    victim.write_text("important")
    path.with_name("users.toml.new").symlink_to(victim)
    Users(path).put("ann", "geheim", None)
    assert victim.read_text() == "important"
    assert opened(path).names() == ["ann"]


def test_a_new_version_keeps_the_files_readers(path: Path) -> None:
    Users(path).put("ann", "geheim", None)
    path.chmod(0o640)
    before = path.stat()
    opened(path).put("ben", "geheim", None)
    after = path.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
    assert after.st_ino != before.st_ino


def test_who_may_read_a_file_is_told_to_who_may_not(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Users(path).put("ann", "geheim", None)
    monkeypatch.setattr(os, "access", lambda which, _: which != path)
    monkeypatch.setattr(Path, "read_text", denied)
    with pytest.raises(
        UsersFileError, match=r"cannot be read: Permission denied: .*users.toml is of .* 0600"
    ):
        opened(path)


def denied(path: Path, encoding: str) -> str:
    raise PermissionError(13, "Permission denied", str(path))


def test_a_user_that_does_not_exist_has_no_password_and_may_do_nothing(path: Path) -> None:
    users = Users(path)
    users.put("ann", "geheim", None)
    assert not users.check("bob", "geheim")
    assert not users.permissions("bob").reaches("anything")
    with pytest.raises(UnknownUserError, match="user list"):
        users.remove("bob")


@pytest.mark.parametrize("mechanism", SCRAM_MECHANISMS)
def test_users_that_do_not_exist_cannot_be_told_by_their_salt(path: Path, mechanism: str) -> None:
    users = Users(path)
    one, same, other = (users.credential(name, mechanism) for name in ("x", "x", "y"))
    assert one.salt == same.salt != other.salt
    assert one.iterations == ITERATIONS


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


def different_users(path: Path) -> Users:
    """A file with users whose credentials have different numbers of iterations and sizes of the salt."""
    lines = [
        f"[users.user{number}]\n"
        f'SCRAM-SHA-256 = "{ScramCredential(iterations, bytes(salt), bytes(32), bytes(32))}"\n'
        for number, (iterations, salt) in enumerate([(4096, 16), (8192, 24)])
    ]
    path.write_text("\n".join(lines))
    return opened(path)


def test_the_salt_of_a_user_that_does_not_exist_stays_after_a_restart_and_a_change(path: Path) -> None:
    Users(path).put("ann", "geheim", None)
    first = opened(path).credential("x", "SCRAM-SHA-256").salt
    assert opened(path).credential("x", "SCRAM-SHA-256").salt == first
    opened(path).put("bob", "geheim", None)
    assert opened(path).credential("x", "SCRAM-SHA-256").salt == first


def test_a_file_without_a_secret_has_the_same_salts_after_a_restart_and_when_it_gets_one(path: Path) -> None:
    users = different_users(path)
    first = users.credential("x", "SCRAM-SHA-256").salt
    assert different_users(path).credential("x", "SCRAM-SHA-256").salt == first
    users.put("bob", None, ())
    assert 'secret = "' in path.read_text()
    assert opened(path).credential("x", "SCRAM-SHA-256").salt == first


@pytest.mark.parametrize("mechanism", SCRAM_MECHANISMS)
def test_a_user_that_does_not_exist_has_the_salt_and_iterations_of_one_that_does(
    path: Path, mechanism: str
) -> None:
    users = Users(path)
    users.put("ann", "geheim", None)
    known, unknown = opened(path).credential("ann", mechanism), opened(path).credential("x", mechanism)
    assert (len(unknown.salt), unknown.iterations) == (len(known.salt), known.iterations)


def test_users_that_do_not_exist_are_as_different_as_those_that_do(path: Path) -> None:
    users = different_users(path)
    unknown = [users.credential(f"stranger {number}", "SCRAM-SHA-256") for number in range(64)]
    assert {(one.iterations, len(one.salt)) for one in unknown} == {(4096, 16), (8192, 24)}


def test_the_salt_of_a_user_that_does_not_exist_follows_from_the_secret_of_its_file(tmp_path: Path) -> None:
    salts = set()
    for name in ("one.toml", "other.toml"):
        Users(tmp_path / name).put("ann", None, ())
        salts.add(opened(tmp_path / name).credential("x", "SCRAM-SHA-256").salt)
    assert len(salts) == 2


def test_the_salts_of_the_mechanisms_differ(path: Path) -> None:
    users = Users(path)
    users.put("ann", "geheim", None)
    one, other = (opened(path).credential("x", mechanism).salt for mechanism in SCRAM_MECHANISMS)
    assert one != other


def test_plain_hashes_for_a_user_that_does_not_exist_as_for_one_that_does(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    users = different_users(path)
    hashed: list[tuple[str, int]] = []

    def fits(credential: ScramCredential, mechanism: str, password: str) -> bool:
        hashed.append((mechanism, credential.iterations))
        return False

    monkeypatch.setattr(ScramCredential, "fits", fits)
    for name in ("user0", "user1", *(f"stranger {number}" for number in range(64))):
        assert not users.check(name, "x")
    assert set(hashed[:2]) == set(hashed[2:]) == {("SCRAM-SHA-256", 4096), ("SCRAM-SHA-256", 8192)}


def credentials_of(password: str) -> dict[str, str]:
    return {
        mechanism: str(ScramCredential.of(mechanism, password, b"salt" * 8)) for mechanism in SCRAM_MECHANISMS
    }


def test_a_user_is_made_changed_and_removed_without_a_password_being_told(path: Path) -> None:
    Users(path).put("ann", "geheim", None)
    users = opened(path)
    # Another process changes the file meanwhile.
    opened(path).put("eve", "e", None)
    users.write("bob", UserChange(("read q",), credentials_of("b")))
    again = opened(path)
    assert again.names() == ["ann", "bob", "eve"]
    assert again.check("bob", "b")
    users.write("bob", UserChange(credentials={}))
    assert not opened(path).check("bob", "b")
    assert opened(path).rules()["bob"] == ("read q",)
    users.remove("bob")
    assert opened(path).names() == ["ann", "eve"]


@pytest.mark.parametrize(
    "credentials", [{"PLAIN": "x"}, {"SCRAM-SHA-256": "x"}, {"SCRAM-SHA-256": "1 c2FsdA== c3RvcmVk c2VydmVy"}]
)
def test_a_credential_that_is_none_changes_nothing(path: Path, credentials: dict[str, str]) -> None:
    Users(path).put("ann", "geheim", None)
    users = opened(path)
    with pytest.raises(UsersFileError):
        users.write("ann", UserChange((), credentials))
    assert users.check("ann", "geheim")
    assert users.get("ann").rules is None


def test_a_file_that_cannot_be_written_leaves_the_users_as_they_are(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Users(path).put("ann", "geheim", None)
    users = opened(path)
    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(UsersFileError, match="No space left"):
        users.write("bob", UserChange((), {}))
    with pytest.raises(UsersFileError, match="No space left"):
        users.remove("ann")
    assert users.names() == opened(path).names() == ["ann"]


def full_disk(descriptor: int) -> None:
    raise OSError(28, "No space left on device")
