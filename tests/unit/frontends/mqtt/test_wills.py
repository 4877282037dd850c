"""lastvalue.frontends.mqtt.wills."""

import pytest

from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_names import subscription_queue
from lastvalue.broker.rights.owner import BROKER, Owner
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.shortcuts.plain_message import encode_plain_message
from lastvalue.codec.mqtt.packet_encoder import encode_packet
from lastvalue.codec.mqtt.packets import Connect, Will
from lastvalue.codec.mqtt.properties import Properties, PropertyId
from lastvalue.frontends.mqtt.wills import Wills
from lastvalue.model.errors import InvalidSpecError, ResourceLimitError
from lastvalue.queues.spec import LastValue, Limit, QueueSpec, WhenFull

QUEUE = subscription_queue("ann", "", "mqtt-wills")
ANN = Owner(1, 0, 0, "mqtt:c", "ann")
NOW = 1_000_000
WILL = Will("w", b"gone")
FORGED = encode_packet(Connect(5, "a", will=WILL), 5)


class Wake:
    """A broker, and what was published of its wills."""

    def __init__(self, spec: QueueSpec | None = None) -> None:
        self.broker = Broker()
        self.wills = Wills(self.broker)
        self.broker.observers.append(self.wills)
        self.published: list[tuple[str, str, bytes, int]] = []
        self.wills.publish = lambda user, client_id, will, now: self.published.append(
            (user, client_id, will.payload, int(now))
        )
        if spec is not None:
            self.broker.declare(spec, BROKER)

    def restarted(self) -> "Wake":
        """Another broker, with what the queue of this one holds."""
        hosted = self.broker.lookup(QUEUE)
        another = Wake(hosted.queue.spec)
        for entry in hosted.queue.entries():
            another.put(entry.encoded)
        return another

    def put(self, encoded: bytes) -> None:
        self.broker.lookup(QUEUE).take(read_message(encoded), NOW)

    def kept(self) -> int:
        return int(self.broker.lookup(QUEUE).queue.depth)


def delayed(seconds: int, payload: bytes = b"gone") -> Will:
    return Will("w", payload, 1, properties=Properties({PropertyId.WILL_DELAY_S: seconds}))


def test_a_will_is_kept_from_connect_on_and_published_after_its_delay() -> None:
    wake = Wake()
    wake.wills.keep(ANN, "c", delayed(5), 100, NOW)
    assert (wake.kept(), len(wake.wills)) == (1, 0)
    wake.wills.lose(ANN, "c", delayed(5), 100, NOW)
    wake.broker.advance(NOW + 4_999)
    assert (wake.published, len(wake.wills)) == ([], 1)
    wake.broker.advance(NOW + 5_000)
    assert wake.published == [("ann", "c", b"gone", NOW + 5_000)]
    assert (wake.kept(), len(wake.wills)) == (0, 0)


def test_the_end_of_a_will_publishes_it_or_forgets_it() -> None:
    wake = Wake()
    for publishes in (True, False):
        wake.wills.keep(ANN, "c", delayed(5), 100, NOW)
        wake.wills.lose(ANN, "c", delayed(5), 100, NOW)
        wake.wills.end("ann", "c", publishes, NOW + 50)
        wake.wills.end("ann", "c", publishes, NOW + 60)
    wake.broker.advance(NOW + 200_000)
    assert wake.published == [("ann", "c", b"gone", NOW + 50)]
    assert wake.kept() == 0


def test_the_delay_of_a_client_that_was_connected_begins_with_the_restart() -> None:
    wake = Wake()
    wake.wills.keep(ANN, "c", delayed(5, b"first"), 100, NOW)
    wake.wills.keep(ANN, "soon", delayed(500, b"second"), 1, NOW)
    again = wake.restarted()
    again.broker.advance(NOW + 10_000)
    assert again.published == []
    again.broker.advance(NOW + 11_000)
    again.broker.advance(NOW + 15_000)
    assert again.published == [
        ("ann", "soon", b"second", NOW + 11_000),
        ("ann", "c", b"first", NOW + 15_000),
    ]


def test_a_delay_that_has_begun_goes_on_over_restarts() -> None:
    wake = Wake()
    wake.wills.keep(ANN, "c", delayed(5), 100, NOW)
    wake.wills.lose(ANN, "c", delayed(5), 100, NOW)
    again = wake.restarted()
    again.broker.advance(NOW + 1_000)
    once_more = again.restarted()
    once_more.broker.advance(NOW + 4_999)
    assert once_more.published == []
    once_more.broker.advance(NOW + 5_000)
    assert once_more.published == [("ann", "c", b"gone", NOW + 5_000)]
    assert once_more.kept() == 0


@pytest.mark.parametrize("clean_start", [True, False])
def test_a_client_that_is_back_first_ends_its_will_as_without_the_restart(clean_start: bool) -> None:
    wake = Wake()
    wake.wills.keep(ANN, "c", delayed(5), 100, NOW)
    again = wake.restarted()
    again.wills.end("ann", "c", clean_start, NOW + 1)
    again.wills.keep(ANN, "c", delayed(5, b"new"), 100, NOW + 1)
    again.broker.advance(NOW + 200_000)
    assert again.published == ([("ann", "c", b"gone", NOW + 1)] if clean_start else [])
    assert again.kept() == 1


def test_a_broker_that_follows_waits_until_it_leads() -> None:
    wake = Wake()
    wake.wills.keep(ANN, "c", Will("w", b"gone"), 100, NOW)
    follower = wake.restarted()
    follower.broker.authorization.leader = "another:5672"
    follower.broker.advance(NOW)
    assert (follower.published, follower.kept()) == ([], 1)
    follower.broker.authorization.leader = None
    follower.broker.advance(NOW + 1_000)
    follower.broker.advance(NOW + 1_000)
    assert follower.published == [("ann", "c", b"gone", NOW + 1_000)]


def test_what_a_user_puts_there_itself_and_is_no_will_is_passed_over() -> None:
    wake = Wake()
    wake.wills.keep(ANN, "c", Will("w", b"gone"), 100, NOW)
    again = wake.restarted()
    again.put(encode_plain_message(True, {"client": "d"}, b"no packet"))
    again.put(encode_plain_message(True, {"client": "e"}, b"\x10\xff\xff\xff\xff\xff"))
    again.put(encode_plain_message(True, {"client": "f"}, b"\xc0\x00"))
    again.put(encode_plain_message(True, {"client": ""}, encode_packet(Connect(5, "", will=WILL), 5)))
    again.put(encode_plain_message(True, {"client": 7}, encode_packet(Connect(5, "7", will=WILL), 5)))
    again.put(encode_plain_message(True, {"client": "g"}, encode_packet(Connect(5, "g"), 5)))
    again.broker.advance(NOW)
    again.broker.advance(NOW)
    assert [body for _, _, body, _ in again.published] == [b"gone"]
    assert again.kept() == 0
    assert again.broker.lookup(QUEUE).counts.passed_over == 6


@pytest.mark.parametrize("at_ms", [2**63, 2**64 - 1, "soon", -1])
def test_no_time_that_a_user_puts_there_keeps_the_others_from_being_published(at_ms: object) -> None:
    wake = Wake()
    wake.wills.keep(ANN, "z", WILL, 100, NOW)
    again = wake.restarted()
    properties = {"client": "a", "at-ms": at_ms}
    again.put(encode_content(MessageContent(body=FORGED, application_properties=properties)))
    again.broker.advance(NOW)
    again.broker.advance(NOW)
    assert {client for _, client, _, _ in again.published} == {"a", "z"}


def test_a_queue_that_is_another_or_full_takes_no_will() -> None:
    wake = Wake(QueueSpec(QUEUE))
    with pytest.raises(InvalidSpecError, match="last-value queue with key 'client'"):
        wake.wills.keep(ANN, "c", Will("w", b"gone"), 100, NOW)
    wake.wills.end("ann", "c", True, NOW)
    wake = Wake(QueueSpec(QUEUE, LastValue("client"), limit=Limit(1, when_full=WhenFull.REFUSE)))
    wake.wills.keep(ANN, "c", Will("w", b"gone"), 100, NOW)
    with pytest.raises(ResourceLimitError, match="is full"):
        wake.wills.keep(ANN, "d", Will("w", b"gone"), 100, NOW)


def test_without_room_a_will_is_not_kept_and_does_not_wait() -> None:
    wake = Wake()
    wake.broker.alarms.set_memory(True)
    wake.wills.keep(ANN, "c", delayed(5), 100, NOW)
    assert not wake.broker.has_queue(QUEUE)
    wake.wills.lose(ANN, "c", delayed(5), 100, NOW)
    assert wake.published == [("ann", "c", b"gone", NOW)]


def test_a_will_whose_queue_its_user_has_deleted_is_published_at_once() -> None:
    wake = Wake()
    wake.wills.keep(ANN, "c", delayed(5), 100, NOW)
    wake.broker.delete(QUEUE, NOW, BROKER)
    wake.broker.pump(NOW)
    wake.wills.lose(ANN, "c", delayed(5), 100, NOW)
    assert wake.published == [("ann", "c", b"gone", NOW)]
