"""Jobs of Celery that Celery retries, and one that dead letters do: `python celery_jobs.py URL`."""

import sys
import threading
from typing import Any

from celery import Celery
from celery.exceptions import Reject
from kombu import Exchange, Queue

SECONDS = 60
LADDER = {"x-dead-letter-exchange": "", "x-dead-letter-routing-key": "celery-delay"}
BACK = {"x-dead-letter-exchange": "", "x-dead-letter-routing-key": "celery-work", "x-message-ttl": 50}

app = Celery("jobs", broker=sys.argv[1], backend="rpc://")
app.conf.task_default_queue = "celery-work"
app.conf.task_queues = [
    Queue("celery-work", Exchange("celery-work"), "celery-work", queue_arguments=LADDER),
]
app.conf.task_acks_late = True
app.conf.broker_connection_retry_on_startup = False
app.conf.worker_redirect_stdouts = False
attempts: list[int] = []
deaths: list[int] = []
done = threading.Event()


@app.task(bind=True, max_retries=5)  # type: ignore[untyped-decorator]  # not installed where mypy runs
def steady(self: Any) -> str:
    attempts.append(self.request.retries)
    if len(attempts) < 3:
        raise self.retry(countdown=0)
    return "done"


@app.task(bind=True)  # type: ignore[untyped-decorator]  # not installed where mypy runs
def laddered(self: Any) -> None:
    table = (self.request.headers or {}).get("x-death", [])
    deaths.append(sum(death["count"] for death in table if death["queue"] == "celery-work"))
    if deaths[-1] < 2:
        raise Reject("later", requeue=False)
    done.set()


with app.connection() as connection:
    Queue("celery-delay", queue_arguments=BACK)(connection.channel()).declare()
options = ["worker", "--pool=solo", "--loglevel=error", "--without-mingle"]
threading.Thread(target=app.worker_main, args=(options,), daemon=True).start()
assert steady.delay().get(timeout=SECONDS) == "done"
laddered.delay()
assert done.wait(SECONDS), deaths
print(f"\n{attempts} {deaths}")
