"""The URL of a place in object storage, as in s3://bucket/prefix."""

import re
from dataclasses import dataclass
from typing import Final

_NAME: Final = "[A-Za-z0-9_=-][A-Za-z0-9._=-]*"
ADDRESS_FORM: Final = (
    rf"(?:s3|s3a|gs|az|azure|adl|abfs|abfss)://[A-Za-z0-9][A-Za-z0-9._-]*(?:/{_NAME})*/?|file://(?:/{_NAME})+/?",
    "s3://BUCKET/PREFIX, gs://…, az://… or file:///DIRECTORY; credentials are in the environment",
)
"""The form of an address: a pattern, and in words."""


@dataclass(frozen=True, slots=True)
class ObjectAddress:
    """A prefix of objects; its URL does not end with a slash."""

    url: str

    def __str__(self) -> str:
        return self.url

    @property
    def parent(self) -> "ObjectAddress":
        """The prefix above this one."""
        return ObjectAddress(self.url.rpartition("/")[0])

    @property
    def name(self) -> str:
        """What comes after the last slash; "" where it is a bucket."""
        head, _, name = self.url.rpartition("/")
        return "" if head.endswith(("/", ":")) else name

    def is_below(self, other: "ObjectAddress") -> bool:
        """Whether it begins with the other address, and continues."""
        return self.url.startswith(f"{other.url}/")


def is_object_address(text: str) -> bool:
    """Whether the text is meant as a URL and not as a directory."""
    return "://" in text


def read_object_address(text: str) -> ObjectAddress:
    """Read an address of ADDRESS_FORM.

    Raises:
        ValueError: it has another form; the text does not repeat it, because it may have credentials.
    """
    if not re.fullmatch(ADDRESS_FORM[0], text):
        raise ValueError(f"expected {ADDRESS_FORM[1]}")
    return ObjectAddress(text.rstrip("/"))
