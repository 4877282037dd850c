"""Compiles the hot modules with mypyc if that can be done here; otherwise all is plain Python.

`LASTVALUE_PURE=1` asks for plain Python, and with `LASTVALUE_PURE=0` the build fails instead.
`LASTVALUE_OPT_LEVEL` is how well the C compiler optimises: 3 unless it says 0 to 2.
"""

import multiprocessing
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout, suppress
from io import StringIO
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError, SetupError

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

NOTE = "lastvalue/plain_python.txt"
"""What a package of plain Python has, with the reason; see lastvalue.server.build."""

UNITS = 40
"""How many files of C there are: one for each module would take half of the time for the header of all."""

_COLD_PATHS = """
struct _object;
void CPy_AddTraceback(const char *, const char *, int, struct _object *) __attribute__((cold));
void CPy_TypeError(const char *, struct _object *) __attribute__((cold));
static void CPy_DecRef(struct _object *) __attribute__((cold));
static void CPy_XDecRef(void *) __attribute__((cold));
"""


class NotCompiledError(Exception):
    """The package is plain Python; the text says why."""


class BuildAllOrNone(build_ext):  # type: ignore[misc]  # it may be Cython's, too
    """Builds every extension or leaves none: one holds the code, the others only lead to it.

    Nothing is translated before this command runs, so what only asks for metadata or the sources waits for
    nothing. Whatever fails leaves plain Python.
    """

    extensions: list[Extension]

    def run(self) -> None:
        """Build them where they belong, which is never the source tree."""
        # The command below builds for the tree as for a wheel, and copies then.
        self._in_tree = self.inplace
        super().run()

    def build_extensions(self) -> None:
        """Build them; a package of plain Python says why it is."""
        asked = os.environ.get("LASTVALUE_PURE", "")
        note = Path(self.build_lib, NOTE)
        try:
            self._refuse(asked)
            self._compile()
        except Exception as fault:
            reason = " ".join((str(fault) or type(fault).__name__).split())
            if asked == "0":
                raise SetupError(f"LASTVALUE_PURE=0 wants compiled modules: {reason}") from fault
            self._leave_plain(reason)
            note.parent.mkdir(parents=True, exist_ok=True)
            note.write_text(f"{reason}\n")
        else:
            note.unlink(missing_ok=True)

    def _refuse(self, asked: str) -> None:
        if asked == "1":
            raise NotCompiledError("it was built with LASTVALUE_PURE=1")
        if self._in_tree:
            raise NotCompiledError("it is in a source tree, whose later edits compiled modules would hide")

    def _compile(self) -> None:
        probe = Path(self.build_temp, "probe.c")
        probe.parent.mkdir(parents=True, exist_ok=True)
        probe.write_text("#include <Python.h>\n")
        # Translating takes half a minute, which would be in vain.
        try:
            self.compiler.compile([str(probe)], output_dir=str(probe.parent))
        except (BaseError, CCompilerError, OSError) as fault:
            raise NotCompiledError(f"the C compiler or Python's headers are missing: {fault}") from fault
        self.distribution.ext_modules = translated()
        # A second time; the options for swig are no text any more.
        self.swig_opts = None
        self.finalize_options()
        # Each module has a small extension of its own beside the one with the code, whose files are many.
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
            # Before that stands the whole command.
            ending = str(fault).rpartition("' ")[2].rstrip(".")
            raise NotCompiledError(f"the C compiler fails ({ending}); pip install -v shows why") from fault
        # Left by a build of other modules, it would hide their sources.
        for built in set(Path(self.build_lib).rglob("*.so")) - set(map(Path, self.get_outputs())):
            built.unlink()

    def _leave_plain(self, reason: str) -> None:
        """Take away what is compiled, and make the wheel one for every machine."""
        line = f"lastvalue: all is plain Python, and slower: {reason}"
        self.warn(line)
        # pip shows nothing of a build that succeeds.
        with suppress(OSError), Path("/dev/tty").open("w") as terminal:
            terminal.write(f"\n{line}\n")
        for built in Path(self.build_lib).rglob("*.so"):
            built.unlink()
        self.extensions = self.distribution.ext_modules = []
        wheel = self.distribution.get_command_obj("bdist_wheel", create=False)
        if wheel is not None:
            wheel.root_is_pure = True


def translated() -> list[Extension]:
    """The extensions, translated to C in a process of its own.

    It may be killed when memory is short, and its memory is free when the C compiler needs some.
    """
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=_translate, args=(theirs,))
    process.start()
    theirs.close()
    try:
        answer: list[Extension] | str = ours.recv()
    except EOFError as fault:
        raise NotCompiledError("mypyc's process was killed, perhaps for its use of memory") from fault
    finally:
        process.join()
    if isinstance(answer, str):
        raise NotCompiledError(answer)
    return answer


def _translate(answer: Connection) -> None:
    """Send the extensions, or why there are none."""
    output = StringIO()
    try:
        with redirect_stdout(output):
            extensions = _extensions()
    except SystemExit as end:
        said = output.getvalue().strip() or str(end)
        sys.stderr.write(f"{said}\n")
        faults = [line for line in said.splitlines() if ": error: " in line]
        answer.send(f"mypyc refuses: {(faults or [said])[0]}")
    except Exception as fault:
        answer.send(f"mypyc fails: {str(fault) or type(fault).__name__}")
    else:
        answer.send(extensions)


def _extensions() -> list[Extension]:
    from mypyc.build import mypycify  # noqa: PLC0415 - so that a plain build does not need it

    root = Path("src/lastvalue")
    found = (path for pattern in HOT for path in root.glob(pattern))
    modules = sorted(str(path) for path in found if path.name != "__init__.py")
    # What the others import need not be here.
    options = ["--strict", "--follow-imports=silent", *modules]
    level = os.environ.get("LASTVALUE_OPT_LEVEL", "3")
    extensions: list[Extension] = mypycify(options, opt_level=level, debug_level="0", multi_file=True)
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
        _write(Path(joined[-1]), "".join(unit))
    return joined


def _cold_paths() -> str:
    """The header that says which functions of mypyc only the paths of errors call.

    The C compiler puts these paths elsewhere: what a message runs through is then a fifth shorter, and more
    of it is in the processor's caches when a message comes after a pause.
    """
    header = Path("build/cold_paths.h").resolve()
    header.parent.mkdir(exist_ok=True)
    _write(header, _COLD_PATHS)
    return str(header)


def _write(path: Path, text: str) -> None:
    """Write a file, unless it has this text: what is not newer is not compiled again."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


# It stands for those that are translated when they are built.
setup(ext_modules=[Extension("lastvalue.compiled", [])], cmdclass={"build_ext": BuildAllOrNone})
