"""lastvalue.store.object_storage; `test_snapshot_repository.py` has it with S3."""

from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from lastvalue.store import object_storage
from lastvalue.store.object_address import ObjectAddress
from lastvalue.store.object_storage import (
    ObjectExistsError,
    ObjectMissingError,
    ObjectStorage,
    ObjectStorageError,
    plain,
)


def test_objects_are_written_read_listed_and_deleted(tmp_path: Path) -> None:
    storage = ObjectStorage(ObjectAddress(f"file://{tmp_path}/new/objects"))
    storage.create("some/one", b"1")
    with pytest.raises(ObjectExistsError, match="objects cannot be written: "):
        storage.create("some/one", b"2")
    storage.put("some/two", b"22")
    assert storage.get("some/one") == b"1"
    assert storage.sizes("some") == {"some/one": 1, "some/two": 2}
    assert storage.sizes("other") == {}
    storage.delete(["some/one", "some/never"])
    with pytest.raises(ObjectMissingError, match="objects cannot be read: "):
        storage.get("some/one")


def test_without_the_library_it_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(name: str) -> ModuleSpec | None:
        return None

    monkeypatch.setattr(object_storage, "find_spec", find)
    with pytest.raises(ObjectStorageError, match=r"need `pip install 'lastvalue\[object-storage\]'`"):
        ObjectStorage(ObjectAddress("s3://bucket"))


def test_what_the_environment_has_to_tell_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AZURE_STORAGE_ACCOUNT_NAME", raising=False)
    with pytest.raises(ObjectStorageError, match=r"az://x cannot be used: .*Account must be specified"):
        ObjectStorage(ObjectAddress("az://x"))


def test_what_is_told_of_a_fault_is_one_line_without_a_signature() -> None:
    fault = "Error performing\nPUT http://h/b?sig=SECRET in 1ms\n\nDebug source:\nuri: http://h/b?sig=SECRET"
    assert plain(fault) == "Error performing PUT http://h/b in 1ms"
