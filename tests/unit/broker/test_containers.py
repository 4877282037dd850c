"""Which connections of a container exclude each other."""

import pytest

from lastvalue.broker.containers import ContainerConnection, Containers


class Opened(ContainerConnection):
    """A connection of the container `c`."""

    def __init__(self, name: str, asks: bool) -> None:
        super().__init__("c", 0 if asks else None)
        self.name = name

    @property
    def user(self) -> str:
        return self.name

    def give_way(self) -> None:
        raise AssertionError("nothing here closes it")


@pytest.mark.parametrize(
    ("present", "asks", "user", "found"),
    [
        (True, True, "ann", True),
        (True, False, "ann", True),
        (False, True, "ann", True),
        (False, False, "ann", False),
        (True, True, "bob", True),
        (True, False, "bob", False),
        (False, True, "bob", False),
    ],
)
def test_a_connection_excludes_another_one(present: bool, asks: bool, user: str, found: bool) -> None:
    containers = Containers()
    opened = Opened("ann", present)
    containers.enter(opened)
    assert containers.rivals("c", user, asks) == ([opened] if found else [])
    assert containers.rivals("d", user, asks) == []


def test_a_connection_that_left_excludes_none() -> None:
    containers = Containers()
    alone, other = Opened("ann", True), Opened("bob", False)
    for each in (alone, other):
        containers.enter(each)
        containers.leave(each)
        containers.leave(each)
    assert containers.rivals("c", "ann", True) == containers.rivals("c", "bob", True) == []
