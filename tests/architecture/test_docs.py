"""What users can name is in the documentation."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import reference_tables
import typer.main

from lastvalue import client
from lastvalue.cli.app import app
from lastvalue.cli.exits import ExitCode
from lastvalue.client import blocking
from lastvalue.client import errors as client_errors
from lastvalue.model.errors import LastvalueError
from lastvalue.queues.meanings import ALIASES
from lastvalue.queues.options import OPTIONS

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
CLI_PAGES = "\n".join(page.read_text() for page in (ROOT / "docs" / "operate").glob("*.md"))
CLI_PAGE = (ROOT / "docs" / "operate" / "cli.md").read_text()
PYTHON_PAGE = (ROOT / "docs" / "clients" / "python.md").read_text()
ALL_PAGES = "\n".join(page.read_text() for page in PAGES)

pytestmark = pytest.mark.pure


def commands(group: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{path}{name} ")
        else:
            yield f"{path}{name}", command


COMMANDS = dict(commands(typer.main.get_command(app)))
FLAGS = sorted({flag for command in COMMANDS.values() for option in command.params for flag in option.opts})
PUBLIC_ERRORS = sorted(
    {
        name
        for module in (client, client_errors)
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, LastvalueError)
    }
)


def is_told(name: str, pages: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", pages) is not None


def test_there_are_commands_and_errors_to_look_for() -> None:
    assert {"serve", "send", "queue add"} <= COMMANDS.keys()
    assert {"--lvq-key", "--url", "-o", "--follow"} <= set(FLAGS)
    assert {"LastvalueError", "SendRejectedError", "QueueNotFoundError"} <= set(PUBLIC_ERRORS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_documented(command: str) -> None:
    assert f"lastvalue {command}" in ALL_PAGES


@pytest.mark.parametrize("flag", [flag for flag in FLAGS if flag.startswith("-")])
def test_every_flag_is_documented(flag: str) -> None:
    assert is_told(flag, CLI_PAGES)


@pytest.mark.parametrize("code", [int(code) for code in ExitCode])
def test_every_exit_code_is_documented(code: int) -> None:
    assert f"| {code} |" in CLI_PAGE


@pytest.mark.parametrize("error", PUBLIC_ERRORS)
def test_every_error_is_documented(error: str) -> None:
    assert is_told(error, PYTHON_PAGE)


@pytest.mark.parametrize("name", sorted(client.__all__))
def test_every_name_of_the_client_is_documented(name: str) -> None:
    assert is_told(name, PYTHON_PAGE)


@pytest.mark.parametrize(
    "kind", [client.Connection, client.Queue, client.Sender, client.Browser, client.Receiver]
)
def test_the_blocking_face_has_the_same_names(kind: type) -> None:
    twin = getattr(blocking, kind.__name__)
    ours = {name for name in vars(kind) if not name.startswith("_")}
    assert ours - {name for name in vars(twin) if not name.startswith("_")} <= {
        "batch",
        "is_open",
        "open",
        "opened_sender",
        "payloads",
    }


@pytest.mark.parametrize("option", [option.name for option in OPTIONS])
def test_every_option_of_a_queue_is_documented(option: str) -> None:
    pages = "\n".join(page.read_text() for page in (ROOT / "docs" / "queues").glob("*.md"))
    assert is_told(option, pages)


@pytest.mark.parametrize("spelling", [alias.spelling for alias in ALIASES])
def test_every_alias_of_queue_options_is_documented(spelling: str) -> None:
    assert is_told(spelling, (ROOT / "docs" / "queues" / "README.md").read_text())


@pytest.mark.parametrize("name", reference_tables.TABLES)
def test_a_table_of_the_docs_is_what_the_code_declares(name: str) -> None:
    page, text = reference_tables.written(name)
    assert page.read_text() == text, "run `make docs`"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_link_is_broken(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#\s]+)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []
