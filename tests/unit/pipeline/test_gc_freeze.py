"""Objects that later garbage collections leave out."""

import subprocess
import sys


def test_objects_that_exist_are_frozen_once_in_a_process() -> None:
    code = (
        "import gc\n"
        "from lastvalue.pipeline.gc_freeze import freeze_gc\n"
        "freeze_gc()\n"
        "frozen = gc.get_freeze_count()\n"
        "later = [[] for _ in range(1000)]\n"
        "freeze_gc()\n"
        "print(frozen > 0 and gc.get_freeze_count() <= frozen)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "True"
