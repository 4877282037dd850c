"""The rules of CONTRIBUTING.md that a script can check."""

import ast
import re
import runpy
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
FORBIDDEN_NAMES = {"utils", "common", "base", "core", "helpers", "manager", "impl"}
PROTOCOL_PACKAGES = {("lastvalue", layer, "core") for layer in ("codec", "protocols", "frontends")}
"""The packages of Artemis's protocol, whose name is CORE."""
MODULE_LINES = 600
NAMED_OTHERWISE = {
    "lastvalue.cli.drift": "its functions are commands, each with the name of its command",
    "lastvalue.cli.value_commands": "its functions are commands, each with the name of its command",
    "lastvalue.client.blocking": "it defines the names of the client again, without await",
    "lastvalue.codec.amqp010.encoder": "the counterpart of decoder; its functions are called encode_...",
    "lastvalue.model.property_names": "it defines constants alone, each named for its property",
    "lastvalue.store.compaction": "the noun of its function, compact",
    "pyspark_lastvalue": "Spark finds the data sources by this name",
}
"""Modules whose name occurs in no public name that they define, each with the reason."""
UNTESTED = Path(__file__).with_name("untested_modules.txt")
"""Modules that have no unit test of their name yet, one a line. The list only shrinks."""
pytestmark = pytest.mark.pure


def test_the_import_contracts_hold() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    result = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_import_contracts_have_no_exceptions() -> None:
    assert "ignore_imports" not in (ROOT / "pyproject.toml").read_text()


def test_no_module_is_too_long_to_read() -> None:
    lengths = {path.relative_to(ROOT): len(path.read_text().splitlines()) for path in SOURCES}
    assert {path: length for path, length in lengths.items() if length > MODULE_LINES} == {}


def test_modules_are_named_for_what_they_define() -> None:
    paths = [path.relative_to(ROOT / "src").with_suffix("").parts for path in SOURCES]
    parts = {part for path in paths for part in (path[3:] if path[:3] in PROTOCOL_PACKAGES else path)}
    assert parts & FORBIDDEN_NAMES == set()


def trees(paths: Iterable[Path], pattern: str) -> Iterable[tuple[Path, ast.Module]]:
    """The modules with a text that matches: parsing all of them takes longer than most of what is checked."""
    for path in paths:
        text = path.read_text()
        if re.search(pattern, text, re.MULTILINE):
            yield path, ast.parse(text)


def public_names(text: str) -> set[str]:
    """The names that a module defines for others, in lower case and without underscores."""
    names = re.findall(r"^(?:(?:class|def|async def) )?([A-Za-z]\w*)(?=[:(\[]| = )", text, re.MULTILINE)
    return {name.replace("_", "").lower() for name in names}


def is_named_for(stem: str, names: set[str]) -> bool:
    """Whether the first word of a module's stem, or all of it, occurs in one of the names."""
    words = [word.removesuffix("s") for word in stem.split("_")]
    return not names or any(words[0] in name or "".join(words) in name for name in names)


@cache
def unnamed_modules() -> set[str]:
    return {
        ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
        for path in SOURCES
        if path.stem != "__init__" and not is_named_for(path.stem, public_names(path.read_text()))
    }


def test_the_name_of_a_module_occurs_in_a_public_name_that_it_defines() -> None:
    assert unnamed_modules() - NAMED_OTHERWISE.keys() == set()


def test_no_exception_for_the_name_of_a_module_outlives_its_reason() -> None:
    assert NAMED_OTHERWISE.keys() <= unnamed_modules()


def test_every_term_of_the_glossary_is_there_once_and_in_order() -> None:
    rows = (ROOT / "docs" / "glossary.md").read_text().split("|---|---|\n")[-1].splitlines()
    terms = [row.split("|")[1].strip() for row in rows if row.startswith("| ")]
    assert terms == sorted(set(terms))


def test_no_class_of_ours_is_called_manager_or_helper() -> None:
    name = re.compile(r"^ *class (\w+(?:Manager|Helper|Impl|Utils))\b", re.MULTILINE)
    assert [found for path in SOURCES for found in name.findall(path.read_text())] == []


def test_every_module_says_what_it_is() -> None:
    sources = {path: path.read_text() for path in SOURCES}
    assert [path for path, text in sources.items() if text and not re.match(r'r?"""\S', text)] == []


def remembers_now(tree: ast.Module) -> bool:
    """Whether a module has an attribute for the time that it was told last."""
    return any(
        isinstance(node, ast.Attribute) and node.attr.strip("_") in ("now", "wire_now")
        for node in ast.walk(tree)
    )


def test_time_is_an_argument_and_no_attribute() -> None:
    """An attribute says what happened at its time, such as `heard_ms`; none is for the last `now`."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (pure,) = [each["source_modules"] for each in contracts if each["name"] == "The core is pure"]
    places = [ROOT / "src" / name.replace(".", "/") for name in (*pure, "lastvalue.server")]
    modules = trees((path for place in places for path in place.rglob("*.py")), r"\._*(wire_)?now\b")
    assert [str(path.relative_to(ROOT)) for path, tree in modules if remembers_now(tree)] == []


def names_of_errors_and_more(tree: ast.Module) -> set[str]:
    """By function, the names that are an error's in an `except` and something else elsewhere."""
    twofold: set[str] = set()
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            inside = list(ast.walk(function))
            errors = {node.name for node in inside if isinstance(node, ast.ExceptHandler) and node.name}
            others = {
                node.id for node in inside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            }
            twofold |= {f"{function.name}: {name}" for name in errors & others}
    return twofold


def test_the_name_of_an_error_has_one_type_as_compiled_code_needs() -> None:
    """mypy takes such a name for two; mypyc's code raises TypeError at the `except`."""
    modules = trees(SOURCES, r"^ *except .+ as \w+:$")
    assert {(path.stem, name) for path, tree in modules for name in names_of_errors_and_more(tree)} == set()


def test_the_name_of_an_error_that_is_something_else_too_is_found() -> None:
    asked = "def f():\n    {} = 1\n    try:\n        g()\n    except ValueError as fault:\n        pass\n"
    assert names_of_errors_and_more(ast.parse(asked.format("fault"))) == {"f: fault"}
    assert names_of_errors_and_more(ast.parse(asked.format("other"))) == set()


def untested_modules() -> list[str]:
    package = ROOT / "src" / "lastvalue"
    modules = [path.relative_to(package) for path in sorted(package.rglob("*.py")) if path.stem != "__init__"]
    tests = ROOT / "tests" / "unit"
    return [
        str(module.with_suffix(""))
        for module in modules
        if not (tests / module.parent / f"test_{module.name}").exists()
    ]


def test_every_module_has_a_unit_test_of_its_name() -> None:
    """A module that has one now leaves the list, and no other one comes to it."""
    assert untested_modules() == UNTESTED.read_text().splitlines()


def test_no_test_sleeps() -> None:
    """What a test waits for, it waits for with `waiting`."""
    tests = [path for path in (ROOT / "tests").rglob("*.py") if path.name != "waiting.py"]
    sleeping = {
        path.relative_to(ROOT)
        for path, tree in trees(tests, "sleep")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "sleep"
    }
    assert sleeping == set()


def attributes_taken_for_none(function: ast.AST) -> set[str]:
    """Attributes that are set to None and read in a later loop."""
    cleared = {
        ast.unparse(target): node.lineno
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and node.value.value is None
        for target in node.targets
        if isinstance(target, ast.Attribute)
    }
    return {
        ast.unparse(read)
        for loop in ast.walk(function)
        if isinstance(loop, ast.While | ast.For)
        for read in ast.walk(loop)
        if isinstance(read, ast.Attribute) and isinstance(read.ctx, ast.Load)
        if cleared.get(ast.unparse(read), loop.lineno) < loop.lineno
    }


def attributes_taken_for_none_after_waiting(function: ast.AsyncFunctionDef) -> set[str]:
    """Attributes that are None before an `await` and read after it; the compiler takes them for None."""
    found: set[str] = set()
    for node in ast.walk(function):
        if not isinstance(node, ast.If):
            continue
        tested = [
            ast.unparse(each.left)
            for each in ast.walk(node.test)
            if isinstance(each, ast.Compare)
            and isinstance(each.left, ast.Attribute)
            and ast.unparse(each).endswith(" is None")
        ]
        inside = [each for statement in node.body for each in ast.walk(statement)]
        awaits = [each.lineno for each in inside if isinstance(each, ast.Await)]
        found |= {
            ast.unparse(each)
            for each in inside
            if isinstance(each, ast.Attribute)
            and isinstance(each.ctx, ast.Load)
            and ast.unparse(each) in tested
            and awaits
            and each.lineno > min(awaits)
        }
    return found


def test_no_compiled_module_reads_after_waiting_what_the_compiler_takes_for_none() -> None:
    compiled = runpy.run_path(str(ROOT / "setup.py"))["compiled_modules"](ROOT)
    found = {
        (path.name, name)
        for path, tree in trees(compiled, "await ")
        for function in ast.walk(tree)
        if isinstance(function, ast.AsyncFunctionDef)
        for name in attributes_taken_for_none_after_waiting(function)
    }
    assert found == set()


def test_an_attribute_that_is_read_after_waiting_is_found() -> None:
    text = (
        "async def attach(self):\n  if self.a is None:\n    await b()\n    if self.a is None:\n      self.c()"
    )
    (function,) = ast.parse(text).body
    assert isinstance(function, ast.AsyncFunctionDef)
    assert attributes_taken_for_none_after_waiting(function) == {"self.a"}


def test_no_loop_reads_what_the_compiler_takes_for_none() -> None:
    found = {
        (path.name, name)
        for path, tree in trees(SOURCES, r"\.\w+ = None$")
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for name in attributes_taken_for_none(function)
    }
    assert found == set()


def test_an_attribute_that_a_loop_takes_for_none_is_found() -> None:
    asked = "def f(self):\n    self.a = None\n    while self.{}:\n        self.b()\n"
    assert attributes_taken_for_none(ast.parse(asked.format("a"))) == {"self.a"}
    assert attributes_taken_for_none(ast.parse(asked.format("c"))) == set()
