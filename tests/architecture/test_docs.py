"""What users can name is in the documentation, and what the documentation names exists.

Each test looks at all pages or names, and shows all faults at once.
"""

import ast
import re
from collections.abc import Iterable, Iterator
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
from lastvalue.queues.effects import Reason
from lastvalue.queues.meanings import ALIASES
from lastvalue.queues.option import Touch
from lastvalue.queues.options import OPTIONS
from lastvalue.queues.spec import WhenFull

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = {page: page.read_text() for page in sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])}
"""The text of every page."""
ALL_PAGES = "\n".join(PAGES.values())
CLI_PAGES = "\n".join(PAGES[page] for page in (DOCS / "operate").glob("*.md"))
PYTHON_PAGES = "\n".join(PAGES[DOCS / "clients" / page] for page in ("python.md", "python-values.md"))
QUEUES_PAGE = PAGES[DOCS / "queues" / "README.md"]
OPTIONS_PAGE = PAGES[DOCS / "queues" / "options.md"]
DECISIONS = DOCS / "decisions"
PACKAGE = ROOT / "src" / "lastvalue"
TESTS = ROOT / "tests"
SOURCES = [
    path for folder in ("src", "tests", "bench", "packaging") for path in (ROOT / folder).rglob("*.py")
]
GUIDES = "\n".join(PAGES[ROOT / page] for page in ("ARCHITECTURE.md", "CONTRIBUTING.md"))
GUIDE_TERMS = set(re.findall(r"`([^`\n]+)`", re.sub(r"(?ms)^```.*?^```", "", GUIDES)))
"""What the guides have in code marks, outside of blocks of code."""
BETWEEN_PROCESSES = ("LASTVALUE_JAVA_STDERR", "LASTVALUE_WITHOUT_MLLIB")
"""Variables that the code sets for processes which it starts itself."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

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


def missing_from(pages: str, names: Iterable[str]) -> list[str]:
    """The names that are not on the pages as whole words; a dash is part of a word."""
    return [name for name in names if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", pages) is None]


def test_there_are_commands_and_errors_to_look_for() -> None:
    assert {"serve", "send", "queue add"} <= COMMANDS.keys()
    assert {"--lvq-key", "--url", "-o", "--follow"} <= set(FLAGS)
    assert {"LastvalueError", "SendRejectedError", "QueueNotFoundError"} <= set(PUBLIC_ERRORS)


def test_every_command_is_documented() -> None:
    assert [command for command in COMMANDS if f"lastvalue {command}" not in ALL_PAGES] == []


def test_every_flag_is_documented() -> None:
    assert missing_from(CLI_PAGES, [flag for flag in FLAGS if flag.startswith("-")]) == []


def test_every_variable_of_the_environment_that_the_code_names_is_documented() -> None:
    named = {
        name
        for path in PACKAGE.rglob("*.py")
        for name in re.findall(r'"(LASTVALUE_[A-Z_]+)"', path.read_text())
        if not name.startswith(BETWEEN_PROCESSES)
    }
    assert "LASTVALUE_CHECKS" in named
    assert missing_from(CLI_PAGES, sorted(named)) == []


def test_every_exit_code_is_documented() -> None:
    page = PAGES[DOCS / "operate" / "cli.md"]
    assert [int(code) for code in ExitCode if f"| {int(code)} |" not in page] == []


def test_every_error_and_name_of_the_client_is_documented() -> None:
    assert missing_from(PYTHON_PAGES, PUBLIC_ERRORS) == []
    assert missing_from(PYTHON_PAGES, sorted(client.__all__)) == []


def test_the_blocking_face_has_the_same_names() -> None:
    kinds = (client.Connection, client.Queue, client.Sender, client.Browser, client.Receiver)
    missing = {
        f"{kind.__name__}.{name}"
        for kind in kinds
        for name in vars(kind).keys() - set(dir(getattr(blocking, kind.__name__)))
        if not name.startswith("_")
    }
    assert {name.partition(".")[2] for name in missing} <= {
        "batch",
        "open",
        "opened_sender",
        "payloads",
    }, missing


def test_every_option_of_a_queue_and_every_alias_is_documented() -> None:
    pages = "\n".join(PAGES[page] for page in (DOCS / "queues").glob("*.md"))
    assert missing_from(pages, [option.name for option in OPTIONS]) == []
    assert missing_from(OPTIONS_PAGE, [alias.spelling for alias in ALIASES]) == []


def test_every_option_with_which_messages_are_taken_one_by_one_has_its_reason() -> None:
    page = PAGES[ROOT / "docs" / "operate" / "one-by-one.md"]
    section = page.partition("## What is taken one by one")[2].partition("\n## ")[0]
    alone = [option.name for option in OPTIONS if Touch.ALONE in option.touches]
    assert [name for name in alone if f"`{name}`" not in section] == []


def test_every_reason_for_which_a_message_leaves_is_documented() -> None:
    reasons = [reason.name.lower() for reason in Reason]
    assert missing_from(QUEUES_PAGE.partition("## What is counted")[2], reasons) == []
    records = [f"{reason.name.lower().replace('_', '-')} {reason.value}" for reason in Reason]
    assert missing_from(PAGES[DOCS / "operate" / "store-format.md"], records) == []


@pytest.mark.parametrize("name", reference_tables.TABLES)
def test_a_table_of_the_docs_is_what_the_code_declares(name: str) -> None:
    page, text = reference_tables.written(name)
    assert page.read_text() == text, "run `make docs`"


def test_every_page_is_in_an_index() -> None:
    indices = {DOCS / "README.md": DOCS, DECISIONS / "README.md": DECISIONS}
    linked = {
        (folder / link).resolve() for index, folder in indices.items() for link in links_of(PAGES[index])
    }
    listed = {page for page in PAGES if DOCS in page.parents} - {DOCS / "README.md"}
    assert sorted(str(page.relative_to(ROOT)) for page in listed - linked) == []


def test_the_decisions_are_in_order_and_missing_numbers_are_explained() -> None:
    index = PAGES[DECISIONS / "README.md"]
    listed = re.findall(r"(?m)^\* \[(\d{4})\]", index)
    explained = re.findall(r"\b\d{4}\b", index.partition("\n* ")[0])
    assert listed == sorted(path.name[:4] for path in DECISIONS.glob("0*.md"))
    assert sorted(listed + explained) == [f"{number:04}" for number in range(1, int(listed[-1]) + 1)]


def test_every_decision_that_code_or_a_page_names_exists() -> None:
    present = {path.name[:4] for path in DECISIONS.glob("0*.md")}
    texts = {path: path.read_text() for path in sorted([*SOURCES, *ROOT.glob("*.toml"), ROOT / "setup.py"])}
    named = {
        (str(path.relative_to(ROOT)), number)
        for path, text in {**texts, **PAGES}.items()
        for number in re.findall(r"decisions?[ /](\d{4})\b", text)
    }
    assert sorted((path, number) for path, number in named if number not in present) == []


def test_the_steps_for_a_policy_name_every_module_that_knows_one() -> None:
    section = PAGES[ROOT / "CONTRIBUTING.md"].partition("## Add an overflow policy")[2].partition("\n## ")[0]
    spellings = "|".join(f'"{policy.value}"' for policy in WhenFull if policy is not WhenFull.BLOCK)
    knows = {
        str(path.relative_to(PACKAGE))
        for path, text in ((path, path.read_text()) for path in PACKAGE.rglob("*.py"))
        if re.search(rf"\bWhenFull\.[A-Z]|when_full.*({spellings})|_OVERFLOWS", text)
    }
    # These declare queues of their own, whose policy is not a user's.
    own = {"frontends/amqp10/reader_terms.py", "frontends/mqtt/session.py"}
    assert sorted(path for path in knows - own if path not in section) == []


def class_members() -> set[str]:
    """`Class.method` of every class of a module in the sources, inherited ones included."""
    own: dict[str, set[str]] = {}
    parents: dict[str, set[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        for node in ast.parse(path.read_text()).body:
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


def test_every_path_in_the_guides_exists() -> None:
    paths = {term for term in GUIDE_TERMS if is_path(term)}
    assert paths
    assert {path for path in paths if "/" in path and not exists(path)} == set()


def test_the_map_has_every_package() -> None:
    layers = re.findall(r"(?m)^\| \d+ \| (.+?) \|", (ROOT / "ARCHITECTURE.md").read_text())
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert set(re.findall(r"`(\w+)`", " ".join(layers))) == packages


def test_every_source_file_that_a_page_names_exists() -> None:
    # The page of conformance also names files of foreign test suites.
    named = {
        (str(page.relative_to(ROOT)), path)
        for page, text in PAGES.items()
        if page.stem != "conformance"
        for path in re.findall(r"`([\w./]+/\w+\.py)`", text)
    }
    assert sorted((page, path) for page, path in named if not exists(path)) == []


def test_every_module_that_the_guides_name_alone_exists() -> None:
    modules = {term for term in GUIDE_TERMS if re.fullmatch(r"\w+\.py", term)}
    present = {path.name for path in PACKAGE.parent.rglob("*.py")} | {path.name for path in ROOT.glob("*.py")}
    assert modules - present == set()


def test_every_method_in_the_guides_exists() -> None:
    methods = {term for term in GUIDE_TERMS if re.fullmatch(r"[A-Z]\w+\.[a-z_]\w*", term)}
    assert methods - class_members() == set()


def test_every_name_of_code_in_the_guides_exists() -> None:
    paths = [*PACKAGE.parent.rglob("*.py"), *TESTS.rglob("*.py")]
    words = {word for path in paths for word in re.findall(r"\w+", path.read_text())}
    names = {term for term in GUIDE_TERMS if re.fullmatch(r"[A-Z]\w+|_?[a-z]+_\w+|[A-Z_]+", term)}
    assert names - words == set()


def links_of(text: str) -> list[str]:
    """The files to which a page links, without headings."""
    return re.findall(r"\]\((?!https?:)([^)#\s]+)", text)


def test_no_link_is_broken() -> None:
    assert [
        (str(page.relative_to(ROOT)), link)
        for page, text in PAGES.items()
        for link in links_of(text)
        if not (page.parent / link).exists()
    ] == []


def anchors(text: str) -> set[str]:
    """The headings of a page, as links name them."""
    headings = re.findall(r"(?m)^#+ (.+)$", text)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_no_link_to_a_heading_is_broken() -> None:
    headings = {page: anchors(text) for page, text in PAGES.items()}
    links = [
        (page, target, anchor)
        for page, text in PAGES.items()
        for target, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)", text)
    ]
    assert [
        (str(page.relative_to(ROOT)), target, anchor)
        for page, target, anchor in links
        if anchor not in headings[(page.parent / target).resolve() if target else page]
    ] == []


MOST_WORDS = 2500
GENERATED_PAGES = {"conformance.md", "protocols/amqp-1.0-sections.md"}
"""Pages that are tables which a script writes from the tests."""


def words_of(text: str) -> int:
    """The words of a page: what is between blanks and has a letter or a digit."""
    return sum(any(map(str.isalnum, word)) for word in text.split())


def test_no_page_is_longer_than_a_reader_bears() -> None:
    words = {
        str(page.relative_to(DOCS)): words_of(text) for page, text in PAGES.items() if DOCS in page.parents
    }
    long = {page for page, count in words.items() if count > MOST_WORDS}
    assert long - GENERATED_PAGES == set()
    assert long >= GENERATED_PAGES, "a page that is short enough needs no exception"
