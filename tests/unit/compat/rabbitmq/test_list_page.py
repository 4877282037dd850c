"""lastvalue.compat.rabbitmq.list_page."""

from typing import Any

import pytest

from lastvalue.compat.rabbitmq.list_page import ListPage

NAMES = [{"name": name} for name in ("abc", "def", "ghi", "abd")]


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ({}, ["abc", "def", "ghi", "abd"]),
        ({"name": "b"}, ["abc", "abd"]),
        ({"name": "^ab.$", "use_regex": True}, ["abc", "abd"]),
        ({"name": "^b", "use_regex": True}, []),
    ],
)
def test_a_list_is_filtered_by_name(asked: dict[str, Any], names: list[str]) -> None:
    assert [each["name"] for each in ListPage(**asked).of(NAMES)] == names


def test_a_page_says_how_many_there_are() -> None:
    page = ListPage(page=2, page_size=3).of(NAMES)
    assert page["items"] == [{"name": "abd"}]
    assert (page["page_count"], page["filtered_count"], page["item_count"]) == (2, 4, 1)
    assert ListPage(page=1, name="x").of(NAMES)["page_count"] == 1
