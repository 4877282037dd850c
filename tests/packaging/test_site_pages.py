"""packaging/site_pages.py: the navigation of the website, and links that stay within it."""

from pathlib import Path

import pytest
from site_pages import navigation, within_site

pytestmark = pytest.mark.pure


def test_the_index_is_the_navigation_and_an_index_of_a_folder_has_its_pages_below_it(tmp_path: Path) -> None:
    (tmp_path / "decisions").mkdir()
    (tmp_path / "README.md").write_text(
        "# Docs\n\nSee [this](first.md).\n\n## Learn\n\n* [first hour](first.md), [code](../src/a.py)\n"
        "\n## Look up\n\n* [Decisions](decisions/README.md), [list](list.md#top)\n"
    )
    (tmp_path / "decisions" / "README.md").write_text("* [0001](0001-one.md): one\n* [list](../list.md)\n")
    assert navigation(tmp_path) == [
        {"Documentation": "README.md"},
        {"Learn": [{"First hour": "first.md"}]},
        {
            "Look up": [
                {"Decisions": ["decisions/README.md", {"0001": "decisions/0001-one.md"}]},
                {"List": "list.md"},
            ]
        },
    ]


@pytest.mark.parametrize(
    ("link", "shown"),
    [
        ("[page](time.md)", "[page](time.md)"),
        ("[page](../operate/cli.md#send)", "[page](../operate/cli.md#send)"),
        ("[part](#part)", "[part](#part)"),
        ("[elsewhere](https://example.org/a)", "[elsewhere](https://example.org/a)"),
        ("[a test](../../tests/test_a.py)", "a test"),
        ("[README](../../README.md#install) says", "README says"),
    ],
)
def test_a_link_to_what_the_website_does_not_have_is_its_text(link: str, shown: str) -> None:
    assert within_site(link, "queues/README.md") == shown
