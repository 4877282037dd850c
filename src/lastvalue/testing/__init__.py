"""Tests of feeds and readers: a broker in the test's process, and what a reader of it got."""

from lastvalue.testing.broker_thread import BrokerThread
from lastvalue.testing.recorded_reader import RecordedReader

__all__ = ["BrokerThread", "RecordedReader"]
