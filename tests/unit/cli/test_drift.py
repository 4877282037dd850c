"""lastvalue.cli.drift."""

import json
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from served_broker import ServedBroker
from waiting import wait_until

from lastvalue.server.users import Users

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
    line = f"export --out {out} --format {out.suffix[1:]}"
    assert lastvalue(line) == (0, "", "")
    assert lastvalue(line)[0] == 1
    for queue in ("q", "passing"):
        lastvalue(f"queue delete {queue}")
    lastvalue("exchange delete news")
    assert lastvalue(f"import {out}")[0] == 0
    assert lastvalue(f"config diff {file}") == (0, "", "")
    assert [queue["name"] for queue in json.loads(lastvalue("queue list -o json")[1])] == ["q"]


BOBS = ["all *", "administer $policies"]


@pytest.fixture
def users_file(tmp_path: Path) -> Path:
    users = Users(tmp_path / "users.toml")
    users.put("admin", "secret", None)
    users.put("ann", "secret", ("write x",))
    return users.path


@pytest.fixture
def guarded(users_file: Path) -> Iterator[str]:
    """The address of a broker with users."""
    with ServedBroker("--users-file", str(users_file)) as broker:
        yield broker.url.partition("//")[2]


def test_permissions_are_exported_without_secrets_and_imported(
    lastvalue: Lastvalue, guarded: str, users_file: Path, tmp_path: Path
) -> None:
    admin, out = f"--url amqp://admin:secret@{guarded}", tmp_path / "out.toml"
    assert lastvalue(f"export {admin} --out {out}") == (0, "", "")
    text = out.read_text()
    assert "secret" not in text
    assert "SCRAM" not in text
    assert lastvalue(f"config diff {out} {admin}") == (0, "", "")
    text += '[[permission]]\nuser = "eve"\nrules = ["all x"]\n'
    out.write_text(text.replace('["write x"]', '["read a.*", "write x"]'))
    code, output, errors = lastvalue(f"import {out} {admin}")
    assert (code, output) == (1, "change permissions of user 'ann': write x → read a.*; write x\n")
    assert "cannot change permissions of user 'eve': the users file does not have the user" in errors
    rows = json.loads(lastvalue(f"user list --users-file {users_file} -o json")[1])
    assert [row["permissions"] for row in rows] == ["everything", "read a.*; write x"]
    assert lastvalue(f"queue list --url amqp://ann:secret@{guarded}")[0] == 0


def test_who_may_not_see_permissions_exports_the_rest_and_changes_none(
    lastvalue: Lastvalue, guarded: str, users_file: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.toml"
    users = Users(users_file)
    users.load()
    users.put("bob", "secret", tuple(BOBS))
    bob = f"--url amqp://bob:secret@{guarded}"
    wait_until(lambda: lastvalue(f"queue add q {bob}")[0] == 0)
    code, _, errors = lastvalue(f"export {bob} --out {out}")
    assert code == 0
    assert "without the permissions of users" in errors
    assert "[[permission]]" not in out.read_text()
    out.write_text('[[permission]]\nuser = "bob"\nrules = ["all *", "all $*"]\n')
    code, _, errors = lastvalue(f"import {out} {bob}")
    assert code == 1
    assert "$permissions" in errors
    assert tomllib.loads(users_file.read_text())["users"]["bob"]["permissions"] == BOBS


def test_who_may_not_see_policies_exports_and_compares_the_rest(
    lastvalue: Lastvalue, guarded: str, users_file: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.toml"
    users = Users(users_file)
    users.load()
    users.put("bob", "secret", ("all *",))
    bob = f"--url amqp://bob:secret@{guarded}"
    wait_until(lambda: lastvalue(f"queue add q {bob}")[0] == 0)
    code, _, errors = lastvalue(f"export {bob} --out {out}")
    assert code == 0
    assert "without the policies: " in errors
    assert lastvalue(f"config diff {out} {bob}") == (0, "", "")
    out.write_text(f'{out.read_text()}[[auto-create]]\npattern = "a.*"\non_publish = true\n')
    for command in (f"config diff {out} {bob}", f"import {out} --prune {bob}"):
        code, output, errors = lastvalue(command)
        assert (code, output) == (1, "")
        assert "user 'bob' may not administer '$policies'" in errors


def test_the_definitions_of_rabbitmq_are_imported(lastvalue: Lastvalue, tmp_path: Path) -> None:
    file = tmp_path / "definitions.json"
    queue = {"name": "q", "vhost": "/", "durable": False, "arguments": {"x-max-length": 5}}
    file.write_text(json.dumps({"rabbit_version": "4.2.0", "queues": [queue], "users": [{"name": "ann"}]}))
    code, output, errors = lastvalue(f"import {file}")
    assert (code, output) == (0, "add queue 'q'\n")
    assert "users[ann]: passwords do not move" in errors
    assert json.loads(lastvalue("queue show q -o json")[1])["options"]["max_messages"] == 5


DIVIDED = """
[[partition]]
queues = "orders.*"
leaders = ["{leader}"]
[[queue]]
name = "orders.eu"
[[queue]]
name = "prices"
"""


def test_a_plan_leaves_out_what_another_broker_has(lastvalue: Lastvalue, tmp_path: Path) -> None:
    file = tmp_path / "divided.toml"
    file.write_text(DIVIDED.format(leader="elsewhere:5672"))
    with ServedBroker("--config", str(file)) as broker:
        where = f"--url {broker.url}"
        assert lastvalue(f"config diff {file} {where}") == (0, "", "")
        file.write_text(file.read_text() + '[[queue]]\nname = "orders.us"\n[[queue]]\nname = "more"\n')
        assert lastvalue(f"config apply {file} {where}") == (0, "add queue 'more'\n", "")
        assert lastvalue(f"config diff {file} {where}") == (0, "", "")
        file.write_text(DIVIDED.format(leader="other:5672") + '[[queue]]\nname = "more"\n')
        moved = "cannot change leaders of queue 'orders.eu': elsewhere:5672 → other:5672: "
        code, shown, _ = lastvalue(f"config diff {file} {where}")
        assert (code, shown) == (1, f"{moved}partitions are read when a broker starts\n")
