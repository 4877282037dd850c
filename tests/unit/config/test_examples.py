"""The configurations that the documentation shows."""

import re
from pathlib import Path

import pytest

from lastvalue.config.reading import parse

PAGE = Path(__file__).parents[3] / "docs" / "operate" / "configuration.md"

pytestmark = pytest.mark.pure


def test_the_configuration_of_the_page_has_no_faults() -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert {queue.name for queue in parse(example).queues} == {"prices", "dead"}
