"""setup.py: what is compiled, and what a package that is not says."""

import ast
import os
import re
import runpy
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

import pytest
from set_up import find_compiler_fault

ROOT = Path(__file__).parents[2]
compiled_modules = runpy.run_path(str(ROOT / "setup.py"))["compiled_modules"]
PROJECT = """\
[build-system]
requires = []
build-backend = "setuptools.build_meta"
[project]
name = "lastvalue"
version = "0.1.0"
[tool.setuptools]
package-dir = { "" = "src" }
"""
QUEUE = """\
from lastvalue.server.tokens import read


def depth(of: int) -> int:
    return of + len(read())
"""
"""A module that is compiled; what it imports needs a package that is not there."""
TOKENS = """\
def read() -> str:
    import no_such_package

    return str(no_such_package)
"""
NOTE = "lastvalue/plain_python.txt"
FOLLOWED = (
    "src/lastvalue/queues/entry.py",
    # A compiled module imports it.
    "src/lastvalue/server/tokens.py",
    "setup.py",
    "pyproject.toml",
)
"""What the compiled modules follow from."""
BUILD = "from setuptools import build_meta; print(build_meta.build_wheel('dist'))"
needs_compiler = pytest.mark.skipif(bool(find_compiler_fault()), reason="needs a C compiler")
pytestmark = pytest.mark.pure


@dataclass
class Project:
    """A small one with our setup.py."""

    folder: Path

    def write(self, path: str, text: str) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def build(self, **variables: str) -> subprocess.CompletedProcess[str]:
        environment = {name: each for name, each in os.environ.items() if not name.startswith("LASTVALUE_")}
        return subprocess.run(
            [sys.executable, "-W", "ignore", "-c", BUILD],
            cwd=self.folder,
            env=environment | {"LASTVALUE_OPT_LEVEL": "0"} | variables,
            capture_output=True,
            text=True,
            check=False,
        )

    def wheel(self, **variables: str) -> ZipFile:
        built = self.build(**variables)
        assert built.returncode == 0, built.stderr
        return ZipFile(self.folder / "dist" / built.stdout.split()[-1])

    def reason(self, **variables: str) -> str:
        """Why the wheel is plain Python."""
        wheel = self.wheel(**variables)
        assert wheel.filename is not None
        assert wheel.filename.endswith("-py3-none-any.whl")
        assert not compiled_files(wheel)
        assert "lastvalue/queues/queue.py" in wheel.namelist()
        return wheel.read(NOTE).decode().strip()


def compiled_files(wheel: ZipFile) -> list[str]:
    return [name for name in wheel.namelist() if name.endswith(".so")]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project(tmp_path)
    project.write("pyproject.toml", PROJECT)
    project.write("setup.py", (ROOT / "setup.py").read_text())
    for package in ("", "queues/", "server/"):
        project.write(f"src/lastvalue/{package}__init__.py", "")
    project.write("src/lastvalue/queues/queue.py", QUEUE)
    project.write("src/lastvalue/queues/entry.py", "NUMBER = 1\n")
    project.write("src/lastvalue/server/tokens.py", TOKENS)
    return project


@needs_compiler
def test_a_package_that_others_import_need_not_be_there_to_compile(project: Project) -> None:
    wheel = project.wheel(LASTVALUE_PURE="0")
    modules = {name.partition(".")[0] for name in compiled_files(wheel)}
    assert {"lastvalue/queues/queue", "lastvalue/queues/entry"} < modules
    assert NOTE not in wheel.namelist()


@needs_compiler
def test_a_type_that_is_wrong_leaves_plain_python(project: Project) -> None:
    project.write("src/lastvalue/queues/entry.py", "NUMBER: int = 'one'\n")
    assert project.reason().startswith("mypyc refuses: src/lastvalue/queues/entry.py:1: error: Incompatible")


@needs_compiler
@pytest.mark.parametrize(
    ("mypyc", "reason"),
    [
        ("raise ImportError('No module named mypyc')", "mypyc fails: No module named mypyc"),
        ("raise MemoryError", "mypyc fails: MemoryError"),
        ("raise SystemExit('no')", "mypyc refuses: no"),
        ("import os; os.kill(os.getpid(), 9)", "mypyc's process was killed, perhaps for its use of memory"),
    ],
)
def test_a_translator_that_fails_leaves_plain_python(project: Project, mypyc: str, reason: str) -> None:
    project.write("others/mypyc/__init__.py", "")
    project.write("others/mypyc/build.py", mypyc)
    assert project.reason(PYTHONPATH=str(project.folder / "others")) == reason


def test_without_a_c_compiler_nothing_is_translated(project: Project) -> None:
    project.write("others/mypyc/__init__.py", "raise AssertionError('translated in vain')")
    reason = project.reason(CC="no-such-compiler", PYTHONPATH=str(project.folder / "others"))
    assert reason.startswith("the C compiler or Python's headers are missing: ")
    assert "no-such-compiler" in reason


@needs_compiler
def test_a_c_compiler_that_fails_later_leaves_plain_python(project: Project) -> None:
    compiler = project.folder / "cc"
    compiler.write_text('#!/bin/sh\ncase "$*" in *probe.c*) exec cc "$@";; *) exit 4;; esac\n')
    compiler.chmod(0o700)
    reason = project.reason(CC=str(compiler))
    assert reason == "the C compiler fails (returned non-zero exit status 4); pip install -v shows why"


@needs_compiler
def test_plain_python_that_is_asked_for_takes_the_place_of_what_was_compiled_before(project: Project) -> None:
    assert compiled_files(project.wheel())
    assert project.reason(LASTVALUE_PURE="1") == "it was built with LASTVALUE_PURE=1"
    assert NOTE not in project.wheel().namelist()


@needs_compiler
def test_a_module_that_is_compiled_no_longer_leaves_nothing(project: Project) -> None:
    assert any("entry" in name for name in compiled_files(project.wheel()))
    setup = (ROOT / "setup.py").read_text().replace('"queues/*.py"', '"queues/queue.py", "queues/other.py"')
    project.write("setup.py", setup)
    project.write("src/lastvalue/queues/other.py", "NUMBER = 1\n")
    compiled = compiled_files(project.wheel())
    assert any("other" in name for name in compiled)
    assert not any("entry" in name for name in compiled)


@needs_compiler
def test_what_was_compiled_is_compiled_again_only_after_a_change_of_what_it_follows_from(
    project: Project,
) -> None:
    before = project.wheel()
    shutil.rmtree(project.folder / "build")
    project.write("others/mypyc/__init__.py", "")
    project.write("others/mypyc/build.py", "raise SystemExit('translated again')")
    others = {"PYTHONPATH": str(project.folder / "others")}

    project.write("src/lastvalue/server/plain.py", "NUMBER = 2\n")
    after = project.wheel(**others)
    assert compiled_files(before)
    assert sorted(compiled_files(after)) == sorted(compiled_files(before))
    assert after.read("lastvalue/server/plain.py") == b"NUMBER = 2\n"
    assert NOTE not in after.namelist()
    assert str(after.filename).rpartition("/")[2] == str(before.filename).rpartition("/")[2]

    again = "mypyc refuses: translated again"
    for path in FOLLOWED:
        file = project.folder / path
        text = file.read_text()
        file.write_text(f"{text}\n")
        assert (path, project.reason(**others)) == (path, again)
        file.write_text(text)
    for variable, value in (("LASTVALUE_OPT_LEVEL", "1"), ("CFLAGS", "-DNUMBER=2")):
        assert (variable, project.reason(**others | {variable: value})) == (variable, again)
    assert compiled_files(project.wheel(**others))


@needs_compiler
def test_a_c_compiler_that_does_not_know_the_options_of_gcc_does_without(project: Project) -> None:
    compiler = project.folder / "cc"
    compiler.write_text('#!/bin/sh\ncase "$*" in *-fno-ivopts*) exit 1;; *) exec cc "$@";; esac\n')
    compiler.chmod(0o700)
    assert compiled_files(project.wheel(CC=str(compiler)))


@needs_compiler
def test_the_c_compiler_is_told_what_only_imports_and_plain_python_run(project: Project) -> None:
    project.wheel()
    header = (project.folder / "build" / "cold_paths.h").read_text()
    assert "char CPyDef_entry_____top_level__(void) RUN_ONCE;" in header
    assert re.search(r"^struct _object \*CPyPy_\w+\(.*\) __attribute__\(\(cold\)\);$", header, re.MULTILINE)


def test_a_release_fails_instead(project: Project) -> None:
    built = project.build(LASTVALUE_PURE="0", CC="no-such-compiler")
    assert built.returncode != 0
    assert "LASTVALUE_PURE=0 wants compiled modules: the C compiler" in built.stderr


@needs_compiler
def test_a_source_tree_is_never_compiled(project: Project) -> None:
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    subprocess.run(command, cwd=project.folder, check=True, capture_output=True)
    assert not list(project.folder.rglob("*.so"))


def imported(path: Path) -> set[str]:
    """The packages that a module imports anywhere in it."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    return {name.partition(".")[0] for name in names}


def test_the_compiler_has_what_the_compiled_modules_import() -> None:
    requires = re.search(r"(?m)^requires = \[(.*)\]$", (ROOT / "pyproject.toml").read_text())
    assert requires is not None
    # mypy itself requires the last two.
    present = {*re.findall(r'"(\w+)', requires[1]), "librt", "mypy_extensions"}
    needed = {name for path in compiled_modules(ROOT) for name in imported(path)}
    assert needed - sys.stdlib_module_names - {"lastvalue"} <= present
