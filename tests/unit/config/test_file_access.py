"""lastvalue.config.file_access; root may read everything, so what is denied is pretended."""

import errno
import os
from pathlib import Path

import pytest

from lastvalue.config.file_access import explain_file_access

DENIED = PermissionError(errno.EACCES, "Permission denied")


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "etc" / "users.toml"
    path.parent.mkdir(mode=0o750)
    path.touch(mode=0o600)
    return path


@pytest.mark.parametrize(("denied", "mode"), [("etc", "0750"), ("etc/users.toml", "0600")])
def test_owner_and_mode_of_what_denies_it_are_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, secret: Path, denied: str, mode: str
) -> None:
    monkeypatch.setattr(os, "access", lambda path, _: path != tmp_path / denied)
    monkeypatch.setattr("lastvalue.config.file_access.getpwuid", unnamed)
    monkeypatch.setattr("lastvalue.config.file_access.getgrgid", unnamed)
    of = f"{os.getuid()}:{os.getgid()}"
    expected = f"Permission denied: {tmp_path / denied} is of {of} with mode {mode}, and this process of {of}"
    assert explain_file_access(DENIED, secret) == expected


def unnamed(number: int) -> None:
    raise KeyError(number)


def test_what_is_denied_by_something_else_names_the_process_alone(secret: Path) -> None:
    text = explain_file_access(DENIED, secret)
    assert text.startswith("Permission denied; this process is of ")


def test_another_error_is_told_as_it_is(secret: Path) -> None:
    assert explain_file_access(FileNotFoundError(errno.ENOENT, "No such file"), secret) == "No such file"
