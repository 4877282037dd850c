"""The options by which Java starts from an archive of classes, or makes one."""

import os
from pathlib import Path

import pytest

from lastvalue.pipeline.java import Java
from lastvalue.pipeline.spark.class_archive import class_archive_options

MADE = b"\xba\xa8\x0b\xf0 and the rest"


class Machine:
    """A Java and a Spark as far as an archive looks at them, and a cache."""

    def __init__(self, directory: Path) -> None:
        self.java = Java(directory / "java", 17, "PATH")
        self.java.home.mkdir()
        (self.java.home / "release").write_text('JAVA_VERSION="17.0.15"')
        self.jars = directory / "spark" / "jars"
        self.jars.mkdir(parents=True)
        (self.jars / "spark-core.jar").write_bytes(b"classes")
        self.cache = directory / "cache"

    def options(self) -> list[str]:
        return class_archive_options(self.java, self.jars.parent, self.cache)

    def file(self) -> tuple[str, Path]:
        """What Java is told to do with which file."""
        name, _, path = self.options()[0].partition("=")
        return name, Path(path)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_the_first_session_makes_what_later_ones_use(machine: Machine) -> None:
    told, draft = machine.file()
    assert told == "-XX:ArchiveClassesAtExit"
    draft.write_bytes(MADE)
    for _ in range(2):
        told, archive = machine.file()
        assert told == "-XX:SharedArchiveFile"
        assert archive.read_bytes() == MADE
    assert not draft.exists()


def test_one_session_at_a_time_makes_an_archive(machine: Machine) -> None:
    _, draft = machine.file()
    assert machine.options() == []
    os.utime(draft, (0, 0))
    assert machine.file() == ("-XX:ArchiveClassesAtExit", draft)


def test_an_archive_that_java_did_not_finish_is_not_used(machine: Machine) -> None:
    _, draft = machine.file()
    # Its beginning is written last.
    draft.write_bytes(bytes(4) + MADE)
    assert machine.options() == []


@pytest.mark.parametrize("changed", ["java/release", "spark/jars/spark-core.jar", "spark/jars/other.jar"])
def test_another_java_or_spark_has_another_archive(machine: Machine, tmp_path: Path, changed: str) -> None:
    _, draft = machine.file()
    draft.write_bytes(MADE)
    _, archive = machine.file()
    (tmp_path / changed).write_text("another")
    told, other = machine.file()
    assert (told, other.with_suffix(".jsa") != archive) == ("-XX:ArchiveClassesAtExit", True)


def test_a_session_without_mllib_has_another_archive(machine: Machine) -> None:
    (machine.jars / "spark-mllib_2.13.jar").write_bytes(b"classes")
    drafts = {
        class_archive_options(machine.java, machine.jars.parent, machine.cache, mllib=mllib)[0]
        for mllib in (True, False)
    }
    assert len(drafts) == 2


def test_archives_that_nobody_uses_are_deleted_when_another_is_made(machine: Machine) -> None:
    machine.cache.mkdir()
    old, used = machine.cache / "spark-old.jsa", machine.cache / "spark-used.jsa"
    old.touch()
    used.touch()
    os.utime(old, (0, 0))
    machine.options()
    assert (old.exists(), used.exists()) == (False, True)


def test_a_draft_of_another_spark_that_nobody_finishes_is_deleted(machine: Machine) -> None:
    machine.cache.mkdir()
    left, others = machine.cache / "spark-old.draft", machine.cache / "spark-new.draft"
    left.touch()
    others.touch()
    os.utime(left, (0, 0))
    machine.options()
    assert (left.exists(), others.exists()) == (False, True)


def test_without_a_cache_java_is_told_nothing(machine: Machine) -> None:
    machine.cache.write_text("a file")
    assert machine.options() == []


def test_a_spark_that_is_laid_out_in_another_way_has_none(machine: Machine, tmp_path: Path) -> None:
    assert class_archive_options(machine.java, tmp_path, machine.cache) == []
