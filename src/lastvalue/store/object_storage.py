"""Object storage through obstore, whose credentials are in the environment; the only module that knows it."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from importlib.util import find_spec
from typing import Final

from lastvalue.store.object_address import ObjectAddress
from lastvalue.store.segments import StoreError

EXTRA: Final = "snapshots in object storage need `pip install 'lastvalue[object-storage]'`"
_RETRIES: Final = 4
_RETRY_S: Final = timedelta(seconds=30)
_MOST_OF_A_FAULT: Final = 300
_QUERIES: Final = re.compile(r"\?[^\s\"')]+")
"""Of URLs: a signature may be in them."""
_ANSWERS: Final = re.compile(r"<Code>(.*?)</Code>.*?<Message>(.*?)</Message>", re.DOTALL)


class ObjectStorageError(StoreError):
    """Object storage cannot be read or written."""


class ObjectMissingError(ObjectStorageError):
    """There is no such object."""


class ObjectExistsError(ObjectStorageError):
    """An object of that name exists."""


def check_installed() -> None:
    """Check that the library is there.

    Raises:
        ObjectStorageError: it is not.
    """
    if find_spec("obstore") is None:
        raise ObjectStorageError(EXTRA)


class ObjectStorage:
    """The objects below an address, by their path after it.

    Args:
        address: the prefix.

    Raises:
        ObjectStorageError: obstore is not installed, or the environment does not tell what it needs.
    """

    def __init__(self, address: ObjectAddress) -> None:
        check_installed()
        import obstore  # noqa: PLC0415 - only object storage needs it
        from obstore.exceptions import AlreadyExistsError, BaseError  # noqa: PLC0415 - only object storage needs it
        from obstore.store import from_url  # noqa: PLC0415 - only object storage needs it

        self._address = address
        self._obstore = obstore
        self._exists = AlreadyExistsError
        self._faults = (BaseError, OSError, ValueError)
        with self._reported("used"):
            if address.url.startswith("file:"):
                self._store = from_url(address.url, mkdir=True)
            else:
                self._store = from_url(
                    address.url, retry_config={"max_retries": _RETRIES, "retry_timeout": _RETRY_S}
                )

    def put(self, path: str, data: bytes) -> None:
        """Write an object, whatever it was before.

        Raises:
            ObjectStorageError: it cannot be written.
        """
        with self._reported("written"):
            self._obstore.put(self._store, path, data, use_multipart=False)

    def create(self, path: str, data: bytes) -> None:
        """Write an object that does not exist.

        Raises:
            ObjectExistsError: it exists.
            ObjectStorageError: it cannot be written.
        """
        with self._reported("written"):
            self._obstore.put(self._store, path, data, mode="create", use_multipart=False)

    def get(self, path: str) -> bytes:
        """Everything in an object.

        Raises:
            ObjectMissingError: there is none.
            ObjectStorageError: it cannot be read.
        """
        with self._reported("read"):
            return bytes(self._obstore.get(self._store, path).bytes())

    def sizes(self, prefix: str) -> dict[str, int]:
        """The objects below a prefix: their paths and sizes in bytes.

        Raises:
            ObjectStorageError: they cannot be listed.
        """
        with self._reported("listed"):
            return {
                each["path"]: each["size"]
                for some in self._obstore.list(self._store, prefix)
                for each in some
            }

    def delete(self, paths: Sequence[str]) -> None:
        """Delete objects, those that exist.

        Raises:
            ObjectStorageError: one cannot be deleted.
        """
        for path in paths:
            with self._reported("deleted"):
                try:
                    self._obstore.delete(self._store, path)
                except FileNotFoundError as fault:
                    if "NoSuchBucket" in str(fault):
                        raise

    @contextmanager
    def _reported(self, what: str) -> Iterator[None]:
        try:
            yield
        except self._faults as fault:
            text = f"{self._address} cannot be {what}: {plain(str(fault))}"
            if isinstance(fault, self._exists):
                raise ObjectExistsError(text) from None
            if isinstance(fault, FileNotFoundError) and "NoSuchBucket" not in str(fault):
                raise ObjectMissingError(text) from None
            raise ObjectStorageError(text) from None


def plain(fault: str) -> str:
    """What obstore says of a fault as one line, without what it is made of, and without queries of URLs."""
    text = fault.partition("\n\nDebug source:")[0]
    answer = _ANSWERS.search(text)
    failure = f"{answer[1]}: {answer[2]}" if answer else text
    return " ".join(_QUERIES.sub("", failure).split())[:_MOST_OF_A_FAULT]
