"""Each test is in a run, and the runs that people and CI start have what they promise."""

import re
from pathlib import Path

import pytest
from runs import RUNS, TESTS, Run, read_lists, read_run

ROOT = Path(__file__).parents[2]
FILES = sorted(path.relative_to(TESTS).as_posix() for path in TESTS.rglob("test_*.py"))
NEVER_LONGER = (
    "architecture/",
    "conformance/",
    "dialogue/",
    "docs/",
    "fuzz/",
    "properties/",
    "semantics/",
)
"""The folders of which `make test` runs every file."""
MEASURES = "properties/test_memory_estimates.py"
"""A file there that measures, and holds nothing against a model."""
PROOFS = {
    "a real Spark": "spark/test_sink_on_spark.py",
    "the docs on Spark": "spark/test_docs_blocks.py",
    "a real browser": "browser/test_frame.py",
    "a client of AMQP 1.0": "interop/test_proton_blocking.py",
    "a client of AMQP 0-9-1": "interop/test_pika.py",
    "a client of AMQP 0-10": "interop/test_qpid_python_lvq.py",
    "a client of CORE": "interop/test_artemis.py",
    "a killed broker": "crash/test_kills.py",
}
pytestmark = pytest.mark.pure


def test_every_entry_is_a_folder_a_file_or_a_test() -> None:
    entries = {each for entries in read_lists().values() for each in entries}
    assert {each for each in entries if not exists(each)} == set()


def exists(entry: str) -> bool:
    path, _, test = entry.partition("::")
    file = TESTS / path
    return file.exists() and (not test or f"def {test}(" in file.read_text())


def test_make_test_has_every_file_of_the_folders_that_are_never_cut() -> None:
    quick = read_run("quick")
    kept = [file for file in FILES if file.startswith(NEVER_LONGER) and file != MEASURES]
    assert [file for file in kept if not quick.has_file(file)] == []


@pytest.mark.parametrize("proof", PROOFS.values(), ids=PROOFS)
def test_make_test_has_one_of_each_kind(proof: str) -> None:
    assert read_run("quick").has_file(proof)


def test_every_file_is_in_a_run() -> None:
    runs = [read_run(name) for name in RUNS]
    assert [file for file in FILES if not any(run.has_file(file) for run in runs)] == []


def test_what_only_the_wheel_runs_is_not_kept_from_it() -> None:
    lists = read_lists()
    assert lists["wheel_only"] & (lists["plain_only"] | lists["longer"]) == set()


def test_ci_has_all_runs() -> None:
    makefile = (ROOT / "Makefile").read_text()
    started = re.findall(r"\$\(call run_tests,(\w+)\)", makefile)
    assert sorted(started) == sorted(RUNS)
    (recipe,) = re.findall(r"(?m)^test-all:.*\n\t(.*)", makefile)
    assert "$(MAKE) test && $(MAKE) -j2 test-rest tested-wheel && $(MAKE) test-compiled," in recipe
    assert 'run_on usual "$PATH" make test-all\n' in (ROOT / ".ci" / "run").read_text()


def test_a_run_may_have_one_test_of_a_file_or_all_but_one() -> None:
    only = Run(frozenset({"a/test_b.py::test_c"}), frozenset())
    assert only.has_file("a/test_b.py")
    assert not only.has_file("a/test_d.py")
    assert only.has_test("a/test_b.py", "test_c")
    assert not only.has_test("a/test_b.py", "test_e")
    without = Run(frozenset(), frozenset({"a/test_b.py::test_c", "f"}))
    assert without.has_file("a/test_b.py")
    assert not without.has_file("f/g/test_h.py")
    assert [without.has_folder(each) for each in ("a", "f", "f/g")] == [True, False, False]
    assert without.has_test("a/test_b.py", "test_e")
    assert not without.has_test("a/test_b.py", "test_c")
