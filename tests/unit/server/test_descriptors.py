"""lastvalue.server.descriptors."""

import resource

import pytest

from lastvalue.server.descriptors import raise_descriptor_limit


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The limits of a process, the last one in force."""
    made = [(1024, 4096)]
    monkeypatch.setattr(resource, "getrlimit", lambda which: made[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda which, both: made.append(both))
    return made


def test_the_soft_limit_becomes_the_hard_one(limits: list[tuple[int, int]]) -> None:
    assert raise_descriptor_limit() == (1024, 4096)
    assert limits[-1] == (4096, 4096)
    assert raise_descriptor_limit() == (4096, 4096)


def test_a_system_that_refuses_changes_nothing(
    limits: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(which: int, both: tuple[int, int]) -> None:
        raise ValueError("not allowed to raise maximum limit")

    monkeypatch.setattr(resource, "setrlimit", refused)
    assert raise_descriptor_limit() == (1024, 1024)
