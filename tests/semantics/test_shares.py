"""Shares of the scenarios: together they are everything, and each commit has the next one."""

import subprocess
from pathlib import Path

import pytest
from scenario import scenarios
from shares import ALL, SHARES, VARIABLE, chosen_share, commit_count, header, in_share, in_this_run

DRIVERS = ("amqp010", "amqp091", "clients", "core", "stored")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    commit(tmp_path)
    return tmp_path


def commit(repository: Path) -> None:
    who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    subprocess.run(
        ["git", *who, "commit", "--quiet", "--allow-empty", "--message=x"], cwd=repository, check=True
    )


@pytest.mark.parametrize("driver", DRIVERS)
def test_the_shares_of_a_driver_are_together_every_scenario_once(driver: str) -> None:
    every = scenarios("broker")
    shared = [each for share in range(SHARES) for each in in_share(share, driver, every)]
    assert sorted(map(str, shared)) == sorted(map(str, every))


@pytest.mark.parametrize("driver", DRIVERS)
def test_no_share_is_much_more_than_another(driver: str) -> None:
    every = scenarios("broker")
    most = max(len(in_share(share, driver, every)) for share in range(SHARES))
    assert most < 1.5 * len(every) / SHARES


def test_a_scenario_has_its_share_whatever_others_there_are() -> None:
    every = scenarios("broker")
    assert in_share(0, "core", every[::2]) == [
        each for each in in_share(0, "core", every) if each in every[::2]
    ]


def test_successive_commits_have_successive_shares(repository: Path) -> None:
    before = commit_count(repository)
    assert before is not None
    commit(repository)
    assert commit_count(repository) == before + 1


def test_what_is_merged_counts_as_one_commit(repository: Path) -> None:
    before = commit_count(repository)
    assert before is not None
    git = ("git", "-C", str(repository), "-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    subprocess.run([*git, "checkout", "--quiet", "-b", "other"], check=True)
    commit(repository)
    commit(repository)
    subprocess.run([*git, "checkout", "--quiet", "-"], check=True)
    subprocess.run([*git, "merge", "--quiet", "--no-ff", "--message=x", "other"], check=True)
    assert commit_count(repository) == before + 1


def test_without_the_whole_history_the_number_is_not_known(repository: Path, tmp_path: Path) -> None:
    commit(repository)
    shallow = tmp_path / "shallow"
    subprocess.run(["git", "clone", "--quiet", "--depth=1", f"file://{repository}", shallow], check=True)
    assert commit_count(shallow) is None


def test_without_a_checkout_there_is_no_number(tmp_path: Path) -> None:
    assert commit_count(tmp_path) is None


@pytest.mark.parametrize("profile", ["ci", "long"])
def test_every_driver_runs_everything_but_in_the_quick_profile(
    profile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("LASTVALUE_PROFILE", profile)
    assert chosen_share() is None
    assert in_this_run("core", scenarios("broker")) == scenarios("broker")


def test_the_quick_profile_has_the_share_of_the_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("LASTVALUE_PROFILE", "quick")
    commits = commit_count(Path(__file__).parent)
    assert chosen_share() == (None if commits is None else commits % SHARES)


@pytest.mark.parametrize(
    ("named", "share", "said"),
    [(ALL, None, "every driver runs all of them"), ("2", 2, "run share 2 of 0 to 3")],
)
def test_the_environment_chooses_a_share(
    named: str, share: int | None, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, named)
    assert chosen_share() == share
    assert said in header()


@pytest.mark.parametrize("named", ["4", "-1", "every", ""])
def test_a_share_that_there_is_not_is_refused(named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, named)
    with pytest.raises(ValueError, match=f"'{named}'; expected all or a number from 0 to 3"):
        chosen_share()
