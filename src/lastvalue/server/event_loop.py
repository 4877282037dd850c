"""The event loop of a server with a process of its own; an embedded one runs on that of its program."""

import asyncio
from collections.abc import Callable
from importlib.util import find_spec

from lastvalue.config.server_options import EventLoop


def chosen_event_loop(wanted: EventLoop) -> EventLoop:
    """The event loop that a setting means on this machine."""
    if wanted is not EventLoop.AUTO:
        return wanted
    return EventLoop.ASYNCIO if find_spec("uvloop") is None else EventLoop.UVLOOP


def event_loop_factory(wanted: EventLoop) -> Callable[[], asyncio.AbstractEventLoop]:
    """What makes the loop."""
    if chosen_event_loop(wanted) is EventLoop.ASYNCIO:
        return asyncio.new_event_loop
    import uvloop  # noqa: PLC0415 - only its users need the library

    return uvloop.new_event_loop
