"""`lastvalue demo`: real data through Spark into a last-value queue, watched by a subscriber and checked."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from lastvalue.cli.options import duration_option

if TYPE_CHECKING:
    from lastvalue.pipeline.feeds.recording import Recording


class FeedName(StrEnum):
    """What the demo can replay."""

    AIRCRAFT = "aircraft"
    TICKS = "ticks"


def demo(  # noqa: PLR0913 - each is an option of the command
    *,
    feed: Annotated[
        FeedName, typer.Option("--feed", help="Real aircraft positions, or generated market ticks.")
    ] = FeedName.AIRCRAFT,
    speed: Annotated[
        float | None,
        typer.Option(
            "--speed", min=0.01, help="How much faster than recorded; 180 for aircraft, 1 for ticks."
        ),
    ] = None,
    duration: Annotated[
        float,
        duration_option(
            "How long it replays after Spark has started: 30s, 5m; a number is in seconds.",
            "--duration",
            least_ms=1000,
        ),
    ] = 60.0,
    port: Annotated[
        int,
        typer.Option(
            "--port", min=0, max=65535, help="The broker's port; if it is taken, the next free one."
        ),
    ] = 5672,
    opens: Annotated[
        bool, typer.Option("--open", help="Open the console in a browser, where the values move.")
    ] = False,
    mqtt: Annotated[
        bool, typer.Option("--mqtt", help="The subscriber reads by MQTT: each key is a topic.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The seed of the generated ticks.")] = 1,
) -> int:
    """Replay real data through Spark into a last-value queue, watch it, and check what arrives.

    Starts a broker, a Spark feed that conflates and publishes, and a subscriber over AMQP 1.0, or MQTT.
    The address of the console, where a browser shows the values on a map, is printed.
    Ends by itself with a summary. Exit code 0: for every key the subscriber's last message was the newest.
    """
    # Imported here: other commands must not need Spark, and a missing package has an error of ours.
    from lastvalue.pipeline.java import find_java
    from lastvalue.pipeline.spark.session import check_requirements

    check_requirements()
    find_java()
    from lastvalue.cli.demo_run import DemoPlan, run_demo
    from lastvalue.pipeline.feeds.recording import due_rows

    recording = _recording(feed, seed)
    print(f"data     {recording.origin}")
    chosen = speed or recording.speed
    end_row = due_rows(recording, duration * chosen)
    return run_demo(DemoPlan(recording, chosen, duration, end_row, port, opens, mqtt))


def _recording(feed: FeedName, seed: int) -> "Recording":
    from lastvalue.pipeline.feeds.aircraft import (
        AircraftUnavailableError,
        aircraft_recording,
    )
    from lastvalue.pipeline.feeds.ticks import TickSpec, ticks_recording

    if feed is FeedName.AIRCRAFT:
        try:
            return aircraft_recording()
        except AircraftUnavailableError as error:
            print(f"{error}\nreplaying generated market ticks instead")
    return ticks_recording(TickSpec(seed=seed))
