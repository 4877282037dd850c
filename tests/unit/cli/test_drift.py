"""lastvalue.cli.drift."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("url")
Lastvalue = Callable[[str], tuple[int, str, str]]

TEXT = """
[[exchange]]
name = "news"
type = "topic"
[[queue]]
name = "q"
lvq_key = "symbol"
max_messages = 200
[[binding]]
exchange = "news"
queue = "q"
key = "a.#"
[[auto-create]]
pattern = "auto.*"
on_publish = true
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "lastvalue.toml"
    file.write_text(TEXT)
    return file


def test_a_broker_is_compared_with_a_file_and_brought_to_it(lastvalue: Lastvalue, file: Path) -> None:
    lastvalue("queue add old")
    lastvalue("queue add q --lvq-key symbol --max-messages 100")
    shown = (
        "add exchange 'news'\n"
        "change queue 'q': max_messages 100 → 200\n"
        "add binding of 'q' to 'news' by 'a.#'\n"
        "change the policies: now 'auto.*' (queue)\n"
        "queue 'old' is only in the broker\n"
    )
    assert lastvalue(f"config diff {file}") == (1, shown, "")
    assert lastvalue(f"config apply {file} --dry-run") == (0, shown, "")
    assert lastvalue(f"config diff {file}")[0] == 1
    assert lastvalue(f"config apply {file}") == (0, shown, "")
    assert lastvalue(f"config diff {file}") == (1, "queue 'old' is only in the broker\n", "")
    assert lastvalue(f"config apply {file} --prune")[0] == 0
    assert lastvalue(f"config diff {file}") == (0, "", "")
    assert [queue["name"] for queue in json.loads(lastvalue("queue list -o json")[1])] == ["q"]


def test_what_is_for_life_fails_by_name_and_the_rest_is_done(lastvalue: Lastvalue, file: Path) -> None:
    lastvalue("queue add q")
    code, output, errors = lastvalue(f"config apply {file}")
    assert code == 1
    assert "add exchange 'news'" in output
    assert "cannot change queue 'q'" in errors
    assert "delete it and declare it again" in errors
    assert lastvalue(f"config apply {file} -o json")[0] == 1


def test_a_file_with_faults_changes_nothing(lastvalue: Lastvalue, file: Path) -> None:
    file.write_text(TEXT + "colour = 5\n")
    assert lastvalue(f"config apply {file}")[0] == 1
    assert lastvalue("queue list -o json")[1] == "[]\n"


def test_a_broker_without_a_file_has_nothing_to_read_again(lastvalue: Lastvalue) -> None:
    code, output, errors = lastvalue("config reload")
    assert (code, output) == (1, "")
    assert "serve --config FILE" in errors


@pytest.mark.parametrize("name", ["out.toml", "out.json"])
def test_what_is_exported_is_imported_by_another_broker(lastvalue: Lastvalue, file: Path, name: str) -> None:
    out = file.with_name(name)
    assert lastvalue(f"config apply {file}")[0] == 0
    lastvalue("queue add passing --lifetime delete-on-no-links")
    line = f"export -o {out} --format {out.suffix[1:]}"
    assert lastvalue(line) == (0, "", "")
    assert lastvalue(line)[0] == 1
    for queue in ("q", "passing"):
        lastvalue(f"queue delete {queue}")
    lastvalue("exchange delete news")
    assert lastvalue(f"import {out}")[0] == 0
    assert lastvalue(f"config diff {file}") == (0, "", "")
    assert [queue["name"] for queue in json.loads(lastvalue("queue list -o json")[1])] == ["q"]


def test_permissions_are_exported_and_imported_with_a_users_file(
    lastvalue: Lastvalue, tmp_path: Path
) -> None:
    users, password, out = tmp_path / "users.toml", tmp_path / "password", tmp_path / "out.toml"
    password.write_text("secret")
    for user in ("ann --allow write --allow x", "bob"):
        lastvalue(f"user add {user.split()[0]} --file {users} --password-file {password}")
    assert lastvalue(f"user allow ann all --file {users}")[0] != 0
    assert lastvalue(f"export --users-file {users} -o {out}") == (0, "", "")
    assert "secret" not in out.read_text()
    assert "SCRAM" not in out.read_text()
    out.write_text(out.read_text() + '[[permission]]\nuser = "eve"\nrules = ["all x"]\n')
    out.write_text(out.read_text().replace('["all *", "all $*"]', '["read a.*"]', 1))
    assert lastvalue(f"import {out}")[2] == "lastvalue: permissions are written with --users-file\n"
    code, output, errors = lastvalue(f"import {out} --users-file {users}")
    assert (code, output) == (1, "change permissions of user 'ann': read a.*\n")
    assert "'eve': all x: not in the users file; `lastvalue user add` makes a user" in errors
    rows = json.loads(lastvalue(f"user list --file {users} -o json")[1])
    assert {row["name"]: row["permissions"] for row in rows} == {"ann": "read a.*", "bob": "everything"}


def test_the_definitions_of_rabbitmq_are_imported(lastvalue: Lastvalue, tmp_path: Path) -> None:
    file = tmp_path / "definitions.json"
    queue = {"name": "q", "vhost": "/", "durable": False, "arguments": {"x-max-length": 5}}
    file.write_text(json.dumps({"rabbit_version": "4.2.0", "queues": [queue], "users": [{"name": "ann"}]}))
    code, output, errors = lastvalue(f"import {file}")
    assert (code, output) == (0, "add queue 'q'\n")
    assert "users[ann]: passwords do not move" in errors
    assert json.loads(lastvalue("queue show q -o json")[1])["options"]["max_messages"] == 5
