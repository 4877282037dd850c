"""Memory that a process keeps when its arrays are gone."""

import platform
import resource
import subprocess
import sys

import pytest

pytest.importorskip("numpy")

_CODE = """
import resource
import numpy as np

def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(20):
        several = [np.full(1 << 20, 1.0) for _ in range(5)]
        del several
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

if {kept}:
    from lastvalue.pipeline.freed_memory import keep_freed_memory
    keep_freed_memory()
    keep_freed_memory()
print(faults())
"""


def page_faults(*, kept: bool) -> int:
    """How many pages a process gets for arrays of 40 MB, 20 times."""
    command = [sys.executable, "-c", _CODE.format(kept=kept)]
    # Huge pages would make the pages few.
    environment = {"NUMPY_MADVISE_HUGEPAGE": "0"}
    return int(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has the settings")
def test_arrays_get_the_memory_of_those_before_them() -> None:
    once = 5 * (8 << 20) // resource.getpagesize()
    assert page_faults(kept=True) < 2 * once < page_faults(kept=False)
