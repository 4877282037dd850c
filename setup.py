"""Compiles the hot modules with mypyc where a C compiler is present; plain Python otherwise.

`LASTVALUE_PURE=1` asks for plain Python, which an editable install needs: a compiled module in the
source tree would hide later edits of its source. `LASTVALUE_OPT_LEVEL` is how well the compiler optimises:
3 unless it says 0 to 2.
"""

import os
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError

HOT = [
    "model/memory_budget.py",
    "model/message.py",
    "codec/*.py",
    "codec/amqp10/*.py",
    "codec/amqp010/*.py",
    "codec/amqp091/*.py",
    "codec/core/*.py",
    "codec/*/shortcuts/*.py",
    "queues/*.py",
    "selectors/predicate.py",
    "selectors/selector.py",
    "protocols/liveness.py",
    "protocols/message_parts.py",
    "protocols/sasl.py",
    "protocols/amqp10/*.py",
    "protocols/amqp010/*.py",
    "broker/*.py",
    "broker/watches/*.py",
    "delivery/*.py",
    "frontends/amqp10/*.py",
    "frontends/amqp010/*.py",
    "protocols/amqp091/*.py",
    "frontends/amqp091/*.py",
    "protocols/core/*.py",
    "frontends/core/*.py",
    "server/clock.py",
    "server/connection.py",
    "server/input_queue.py",
    "server/limits.py",
    "server/runtime.py",
    "store/batch_builder.py",
    "store/records.py",
    "store/segment_entries.py",
    "store/stored_ids.py",
]

_INDENTATION_UNCHECKED = "-Wno-misleading-indentation"
"""Otherwise gcc reads the file with all the code, of a million lines, anew for each `if`: for minutes."""


class BuildAllOrNone(build_ext):  # type: ignore[misc]  # it may be Cython's, too
    """Builds every extension or leaves none: one holds the code, the others only lead to it.

    A compiler that is missing, broken or out of memory leaves plain Python.
    """

    extensions: list[Extension]

    def build_extensions(self) -> None:
        """Build them."""
        try:
            super().build_extensions()
        except (BaseError, CCompilerError) as fault:
            self.warn(f"the compiled modules cannot be built, so all is plain Python: {fault}")
            for extension in self.extensions:
                Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)
            self.extensions = []


def compiled_extensions() -> list[Extension]:
    """The extensions to build: none where plain Python is asked for."""
    if os.environ.get("LASTVALUE_PURE") == "1":
        return []
    # Here, so that a plain build does not need the compiler.
    from mypyc.build import mypycify  # noqa: PLC0415 - so that a plain build does not need the compiler

    root = Path("src/lastvalue")
    found = (path for pattern in HOT for path in root.glob(pattern))
    modules = sorted(str(path) for path in found if path.name != "__init__.py")
    level = os.environ.get("LASTVALUE_OPT_LEVEL", "3")
    extensions: list[Extension] = mypycify(["--strict", *modules], opt_level=level, debug_level="0")
    for extension in extensions:
        extension.extra_compile_args.append(_INDENTATION_UNCHECKED)
    return extensions


setup(ext_modules=compiled_extensions(), cmdclass={"build_ext": BuildAllOrNone})
