"""A job of dramatiq that fails twice, and one that always fails: `python dramatiq_jobs.py URL`."""

import sys
import threading

import dramatiq
from dramatiq.brokers.rabbitmq import RabbitmqBroker

SECONDS = 60

broker = RabbitmqBroker(url=sys.argv[1], confirm_delivery=True)
dramatiq.set_broker(broker)
attempts: list[str] = []
done = threading.Event()


@dramatiq.actor(queue_name="steady", max_retries=5, min_backoff=50, max_backoff=100)  # type: ignore[untyped-decorator]  # not installed where mypy runs
def steady(name: str) -> None:
    attempts.append(name)
    if len(attempts) < 3:
        raise RuntimeError("not yet")
    done.set()


@dramatiq.actor(queue_name="hopeless", max_retries=0, throws=(RuntimeError,))  # type: ignore[untyped-decorator]  # not installed where mypy runs
def hopeless() -> None:
    raise RuntimeError("never")


worker = dramatiq.Worker(broker, worker_timeout=100, worker_threads=2)
worker.start()
steady.send("a")
hopeless.send()
assert done.wait(SECONDS), attempts
broker.join("hopeless")
worker.stop()
print(len(attempts))
