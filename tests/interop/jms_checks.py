"""What JMS promises, as a Java program of checks that runs over every client."""

import re
import subprocess
from pathlib import Path
from typing import Any

from java_project import outcomes
from served_broker import ServedBroker

from lastvalue.client import blocking

CHECKS_PROJECT = Path(__file__).parent / "jms"
_SOURCE = CHECKS_PROJECT / "src" / "main" / "java" / "lastvalue" / "Checks.java"
CHECKS = re.findall(r"void check(\w+)\(", _SOURCE.read_text())
DECLARED: dict[str, dict[str, Any]] = {
    "Priorities": {"priorities": 10},
    "FullQueueFailsTheCommit": {"max_messages": 2},
    "FullQueueRejects": {"max_messages": 2},
    "MessageGroups": {"group_mode": "default"},
    "LastValueQueue": {"lvq_key": "key"},
}
TOPICS = {
    "TopicReachesEverySubscriber",
    "TopicNoLocal",
    "DurableSubscription",
    "SharedSubscription",
    "SharedDurableSubscription",
}


def checked(java: list[str], broker: ServedBroker, factory: str, url: str, unbuffered: str) -> dict[str, str]:
    """What the program says of each check, at a broker with the queues and topics of the checks.

    Args:
        java: the command that runs a class of the project.
        broker: that the checks use.
        factory: the class of the client's connection factory.
        url: of the broker, as the client takes it.
        unbuffered: the same, and the client prefetches nothing.
    """
    with blocking.connect(broker.url) as connection:
        for name in CHECKS:
            if name in TOPICS:
                connection.declare_exchange(name, type="topic")
            else:
                connection.declare(name, **DECLARED.get(name, {}))
    command = [java[0], f"-Dfactory={factory}", *java[1:], "lastvalue.Checks", url, unbuffered]
    run = subprocess.run(command, capture_output=True, text=True, timeout=480, check=False)
    found = outcomes(run.stdout)
    assert found, run.stderr
    return found
