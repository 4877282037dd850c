"""What a session on a local master changes in its Java, so that short micro-batches get the processor.

There feeds, the broker and Java's compiler share a few processors, and checkpoints are files on its disk.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

COMPILER_OPTIONS: Final = ("-XX:-UseDynamicNumberOfCompilerThreads",)
"""Have Java start all threads of its compilers at once, so that `defer_compiler` finds them."""

_LEAST: Final = 19
"""The niceness of what gets the processor when nobody else wants it."""

_OPTIMISING: Final = "C2 Compiler"
"""How the names of the threads begin that compile a second time what runs often."""

_FILES: Final = """\
package lastvalue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

public class PlainFiles extends LocalFileSystem {
    public PlainFiles() {
        super(new Plain());
        setWriteChecksum(false);
    }

    public static class Plain extends RawLocalFileSystem {
        public void setPermission(Path path, FsPermission wanted) throws IOException {
            if (wanted.getStickyBit()) {
                super.setPermission(path, wanted);
                return;
            }
            String text = wanted.getUserAction().SYMBOL + wanted.getGroupAction().SYMBOL
                + wanted.getOtherAction().SYMBOL;
            Files.setPosixFilePermissions(pathToFile(path).toPath(), PosixFilePermissions.fromString(text));
        }
    }
}
"""


def defer_compiler(gateway: Any) -> None:
    """Let the second tier of Java's compiler have the processor only when nothing else wants it.

    It has work for minutes, which can wait, and micro-batches cannot, whose time it would take.
    Does nothing where this process has not started the Java behind the gateway.
    """
    process = getattr(gateway, "proc", None)
    if process is not None:
        defer_threads(process.pid, _OPTIMISING)


def defer_threads(pid: int, names: str) -> None:
    """Let those threads of a process wait for all others whose names begin so.

    Does nothing where threads have no niceness of their own, so on anything but Linux.
    """
    threads = Path(f"/proc/{pid}/task")
    for thread in threads.iterdir() if threads.is_dir() else ():
        if _name(thread).startswith(names):
            os.setpriority(os.PRIO_PROCESS, int(thread.name), _LEAST)


def write_plainly(session: "SparkSession") -> None:
    """Write local files without files of checksums, and set their permissions without starting a process.

    Hadoop starts `chmod` for each of both files where its native library is missing, as in PySpark.
    Spark writes two files a micro-batch, which takes 22 ms with all that and 2 ms without.
    The class is compiled by what Spark compiles its plans with.
    """
    java: Any = session.sparkContext._jvm  # noqa: SLF001 - no other way into Java
    compiler = java.org.codehaus.janino.SimpleCompiler()
    compiler.setParentClassLoader(java.java.lang.Thread.currentThread().getContextClassLoader())
    compiler.cook(_FILES)
    hadoop = session.sparkContext._jsc.hadoopConfiguration()  # noqa: SLF001 - likewise
    settings = java.org.apache.hadoop.conf.Configuration(hadoop)
    settings.setClassLoader(compiler.getClassLoader())
    settings.set("fs.file.impl", "lastvalue.PlainFiles")
    # Hadoop keeps one file system for all that ask for local files: let go of it, then make ours that one.
    java.org.apache.hadoop.fs.FileSystem.getLocal(settings).close()
    java.org.apache.hadoop.fs.FileSystem.getLocal(settings)


def _name(thread: Path) -> str:
    """A thread's name; none of one that has ended meanwhile."""
    try:
        return (thread / "comm").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
