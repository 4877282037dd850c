"""Spark Connect: what docs/pipeline/versions.md says works there, over a real session of it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyspark")
pytest.importorskip("pyspark.sql.connect.client", reason="lacks the extra declarative", exc_type=ImportError)

from lastvalue.pipeline.cache import cache_directory
from lastvalue.pipeline.java import find_java, launch_home

pytestmark = [pytest.mark.spark, pytest.mark.pyspark(since="4.3"), pytest.mark.long]

TRIAL = Path(__file__).with_name("connect_trial.py")


def test_what_is_said_to_work_over_connect_works(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "PYSPARK_PYTHON": sys.executable,
        "JAVA_HOME": str(launch_home(find_java(), cache_directory())),
        "JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "SPARK_LOCAL_IP": "127.0.0.1",
        # The server of Connect takes a free port then, and not the one of test_declarative.
        "SPARK_TESTING": "1",
    }
    trial = subprocess.run(
        [sys.executable, str(TRIAL), str(tmp_path)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert trial.returncode == 0, trial.stderr
    assert json.loads(trial.stdout.splitlines()[-1]) == {
        "read": 5,
        "select": 1,
        "conflate": [["k0", "15"], ["k1", "16"], ["k2", "17"], ["k3", "18"], ["k4", "19"]],
        "write": 5,
        "publish": 5,
        "streamed": 5,
        "replayed": 0,
        "as_of": 6,
        "diff": [["added", "k9"]],
        "timeline": 2,
    }
