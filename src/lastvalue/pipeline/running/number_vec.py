"""What the package uses of `librt.vecs`, in Python: see `bytes_writer`."""

from typing import Final, TypeVar

T = TypeVar("T")


class NumberVec(list[T]):
    """Numbers of one type in a row; see librt."""

    __slots__ = ()


vec: Final = NumberVec
