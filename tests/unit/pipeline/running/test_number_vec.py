"""What workers of a cluster get in place of librt does the same."""

import ast
from pathlib import Path
from types import ModuleType

import librt.vecs
import pytest
from mypy_extensions import i32

import lastvalue
from lastvalue.pipeline.running import number_vec

ROOT = Path(lastvalue.__file__).parent


@pytest.mark.parametrize("module", [number_vec, librt.vecs])
def test_numbers_are_set_and_read(module: ModuleType) -> None:
    numbers = module.vec[i32]([i32(0)] * 3)
    numbers[1] = 7
    assert (len(numbers), list(numbers)) == (3, [0, 7, 0])
    with pytest.raises(IndexError):
        numbers[3] = 1


def test_all_names_that_the_package_uses_are_there() -> None:
    names = {
        alias.name
        for path in ROOT.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and node.module == "librt.vecs"
        for alias in node.names
    }
    assert names
    assert all(hasattr(number_vec, name) for name in names)
