"""Parts that need no Spark; feeds are in tests/spark/test_runner.py."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from waiting import wait_until

pytest.importorskip("pyspark")

from lastvalue.client import Message, blocking
from lastvalue.config.pipeline_settings import HistorySettings
from lastvalue.pipeline.running.parts import HistoryPart
from lastvalue.pipeline.running.status import PartStatus, State, StatusBoard
from lastvalue.testing.broker_thread import BrokerThread


@pytest.fixture
def url() -> Iterator[str]:
    with BrokerThread() as broker:
        yield broker.url


def test_a_history_of_which_everything_has_landed_is_idle_and_has_no_lag(url: str, tmp_path: Path) -> None:
    board = StatusBoard(tmp_path / "status.json", "", [PartStatus("past", "history", State.RUNNING)])
    # Records wait for longer than the test takes.
    settings = HistorySettings("past", ("prices",), "tables", every_ms=3_600_000)
    part = HistoryPart(settings, str(tmp_path / "tables"), url, board, once=False)
    stop = threading.Event()
    with blocking.connect(url) as connection:
        prices = connection.declare("prices", history="prices.history")
        running = threading.Thread(target=part.run, args=(stop,))
        running.start()
        wait_until(lambda: board.part("past").lag == 1)
        prices.send(Message("a"))
        wait_until(lambda: board.part("past").lag == 2)
        assert (board.part("past").state, board.part("past").lag_unit) == (State.RUNNING, "records")
        stop.set()
        running.join(60)
        HistoryPart(settings, str(tmp_path / "tables"), url, board, once=True).run(threading.Event())
        assert board.part("past").lag == 0
        stop.clear()
        idle = threading.Thread(target=part.run, args=(stop,))
        idle.start()
        wait_until(lambda: board.part("past").state is State.IDLE)
        stop.set()
        idle.join(60)
    assert board.part("past").lag == 0
