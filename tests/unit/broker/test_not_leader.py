import pytest

from lastvalue.broker.broker import Broker
from lastvalue.broker.not_leader import NotLeaderError
from lastvalue.broker.receiver import NullReceiver
from lastvalue.broker.rights.owner import BROKER, NOBODY
from lastvalue.model.conditions import Condition
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import Mode, Terms


def following(leader: str) -> Broker:
    broker = Broker()
    broker.declare(QueueSpec("q"), BROKER)
    broker.declare(spec_from_arguments("shown", {"non_destructive": True}), BROKER)
    broker.authorization.leader = leader
    return broker


def test_what_changes_something_is_the_leaders() -> None:
    broker = following("one:5673")
    with pytest.raises(NotLeaderError, match="cannot declare a queue: ask one:5673, which leads") as caught:
        broker.declare(QueueSpec("other"), NOBODY)
    assert (caught.value.host, caught.value.port) == ("one", 5673)
    assert caught.value.condition is Condition.LINK_REDIRECT
    for command in (
        lambda: broker.purge("q"),
        lambda: broker.delete("q", 0),
        lambda: broker.queue_target("q"),
        lambda: broker.read(broker.lookup("q"), Mode.CONSUME, NullReceiver(), Terms(), NOBODY, 0),
        lambda: broker.take_next(broker.lookup("q"), NOBODY, 0),
    ):
        with pytest.raises(NotLeaderError):
            command()


def test_a_follower_shows_and_browses() -> None:
    broker = following("")
    assert broker.show("q").queue.spec.name == "q"
    broker.read(broker.lookup("q"), Mode.BROWSE, NullReceiver(), Terms(), NOBODY, 0)
    broker.read(broker.lookup("shown"), Mode.CONSUME, NullReceiver(), Terms(), NOBODY, 0)


def test_an_address_of_version_6_loses_its_brackets_and_an_unknown_one_is_said_so() -> None:
    assert NotLeaderError("purge", "[::1]:5672").host == "::1"
    unknown = NotLeaderError("purge", "")
    assert (unknown.host, unknown.port) == ("", 0)
    assert "not known yet" in str(unknown)
