"""What Spark runs as Python on this machine: this Python, with PySpark from where it is installed.

Spark puts `pyspark.zip` first on the module path of its Python processes, and Python stores no compiled code
of modules in a zip file. So each process would compile PySpark again, in twice the time of an import; and
Spark gives up a process that has not connected to it within 10 seconds.
"""

import hashlib
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from lastvalue.pipeline.cache import make_private, write_program

_LAUNCHER: Final = """\
#!/bin/sh
# Written by lastvalue. Starts {python}
# without Spark's zip files on its module path, because PySpark is installed.
kept=
rest=$PYTHONPATH:
while [ -n "$rest" ]; do
  entry=${{rest%%:*}}
  rest=${{rest#*:}}
  case $entry in
    */python/lib/pyspark.zip | */python/lib/py4j-*-src.zip | "") ;;
    *) kept=$kept$entry: ;;
  esac
done
PYTHONPATH=${{kept%:}} exec {quoted} "$@"
"""


def python_launcher(spark_home: Path, cache: Path, python: str = sys.executable) -> str:
    """The path of a script in the cache that starts this Python, or Python's own.

    Spark's zip files are needed if PySpark is not installed, or is another Spark than that of the directory.
    Without a cache, too, Python is started as it is.
    """
    found = find_spec("pyspark"), find_spec("py4j")
    package = Path(found[0].origin or "").parent if found[0] and found[1] else None
    if package is None or package.resolve() != spark_home.resolve():
        return python
    text = _LAUNCHER.format(python=python, quoted=shlex.quote(python))
    launcher = cache / f"python-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    try:
        make_private(cache)
        write_program(launcher, text)
    except OSError:
        return python
    return str(launcher)
