"""The mutations of `tests/mutations.toml` fit the code and name tests that are there."""

from pathlib import Path

import pytest
from mutations import FAILED, ROOT, Mutation, main, mutated, mutations, run
from runs import read_run

MUTATIONS = mutations()
PACKAGES = {each.parent.name for each in (ROOT / "src/lastvalue").glob("*/__init__.py")} - {"testing"}


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda each: each.name)
def test_the_text_that_a_mutation_changes_is_once_in_its_file(mutation: Mutation) -> None:
    sound = (ROOT / mutation.file).read_text()
    assert mutation.applied(sound) != sound


def test_a_text_that_has_moved_is_named() -> None:
    mutation = Mutation("order", "", "queue.py", "a < b", "a > b", [])
    with pytest.raises(ValueError, match="mutation order: its text is 2 times"):
        mutation.applied("a < b or a < b")


def test_only_a_test_that_fails_finds_a_fault(tmp_path: Path) -> None:
    (tmp_path / "test_one.py").write_text("def test_it(): assert 1 == 2")
    (tmp_path / "test_two.py").write_text("def test_it(a_fixture_that_is_not_there): pass")
    assert run(tmp_path, ["test_one.py", "test_two.py"]) == (FAILED, ["test_one::test_it"])


def test_what_cannot_be_imported_finds_no_fault(tmp_path: Path) -> None:
    (tmp_path / "test_one.py").write_text("import nowhere")
    code, failing = run(tmp_path, ["test_one.py"])
    assert code != FAILED
    assert failing == []


def test_a_file_is_whole_again_behind_its_fault(tmp_path: Path) -> None:
    file = tmp_path / "queue.py"
    file.write_text("a < b")
    mutation = Mutation("order", "", "queue.py", "a < b", "a > b", [])
    with mutated(tmp_path, mutation):
        assert file.read_text() == "a > b"
    assert file.read_text() == "a < b"


def test_a_name_that_no_mutation_has_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nothing"]) == 2
    assert "there is no mutation 'nothing'; tests/mutations.toml has them" in capsys.readouterr().err


def test_the_tests_that_find_a_mutation_are_there() -> None:
    assert [each.name for each in MUTATIONS if not each.found_by] == []
    found_by = [test for each in MUTATIONS for test in each.found_by]
    assert [test for test in found_by if not is_there(test)] == []


def is_there(test: str) -> bool:
    file, colons, name = test.partition("::")
    function = f"def {name}(" if colons else ""
    return function in (ROOT / file).read_text()


def test_no_two_mutations_have_the_same_name() -> None:
    assert len({each.name for each in MUTATIONS}) == len(MUTATIONS)


def test_at_least_forty_mutations_are_spread_over_the_packages() -> None:
    assert len(MUTATIONS) >= 40
    assert {each.file.split("/")[2] for each in MUTATIONS} >= PACKAGES


def test_make_test_finds_nine_of_ten() -> None:
    quick = [each for each in MUTATIONS if any(map(is_in_make_test, each.found_by))]
    assert len(quick) >= 0.9 * len(MUTATIONS)


def is_in_make_test(test: str) -> bool:
    file, _, name = test.removeprefix("tests/").partition("::")
    run = read_run("quick")
    return run.has_test(file, name) if name else run.has_file(file)
