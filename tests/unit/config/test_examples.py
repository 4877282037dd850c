"""The configurations that the documentation shows."""

import re
from pathlib import Path

import pytest

from lastvalue.config.toml_reader import parse_toml

DOCS = Path(__file__).parents[3] / "docs"
PAGE = DOCS / "operate" / "configuration.md"

pytestmark = pytest.mark.pure


def test_the_configuration_of_the_page_has_no_faults() -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert {queue.name for queue in parse_toml(example).queues} == {"prices", "dead"}


@pytest.mark.parametrize("page", ["pipelines", "cluster"])
def test_the_pipelines_of_the_pages_have_no_faults(page: str) -> None:
    text = (DOCS / "pipeline" / f"{page}.md").read_text()
    (example,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    parse_toml(example)
