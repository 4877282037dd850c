"""A feed as a process: `python -m lastvalue.pipeline.feed_process`.

It prints its progress as JSON lines on standard output. It ends at the end of the recording, at SIGTERM, or
when its standard input is closed. With `--later` the first line of standard input has the arguments, so that
Spark starts before it is known where to publish.
"""

import argparse
import json
import shlex
import signal
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from lastvalue.pipeline.sink.publish import DEFAULT_INTERVAL_MS
from lastvalue.pipeline.spark.session import SessionOptions, create_session

if TYPE_CHECKING:
    from lastvalue.pipeline.feed import Feed, FeedProgress


def run_feed_process(arguments: Sequence[str]) -> int:
    """Run the feed that the arguments or standard input tell; returns the exit code."""
    given = None if list(arguments) == ["--later"] else _parse_arguments(arguments)
    options = SessionOptions(
        "feed",
        shuffle_partitions=1,
        low_latency=True,
        mllib=False,
        # The demo lasts a minute, in which code that is compiled twice costs more than it saves.
        quick_start=given is None,
    )
    spark = create_session(options)
    from lastvalue.pipeline.feed import (  # noqa: PLC0415 - it needs Spark, whose lack create_session explains
        FeedFailedError,
        FeedProgress,
        FeedSpec,
        start_feed,
    )

    if given is None:
        line = sys.stdin.readline()
        if not line:
            spark.stop()
            return 0
        given = _parse_arguments(shlex.split(line))
    with tempfile.TemporaryDirectory(prefix="lastvalue-feed-") as directory:
        feed = start_feed(spark, FeedSpec(**vars(given)), Path(directory) / "checkpoint")
        signal.signal(signal.SIGTERM, lambda _number, _frame: feed.stop())
        threading.Thread(target=_stop_with_parent, args=(feed,), daemon=True).start()
        _print_progress(FeedProgress("started"))
        try:
            for progress in feed.progress():
                _print_progress(progress)
        except FeedFailedError as error:
            print(error, file=sys.stderr)
            return 1
        finally:
            spark.stop()
    return 0


def _stop_with_parent(feed: "Feed") -> None:
    sys.stdin.read()
    feed.stop()


def _print_progress(progress: "FeedProgress") -> None:
    print(json.dumps(asdict(progress)), flush=True)


def _parse_arguments(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m lastvalue.pipeline.feed_process", description="Run a feed."
    )
    for name in ("path", "key", "order-by", "time-column", "queue", "url"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--speed", type=float, default=1.0)
    parser.add_argument("--end-row", type=int)
    parser.add_argument("--interval-ms", type=int, default=DEFAULT_INTERVAL_MS)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(run_feed_process(sys.argv[1:]))
