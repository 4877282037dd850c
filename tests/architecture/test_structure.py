"""The rules of CONTRIBUTING.md that a script can check."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
FORBIDDEN_NAMES = {"utils", "common", "base", "core", "helpers", "manager", "impl"}
MODULE_LINES = 600

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
    parts = {part for path in SOURCES for part in path.relative_to(ROOT).with_suffix("").parts}
    assert parts & FORBIDDEN_NAMES == set()


def test_no_class_of_ours_is_called_manager_or_helper() -> None:
    names = [
        node.name
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef)
    ]
    assert [name for name in names if name.endswith(("Manager", "Helper", "Impl", "Utils"))] == []


def test_every_module_says_what_it_is() -> None:
    sources = {path: path.read_text() for path in SOURCES}
    undocumented = [path for path, text in sources.items() if text and not ast.get_docstring(ast.parse(text))]
    assert undocumented == []
