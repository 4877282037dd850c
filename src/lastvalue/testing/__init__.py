"""Tests of feeds and readers: a broker in the test's process, and what a reader of it got.

Nothing here imports the broker before it is used: every run of pytest imports this package for its plug-in.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lastvalue.testing.broker_thread import BrokerThread as BrokerThread
    from lastvalue.testing.recorded_reader import RecordedReader as RecordedReader

_MODULES = {"BrokerThread": "broker_thread", "RecordedReader": "recorded_reader"}

__all__ = ["BrokerThread", "RecordedReader"]


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
