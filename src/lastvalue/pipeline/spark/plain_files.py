"""Local files of Spark without checksum files, and with permissions set inside Java."""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SOURCE: Final = """\
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
        public void setPermission(Path path, FsPermission mode) throws IOException {
            if (mode.getStickyBit()) {
                super.setPermission(path, mode);
                return;
            }
            String text = mode.getUserAction().SYMBOL + mode.getGroupAction().SYMBOL
                + mode.getOtherAction().SYMBOL;
            Files.setPosixFilePermissions(pathToFile(path).toPath(), PosixFilePermissions.fromString(text));
        }
    }
}
"""


def use_plain_files(session: "SparkSession") -> None:
    """Write local files without checksum files, and set their permissions without starting a process.

    Where Hadoop's native library is missing, as in PySpark, Hadoop starts `chmod` for each file and for its
    checksum file. Spark writes two files per micro-batch: 22 ms with checksums and `chmod`, 2 ms without.
    Janino, which also compiles Spark's plans, compiles the Java class.
    """
    java: Any = session.sparkContext._jvm  # noqa: SLF001 - no other way into Java
    compiler = java.org.codehaus.janino.SimpleCompiler()
    compiler.setParentClassLoader(java.java.lang.Thread.currentThread().getContextClassLoader())
    compiler.cook(_SOURCE)
    hadoop = session.sparkContext._jsc.hadoopConfiguration()  # noqa: SLF001 - no other way to Hadoop's settings
    settings = java.org.apache.hadoop.conf.Configuration(hadoop)
    settings.setClassLoader(compiler.getClassLoader())
    settings.set("fs.file.impl", "lastvalue.PlainFiles")
    # Hadoop caches one file system for all users of local files: close it, so that the next one is ours.
    java.org.apache.hadoop.fs.FileSystem.getLocal(settings).close()
    java.org.apache.hadoop.fs.FileSystem.getLocal(settings)
