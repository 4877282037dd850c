"""Which tests a run of the tests has, by the lists in `tests/runs.toml`.

    quick    `make test`: on plain Python, all but the long tests
    rest     `make test-rest`: on plain Python, what `make test` leaves out
    wheel    `make test-compiled`: on the wheel, all but what needs the source tree or the pipeline's packages

An entry of a list is a path below `tests`: a folder, a file, or a test of a file (`file.py::test_name`).
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Final

TESTS: Final = Path(__file__).parents[1] / "tests"
RUNS: Final = ("quick", "rest", "wheel")


@dataclass(frozen=True, slots=True)
class Run:
    """A run has the entries in `only` or, if there are none, all tests; it never has those in `without`."""

    only: frozenset[str]
    without: frozenset[str]

    def has_file(self, file: str) -> bool:
        """Whether a test of a file can be in the run; the path is below `tests`."""
        names = set(_folders_of(file))
        if names & self.without:
            return False
        of_file = f"{file}::"
        return not self.only or bool(names & self.only) or any(each.startswith(of_file) for each in self.only)

    def has_folder(self, folder: str) -> bool:
        """Whether a folder, below `tests`, is not left out as a whole."""
        return not set(_folders_of(folder)) & self.without

    def has_test(self, file: str, test: str) -> bool:
        """Whether a test, named without its parameters, is in the run."""
        names = {*_folders_of(file), f"{file}::{test}"}
        return not names & self.without and (not self.only or bool(names & self.only))


def _folders_of(file: str) -> Iterator[str]:
    """A file and the folders that it is in."""
    yield file
    yield from (str(each) for each in PurePosixPath(file).parents)


@cache
def read_lists() -> Mapping[str, frozenset[str]]:
    """The lists of `tests/runs.toml`, by name."""
    lists = tomllib.loads((TESTS / "runs.toml").read_text())
    return {name: frozenset(entries) for name, entries in lists.items()}


@cache
def read_run(name: str) -> Run:
    """What the lists say of one of RUNS."""
    lists = read_lists()
    if name == "quick":
        return Run(frozenset(), lists["longer"] | lists["wheel_only"])
    if name == "rest":
        return Run(lists["longer"] | lists["again"], lists["wheel_only"])
    return Run(frozenset(), lists["plain_only"])
