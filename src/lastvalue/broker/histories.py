"""Histories: queues that get a record of every effect on other queues."""

from collections.abc import Iterable
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.history.history_base import HistoryBase
from lastvalue.broker.history.recorder import Recorder, without_content
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError
from lastvalue.model.message import Message
from lastvalue.queues.effects import Effect
from lastvalue.queues.spec import Expiry, Limit, QueueSpec, Standard, WhenFull

DEFAULT_MESSAGES: Final = 1_000_000
DEFAULT_BYTES: Final = 256 << 20


@mypyc_attr(native_class=False)
class HistoryError(BrokerError):
    """A queue cannot be the history of another."""

    condition = Condition.PRECONDITION_FAILED

    def __init__(self, name: str, history: str, fault: str) -> None:
        super().__init__(f"{history!r} cannot be the history of {name!r}: {fault}")
        self.name = name


def default_history(spec: QueueSpec, name: str) -> QueueSpec:
    """The declaration of a history that does not exist yet; when it is full, it drops its oldest records."""
    return QueueSpec(
        name,
        limit=Limit(DEFAULT_MESSAGES, DEFAULT_BYTES, WhenFull.DROP_OLDEST),
        expiry=Expiry(never=True),
        durable=spec.durable,
        description=f"history of {spec.name}"[:255],
    )


@final
class Histories:
    """Writes the effects on queues to their histories.

    Attributes:
        lost: how many records a history refused even without their content, because its limit is too small.
    """

    __slots__ = ("_latest_ms", "_queues", "lost")

    def __init__(self, queues: dict[str, HostedQueue]) -> None:
        self._queues = queues
        self._latest_ms: i64 = 0
        self.lost = 0

    def check(self, spec: QueueSpec) -> None:
        """Refuse a history that could lose or reorder records.

        Raises:
            HistoryError: the queue cannot be a history, or does not exist.
        """
        if spec.history is not None:
            hosted = self._queues.get(spec.history)
            if hosted is None:
                raise HistoryError(spec.name, spec.history, "no queue has that name; declare it first")
            fault = _unfit(hosted.queue.spec, durable=spec.durable)
            if fault is not None:
                raise HistoryError(spec.name, spec.history, fault)

    def check_still(self, spec: QueueSpec, named_by: Iterable[QueueSpec]) -> None:
        """Refuse a change after which a queue could not stay the history of the queues that name it.

        Raises:
            HistoryError: the queue is a history and could not stay one.
        """
        for other in named_by:
            if other.history == spec.name:
                fault = _unfit(spec, durable=other.durable)
                if fault is not None:
                    raise HistoryError(other.name, spec.name, fault)

    def keep_past(self, name: str) -> None:
        """Let a history keep of the records that it drops those that are in force."""
        contents = self._queues[name].queue.contents
        if contents.keeper is None:
            contents.keeper = HistoryBase(contents)

    def record(self, hosted: HostedQueue, effects: Iterable[Effect], now: i64) -> None:
        """Write the effects on a queue to its history, if it has one."""
        recorder = hosted.recorder
        if recorder is not None:
            # Times in a history never go back, even if the clock does.
            self._latest_ms = max(self._latest_ms, now)
            self._keep(recorder, recorder.record(effects, self._latest_ms))

    def end(self, hosted: HostedQueue, effect: bytes, now: i64) -> None:
        """Write the last record of a queue's history: ENDED or DELETED."""
        recorder = hosted.recorder
        if recorder is not None:
            self._latest_ms = max(self._latest_ms, now)
            self._keep(recorder, recorder.end(effect, self._latest_ms))
            hosted.recorder = None

    def begin(self, hosted: HostedQueue, now: i64) -> None:
        """Write the present content of a queue to its history, if it has one from now on."""
        history = hosted.queue.spec.history
        if history is not None:
            self._latest_ms = max(self._latest_ms, now)
            hosted.recorder = Recorder(hosted.queue, history)
            self._keep(hosted.recorder, hosted.recorder.take_stock(self._latest_ms))

    def _keep(self, recorder: Recorder, messages: list[Message]) -> None:
        history = self._queues.get(recorder.history)
        if history is None or not messages:
            return
        history.mark_changed()
        for message in messages:
            if not history.queue.enqueue(message, self._latest_ms) and not history.queue.enqueue(
                without_content(message), self._latest_ms
            ):
                self.lost += 1


def _unfit(history: QueueSpec, *, durable: bool) -> str | None:
    """Why a queue cannot be a history, or None if it can."""
    if not isinstance(history.ordering, Standard) or history.grouping is not None:
        return "it must be of type 'standard' and have no groups"
    if history.filter:
        return "its filter would leave records out"
    if history.history is not None:
        return "it has a history itself"
    if history.limit.exists and history.limit.when_full is not WhenFull.DROP_OLDEST:
        return "a full one must drop its oldest messages (when_full 'drop-oldest')"
    if durable and not history.durable:
        return "it must be durable too"
    return None
