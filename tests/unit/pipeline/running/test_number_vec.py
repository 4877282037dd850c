"""What workers of a cluster get in place of librt does the same."""

from types import ModuleType

import librt.vecs
import pytest
from mypy_extensions import i32

from lastvalue.pipeline.running import number_vec


@pytest.mark.parametrize("module", [number_vec, librt.vecs])
def test_numbers_are_set_and_read(module: ModuleType) -> None:
    numbers = module.vec[i32]([i32(0)] * 3)
    numbers[1] = 7
    assert (len(numbers), list(numbers)) == (3, [0, 7, 0])
    with pytest.raises(IndexError):
        numbers[3] = 1
