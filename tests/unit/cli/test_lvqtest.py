"""lastvalue.cli.lvqtest: the two transcripts of the page that the last-value chapter replaced."""

import re
from collections.abc import Callable

import pytest

Lastvalue = Callable[[str], tuple[int, str, str]]
KEYS = ["key1", "key2", "key3", "last"]


def marked(keys: list[str], mark: str) -> list[str]:
    return [key if key == "last" else f"{key}.{mark}" for key in keys]


class Program:
    """Runs the program's steps."""

    def __init__(self, lastvalue: Lastvalue) -> None:
        self._lastvalue = lastvalue

    def run(self, step: str) -> list[str]:
        code, output, errors = self._lastvalue(f"lvqtest {step}")
        assert (code, errors) == (0, "")
        return output.splitlines()

    def write(self) -> str:
        """The mark of the messages that were written."""
        lines = self.run("write")
        mark = re.fullmatch(r"Sending Data: key1=key1\.(0x[0-9a-f]+)", lines[0])
        assert mark is not None
        written = marked(["key1", "key2", "key3", "key1", "last"], mark[1])
        assert lines == [f"Sending Data: {content.split('.')[0]}={content}" for content in written]
        return mark[1]

    def read(self, step: str) -> list[str]:
        return [line.removeprefix("Receiving Data:") for line in self.run(step)]


@pytest.fixture
def program(lastvalue: Lastvalue, url: str) -> Program:
    return Program(lastvalue)


def test_the_transcript_of_lvq(program: Program) -> None:
    """S-020."""
    assert program.run("create_lvq") == []
    first = program.write()
    assert program.read("browse") == marked(KEYS, first)
    second = program.write()
    assert program.read("browse") == marked(KEYS, second)
    assert program.read("consume") == marked(KEYS, first) + marked(KEYS, second)
    assert program.read("consume") == []


def test_the_transcript_of_lvq_no_browse(program: Program) -> None:
    """S-021."""
    assert program.run("create_lvq_no_browse") == []
    program.write()
    second = program.write()
    assert program.read("browse") == marked(KEYS, second)
    assert program.read("browse") == marked(KEYS, second)
    third = program.write()
    assert program.read("consume") == marked(KEYS, third)
    assert program.read("consume") == []


@pytest.mark.parametrize(
    ("step", "placement"), [("create_lvq", "in-place"), ("create_lvq_no_browse", "in-place-no-browse")]
)
def test_the_legacy_arguments_make_a_queue_keyed_by_the_fixed_header(
    lastvalue: Lastvalue, program: Program, step: str, placement: str
) -> None:
    """S-030."""
    program.run(step)
    assert program.run(step) == []
    _, shown, _ = lastvalue("queue show LVQtester")
    assert re.search(r"lvq_key +qpid\.LVQ_key\n", shown)
    assert re.search(rf"lvq_placement +{placement}\n", shown)


def test_the_queue_may_have_another_name(lastvalue: Lastvalue, url: str) -> None:
    assert lastvalue("lvqtest create_lvq --queue mine")[:2] == (0, "")
    assert lastvalue("lvqtest write --queue mine")[0] == 0
    assert lastvalue("lvqtest browse --queue mine")[1].count("Receiving Data:") == 4


def test_a_queue_of_the_other_mode_is_told(lastvalue: Lastvalue, program: Program) -> None:
    program.run("create_lvq")
    code, _, errors = lastvalue("lvqtest create_lvq_no_browse")
    assert code == 1
    assert "lvq_placement: wanted 'in-place-no-browse', has 'in-place'" in errors


def test_a_queue_that_was_not_created_is_told(lastvalue: Lastvalue, url: str) -> None:
    code, output, errors = lastvalue("lvqtest write")
    assert (code, output) == (1, "")
    assert "LVQtester" in errors


def test_nobody_there_is_told_as_everywhere(lastvalue: Lastvalue) -> None:
    code, _, errors = lastvalue("lvqtest browse --url amqp://127.0.0.1:1")
    assert code == 3
    assert "lastvalue serve" in errors
