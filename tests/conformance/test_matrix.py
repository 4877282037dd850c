"""The table of the standard's sections is complete and up to date."""

import pytest
from matrix import PAGE, faults, page

pytestmark = pytest.mark.pure


def test_every_section_is_tested_or_said_not_to_be_there() -> None:
    assert faults() == []


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text() == page(), "run python tests/conformance/matrix.py --write"
