import pytest
from pamqp import commands, frame

from lastvalue.protocols.amqp091.channel import Channel
from lastvalue.protocols.amqp091.output import Output
from lastvalue.protocols.amqp091.publisher_confirms import PublisherConfirms


class Publisher:
    """The peer of a channel on which six messages are numbered."""

    def __init__(self) -> None:
        self.output = Output()
        self.channel = Channel(3, self.output)
        self.confirms = PublisherConfirms(self.channel)
        self.numbers = [self.confirms.number() for _ in range(6)]

    def confirmed(self) -> list[tuple[str, int | None, bool | None]]:
        """The confirms since the last call: the method, the number, whether it stands for those before it."""
        data = self.output.take()
        told: list[tuple[str, int | None, bool | None]] = []
        while data:
            size, channel, method = frame.unmarshal(data)
            data = data[size:]
            assert channel == 3
            assert isinstance(method, commands.Basic.Ack | commands.Basic.Nack)
            told.append((method.name, method.delivery_tag, method.multiple))
        return told


ACK, NACK = "Basic.Ack", "Basic.Nack"


def test_the_messages_of_a_channel_are_numbered_from_one() -> None:
    assert Publisher().numbers == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        pytest.param([(1, 1, True)], [(ACK, 1, False)], id="one"),
        pytest.param([(1, 3, True), (4, 6, False)], [(ACK, 3, True), (NACK, 6, True)], id="runs in order"),
        pytest.param([(2, 3, True)], [(ACK, 2, False), (ACK, 3, False)], id="number 1 is open"),
        pytest.param(
            [(4, 5, True), (2, 3, False), (1, 1, True), (6, 6, True)],
            [
                (ACK, 4, False), (ACK, 5, False), (NACK, 2, False), (NACK, 3, False), (ACK, 1, False),
                (ACK, 6, False),
            ],
            id="a run closes the gap before those ahead",
        ),
    ],
)  # fmt: skip
def test_one_frame_stands_for_a_run_only_where_nothing_before_it_is_open(
    runs: list[tuple[int, int, bool]], expected: list[tuple[str, int, bool]]
) -> None:
    publisher = Publisher()
    for first, last, taken in runs:
        publisher.confirms.confirm(first, last, taken)
    assert publisher.confirmed() == expected


def test_a_run_after_a_closed_gap_is_one_frame_again() -> None:
    publisher = Publisher()
    for first, last in ((2, 3), (1, 1)):
        publisher.confirms.confirm(first, last, True)
    publisher.confirmed()
    publisher.confirms.confirm(4, 6, True)
    assert publisher.confirmed() == [(ACK, 6, True)]


def test_nothing_is_confirmed_on_a_channel_that_is_closed() -> None:
    publisher = Publisher()
    publisher.channel.fail(404, "gone")
    publisher.output.take()
    publisher.confirms.confirm(1, 1, True)
    assert publisher.confirmed() == []
