"""The process that forks Python workers."""

import subprocess
import sys

from lastvalue.pipeline.spark.python_daemon import PYTHON_DAEMON


def test_naming_the_daemon_imports_no_spark() -> None:
    code = f"import sys, {PYTHON_DAEMON}; sys.exit('pyspark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_workers_find_what_they_need_imported_and_draw_different_numbers() -> None:
    code = (
        "import gc, os, sys, pyspark.daemon\n"
        f"from {PYTHON_DAEMON} import main\n"
        "def forks():\n"
        "    shared = {'pyarrow', 'pandas', 'pyspark.worker', 'pyspark_lastvalue'}\n"
        "    assert shared <= sys.modules.keys() and gc.get_freeze_count()\n"
        "    for _ in range(2):\n"
        "        if os.fork() == 0:\n"
        "            print(sys.modules['numpy'].random.random(), flush=True)\n"
        "            os._exit(0)\n"
        "        os.wait()\n"
        "pyspark.daemon.manager = forks\n"
        "main()"
    )
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert len(set(printed.split())) == 2
