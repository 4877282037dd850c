"""Where tables are."""

from pathlib import Path

from lastvalue.history.locations import is_remote, location_of


def test_a_directory_is_absolute_and_a_url_is_left_as_it_is() -> None:
    assert location_of("tables", Path("/home/it")) == "/home/it/tables"
    assert location_of(Path("/var/tables"), Path("/home/it")) == "/var/tables"
    assert location_of("tables") == str(Path.cwd() / "tables")
    assert location_of("s3://bucket/histories", Path("/home/it")) == "s3://bucket/histories"
    assert is_remote("s3://bucket/histories")
    assert not is_remote("/var/tables")
