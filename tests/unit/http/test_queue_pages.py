"""Pages of queues."""

import pytest
from pydantic import ValidationError

from lastvalue.http.queue_pages import SORTED_BY, QueuePage


@pytest.mark.parametrize("name", SORTED_BY)
def test_a_list_is_sorted_either_way(name: str) -> None:
    assert QueuePage.model_validate({"sort": name}).is_by_name is (name == "name")
    assert not QueuePage.model_validate({"sort": f"-{name}"}).is_by_name


def test_a_list_is_sorted_by_nothing_else() -> None:
    with pytest.raises(ValidationError, match="not by '--depth'"):
        QueuePage.model_validate({"sort": "--depth"})
