"""A run goes past its messages as they are taken."""

from bare_queue import encoded
from mypy_extensions import i64

from lastvalue.broker.authorization import Target
from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import Owner
from lastvalue.codec.amqp10.message import EncodedMessage, read_message
from lastvalue.codec.amqp10.message_shape import MessageShape, ShapeLearner, message_shape
from lastvalue.delivery.producer_run import ProducerRun, RepeatedRun
from lastvalue.delivery.sender import Sender
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import AlikeMessages, Message, PropertyName


class Keyed(ProducerRun):
    """Messages of one shape, with these keys; those whose key is upper case go elsewhere."""

    def __init__(self, keys: str) -> None:
        super().__init__(5, Sender(Broker().authorization, Owner(container="container")), None)
        self._messages = [read_message(encoded("body", {"k": key}, None)) for key in keys]
        self._keys = keys
        self._shapes = ShapeLearner()
        self.taken = 0

    def read(self) -> EncodedMessage | None:
        message = self._messages[self.taken]
        self.shape = self._shapes.shape_of(message)
        return message

    def destination(self, message: Message) -> Target | None:
        return None

    def goes_along(self) -> bool:
        return self._keys[self.taken].islower()

    def gather(self, shape: MessageShape, encodings: list[bytes]) -> None:
        encodings += [each.encoded for each in self._messages[self.taken + 1 :] if shape.fits(each.encoded)]

    def take(self, message: Message, count: i64, durable: bool) -> None:
        self.taken += int(count)
        self.over = self.taken == len(self._messages)

    def refuse(self, error: LastvalueError) -> bool:
        raise error


def test_the_next_message_is_read_when_the_one_before_is_taken() -> None:
    run = Keyed("ab")
    first = run.read_next()
    assert (first is run.message, run.taken, run.received) == (True, 0, 0)
    assert first is not None
    assert first.origin == "container"
    assert run.next() is run.message
    assert (run.taken, run.over) == (1, False)
    assert run.next() is None
    assert (run.taken, run.received, run.over) == (2, 2, True)


def test_a_message_that_goes_elsewhere_ends_what_goes_along_and_stays() -> None:
    run = Keyed("aB")
    run.read_next()
    assert run.next() is None
    assert (run.taken, run.over, run.message is None) == (1, False, False)


def test_messages_that_are_alike_are_taken_together() -> None:
    run = Keyed("abc")
    first = run.read_next()
    assert first is not None
    alike = run.alike(first, PropertyName("k"), None)
    assert (len(alike.encodings), alike.key_place is not None) == (3, True)
    run.skip(2)
    assert run.taken == 2
    assert run.next() is None
    assert run.received == 3


def test_a_message_that_is_passed_by_is_received_and_not_taken() -> None:
    run = Keyed("ab")
    run.read_next()
    run.pass_by()
    assert (run.message, run.received, run.taken) == (None, 1, 0)


def test_messages_are_given_once_more_from_the_place_of_their_run() -> None:
    messages = [read_message(encoded("body", {"k": key}, None)) for key in "abc"]
    alike = AlikeMessages(messages[0], [each.encoded for each in messages])
    run = RepeatedRun(alike, None)
    assert run.alike(messages[0], None, None).encodings == alike.encodings
    run.skip(1)
    second = run.alike(messages[0], None, None)
    assert (second.encodings, second.example) == (alike.encodings[1:], messages[0])
    third = run.next()
    assert third is not None
    assert third.encoded == messages[2].encoded
    assert run.next() is None


def test_given_once_more_they_have_their_keys_where_their_shape_has_them() -> None:
    messages = [read_message(encoded("body", {"k": key, "n": number}, None)) for key, number in ("a1", "b2")]
    alike = AlikeMessages(messages[0], [each.encoded for each in messages])
    run = RepeatedRun(alike, message_shape(messages[0]))
    keyed = run.alike(messages[0], PropertyName("k"), None)
    assert (keyed.encodings, keyed.key_place is not None) == (alike.encodings, True)
    unkeyed = run.alike(messages[0], PropertyName("absent"), None)
    assert (unkeyed.encodings, unkeyed.key_place) == (alike.encodings[:1], None)
