"""What users can name is in the documentation."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import reference_tables
import typer.main

from lastvalue import client
from lastvalue.cli.app import command_app
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
PACKAGE = ROOT / "src" / "lastvalue"
TESTS = ROOT / "tests"
GUIDES = ("ARCHITECTURE.md", "CONTRIBUTING.md")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
ALL_PAGES = "\n".join(page.read_text() for page in PAGES)

pytestmark = pytest.mark.pure


def commands(group: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{path}{name} ")
        else:
            yield f"{path}{name}", command


COMMANDS = dict(commands(typer.main.get_command(command_app())))
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
    assert ours - {name for name in dir(twin) if not name.startswith("_")} <= {
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


def terms(page: str) -> set[str]:
    """What a page of the root has in code marks, outside of blocks of code."""
    return set(re.findall(r"`([^`\n]+)`", re.sub(r"(?ms)^```.*?^```", "", (ROOT / page).read_text())))


def class_members() -> set[str]:
    """`Class.method` of every class in the sources, inherited ones included."""
    own: dict[str, set[str]] = {}
    parents: dict[str, set[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                names = own.setdefault(node.name, set())
                names |= {part.name for part in node.body if isinstance(part, FUNCTIONS)}
                names |= {
                    part.target.id
                    for part in node.body
                    if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
                }
                parents.setdefault(node.name, set()).update(ast.unparse(base) for base in node.bases)
    members = {f"{name}.{member}" for name, names in own.items() for member in names}
    inherited = {
        f"{name}.{member}"
        for name, bases in parents.items()
        for base in bases
        for member in own.get(base, ())
    }
    return members | inherited


def exists(path: str) -> bool:
    return any((root / path).exists() for root in (ROOT, PACKAGE, PACKAGE.parent))


def is_path(term: str) -> bool:
    return re.fullmatch(r"\.?[\w/]+(/[\w.]+|\.py|\.toml|\.md)", term) is not None


@pytest.mark.parametrize("page", GUIDES)
def test_every_path_in_the_guides_exists(page: str) -> None:
    paths = {term for term in terms(page) if is_path(term)}
    assert paths
    assert {path for path in paths if "/" in path and not exists(path)} == set()


def test_the_map_has_every_package() -> None:
    layers = re.findall(r"(?m)^\| \d+ \| (.+?) \|", (ROOT / "ARCHITECTURE.md").read_text())
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert set(re.findall(r"`(\w+)`", " ".join(layers))) == packages


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_source_file_that_a_page_names_exists(page: Path) -> None:
    # The page of conformance also names files of foreign test suites.
    paths = set() if page.stem == "conformance" else set(re.findall(r"`([\w./]+/\w+\.py)`", page.read_text()))
    assert {path for path in paths if not exists(path)} == set()


@pytest.mark.parametrize("page", GUIDES)
def test_every_module_that_the_guides_name_alone_exists(page: str) -> None:
    modules = {term for term in terms(page) if re.fullmatch(r"\w+\.py", term)}
    present = {path.name for path in PACKAGE.parent.rglob("*.py")} | {path.name for path in ROOT.glob("*.py")}
    assert modules - present == set()


@pytest.mark.parametrize("page", GUIDES)
def test_every_method_in_the_guides_exists(page: str) -> None:
    methods = {term for term in terms(page) if re.fullmatch(r"[A-Z]\w+\.[a-z_]\w*", term)}
    assert methods - class_members() == set()


@pytest.mark.parametrize("page", GUIDES)
def test_every_name_of_code_in_the_guides_exists(page: str) -> None:
    defined = "\n".join(path.read_text() for path in [*PACKAGE.parent.rglob("*.py"), *TESTS.rglob("*.py")])
    names = {term for term in terms(page) if re.fullmatch(r"[A-Z]\w+|_?[a-z]+_\w+|[A-Z_]+", term)}
    assert {name for name in names if re.search(rf"\b{name}\b", defined) is None} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_link_is_broken(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#\s]+)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


def anchors(page: Path) -> set[str]:
    """The headings of a page, as links name them."""
    headings = re.findall(r"(?m)^#+ (.+)$", page.read_text())
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_link_to_a_heading_is_broken(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)", page.read_text())
    assert [
        (target, anchor)
        for target, anchor in links
        if anchor not in anchors(page.parent / target if target else page)
    ] == []
