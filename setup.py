"""Compiles the hot modules with mypyc if that can be done here; otherwise all is plain Python.

`LASTVALUE_PURE=1` asks for plain Python, and with `LASTVALUE_PURE=0` the build fails instead.
`LASTVALUE_OPT_LEVEL` is how well the C compiler optimises: 2 unless it says 0, 1 or 3.
"""

import ast
import hashlib
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout, suppress
from importlib.metadata import version
from io import StringIO
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError, SetupError

HOT = [
    "model/composite_key.py",
    "model/memory_budget.py",
    "model/message.py",
    "codec/*.py",
    "codec/amqp10/*.py",
    "codec/amqp010/*.py",
    "codec/amqp091/*.py",
    "codec/core/*.py",
    "codec/mqtt/*.py",
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
    "broker/*/*.py",
    "delivery/*.py",
    "frontends/amqp10/*.py",
    "frontends/amqp010/*.py",
    "protocols/amqp091/*.py",
    "frontends/amqp091/*.py",
    "protocols/core/*.py",
    "protocols/mqtt/*.py",
    "frontends/core/*.py",
    "frontends/mqtt/*.py",
    "client/annotated_fields.py",
    "client/inbox.py",
    "client/message_codec.py",
    "client/outbox.py",
    "client/receiver.py",
    "client/reconnection.py",
    "server/clock.py",
    "server/connection.py",
    "server/connection_deadlines.py",
    "server/followed_queue.py",
    "server/followed_store.py",
    "server/input_queue.py",
    "server/limits.py",
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
"""What messages pass, a walk over many of them, or a start; `python bench/passed_modules.py` measures it."""

COLD = [
    "broker/administration/broker_process.py",
    "broker/administration/clock_requests.py",
    "broker/administration/cluster_requests.py",
    "broker/administration/configuration_requests.py",
    "broker/administration/log_requests.py",
    "broker/administration/permission_requests.py",
    "broker/administration/pipeline_requests.py",
    "broker/administration/snapshot_requests.py",
    "broker/missing_nodes.py",
    "broker/node_policies.py",
    "broker/not_leader.py",
    "broker/requests/broker_requests.py",
    "broker/requests/check_requests.py",
    "broker/requests/connection_requests.py",
    "broker/requests/exchange_requests.py",
    "broker/requests/held_requests.py",
    "broker/requests/message_requests.py",
    "broker/requests/partition_requests.py",
    "broker/requests/path_requests.py",
    "broker/requests/permission_verdicts.py",
    "broker/requests/policy_requests.py",
    "broker/requests/removal_requests.py",
    "broker/requests/route_explanation.py",
    "broker/requests/sequence_requests.py",
    "broker/rights/audit.py",
    "broker/rights/verbs.py",
    "broker/routing/binding_quotas.py",
    "broker/routing/exchange_spec.py",
    "broker/statistics/statistic.py",
    "broker/stored_transactions.py",
    "broker/subscriptions.py",
    "broker/suspended_links.py",
    "broker/topology.py",
    "broker/watches/feed_factory.py",
    "codec/amqp010/command_layouts.py",
    "codec/amqp010/errors.py",
    "codec/amqp091/errors.py",
    "codec/amqp10/errors.py",
    "codec/core/errors.py",
    "codec/mqtt/errors.py",
    "delivery/authentication.py",
    "delivery/branches.py",
    "frontends/amqp010/declarations.py",
    "frontends/amqp091/consumer_terms.py",
    "frontends/amqp091/declarations.py",
    "frontends/amqp10/binding_filters.py",
    "frontends/amqp10/duplicate_detection.py",
    "frontends/amqp10/link_resumption.py",
    "frontends/amqp10/node_request.py",
    "frontends/amqp10/nodes.py",
    "frontends/amqp10/open_policy.py",
    "frontends/amqp10/reader_terms.py",
    "frontends/amqp10/tokens.py",
    "frontends/core/declarations.py",
    "frontends/core/error_codes.py",
    "frontends/core/filter_text.py",
    "frontends/core/queue_names.py",
    "frontends/core/suspension.py",
    "frontends/core/xa.py",
    "protocols/amqp010/handshake.py",
    "protocols/amqp091/sasl.py",
    "protocols/amqp10/faults.py",
    "protocols/amqp10/handshake.py",
    "protocols/amqp10/unsettled_map.py",
    "protocols/mqtt/login.py",
    "protocols/sasl.py",
    "queues/errors.py",
    "queues/meanings.py",
    "queues/option.py",
    "queues/options.py",
    "queues/order_options.py",
    "queues/overflow_policies.py",
    "queues/spec_arguments.py",
    "queues/touches.py",
]
"""Not compiled, though a pattern above has them: no message passes these."""

_OPTIONS = [
    # Calls within the extension then need no table, through which others could replace its functions.
    "-fvisibility=hidden",
    # Calls of Python's functions then lead there without a jump through another table.
    "-fno-plt",
]

_QUICKER = [
    "-fno-gcse",
    "-fno-gcse-after-reload",
    "-fno-ivopts",
    "-fno-schedule-insns2",
    "-fno-tree-loop-vectorize",
    "-fno-tree-slp-vectorize",
    "-fno-tree-pta",
    "-fno-tree-pre",
    "-fno-code-hoisting",
]
"""What of gcc's -O2 and -O3 takes a quarter of its time, and gives calls of Python's functions nothing."""

NOTE = "lastvalue/plain_python.txt"
"""What a package of plain Python has, with the reason; see lastvalue.server.build."""

KEPT = ".cache/compiled"
"""Compiled modules of earlier builds, each in a folder with the hash of what they follow from."""
BUILDS_KEPT = 4

UNITS = 16
"""How many files of C there are: one for each module would take half of the time for the header of all."""

# The header that says which functions only the paths of errors call, or imports, or plain Python. The C
# compiler puts these paths elsewhere: what a message runs through is then a fifth shorter, and more of it is
# in the processor's caches when a message comes after a pause. It also spends less time on these functions.
_COLD_PATHS = """
struct _object;
void CPy_AddTraceback(const char *, const char *, int, struct _object *) __attribute__((cold));
void CPy_TypeError(const char *, struct _object *) __attribute__((cold));
static void CPy_DecRef(struct _object *) __attribute__((cold));
static void CPy_XDecRef(void *) __attribute__((cold));
#include <stddef.h>
#if defined(__GNUC__) && !defined(__clang__)
#define RUN_ONCE __attribute__((cold, optimize("O1")))
#else
#define RUN_ONCE __attribute__((cold))
#endif
"""

_RUN_ONCE = re.compile(r"^char (CPyDef_\w+_____top_level__)\(void\) \{", re.MULTILINE)
"""A module's own text: a fifth of all C code, which an import runs."""

_CALLED_BY_PYTHON = re.compile(r"^ *PyObject \*(CPyPy_\w+\([^)]*\)) \{", re.MULTILINE)
"""What plain Python calls in place of a compiled function, to have its arguments checked and unpacked."""

# All of Python.h that an extension calls which only leads to the one with the code.
_SHIM_HEADER = """
#include <stddef.h>
typedef struct _object PyObject;
#define PyMODINIT_FUNC extern __attribute__((visibility("default"))) PyObject *
#define Py_DECREF Py_DecRef
void Py_DecRef(PyObject *);
PyObject *Py_BuildValue(const char *, ...);
PyObject *PyImport_ImportModuleLevel(const char *, PyObject *, PyObject *, PyObject *, int);
PyObject *PyObject_GetAttrString(PyObject *, const char *);
void *PyCapsule_GetPointer(PyObject *, const char *);
void PyErr_Clear(void);
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
        # Translating takes half a minute, which would be in vain.
        try:
            self._probe([])
        except (BaseError, CCompilerError, OSError) as fault:
            raise NotCompiledError(f"the C compiler or Python's headers are missing: {fault}") from fault
        kept = Path(KEPT, self._key())
        if not kept.exists():
            self._build_all()
            self._keep(kept)
            return
        # The last used are kept longest.
        kept.touch()
        for built in Path(self.build_lib).rglob("*.so"):
            built.unlink()
        shutil.copytree(kept, self.build_lib, dirs_exist_ok=True)
        self.extensions = []

    def _key(self) -> str:
        """What the compiled modules follow from: all of it is in this hash."""
        compiler = self.compiler.compiler_so
        said = subprocess.run([*compiler, "--version"], check=False, capture_output=True).stdout  # noqa: S603 - the compiler of this build
        tools = [*compiler, *self.compiler.linker_so, said, sys.version, version("mypy"), version("pamqp")]
        digest = hashlib.sha256(repr([*tools, self.plat_name, _level()]).encode())
        for path in (Path("setup.py"), Path("pyproject.toml"), *_read_by_translator()):
            digest.update(f"{path}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()[:32]

    def _keep(self, kept: Path) -> None:
        """Keep what was built, and the last few builds before it."""
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
            for built in map(Path, self.get_outputs()):
                copy = Path(folder, "whole", built.relative_to(self.build_lib))
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(built, copy)
            # A build that runs at the same time may have been first.
            with suppress(OSError):
                Path(folder, "whole").rename(kept)
        builds = sorted(kept.parent.iterdir(), key=lambda each: each.stat().st_mtime)
        for old in builds[:-BUILDS_KEPT]:
            shutil.rmtree(old, ignore_errors=True)

    def _build_all(self) -> None:
        self.distribution.ext_modules = translated()
        quicker = self._quicker()
        for extension in self.distribution.ext_modules:
            extension.extra_compile_args += quicker
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

    def _quicker(self) -> list[str]:
        """`_QUICKER`, if the C compiler knows all of it: clang refuses options that it does not know."""
        try:
            self._probe(["-Werror", *_QUICKER])
        except (BaseError, CCompilerError):
            return []
        return _QUICKER

    def _probe(self, options: list[str]) -> None:
        """Compile what only reads Python's headers."""
        probe = Path(self.build_temp, "probe.c")
        probe.parent.mkdir(parents=True, exist_ok=True)
        probe.write_text("#include <Python.h>\n")
        self.compiler.compile([str(probe)], output_dir=str(probe.parent), extra_postargs=options)

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

    # What the others import need not be here.
    options = ["--strict", "--follow-imports=silent", *map(str, compiled_modules(Path()))]
    extensions: list[Extension] = mypycify(options, opt_level=_level(), debug_level="0", multi_file=True)
    for extension in extensions:
        modules_in_c = [source for source in extension.sources if "__native_" in source]
        if len(modules_in_c) > UNITS:
            others = [source for source in extension.sources if source not in modules_in_c]
            extension.depends += modules_in_c
            extension.sources = [*_joined(modules_in_c), *others]
        extension.extra_compile_args = [*extension.extra_compile_args, *_OPTIONS]
        if modules_in_c:
            cold = _COLD_PATHS + "".join(map(_cold_functions, modules_in_c))
            extension.extra_compile_args += ["-include", _header("cold_paths.h", cold)]
        else:
            # It only leads there, and reading Python's headers would be most of the work.
            extension.extra_compile_args += ["-DPy_PYTHON_H", "-include", _header("shim.h", _SHIM_HEADER)]
    return extensions


def _level() -> str:
    return os.environ.get("LASTVALUE_OPT_LEVEL", "2")


def compiled_modules(checkout: Path) -> list[Path]:
    """The files of the modules that are compiled."""
    package = checkout / "src" / "lastvalue"
    found = {path for pattern in HOT for path in package.glob(pattern) if path.name != "__init__.py"}
    return sorted(found - {package / each for each in COLD})


def _read_by_translator() -> list[Path]:
    """The compiled modules and all that they import, whose constants and types shape the C code."""
    found: set[Path] = set()
    waiting = compiled_modules(Path())
    while waiting:
        path = waiting.pop()
        if path in found or not path.exists():
            continue
        found.add(path)
        for node in ast.walk(ast.parse(path.read_bytes())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module:
                # What it imports may be a module, too.
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            for name in names:
                file = Path("src") / name.replace(".", "/")
                packages = (each / "__init__.py" for each in (file, *file.parents))
                waiting += [file.with_suffix(".py"), *packages]
    return sorted(found)


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


def _cold_functions(source: str) -> str:
    """Declarations of those functions of a module that no message passes in compiled code."""
    text = Path(source).read_text()
    run_once = [f"char {name}(void) RUN_ONCE;\n" for name in _RUN_ONCE.findall(text)]
    called = [head.replace("PyObject", "struct _object") for head in _CALLED_BY_PYTHON.findall(text)]
    return "".join([*run_once, *(f"struct _object *{head} __attribute__((cold));\n" for head in called)])


def _header(name: str, text: str) -> str:
    """Where a header with this text is."""
    header = Path("build", name).resolve()
    header.parent.mkdir(exist_ok=True)
    _write(header, text)
    return str(header)


def _write(path: Path, text: str) -> None:
    """Write a file, unless it has this text: what is not newer is not compiled again."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


if __name__ == "__main__":
    # It stands for those that are translated when they are built.
    setup(ext_modules=[Extension("lastvalue.compiled", [])], cmdclass={"build_ext": BuildAllOrNone})
