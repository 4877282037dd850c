"""Dispositions as peers write them [AMQP 1.0 §2.7.6]."""

import pytest
from amqp10_material import listed

from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.performatives import (
    Accepted,
    AmqpError,
    DeliveryState,
    Disposition,
    Modified,
    Rejected,
    Released,
    decode_performative,
)
from lastvalue.codec.amqp10.shortcuts.dispositions import (
    DispositionHead,
    encode_disposition,
    parse_disposition,
)

ACCEPTED = "00532445"

# role, first, last, settled, accepted
CASES: list[tuple[str, tuple[bool, int, int, bool, bool], DeliveryState | None]] = [
    (listed(0x15, "41", "43", "40", "41", ACCEPTED), (True, 0, 0, True, True), None),
    (listed(0x15, "41", "5201", "5202", "41", ACCEPTED), (True, 1, 2, True, True), None),
    (listed(0x15, "41", "7000000100", "7000000200", "42", ACCEPTED), (True, 256, 512, False, True), None),
    (listed(0x15, "42", "43", "43", "41", ACCEPTED, "41"), (False, 0, 0, True, True), None),
    (listed(0x15, "41", "43", "40", "41"), (True, 0, 0, True, False), None),
    (listed(0x15, "41", "43", "40", "41", "40"), (True, 0, 0, True, False), None),
    (listed(0x15, "41", "43", "40", "41", "40", "40"), (True, 0, 0, True, False), None),
    (listed(0x15, "41", "43"), (True, 0, 0, False, False), None),
    (listed(0x15, "41", "43", "40", "41", "00532645"), (True, 0, 0, True, False), Released()),
    (listed(0x15, "41", "43", "40", "41", "005324c00100"), (True, 0, 0, True, True), None),
    (
        listed(0x15, "41", "43", "40", "41", listed(0x27, "41")),
        (True, 0, 0, True, False),
        Modified(delivery_failed=True),
    ),
    (listed(0x15, "5601", "43", "40", "5601", ACCEPTED), (True, 0, 0, True, True), None),
    ("005315d00000000c000000054143404100532445", (True, 0, 0, True, True), None),
    ("00800000000000000015c009054143404100532445", (True, 0, 0, True, True), None),
]


@pytest.mark.parametrize(("encoded", "expected", "state"), CASES)
def test_a_disposition_is_read(
    encoded: str, expected: tuple[bool, int, int, bool, bool], state: DeliveryState | None
) -> None:
    data = bytes.fromhex(encoded)
    head = DispositionHead()
    assert parse_disposition(b"\xee" + data, 1, len(data) + 1, head)
    assert (head.role, head.first, head.last, head.settled, head.accepted, head.state) == (*expected, state)


@pytest.mark.parametrize("encoded", ["00531845", "005314c0020143"])
def test_another_performative_is_told_apart(encoded: str) -> None:
    data = bytes.fromhex(encoded)
    assert not parse_disposition(data, 0, len(data), DispositionHead())


@pytest.mark.parametrize(
    "encoded",
    [
        "005315",
        "005315c009",
        "00531545",
        listed(0x15, "43", "41"),
        "005315c008054143404100532445",
        "005315c00a054143404100532445",
        listed(0x15, "41", "43", "40", "41", ACCEPTED, "41", "41"),
        listed(0x15, "41", "43", "41", "41"),
        listed(0x15, "41", "43", "40", "43"),
        listed(0x15, "41", "43", "40", "41", ACCEPTED, "43"),
    ],
)
def test_a_malformed_disposition_is_refused(encoded: str) -> None:
    data = bytes.fromhex(encoded)
    with pytest.raises(DecodeError):
        parse_disposition(data, 0, len(data), DispositionHead())


@pytest.mark.parametrize("role", [False, True])
@pytest.mark.parametrize("settled", [False, True])
@pytest.mark.parametrize(
    "state", [None, Accepted(), Released(), Modified(undeliverable_here=True), Rejected(AmqpError("a:b"))]
)
def test_what_is_written_is_a_whole_frame(role: bool, settled: bool, state: DeliveryState | None) -> None:
    frame = encode_disposition(5, 70000, 70001, state, role=role, settled=settled)
    assert frame[:8] == len(frame).to_bytes(4, "big") + b"\x02\x00\x00\x05"
    assert decode_performative(frame, 8, len(frame)) == (
        Disposition(role=role, first=70000, last=70001, settled=settled, state=state),
        len(frame),
    )
