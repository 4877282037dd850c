"""lastvalue.store.object_address."""

import pytest

from lastvalue.store.object_address import ObjectAddress, is_object_address, read_object_address


@pytest.mark.parametrize(
    ("text", "parent", "name"),
    [
        ("s3://bucket/deep/prices", "s3://bucket/deep", "prices"),
        ("gs://bucket/prices/", "gs://bucket", "prices"),
        ("az://container", "az:/", ""),
        ("file:///backup/prices", "file:///backup", "prices"),
    ],
)
def test_an_address_has_a_parent_and_a_name(text: str, parent: str, name: str) -> None:
    assert is_object_address(text)
    address = read_object_address(text)
    assert (str(address.parent), address.name) == (parent, name)


@pytest.mark.parametrize(
    "text",
    [
        "s3://KEY:SECRET@bucket/prices",
        "s3://bucket/prices?sig=SECRET",
        "s3://bucket/../other",
        "s3://bucket//prices",
        "s3://bucket/a/.hidden",
        "s3://",
        "https://bucket/prices",
        "file://host/prices",
        "s3://bucket/a b",
    ],
)
def test_credentials_and_ways_up_are_no_part_of_an_address(text: str) -> None:
    with pytest.raises(ValueError, match="expected s3://BUCKET/PREFIX") as caught:
        read_object_address(text)
    assert "SECRET" not in str(caught.value)


def test_one_address_is_below_another() -> None:
    root = ObjectAddress("s3://bucket/prices")
    assert ObjectAddress("s3://bucket/prices/today").is_below(root)
    assert not ObjectAddress("s3://bucket/prices2/today").is_below(root)
    assert not root.is_below(root)
