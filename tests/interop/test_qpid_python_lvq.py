"""The last-value chapter's programs and the older page's transcripts, on qpid-python over AMQP 0-10."""

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from installing import INSTALLS
from qpid_python import INSTALLED, python27
from served_broker import HOST, ServedBroker

PYTHON = python27()
SECONDS = 60

pytestmark = [
    pytest.mark.interop,
    pytest.mark.usefixtures("qpid_python"),
    INSTALLS,
]

# As they are printed; mended are the property, the `open`, and where the broker is.
ADDRESS = (
    "prices;{create:always, node:{type:queue,x-declare:{arguments:{'qpid.last_value_queue_key':ticker}}}}"
)
SENDER = f"""
from qpid.messaging import Connection, Message

def send(sender, key, message):
  message.properties["ticker"] = key
  sender.send(message)

conn = Connection("localhost")
conn.open()
sess = conn.session()
tx = sess.sender("{ADDRESS}")

msg = Message("Content")
send(tx, "key1", msg);
send(tx, "key2", msg);
send(tx, "key3", msg);
send(tx, "key4", msg);
send(tx, "key2", msg);
send(tx, "key1", msg);

conn.close()
"""
RECEIVER = """
from qpid.messaging import Connection, Message

conn = Connection("localhost")
conn.open()
sess = conn.session()
rx = sess.receiver("prices;{mode:browse}")

while True:
  msg = rx.fetch()
  print msg
"""
# What the C++ test program of the older page does: told a queue and steps, it begins each with a line.
LVQTEST = """
import sys
from qpid.messaging import Connection, Empty, Message

conn = Connection("localhost")
conn.open()
sess = conn.session()

def create(argument):
  sess.sender("%s;{create:always, node:{x-declare:{arguments:{'%s':1}}}}" % (queue, argument)).close()

def write(mark):
  tx = sess.sender(queue)
  for key in ("key1", "key2", "key3", "key1", "last"):
    content = key if key == "last" else key + "." + mark
    print "Sending Data: %s=%s" % (key, content)
    tx.send(Message(content, properties={"qpid.LVQ_key": key}))
  tx.close()

def read(options):
  rx = sess.receiver(queue + options)
  try:
    while True:
      print "Receiving Data:" + rx.fetch(timeout=0).content
  except Empty:
    sess.acknowledge()
    rx.close()

queue = sys.argv[1]
for number, step in enumerate(sys.argv[2:]):
  print "mode", step
  if step.startswith("create"):
    create("qpid.last_value_queue" + step[len("create_lvq"):])
  elif step == "write":
    write("0x%x" % number)
  else:
    read(";{mode:browse}" if step == "browse" else "")
conn.close()
"""


@pytest.fixture(scope="module")
def broker() -> Iterator[ServedBroker]:
    with ServedBroker() as broker:
        yield broker


@contextmanager
def started(program: str, broker: ServedBroker, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A program that runs on Python 2.7."""
    text = program.replace('"localhost"', f'"{HOST}:{broker.port}"')
    command = [str(PYTHON), "-u", "-c", text, *arguments]
    environment = {**os.environ, "PYTHONPATH": str(INSTALLED)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def printed(program: str, broker: ServedBroker, *arguments: str) -> list[str]:
    """What a program prints that ends."""
    with started(program, broker, *arguments) as process:
        told, _ = process.communicate(timeout=SECONDS)
        assert process.returncode == 0
    return told.splitlines()


def next_tickers(process: subprocess.Popen[str], count: int) -> list[str]:
    """The keys of the next messages that the receiver prints."""
    assert process.stdout is not None
    found = []
    for _ in range(count):
        told = re.search(r"'ticker': u?'(\w+)'.*content='Content'", process.stdout.readline())
        assert told is not None
        found.append(told[1])
    return found


def transcript(broker: ServedBroker, *steps: str) -> list[list[str]]:
    """What each step of the test program says, without the words before what it is about."""
    told: list[list[str]] = []
    for line in printed(LVQTEST, broker, steps[0].removeprefix("create_"), *steps):
        if line.startswith("mode "):
            told.append([])
        else:
            told[-1].append(re.sub(r"^(Sending Data: \w+=|Receiving Data:)", "", line))
    return told


def marked(number: int) -> list[str]:
    """What is there of the run of `write` that is the step of this number."""
    return [*(f"key{key}.{number:#x}" for key in (1, 2, 3)), "last"]


def test_the_sender_and_the_browsing_receiver_of_the_chapter(broker: ServedBroker) -> None:
    """S-002."""
    assert printed(SENDER, broker) == []
    with started(RECEIVER, broker) as receiver:
        assert next_tickers(receiver, 4) == ["key3", "key4", "key2", "key1"]
        assert printed(SENDER, broker) == []
        assert "key1" in next_tickers(receiver, 2)


def test_the_transcript_of_lvq(broker: ServedBroker) -> None:
    """S-020."""
    steps = ("create_lvq", "write", "browse", "write", "browse", "consume", "consume")
    _, _, *told = transcript(broker, *steps)
    assert told[0] == marked(1)
    assert told[2] == marked(3)
    assert told[3:] == [marked(1) + marked(3), []]


def test_the_transcript_of_lvq_no_browse(broker: ServedBroker) -> None:
    """S-021."""
    steps = ("create_lvq_no_browse", "write", "write", "browse", "browse", "write", "consume", "consume")
    told = transcript(broker, *steps)
    assert told[3:5] == [marked(2)] * 2
    assert told[6:] == [marked(5), []]
