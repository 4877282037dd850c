"""What a connection confirms to its peer once the journal has it: numbers by the run, and answers."""

from collections.abc import Callable
from typing import Generic, TypeVar, final

from mypy_extensions import i64

_Source = TypeVar("_Source")
_Outcome = TypeVar("_Outcome")


@final
class Run(Generic[_Source, _Outcome]):
    """Consecutive numbers of one source that have one outcome.

    Attributes:
        source: whose numbers they are: a link, a session, a channel.
        outcome: the outcome of each, for the peer.
        durable: the peer learns it when the journal has them; otherwise at the end of the turn.
    """

    __slots__ = ("durable", "first", "last", "outcome", "source")

    def __init__(self, source: _Source, number: i64, outcome: _Outcome, durable: bool) -> None:
        self.source = source
        self.outcome = outcome
        self.durable = durable
        self.first: i64 = number
        self.last: i64 = number


@final
class _Batch(Generic[_Source, _Outcome]):
    """What one turn has left to confirm, and the position of the journal that it waits for."""

    __slots__ = ("answers", "position", "runs")

    def __init__(
        self, position: int, runs: list[Run[_Source, _Outcome]], answers: list[Callable[[int], None]]
    ) -> None:
        self.position = position
        self.runs = runs
        self.answers = answers


@final
class Confirmations(Generic[_Source, _Outcome]):
    """What one connection owes its peer. Positions of the journal never go back.

    Args:
        confirm_run: tells the peer the outcome of a run.
    """

    __slots__ = ("_answers", "_confirm_queue", "_confirm_run", "_last", "_prompt", "_runs")

    def __init__(self, confirm_run: Callable[[Run[_Source, _Outcome]], None]) -> None:
        self._confirm_run = confirm_run
        # On most of very many connections nothing waits: a list of its own would take memory for each.
        self._runs: list[Run[_Source, _Outcome]] | None = None
        self._last: Run[_Source, _Outcome] | None = None
        self._answers: list[Callable[[int], None]] | None = None
        self._prompt: list[Callable[[int], None]] | None = None
        # No deque, which takes 600 bytes.
        self._confirm_queue: list[_Batch[_Source, _Outcome]] | None = None

    @property
    def unconfirmed(self) -> bool:
        """Whether anything waits for the journal."""
        return (
            self._confirm_queue is not None
            or self._runs is not None
            or self._answers is not None
            or self._prompt is not None
        )

    def add(self, source: _Source, number: i64, outcome: _Outcome, durable: bool, end: i64 = -1) -> None:
        """A source's number, or all from it to `end`, have an outcome, the same object for all of a run."""
        end = max(number, end)
        last = self._last
        if (
            last is not None
            and last.source is source
            and last.outcome is outcome
            and last.durable is durable
            and last.last + 1 == number
        ):
            last.last = end
            return
        run = Run(source, number, outcome, durable)
        run.last = end
        self._last = run
        if self._runs is None:
            self._runs = [run]
        else:
            self._runs.append(run)

    def answer(self, send: Callable[[int], None], durable: bool = True) -> None:
        """Call `send` with the time of `confirm` when the journal has what was done until now.

        Otherwise at the end of the turn in which the connection's long commands are over.
        """
        if not durable:
            self._prompt = [*(self._prompt or []), send]
            return
        if self._answers is None:
            self._answers = []
        self._answers.append(send)

    def seal(self, position: int) -> None:
        """What was added since the last call is in the journal up to this position, where it is durable."""
        if self._prompt is not None:
            self._confirm_queue = [_Batch(0, [], self._prompt), *(self._confirm_queue or [])]
            self._prompt = None
        runs = self._runs
        answers = self._answers
        if runs is None and answers is None:
            return
        self._runs = None
        self._answers = None
        self._last = None
        durable: list[Run[_Source, _Outcome]] | None = None
        if runs is not None:
            for run in runs:
                if not run.durable:
                    self._confirm_run(run)
                elif durable is None:
                    durable = [run]
                else:
                    durable.append(run)
        if durable is not None or answers is not None:
            batch = _Batch(position, durable or [], answers or [])
            if self._confirm_queue is None:
                self._confirm_queue = [batch]
            else:
                self._confirm_queue.append(batch)

    def confirm(self, flushed: int, now: i64) -> bool:
        """Confirm everything up to the flushed position, oldest first; true while more waits."""
        sealed = self._confirm_queue
        if sealed is not None:
            count: i64 = 0
            while count < len(sealed) and sealed[count].position <= flushed:
                count += 1
            self._confirm_queue = sealed[count:] or None
            for batch in sealed[:count]:
                for run in batch.runs:
                    self._confirm_run(run)
                for send in batch.answers:
                    send(now)
        return self.unconfirmed
