"""A store that is restored to a moment holds what the readers of histories say that its queue held then."""

import asyncio
import os
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import settings
from restored_store import NOW_MS, restored_store
from test_histories import Histories, Told, live, told

from lastvalue.broker.broker import Broker
from lastvalue.cli.restored_queues import BEGUN_ANEW, FROM_HISTORY, LEFT_OUT
from lastvalue.history.errors import HistoryUnavailableError
from lastvalue.history.moment import Moment
from lastvalue.history.recorded_history import read_history
from lastvalue.history.records import DECLARED, RESTARTED, Record, read_record
from lastvalue.history.table_writer import TableWriter

EXAMPLES = int(os.environ.get("LASTVALUE_EXAMPLES", "200")) // 8
MOMENTS = 3
reached: set[str] = set()


class Restored(Histories):
    """The lives of queues of `Histories`, which are durable, and their messages, too."""

    def check(self, records: list[Record]) -> None:
        # A message that was held then has had its last attempt.
        if "max_delivery_attempts" not in self.options:
            durable = [_durable(record) for record in records]
            # Any moments, and the same ones for the same life.
            for number in range(1, MOMENTS + 1):
                check(durable, self.snapshots[number * len(records) % len(self.snapshots)][0])


def _durable(record: Record) -> Record:
    declaration = record.declaration
    if declaration is not None:
        declaration = {**declaration, "durable": True}
    return replace(record, durable=True, declaration=declaration)


def check(records: list[Record], time_ms: int) -> None:
    with TemporaryDirectory() as temporary:
        tables = str(Path(temporary) / "tables")
        TableWriter(tables).append("h", 1, records)
        check_restored(records, tables, time_ms)


def check_restored(records: list[Record], tables: str, time_ms: int) -> None:
    with restored_store(tables, time_ms) as (broker, sources):
        reached.add(sources["q"])
        if sources["q"] == LEFT_OUT:
            assert not broker.has_queue("q")
            assert not was_there(tables, time_ms)
            return
        assert sources == {"q": FROM_HISTORY, "h": BEGUN_ANEW}
        recorded = asyncio.run(read_history("q", tables=tables))
        moment = recorded.as_of(min(time_ms, recorded.known_to_ms))
        # As a broker that stopped then would have found it.
        moment.apply(Record(0, RESTARTED, "q", time_ms))
        found = live(broker.lookup("q").queue)
        assert found == told(moment)
        assert history_says(broker) == found
        assert broker.lookup("q").queue.sequence >= max(each.sequence or 0 for each in records)
        reached.update(state for _, state, *_ in found)


def was_there(tables: str, time_ms: int) -> bool:
    recorded = asyncio.run(read_history("q", tables=tables))
    try:
        return recorded.as_of(min(time_ms, recorded.known_to_ms)).exists
    except HistoryUnavailableError:
        return False


def history_says(broker: Broker) -> list[Told]:
    """What the history that begins anew says, which goes on after what had landed."""
    history = broker.lookup("h").queue
    records = [read_record(each.message.encoded, int(each.sequence)) for each in history.entries()]
    assert [each.effect for each in records][:1] == [DECLARED]
    assert {each.time_ms for each in records} == {NOW_MS}
    return told(Moment().apply_all(records))


Restored.TestCase.settings = settings(max_examples=EXAMPLES, stateful_step_count=40, deadline=None)
TestRestored = Restored.TestCase


def test_the_interesting_states_were_reached() -> None:
    assert reached >= {FROM_HISTORY, LEFT_OUT, "available", "waiting"}
