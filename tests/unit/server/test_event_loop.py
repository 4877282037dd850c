"""lastvalue.server.event_loop: which loop a setting means."""

import asyncio

import pytest

from lastvalue.config.server_options import EventLoop
from lastvalue.server.event_loop import chosen_event_loop, event_loop_factory

uvloop = pytest.importorskip("uvloop")


@pytest.mark.parametrize(
    ("wanted", "module"),
    [(EventLoop.AUTO, "uvloop"), (EventLoop.UVLOOP, "uvloop"), (EventLoop.ASYNCIO, "asyncio")],
)
def test_uvloop_is_used_where_it_is_installed_unless_asyncio_is_asked_for(
    wanted: EventLoop, module: str
) -> None:
    with asyncio.Runner(loop_factory=event_loop_factory(wanted)) as runner:
        assert type(runner.get_loop()).__module__.partition(".")[0] == module
    assert chosen_event_loop(wanted).value == module


def test_without_uvloop_auto_is_asyncio(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lastvalue.server.event_loop.find_spec", lambda name: None)
    assert chosen_event_loop(EventLoop.AUTO) is EventLoop.ASYNCIO
    assert event_loop_factory(EventLoop.AUTO) is asyncio.new_event_loop
