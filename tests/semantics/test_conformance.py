"""Every scenario of the field is tested, waits for something, or is not followed; the pages say so."""

import pytest

from conformance import faults, pages, stale

pytestmark = pytest.mark.pure


def test_every_id_is_covered_or_says_why_not() -> None:
    assert faults() == []


def test_the_pages_made_of_scenarios_are_up_to_date() -> None:
    assert stale() == [], "run: python tests/semantics/conformance.py --write"


def test_there_is_a_table_for_each_kind_of_queue() -> None:
    names = {path.name for path in pages()}
    assert {
        "conformance.md",
        "priority.md",
        "sorted.md",
        "groups.md",
        "non-destructive.md",
        "time.md",
    } <= names
