"""No module of the package imports itself by way of others."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"

pytestmark = pytest.mark.pure


def module_files() -> dict[str, Path]:
    """The modules of the source tree by their dotted names."""
    parts = {path: path.relative_to(SOURCE).with_suffix("").parts for path in SOURCE.rglob("*.py")}
    return {
        ".".join(names[:-1] if names[-1] == "__init__" else names): path
        for path, names in sorted(parts.items())
    }


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run when a module is imported, and those below `if TYPE_CHECKING`."""
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try):
            yield from statements([child for child in ast.walk(node) if isinstance(child, ast.stmt)][1:])


def imported(path: Path, modules: dict[str, Path]) -> set[str]:
    """The modules of the source tree that a file imports, except inside functions."""
    targets = set()
    for node in statements(ast.parse(path.read_text(encoding="utf-8")).body):
        if isinstance(node, ast.Import):
            targets |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            members = {f"{node.module}.{alias.name}" for alias in node.names}
            targets |= members if members & modules.keys() else {node.module}
    return targets & modules.keys()


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The strongly connected components of more than one module."""
    found = []
    remaining = dict(graph)
    while remaining:
        start = next(iter(remaining))
        component = reachable(start, remaining) & reachable(start, reverse(remaining))
        if len(component) > 1:
            found.append(sorted(component))
        for module in component:
            del remaining[module]
    return found


def reverse(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """The graph with all its arrows turned."""
    importers: dict[str, set[str]] = {module: set() for module in graph}
    for module, targets in graph.items():
        for target in targets & graph.keys():
            importers[target].add(module)
    return importers


def reachable(start: str, graph: dict[str, set[str]]) -> set[str]:
    """The modules on paths from one module, itself included."""
    seen, pending = {start}, [start]
    while pending:
        targets = graph[pending.pop()] & graph.keys()
        pending += targets - seen
        seen |= targets
    return seen


def test_no_modules_import_one_another_in_a_circle() -> None:
    modules = module_files()
    graph = {name: imported(path, modules) - {name} for name, path in modules.items()}
    assert circles(graph) == []


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b"}, "b": {"c"}, "c": {"b"}}, [["b", "c"]]),
        ({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}, [["a", "b", "c"]]),
    ],
)
def test_circles_are_found(graph: dict[str, set[str]], expected: list[list[str]]) -> None:
    assert circles(graph) == expected
