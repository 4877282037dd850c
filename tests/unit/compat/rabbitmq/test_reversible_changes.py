"""Changes of which all are made, or none."""

from functools import partial
from http import HTTPStatus

import pytest

from lastvalue.compat.rabbitmq.reversible_changes import ReversibleChanges
from lastvalue.http.problems import Problem
from lastvalue.model.errors import InvalidSpecError, QueueNotFoundError


class Notes:
    """What was done, in order."""

    def __init__(self) -> None:
        self.done: list[str] = []

    async def note(self, what: str) -> None:
        self.done.append(what)


async def refuse(error: Exception) -> None:
    raise error


async def test_what_was_made_is_undone_last_first() -> None:
    notes, changes = Notes(), ReversibleChanges()
    for name in "abc":
        await changes.make(name, notes.note(name), partial(notes.note, f"not {name}"))
    await changes.make("there already", notes.note("d"))
    with pytest.raises(Problem, match="e: no such thing; nothing was declared") as refused:
        await changes.make("e", refuse(InvalidSpecError("no such thing")))
    assert notes.done == ["a", "b", "c", "d", "not c", "not b", "not a"]
    assert refused.value.status_code == InvalidSpecError.condition.http


async def test_what_cannot_be_undone_is_named_and_the_rest_is_undone() -> None:
    notes, changes = Notes(), ReversibleChanges()
    await changes.make("a", notes.note("a"), lambda: notes.note("not a"))
    await changes.make("queue b", notes.note("b"), lambda: refuse(QueueNotFoundError("b")))
    with pytest.raises(
        Problem, match=r"c: why; this stays of what was declared: queue b \(there is no queue"
    ):
        await changes.make("c", refuse(Problem(HTTPStatus.CONFLICT, "why")))
    assert notes.done == ["a", "b", "not a"]
