"""Looking back at queues from the command line."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Lastvalue = Callable[[str], tuple[int, str, str]]


def lines(output: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in output.splitlines()]


def bodies(output: str) -> list[object]:
    return [line["body"] for line in lines(output)]


def times(lastvalue: Lastvalue, key: str) -> list[str]:
    """When each message of a key was added."""
    told = lines(lastvalue(f"timeline prices {key} -o jsonl")[1])
    return [str(line["time"]) for line in told if line["effect"] == "added"]


@pytest.fixture
def prices(url: str, lastvalue: Lastvalue) -> None:
    assert url
    lastvalue("queue add prices --lvq-key symbol --history prices.history")
    for key, body in (("A", "1"), ("B", "2"), ("A", "3")):
        lastvalue(f"send prices {body} --key {key}")


@pytest.mark.usefixtures("prices")
def test_as_of_prints_what_a_queue_held_then(lastvalue: Lastvalue) -> None:
    assert bodies(lastvalue("as-of prices now -o jsonl")[1]) == ["2", "3"]
    (before,) = times(lastvalue, "B")
    code, output, _ = lastvalue(f"as-of prices {before}")
    assert code == 0
    heading, first, second = output.splitlines()
    assert heading.split() == ["SEQUENCE", "STATE", "KEY", "UPDATES", "ARRIVAL", "TIME", "BODY"]
    assert (first.split()[2], first.split()[-1], second.split()[2]) == ("A", "1", "B")


@pytest.mark.usefixtures("prices")
def test_diff_prints_what_is_different_later(lastvalue: Lastvalue) -> None:
    first, _ = times(lastvalue, "A")
    added, replaced = lines(lastvalue(f"diff prices {first} -o jsonl")[1])
    assert (added["change"], added["key"], added["body"]) == ("added", "B", "2")
    assert (replaced["change"], replaced["before"], replaced["body"]) == ("replaced", "1", "3")
    assert replaced["reason"] == "replaced"
    lastvalue("receive prices --count 1")
    removed = lines(lastvalue(f"diff prices {times(lastvalue, 'A')[1]} now -o jsonl")[1])
    assert [(line["change"], line["key"], line["reason"]) for line in removed] == [
        ("removed", "B", "accepted")
    ]


@pytest.mark.usefixtures("prices")
def test_timeline_prints_what_became_of_a_key(lastvalue: Lastvalue) -> None:
    told = lines(lastvalue("timeline prices A -o jsonl")[1])
    assert [(line["effect"], line.get("reason"), line["body"]) for line in told] == [
        ("declared", None, None),
        ("added", None, "1"),
        ("added", None, "3"),
        ("removed", "replaced", None),
    ]
    assert lines(lastvalue(f"timeline prices A --since {told[2]['time']} -o jsonl")[1]) == told[2:]


@pytest.mark.usefixtures("prices")
def test_tables_answer_without_a_broker(lastvalue: Lastvalue, tmp_path: Path) -> None:
    code, output, _ = lastvalue(f"pipeline history prices --tables {tmp_path} --until-now -o jsonl")
    assert (code, lines(output)) == (0, [{"history": "prices.history", "landed": 5, "offset": 5}])
    last = times(lastvalue, "A")[1]
    code, output, _ = lastvalue(f"as-of prices {last} --tables {tmp_path} --offline -o jsonl")
    assert bodies(output) == ["2", "3"]
    code, _, errors = lastvalue(f"as-of prices now --tables {tmp_path} --offline")
    assert (code, "is later than the records of" in errors) == (1, True)


@pytest.mark.usefixtures("prices")
def test_replay_publishes_a_period_again_and_nothing_twice(lastvalue: Lastvalue, tmp_path: Path) -> None:
    lastvalue("queue add again")
    command = f"replay prices -1h --into again --speed max --name once --progress {tmp_path / 'progress'}"
    code, output, _ = lastvalue(command + " -o json")
    assert (code, json.loads(output)["published"]) == (0, 3)
    (tmp_path / "progress").unlink()
    assert lastvalue(command)[0] == 0
    assert bodies(lastvalue("browse again -o jsonl")[1]) == ["1", "2", "3"]


@pytest.mark.usefixtures("prices")
def test_replay_tells_its_name_and_period_and_whether_it_is_a_new_one(
    lastvalue: Lastvalue, tmp_path: Path
) -> None:
    lastvalue("queue add again")
    code, output, errors = lastvalue("replay prices -1h --into again --speed max -o json")
    told = json.loads(output)
    assert (code, told["replay"].startswith("replay-prices-")) == (0, True)
    period = f"from {told['from']} to {told['to']}"
    assert errors.startswith(f"replay {told['replay']} of prices into again, {period}; a new replay, because")
    command = f"replay prices {told['from']} {told['to']} --into again --speed max"
    assert lastvalue(command)[2] == f"replay {told['replay']} of prices into again, {period}\n"
    assert bodies(lastvalue("browse again -o jsonl")[1]) == ["1", "2", "3"]
    progress = f"--progress {tmp_path / 'progress'}"
    lastvalue(f"{command} {progress}")
    assert period in lastvalue(f"replay prices -1d --into again --speed max {progress}")[2]
    code, _, errors = lastvalue(f"replay prices {told['from']} 2999-01-01 --into again {progress}")
    assert (code, f"is of the period {period}" in errors) == (2, True)


@pytest.mark.usefixtures("prices")
def test_replay_may_conflate(lastvalue: Lastvalue) -> None:
    lastvalue("queue add again")
    assert lastvalue("replay prices -1h --into again --speed max --every 1h")[0] == 0
    assert [(line["body"], line["updates"]) for line in lines(lastvalue("browse again -o jsonl")[1])] == [
        ("2", 1),
        ("3", 2),
    ]


@pytest.mark.parametrize(
    ("command", "code", "told"),
    [
        ("as-of prices yesterday", 1, "expected ISO 8601"),
        ("as-of prices 2999-01-01", 1, "is in the future"),
        ("as-of prices -1h", 1, "begins after"),
        ("as-of nosuch now", 1, "there is no queue named 'nosuch'"),
        ("timeline nosuch A", 1, "there is no queue named 'nosuch'"),
        ("history nosuch", 1, "there is no queue named 'nosuch'"),
        ("replay nosuch -1h --into prices", 1, "there is no queue named 'nosuch'"),
        ("as-of plain now", 1, "--history plain.history"),
        ("history plain", 1, "--history plain.history"),
        ("as-of prices now --offline", 2, "--offline needs --tables"),
        ("diff prices now -1h", 1, "before the first"),
        ("replay prices -1h --into again --speed fast", 2, "expected a number above 0, or max"),
        ("replay prices -1h --into again --every 5", 2, "expected a number and a unit"),
        ("replay prices -1h -2h --into again", 1, "end must be later"),
        ("replay prices -1h --into prices", 1, "queue 'prices' cannot be replayed into itself"),
        ("pipeline history nosuch --tables DIR", 1, "there is no queue named 'nosuch'"),
    ],
)
@pytest.mark.usefixtures("prices")
def test_what_cannot_be_is_told(
    lastvalue: Lastvalue, tmp_path: Path, command: str, code: int, told: str
) -> None:
    lastvalue("queue add plain")
    ended, _, errors = lastvalue(command.replace("DIR", str(tmp_path)))
    assert (ended, told in errors) == (code, True), errors
