"""Compiles the hot modules with mypyc where a C compiler is present; plain Python otherwise.

`LASTVALUE_PURE=1` asks for plain Python, which an editable install needs: a compiled module in the
source tree would hide later edits of its source. `LASTVALUE_OPT_LEVEL` is how well the compiler optimises:
3 unless it says 0 to 2.
"""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

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
    "protocols/engine.py",
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
    "server/connection_deadlines.py",
    "server/followed_store.py",
    "server/input_queue.py",
    "server/limits.py",
    "server/restored_store.py",
    "server/runtime.py",
    "store/batch_builder.py",
    "store/committer.py",
    "store/journal.py",
    "store/memory.py",
    "store/records.py",
    "store/segment_entries.py",
    "store/store_contents.py",
    "store/store_journal.py",
    "store/stored_ids.py",
    "store/writer.py",
]

_OPTIONS = [
    # Calls within the extension then need no table, through which others could replace its functions.
    "-fvisibility=hidden",
    # Calls of Python's functions then lead there without a jump through another table.
    "-fno-plt",
]

SOURCE_COMMANDS = {"dist_info", "egg_info", "sdist"}
"""What needs nothing compiled; a tool asks for the first two before it builds a wheel."""

UNITS = 40
"""So many files of C are compiled: one for each module would take half of the time for the header of all."""

_COLD_PATHS = """
struct _object;
void CPy_AddTraceback(const char *, const char *, int, struct _object *) __attribute__((cold));
void CPy_TypeError(const char *, struct _object *) __attribute__((cold));
static void CPy_DecRef(struct _object *) __attribute__((cold));
static void CPy_XDecRef(void *) __attribute__((cold));
"""


class BuildAllOrNone(build_ext):  # type: ignore[misc]  # it may be Cython's, too
    """Builds every extension or leaves none: one holds the code, the others only lead to it.

    The code has many files, and each processor compiles one at a time.
    A compiler that is missing, broken or out of memory leaves plain Python.
    """

    extensions: list[Extension]

    def build_extensions(self) -> None:
        """Build them."""
        # Each module has a small extension of its own beside the one with the code.
        self.parallel = os.cpu_count()
        compile_in_turn = self.compiler.compile

        def compile_at_once(sources: list[str], **options: Any) -> list[str]:
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                objects = pool.map(lambda source: compile_in_turn([source], **options), sources)
                return [each for compiled in objects for each in compiled]

        self.compiler.compile = compile_at_once
        try:
            super().build_extensions()
        except (BaseError, CCompilerError) as fault:
            self.warn(f"the compiled modules cannot be built, so all is plain Python: {fault}")
            for extension in self.extensions:
                Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)
            self.extensions = []


def compiled_extensions() -> list[Extension]:
    """The extensions to build: none where plain Python is asked for, or no wheel."""
    if os.environ.get("LASTVALUE_PURE") == "1" or not SOURCE_COMMANDS.isdisjoint(sys.argv):
        return []
    from mypyc.build import mypycify  # noqa: PLC0415 - so that a plain build does not need the compiler

    root = Path("src/lastvalue")
    found = (path for pattern in HOT for path in root.glob(pattern))
    modules = sorted(str(path) for path in found if path.name != "__init__.py")
    level = os.environ.get("LASTVALUE_OPT_LEVEL", "3")
    extensions: list[Extension] = mypycify(
        ["--strict", *modules], opt_level=level, debug_level="0", multi_file=True
    )
    for extension in extensions:
        modules_in_c = [source for source in extension.sources if "__native_" in source]
        if len(modules_in_c) > UNITS:
            others = [source for source in extension.sources if source not in modules_in_c]
            extension.depends += modules_in_c
            extension.sources = [*_joined(modules_in_c), *others]
        extension.extra_compile_args = [*extension.extra_compile_args, *_OPTIONS, "-include", _cold_paths()]
    return extensions


def _joined(sources: list[str]) -> list[str]:
    """Files that include the sources, neighbours together and each about as much."""
    share = sum(Path(source).stat().st_size for source in sources) / UNITS
    units: list[list[str]] = [[] for _ in range(UNITS)]
    size = 0
    for source in sorted(sources):
        units[min(UNITS - 1, int(size / share))].append(f'#include "{Path(source).resolve()}"\n')
        size += Path(source).stat().st_size
    joined = []
    for number, unit in enumerate(units):
        joined.append(f"build/unit_{number:02}.c")
        Path(joined[-1]).write_text("".join(unit))
    return joined


def _cold_paths() -> str:
    """The header that says which functions of mypyc only the paths of errors call.

    The C compiler puts these paths elsewhere: what a message runs through is then a fifth shorter, and more
    of it is in the processor's caches when a message comes after a pause.
    """
    header = Path("build/cold_paths.h").resolve()
    header.parent.mkdir(exist_ok=True)
    header.write_text(_COLD_PATHS)
    return str(header)


setup(ext_modules=compiled_extensions(), cmdclass={"build_ext": BuildAllOrNone})
