"""Retry ladders of programs that were written for RabbitMQ: pika, dramatiq and Celery."""

import subprocess
import sys
from pathlib import Path

import pika
import pytest
from installing import CACHE, INSTALLS, install_once
from served_broker import HOST, PASSWORD, USER, ServedBroker

pytestmark = [pytest.mark.interop, INSTALLS]

JOBS = Path(__file__).parent / "retries"
PACKAGES = ("dramatiq[rabbitmq]==2.2.1", "celery==5.7.0")
SECONDS = 180


def run(command: list[str | Path]) -> str:
    result = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert result.returncode == 0, f"{command} failed:\n{result.stdout}{result.stderr}"
    return result.stdout


def install(folder: Path) -> None:
    run([sys.executable, "-m", "venv", folder / "venv"])
    run([folder / "venv" / "bin" / "pip", "install", "-q", *PACKAGES])


@pytest.fixture(scope="module")
def python() -> Path:
    """A Python with dramatiq and Celery, which bring versions of other packages of their own."""
    name = "-".join(package.partition("[")[0].replace("==", "-") for package in PACKAGES)
    return install_once(CACHE / f"retries-{name}", install) / "venv" / "bin" / "python"


@pytest.fixture
def url(broker: ServedBroker) -> str:
    return f"amqp://{USER}:{PASSWORD}@{HOST}:{broker.port}/%2F"


def test_a_ladder_of_pika_counts_the_deaths(url: str) -> None:
    connection = pika.BlockingConnection(pika.URLParameters(url))
    channel = connection.channel()
    ladder = {"x-dead-letter-exchange": "dlx", "x-dead-letter-routing-key": "delay"}
    channel.queue_declare("ladder", arguments=ladder)
    back = {"x-dead-letter-exchange": "", "x-dead-letter-routing-key": "ladder", "x-message-ttl": 20}
    channel.queue_declare("ladder.delay", arguments=back)
    channel.exchange_declare("dlx", "direct")
    channel.queue_bind("ladder.delay", "dlx", "delay")
    channel.basic_publish("", "ladder", b"job", mandatory=True)
    counts = []
    for method, properties, _ in channel.consume("ladder", inactivity_timeout=SECONDS):
        deaths = (properties.headers or {}).get("x-death", [])
        counts.append([(each["queue"], each["reason"], each["count"]) for each in deaths])
        if len(counts) == 3:
            channel.basic_ack(method.delivery_tag)
            break
        channel.basic_reject(method.delivery_tag, requeue=False)
    assert counts == [
        [],
        [("ladder.delay", "expired", 1), ("ladder", "rejected", 1)],
        [("ladder.delay", "expired", 2), ("ladder", "rejected", 2)],
    ]
    channel.cancel()
    for name in ("ladder", "ladder.delay"):
        channel.queue_delete(name)
    connection.close()


def test_dramatiq_retries_its_jobs_and_keeps_those_that_fail(
    url: str, python: Path, broker: ServedBroker
) -> None:
    assert run([python, JOBS / "dramatiq_jobs.py", url]) == "3\n"
    connection = pika.BlockingConnection(pika.URLParameters(url))
    dead = connection.channel().queue_declare("hopeless.XQ", passive=True)
    assert dead.method.message_count == 1
    connection.close()


def test_celery_retries_its_jobs_and_reads_the_deaths(url: str, python: Path) -> None:
    assert run([python, JOBS / "celery_jobs.py", url]).splitlines()[-1] == "[0, 1, 2] [0, 1, 2]"
