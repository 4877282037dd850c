"""The table of clients in docs/clients is what the last run found of the tests that exist."""

from pathlib import Path

import pytest
from capabilities import TABLES, kept, marked_pairs, pairs_of, written

pytestmark = pytest.mark.pure


def test_the_table_shows_the_tests_that_exist() -> None:
    # The tests of a client that was left out are not collected.
    pytest.importorskip("rabbitmq_amqp_python_client")
    assert pairs_of(kept()) == marked_pairs(), "run `make clients`"


@pytest.mark.parametrize("page", TABLES, ids=lambda page: page.name)
def test_the_table_is_that_of_the_last_run(page: Path) -> None:
    assert page.read_text() == written(page, kept()), "run `make clients`"


def test_nothing_in_the_last_run_failed() -> None:
    assert {outcome for found in kept().values() for outcome in found.values()} <= {"passed", "skipped"}
