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
