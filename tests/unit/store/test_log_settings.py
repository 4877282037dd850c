import asyncio
from pathlib import Path

import pytest

from lastvalue.config.merged_options import merged_options
from lastvalue.config.server_options import EventLoop, OnUnsynced, ServerOptions
from lastvalue.config.server_setting import InvalidSettingError
from lastvalue.server.event_loop import event_loop_factory
from lastvalue.server.open_store import StoreSettings, store_from
from lastvalue.store.log_address import read_log_address
from lastvalue.store.log_settings import LogSettings


def test_a_store_is_a_directory_or_a_log_by_the_form_of_its_name() -> None:
    assert store_from(merged_options({}, {}, {"store": "d"})) == StoreSettings(Path("d"))
    address = read_log_address("nats://a,b/N")
    assert store_from(merged_options({}, {"LASTVALUE_STORE": "nats://a,b/N"}, {})) == LogSettings(
        address, advertise="127.0.0.1:5672"
    )
    options = ServerOptions(
        store=address,
        store_replicas=1,
        store_lease_ms=700,
        store_monitors=("http://a:8222",),
        store_unsynced=OnUnsynced.REFUSE,
        advertise="one:1",
    )
    monitors = ("http://a:8222",)
    expected = LogSettings(
        address, replicas=1, lease_ms=700, monitors=monitors, must_sync=True, advertise="one:1"
    )
    assert store_from(options) == expected


async def running_loop() -> asyncio.AbstractEventLoop:
    return asyncio.get_running_loop()


@pytest.mark.parametrize("chosen", EventLoop)
def test_the_thread_of_the_log_has_the_event_loop_of_the_server(chosen: EventLoop) -> None:
    if chosen is EventLoop.UVLOOP:
        pytest.importorskip("uvloop")
    settings = store_from(ServerOptions(store=read_log_address("nats://a/N"), event_loop=chosen))
    assert isinstance(settings, LogSettings)
    thread = settings.thread()
    assert thread.wait_for(running_loop()) is thread.loop
    other = event_loop_factory(chosen)()
    assert type(thread.loop) is type(other)
    other.close()
    thread.stop()
    assert thread.loop.is_closed()


def test_a_wrong_address_is_refused_where_it_is_named() -> None:
    with pytest.raises(InvalidSettingError, match=r"--store is .*: expected a directory, or nats:"):
        merged_options({}, {}, {"store": "nats://a"})
