"""Which modules are compiled: those that messages pass, and none that plain modules cannot build upon."""

import ast
import runpy
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "lastvalue"
SETUP: dict[str, Any] = runpy.run_path(str(ROOT / "setup.py"))
COMPILED: list[Path] = SETUP["compiled_modules"](ROOT)
PLAIN = sorted(set(PACKAGE.rglob("*.py")) - set(COMPILED))
pytestmark = pytest.mark.pure


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)


def classes(paths: Iterable[Path]) -> dict[tuple[str, str], ast.ClassDef]:
    """The classes of these modules, by module and name."""
    return {
        (module_name(path), node.name): node
        for path in paths
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.ClassDef)
    }


def is_open(node: ast.ClassDef) -> bool:
    """Whether plain Python may extend the class once it is compiled."""
    return any("allow_interpreted_subclasses=True" in ast.unparse(each) for each in node.decorator_list)


def has_slots(node: ast.ClassDef) -> bool:
    """Whether the class declares attributes in `__slots__`."""
    return any(
        isinstance(each, ast.Assign)
        and ast.unparse(each.targets[0]) == "__slots__"
        and ast.unparse(each.value) != "()"
        for each in node.body
    )


def imported(tree: ast.AST, found: dict[tuple[str, str], ast.ClassDef]) -> dict[str, ast.ClassDef]:
    """Those of the classes that a module imports, by their names there."""
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    named = {
        alias.asname or alias.name: (node.module or "", alias.name)
        for node in imports
        for alias in node.names
    }
    return {name: found[origin] for name, origin in named.items() if origin in found}


def slotted_bases(path: Path, plain: dict[tuple[str, str], ast.ClassDef]) -> Iterator[str]:
    """The classes of plain modules that a compiled one extends, and whose slots it cannot have."""
    tree = ast.parse(path.read_text())
    known = imported(tree, plain)
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for base in node.bases:
                if isinstance(base, ast.Name) and base.id in known and has_slots(known[base.id]):
                    yield f"{path}:{node.lineno} extends {base.id}, which has slots and is not compiled"


def wrong_uses(path: Path, compiled: dict[tuple[str, str], ast.ClassDef]) -> Iterator[str]:
    """What a plain module does with classes of compiled modules that works in plain Python alone."""
    tree = ast.parse(path.read_text())
    known = imported(tree, compiled)
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for base in node.bases:
                if isinstance(base, ast.Name) and base.id in known and not is_open(known[base.id]):
                    yield f"{path}:{node.lineno} extends {base.id}, which allows no subclass in plain Python"
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in known:
            yield f"{path}:{node.lineno} subscripts {node.value.id}, which a compiled class does not allow"


def test_what_is_listed_exists() -> None:
    assert [pattern for pattern in SETUP["HOT"] if not list(PACKAGE.glob(pattern))] == []


def test_what_is_left_out_would_be_compiled_otherwise() -> None:
    chosen = {path for pattern in SETUP["HOT"] for path in PACKAGE.glob(pattern)}
    assert [each for each in SETUP["COLD"] if PACKAGE / each not in chosen] == []


def test_plain_modules_extend_and_subscript_no_compiled_class_that_does_not_allow_it() -> None:
    compiled = classes(COMPILED)
    assert [use for path in PLAIN for use in wrong_uses(path, compiled)] == []


@pytest.mark.parametrize(
    ("source", "uses"),
    [
        ("class Own(Ids): ...", ["extends Ids"]),
        ("class Own(Message): ...", []),
        ("def read(ids: Ids[int]): ...", ["subscripts Ids"]),
    ],
)
def test_a_use_that_only_plain_python_has_is_found(tmp_path: Path, source: str, uses: list[str]) -> None:
    plain = tmp_path / "plain.py"
    plain.write_text(f"from lastvalue.some.ids import Ids, Message\n{source}\n")
    text = "class Ids: ...\n@mypyc_attr(allow_interpreted_subclasses=True)\nclass Message: ...\n"
    nodes = [node for node in ast.parse(text).body if isinstance(node, ast.ClassDef)]
    found = list(wrong_uses(plain, {("lastvalue.some.ids", node.name): node for node in nodes}))
    assert len(found) == len(uses)
    assert all(use in each for use, each in zip(uses, found, strict=True))


def test_compiled_modules_extend_no_plain_class_with_slots() -> None:
    plain = classes(PLAIN)
    assert [use for path in COMPILED for use in slotted_bases(path, plain)] == []


@pytest.mark.parametrize(("slots", "count"), [('("one",)', 1), ("()", 0)])
def test_a_plain_base_with_slots_is_found(tmp_path: Path, slots: str, count: int) -> None:
    compiled = tmp_path / "compiled.py"
    compiled.write_text("from lastvalue.some.ids import Ids\nclass Own(Ids): ...\n")
    (node,) = ast.parse(f"class Ids:\n    __slots__ = {slots}").body
    assert isinstance(node, ast.ClassDef)
    assert len(list(slotted_bases(compiled, {("lastvalue.some.ids", "Ids"): node}))) == count


def test_each_module_that_every_message_passes_is_compiled() -> None:
    """Over each protocol, in and out again: a broker of plain Python counts its calls."""
    command = [
        sys.executable,
        "bench/passed_modules.py",
        "--check",
        "--only",
        "out, acknowledged, last-value queue",
    ]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr[-2000:]
