"""Breaks the code in each way that `mutations.toml` has, and shows that the tests notice.

    python tests/architecture/mutations.py                  all, in a copy of the tree
    python tests/architecture/mutations.py queue-order ...  those

Their tests run once without a fault, and must pass. Then each fault is made, and one of its tests has to
fail: one that cannot be imported, or whose fixture fails, has found nothing. Property tests try as many
examples as in `make test`.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

ROOT: Final = Path(__file__).parents[2]
TABLE: Final = ROOT / "tests" / "mutations.toml"
REPORT: Final = "mutations.xml"
FAILED: Final = 1
"""Pytest's exit code where tests failed, and not for example their collection."""
TIMEOUT_S: Final = 300
"""Ends a test that waits for what the fault has taken away."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """A fault, and the tests that find it.

    Attributes:
        rule: what does not hold any more.
        file: the one that it changes, from the root.
        find, replace: the text that is once in the file, and what it becomes.
        found_by: files or node ids, of which at least one fails.
    """

    name: str
    rule: str
    file: str
    find: str
    replace: str
    found_by: list[str]

    def applied(self, text: str) -> str:
        """The file's text with the fault.

        Raises:
            ValueError: the text to find is not there exactly once.
        """
        times = text.count(self.find)
        if times != 1:
            raise ValueError(f"mutation {self.name}: its text is {times} times in {self.file}, not once")
        return text.replace(self.find, self.replace)


def mutations() -> list[Mutation]:
    """All of them, in the order of the table."""
    return [Mutation(**each) for each in tomllib.loads(TABLE.read_text())["mutation"]]


def main(names: Sequence[str]) -> int:
    """Run those of these names, or all; the exit code."""
    known = mutations()
    unknown = set(names) - {each.name for each in known}
    if unknown:
        print(f"there is no mutation {min(unknown)!r}; {TABLE.relative_to(ROOT)} has them", file=sys.stderr)
        return 2
    chosen = [each for each in known if not names or each.name in names]
    with tempfile.TemporaryDirectory(prefix="mutations-") as folder:
        tree = Path(folder)
        copy_tree(tree)
        sound = sorted({test for each in chosen for test in each.found_by})
        code, failing = run(tree, sound)
        if code != 0:
            faults = failing or [f"pytest ended with {code}"]
            print("without any fault, these fail already:", *faults, sep="\n  ", file=sys.stderr)
            return 1
        print(f"{len(sound)} files and tests pass without a fault", flush=True)
        survived = [
            each.name for at, each in enumerate(chosen, 1) if not is_found(tree, each, at, len(chosen))
        ]
    print(f"{len(chosen) - len(survived)} of {len(chosen)} found", *survived, sep="; not found: ")
    return 1 if survived else 0


def is_found(tree: Path, mutation: Mutation, number: int, total: int) -> bool:
    """Whether a test fails on a mutation; prints a line."""
    began_s = time.monotonic()
    with mutated(tree, mutation):
        code, failing = run(tree, mutation.found_by, "-x")
    found = code == FAILED and bool(failing)
    verdict = f"found by {failing[0]}" if found else f"NOT FOUND (pytest ended with {code}): {mutation.rule}"
    took_s = time.monotonic() - began_s
    print(f"{number:3}/{total} {took_s:4.0f} s  {mutation.name}: {verdict}", flush=True)
    return found


def copy_tree(to: Path) -> None:
    """Copy the files that git knows or would add, as they are now."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.split("\0"):
        source = ROOT / name
        # One that is deleted and not yet committed is still listed.
        if name and source.is_file():
            target = to / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)


@contextmanager
def mutated(tree: Path, mutation: Mutation) -> Iterator[None]:
    """Make the fault in a copy of the tree, and mend it."""
    path = tree / mutation.file
    sound = path.read_text()
    _write(path, mutation.applied(sound))
    try:
        yield
    finally:
        _write(path, sound)


def _write(path: Path, text: str) -> None:
    path.write_text(text)
    # Python takes bytecode for current whose source has the same second and size.
    for bytecode in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
        bytecode.unlink()


def run(tree: Path, tests: Iterable[str], *options: str) -> tuple[int, list[str]]:
    """Pytest's exit code, and the tests that failed; not those whose fixture or collection did."""
    report = tree / REPORT
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider"]
    limits = ["-m", "not long", f"--timeout={TIMEOUT_S}", f"--junit-xml={report}"]
    # The tree's own `src` comes before what is installed.
    environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
    environment.setdefault("LASTVALUE_PROFILE", "quick")
    ended = subprocess.run(
        [*command, *limits, *options, *tests],
        cwd=tree,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    if not report.exists():
        return ended.returncode, []
    cases = ET.parse(report).iter("testcase")
    failing = [case for case in cases if case.find("failure") is not None]
    return ended.returncode, [f"{case.get('classname')}::{case.get('name')}" for case in failing]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
