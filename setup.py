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

COMPILED = [
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
"""What messages pass, and what they pass only in part; `python bench/passed_modules.py` measures it."""

COLD = [
    "broker/binding_quotas.py",
    "broker/broker_process.py",
    "broker/check_requests.py",
    "broker/clock_requests.py",
    "broker/cluster_requests.py",
    "broker/configuration_requests.py",
    "broker/connection_requests.py",
    "broker/exchange_requests.py",
    "broker/exchange_spec.py",
    "broker/held_requests.py",
    "broker/key_requests.py",
    "broker/listing.py",
    "broker/log_requests.py",
    "broker/message_requests.py",
    "broker/message_walk.py",
    "broker/missing_nodes.py",
    "broker/node_policies.py",
    "broker/not_leader.py",
    "broker/partition_requests.py",
    "broker/partitions.py",
    "broker/path_requests.py",
    "broker/permission_requests.py",
    "broker/permissions.py",
    "broker/pipeline_requests.py",
    "broker/policy_requests.py",
    "broker/purge.py",
    "broker/queue_ranking.py",
    "broker/removal_requests.py",
    "broker/route_explanation.py",
    "broker/sequence_requests.py",
    "broker/snapshot_requests.py",
    "broker/subscriptions.py",
    "broker/watches/feed_factory.py",
    "codec/amqp010/errors.py",
    "codec/amqp091/errors.py",
    "codec/amqp10/errors.py",
    "codec/core/errors.py",
    "frontends/amqp010/declarations.py",
    "frontends/amqp091/declarations.py",
    "frontends/amqp10/binding_filters.py",
    "frontends/amqp10/tokens.py",
    "frontends/core/declarations.py",
    "frontends/core/error_codes.py",
    "frontends/core/filter_text.py",
    "frontends/core/suspension.py",
    "frontends/core/xa.py",
    "protocols/amqp10/faults.py",
    "queues/errors.py",
    "queues/meanings.py",
    "queues/option.py",
    "queues/options.py",
    "queues/spec_arguments.py",
]
"""Not compiled, though a pattern above has them: no message passes these."""

WARM = [
    "broker/alternates.py",
    "broker/audit.py",
    "broker/broker_requests.py",
    "broker/effect_readers.py",
    "broker/histories.py",
    "broker/ownership.py",
    "broker/permission_verdicts.py",
    "broker/queue_names.py",
    "broker/queue_quotas.py",
    "broker/redirects.py",
    "broker/settlement.py",
    "broker/stored_transactions.py",
    "broker/suspended_links.py",
    "broker/targets.py",
    "broker/topology.py",
    "broker/verbs.py",
    "broker/watches/changes.py",
    "broker/watches/conflated_values.py",
    "broker/watches/pace.py",
    "broker/watches/removal.py",
    "codec/amqp010/command_layouts.py",
    "codec/amqp010/encoded_message.py",
    "codec/amqp010/encoder.py",
    "codec/amqp010/header_and_body.py",
    "codec/amqp010/layouts.py",
    "codec/amqp010/names.py",
    "codec/amqp010/properties.py",
    "codec/amqp091/*.py",
    "codec/amqp091/shortcuts/header_fields.py",
    "codec/amqp10/columns.py",
    "codec/amqp10/json_text.py",
    "codec/amqp10/payloads.py",
    "codec/amqp10/shortcuts/quick_value.py",
    "codec/amqp10/shortcuts/shared_frames.py",
    "codec/core/jms_names.py",
    "codec/core/large_body.py",
    "codec/core/message_decoder.py",
    "codec/core/message_encoder.py",
    "codec/core/packets.py",
    "codec/core/shortcuts/message_shapes.py",
    "codec/core/typed_properties.py",
    "codec/core/writer.py",
    "delivery/authentication.py",
    "delivery/branches.py",
    "delivery/reader_filters.py",
    "frontends/amqp010/exchange_traffic.py",
    "frontends/amqp010/transactions.py",
    "frontends/amqp091/channel_handler.py",
    "frontends/amqp091/connection_state.py",
    "frontends/amqp091/consumer_terms.py",
    "frontends/amqp10/duplicate_detection.py",
    "frontends/amqp10/link_resumption.py",
    "frontends/amqp10/node_request.py",
    "frontends/amqp10/nodes.py",
    "frontends/amqp10/open_policy.py",
    "frontends/amqp10/outcomes.py",
    "frontends/amqp10/reader_terms.py",
    "frontends/amqp10/unsettled.py",
    "frontends/core/broker_state.py",
    "frontends/core/connection_state.py",
    "frontends/core/queue_names.py",
    "frontends/core/session.py",
    "frontends/core/session_state.py",
    "protocols/amqp010/handshake.py",
    "protocols/amqp010/spans.py",
    "protocols/amqp010/wire.py",
    "protocols/amqp091/events.py",
    "protocols/amqp091/options.py",
    "protocols/amqp091/output.py",
    "protocols/amqp091/sasl.py",
    "protocols/amqp10/events.py",
    "protocols/amqp10/handshake.py",
    "protocols/amqp10/options.py",
    "protocols/amqp10/retained_outcomes.py",
    "protocols/amqp10/transitions.py",
    "protocols/amqp10/unsettled_map.py",
    "protocols/amqp10/wire.py",
    "protocols/core/large_messages.py",
    "protocols/core/options.py",
    "protocols/engine.py",
    "protocols/sasl.py",
    "queues/claims.py",
    "queues/filters.py",
    "queues/following.py",
    "queues/recovery.py",
    "queues/release_reason.py",
    "queues/trace_links.py",
    "queues/watch_terms.py",
    "server/followed_store.py",
    "server/restored_store.py",
    "store/committer.py",
    "store/journal.py",
    "store/memory.py",
    "store/store_contents.py",
    "store/stored_ids.py",
]
"""Passed by a connection, by some kinds of messages, or by a restart: the C compiler optimises them less."""

_OPTIONS = [
    # Calls within the extension then need no table, through which others could replace its functions.
    "-fvisibility=hidden",
    # Calls of Python's functions then lead there without a jump through another table.
    "-fno-plt",
    # These find nothing in code that calls and counts references, and take a seventh of the time.
    "-fno-gcse",
    "-fno-ivopts",
    "-fno-schedule-insns2",
    "-fno-tree-loop-vectorize",
    "-fno-tree-slp-vectorize",
]

NOTE = "lastvalue/plain_python.txt"
"""What a package of plain Python has, with the reason; see lastvalue.server.build."""

UNITS = {"hot": 24, "warm": 8}
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

        def compile_one(source: str, options: dict[str, Any]) -> list[str]:
            if Path(source).name.startswith("warm_") and _level() > 1:
                options = options | {"extra_postargs": [*options["extra_postargs"], "-O1"]}
            objects: list[str] = compile_in_turn([source], **options)
            return objects

        def compile_at_once(sources: list[str], **options: Any) -> list[str]:
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                compiled = pool.map(lambda source: compile_one(source, options), sources)
                return [each for objects in compiled for each in objects]

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


def _level() -> int:
    return int(os.environ.get("LASTVALUE_OPT_LEVEL", "3"))


def _found(patterns: list[str]) -> set[Path]:
    root = Path("src/lastvalue")
    return {path for pattern in patterns for path in root.glob(pattern) if path.name != "__init__.py"}


def _extensions() -> list[Extension]:
    from mypyc.build import mypycify  # noqa: PLC0415 - so that a plain build does not need it

    modules = sorted(map(str, _found(COMPILED) - _found(COLD)))
    # What the others import need not be here.
    options = ["--strict", "--follow-imports=silent", *modules]
    level = str(_level())
    extensions: list[Extension] = mypycify(options, opt_level=level, debug_level="0", multi_file=True)
    warm = {_c_name(path) for path in _found(WARM)}
    for extension in extensions:
        modules_in_c = [source for source in extension.sources if "__native_" in source]
        if len(modules_in_c) > sum(UNITS.values()):
            others = [source for source in extension.sources if source not in modules_in_c]
            extension.depends += modules_in_c
            cooler = [source for source in modules_in_c if Path(source).name in warm]
            hotter = [source for source in modules_in_c if source not in cooler]
            extension.sources = [*_joined("hot", hotter), *_joined("warm", cooler), *others]
        extension.extra_compile_args = [*extension.extra_compile_args, *_OPTIONS, "-include", _cold_paths()]
    return extensions


def _c_name(path: Path) -> str:
    """What mypyc calls the C of a module."""
    return "__native_" + "___".join(path.relative_to("src").with_suffix("").parts) + ".c"


def _joined(kind: str, sources: list[str]) -> list[str]:
    """Files that include the sources, neighbours together and each about as much."""
    number = UNITS[kind]
    share = sum(Path(source).stat().st_size for source in sources) / number
    units: list[list[str]] = [[] for _ in range(number)]
    size = 0
    for source in sorted(sources):
        units[min(number - 1, int(size / share))].append(f'#include "{Path(source).resolve()}"\n')
        size += Path(source).stat().st_size
    joined = []
    for index, unit in enumerate(units):
        joined.append(f"build/{kind}_{index:02}.c")
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
