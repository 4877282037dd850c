"""Transfers as peers write them [AMQP 1.0 §2.7.5]."""

import pytest
from amqp10_material import listed

from lastvalue.codec.amqp10.composites import decomposed
from lastvalue.codec.amqp10.errors import DecodeError, FieldError
from lastvalue.codec.amqp10.frames import FrameSplitter, encode_frame
from lastvalue.codec.amqp10.performatives import (
    Accepted,
    TransactionalState,
    Transfer,
    decode_performative,
    encode_performative,
)
from lastvalue.codec.amqp10.shortcuts.transfers import (
    ABSENT,
    MAX_TRANSFER_HEAD_SIZE,
    TransferHead,
    TransferWriter,
    find_alike,
    find_frames,
    parse_transfer,
)
from lastvalue.codec.amqp10.value_codec import encode_value
from lastvalue.codec.output_buffer import OutputBuffer

# As written by the load generator, by ourselves, by python-qpid-proton, by a client that writes every field.
COMPACT: list[tuple[str, Transfer]] = [
    (
        listed(0x14, "43", "5201", "a00400000001", "43", "41"),
        Transfer(handle=0, delivery_id=1, delivery_tag=b"\x00\x00\x00\x01", message_format=0, settled=True),
    ),
    (
        listed(0x14, "5203", "7000000100", "a00400000100", "43", "42"),
        Transfer(handle=3, delivery_id=256, delivery_tag=b"\0\0\1\0", message_format=0, settled=False),
    ),
    (
        listed(0x14, "43", "43", "a000", "43"),
        Transfer(handle=0, delivery_id=0, delivery_tag=b"", message_format=0),
    ),
    (
        listed(0x14, "5207", "43", "a0024142", "43", "41", "42", "40", "40", "42", "42", "42"),
        Transfer(handle=7, delivery_id=0, delivery_tag=b"AB", message_format=0, settled=True),
    ),
    (listed(0x14, "43", "40", "40", "40", "40", "41"), Transfer(handle=0, more=True)),
    (listed(0x14, "43", "40", "40", "40", "40", "42"), Transfer(handle=0)),
]

# Which the compact reader leaves to the general one.
OTHER: list[tuple[str, Transfer]] = [
    (listed(0x14, "43"), Transfer(handle=0)),
    (listed(0x14, "7000000001"), Transfer(handle=1)),
    ("00800000000000000014c0020143", Transfer(handle=0)),
    ("00a312616d71703a7472616e736665723a6c697374c0020143", Transfer(handle=0)),
    ("005314d00000000a00000006434040404041", Transfer(handle=0, more=True)),
    (listed(0x14, "43", "40", "b00000000178", "40"), Transfer(handle=0, delivery_tag=b"x")),
    (listed(0x14, "43", "40", "40", "5207"), Transfer(handle=0, message_format=7)),
    (listed(0x14, "43", "40", "40", "40", "5601"), Transfer(handle=0, settled=True)),
    (listed(0x14, "43", "40", "40", "40", "40", "5601"), Transfer(handle=0, more=True)),
    (listed(0x14, "43", "40", "40", "40", "40", "40", "5001"), Transfer(handle=0, rcv_settle_mode=1)),
    (
        listed(0x14, "43", "40", "40", "40", "40", "40", "40", "00532445"),
        Transfer(handle=0, state=Accepted()),
    ),
    (listed(0x14, "43", "40", "40", "40", "40", "40", "40", "40", "41"), Transfer(handle=0, resume=True)),
    (
        listed(0x14, "43", "40", "40", "40", "40", "40", "40", "40", "40", "41"),
        Transfer(handle=0, aborted=True),
    ),
    (
        listed(0x14, "43", "40", "40", "40", "40", "40", "40", "40", "40", "40", "41"),
        Transfer(handle=0, batchable=True),
    ),
]


def parse(data: bytes, into: TransferHead | None = None) -> TransferHead:
    head = into or TransferHead()
    assert parse_transfer(b"\xee" + data + b"payload", 1, len(data) + 8, head)
    return head


def fields(head: TransferHead) -> Transfer:
    return Transfer(
        handle=head.handle,
        delivery_id=None if head.delivery_id == ABSENT else head.delivery_id,
        delivery_tag=head.tag,
        message_format=None if head.message_format == ABSENT else head.message_format,
        settled=head.settled,
        more=head.more,
        rcv_settle_mode=None if head.rcv_settle_mode == ABSENT else head.rcv_settle_mode,
        state=head.state,
        resume=head.resume,
        aborted=head.aborted,
        batchable=head.batchable,
    )


def settled_or_not(transfer: Transfer) -> Transfer:
    """The transfer as a TransferHead tells it: settled is false where it was left out."""
    return Transfer(
        handle=transfer.handle,
        delivery_id=transfer.delivery_id,
        delivery_tag=transfer.delivery_tag,
        message_format=transfer.message_format,
        settled=transfer.settled is True,
        more=transfer.more,
        rcv_settle_mode=transfer.rcv_settle_mode,
        state=transfer.state,
        resume=transfer.resume,
        aborted=transfer.aborted,
        batchable=transfer.batchable,
    )


@pytest.mark.parametrize(("encoded", "transfer"), COMPACT + OTHER)
def test_a_transfer_is_read_and_its_payload_left(encoded: str, transfer: Transfer) -> None:
    data = bytes.fromhex(encoded)
    head = parse(data)
    assert fields(head) == settled_or_not(transfer)
    assert head.payload_start == 1 + len(data)


@pytest.mark.parametrize(("encoded", "transfer"), COMPACT + OTHER)
def test_the_general_decoder_reads_the_same(encoded: str, transfer: Transfer) -> None:
    data = bytes.fromhex(encoded)
    assert decode_performative(data, 0, len(data)) == (transfer, len(data))


def test_nothing_of_an_earlier_transfer_stays() -> None:
    everything = Transfer(
        handle=9,
        delivery_id=9,
        delivery_tag=b"9",
        message_format=9,
        settled=True,
        more=True,
        rcv_settle_mode=1,
        state=Accepted(),
        resume=True,
        aborted=True,
        batchable=True,
    )
    head = parse(encode_performative(everything))
    assert fields(head) == everything
    assert fields(parse(bytes.fromhex("005314c007064340404040" + "42"), head)) == Transfer(
        handle=0, settled=False
    )


@pytest.mark.parametrize("encoded", ["00531845", listed(0x15, "41", "43"), "0080000000000000001845"])
def test_another_performative_is_told_apart(encoded: str) -> None:
    data = bytes.fromhex(encoded)
    assert not parse_transfer(data, 0, len(data), TransferHead())


@pytest.mark.parametrize(
    "encoded",
    [
        "005314",
        "005314c0",
        "005314c0ff0443",
        listed(0x14, "43", "5201", "a0ff00000001", "43", "41"),
        "005314c01005435201a004000000014341",
        "005314c00e05435201a004000000014341",
        "005314c00f06435201a004000000014341",
        "005314c00f0c435201a004000000014341",
        "005314c10f05435201a004000000014341",
        "01531445",
    ],
)
def test_a_malformed_transfer_is_refused(encoded: str) -> None:
    data = bytes.fromhex(encoded)
    with pytest.raises(DecodeError):
        parse_transfer(data + b"\x41" * 9, 0, len(data), TransferHead())
    with pytest.raises(DecodeError):
        parse_transfer(data, 0, len(data), TransferHead())


@pytest.mark.parametrize("encoded", ["00531445", listed(0x14, "40"), listed(0x14, "43", "43", "43", "43")])
def test_a_transfer_with_a_faulty_field_names_it(encoded: str) -> None:
    data = bytes.fromhex(encoded)
    with pytest.raises(FieldError, match=r"transfer\."):
        parse_transfer(data, 0, len(data), TransferHead())


@pytest.mark.parametrize("handle", [0, 255, 256, 2**32 - 1])
@pytest.mark.parametrize("settled", [False, True])
@pytest.mark.parametrize("more", [False, True])
def test_what_a_writer_writes_is_a_whole_frame(handle: int, settled: bool, more: bool) -> None:
    frame = TransferWriter(3, handle).first(70000, 5, settled=settled, more=more) + b"hello"
    splitter = FrameSplitter(512)
    splitter.feed(frame)
    assert splitter.next()
    assert (splitter.end, splitter.channel) == (len(frame), 3)
    head = TransferHead()
    assert parse_transfer(splitter.data, splitter.body, splitter.end, head)
    assert fields(head) == Transfer(
        handle=handle,
        delivery_id=70000,
        delivery_tag=b"\x00\x01\x11\x70",
        message_format=0,
        settled=settled,
        more=more,
    )
    assert splitter.data[head.payload_start : splitter.end] == b"hello"
    assert head.payload_start <= MAX_TRANSFER_HEAD_SIZE


@pytest.mark.parametrize("handle", [0, 256])
@pytest.mark.parametrize("more", [False, True])
def test_a_writer_writes_the_rest_of_a_delivery(handle: int, more: bool) -> None:
    frame = TransferWriter(3, handle).rest(5, more=more) + b"hello"
    splitter = FrameSplitter(512)
    splitter.feed(frame)
    assert splitter.next()
    assert splitter.end == len(frame)
    head = TransferHead()
    assert parse_transfer(splitter.data, splitter.body, splitter.end, head)
    assert fields(head) == Transfer(handle=handle, settled=False, more=more)


@pytest.mark.parametrize("handle", [0, 256])
@pytest.mark.parametrize("more", [False, True])
@pytest.mark.parametrize("settled", [False, True])
def test_a_writer_writes_the_state_of_a_transaction(handle: int, more: bool, settled: bool) -> None:
    state = TransactionalState(b"t1")
    encoded = encode_value(decomposed(state))
    frame = TransferWriter(3, handle).first(70000, 5, settled=settled, more=more, state=encoded) + b"hello"
    splitter = FrameSplitter(512)
    splitter.feed(frame * 3)
    head = TransferHead()
    for _ in range(3):
        # The first is read by the general decoder, the others by what is known from it.
        assert splitter.next()
        assert parse_transfer(splitter.data, splitter.body, splitter.end, head)
        assert fields(head) == Transfer(
            handle=handle,
            delivery_id=70000,
            delivery_tag=b"\x00\x01\x11\x70",
            message_format=0,
            settled=settled,
            more=more,
            state=state,
        )
        assert splitter.data[head.payload_start : splitter.end] == b"hello"
        assert head.payload_start - splitter.body + 8 <= MAX_TRANSFER_HEAD_SIZE + 1 + len(encoded)


def test_what_follows_a_transfer_of_a_transaction_is_not_in_it() -> None:
    head = TransferHead()
    encoded = encode_value(decomposed(TransactionalState(b"t1")))
    for _ in range(2):
        assert head_of(TransferWriter(0, 0).first(1, 0, settled=True, more=False, state=encoded), head).state
        assert head_of(TransferWriter(0, 0).first(2, 0, settled=True, more=False), head).state is None


def test_a_tag_that_looks_like_a_state_is_none() -> None:
    head = TransferHead()
    looks = bytes.fromhex("005334c00501a0027831")
    state = TransactionalState(b"other")
    for _ in range(2):
        body = encode_performative(Transfer(handle=0, delivery_id=1, delivery_tag=looks, state=state))
        assert parse_transfer(body, 0, len(body), head)
        assert (head.state, head.tag) == (state, looks)


def head_of(frame: bytes, into: TransferHead) -> TransferHead:
    assert parse_transfer(frame, 8, len(frame), into)
    return into


def test_the_usual_head_has_29_bytes() -> None:
    assert len(TransferWriter(0, 0).first(1, 100, settled=True, more=False)) == 29


def test_the_longest_head_is_as_long_as_said() -> None:
    assert len(TransferWriter(0, 256).first(1, 100, settled=True, more=True)) == MAX_TRANSFER_HEAD_SIZE


@pytest.mark.parametrize("handle", [0, 7, 256])
@pytest.mark.parametrize("state", [b"", encode_value(decomposed(TransactionalState(b"txn")))])
def test_a_pattern_that_is_filled_in_is_the_head_that_a_writer_writes(handle: int, state: bytes) -> None:
    writer = TransferWriter(3, handle)
    pattern = writer.pattern(settled=True, state=state)
    delivery_id = b"\x00\x01\x02\x03"
    head = bytearray(pattern.octets)
    head[0:4] = (len(head) + 100).to_bytes(4, "big")
    head[pattern.delivery_id_at : pattern.delivery_id_at + 4] = delivery_id
    head[pattern.tag_at : pattern.tag_at + 4] = delivery_id
    assert head == writer.first(0x010203, 100, settled=True, more=False, state=state)


def test_frames_of_a_pattern_are_found_up_to_one_that_is_another() -> None:
    writer = TransferWriter(3, 7)
    pattern = writer.pattern(settled=True)
    usual = [writer.first(number, 5, settled=True, more=False) + b"hello" for number in range(3)]
    others = [
        writer.first(3, 5, settled=False, more=False) + b"hello",
        writer.first(3, 5, settled=True, more=True) + b"hello",
        TransferWriter(3, 8).first(3, 5, settled=True, more=False) + b"hello",
        TransferWriter(4, 7).first(3, 5, settled=True, more=False) + b"hello",
        usual[0][:-1],
        b"\0\0\0\x08\x02\0\0\0" + bytes(40),
        b"",
    ]
    size = len(usual[0])
    for other in others:
        found: list[int] = []
        assert find_frames(b"x" + b"".join(usual) + other, 1, pattern, 100, found) == 1 + 3 * size
        assert found == [1 + number * size - past for number in (1, 2, 3) for past in (5, 0)]
    assert find_frames(b"".join(usual), 0, pattern, 2, []) == 2 * size


def test_frames_alike_are_found_up_to_one_that_is_another() -> None:
    writer = TransferWriter(3, 7)
    usual = [writer.first(number, number, settled=True, more=False) + bytes(number) for number in range(4)]
    size = len(usual[0])
    others = [
        writer.first(4, 5, settled=False, more=False) + b"hello",
        writer.first(4, 5, settled=True, more=True) + b"hello",
        writer.first(5, 5, settled=True, more=False) + b"hello",
        writer.first(4, 200, settled=True, more=False) + bytes(200),
        TransferWriter(3, 8).first(4, 5, settled=True, more=False) + b"hello",
        TransferWriter(4, 7).first(4, 5, settled=True, more=False) + b"hello",
        writer.tagged(b"long tag", 4, 5, True, False, b"", False) + b"hello",
        writer.first(4, 5, settled=True, more=False) + b"hell",
        b"\xff" * 50,
        b"\0\0\0\x08\x02\0\0\0" + bytes(40),
        b"",
    ]
    for other in others:
        data = b"x" + b"".join(usual) + other
        head = TransferHead()
        assert parse_transfer(data, 9, 1 + size, head)
        assert find_alike(data, 1, head, 100, size + 100) == (3, 1 + 4 * size + 6)
        assert find_alike(data, 1, head, 2, size + 100) == (2, 1 + 3 * size + 3)
        assert find_alike(data, 1, head, 0, size + 100) == (0, 1 + size)


def test_frames_whose_delivery_ids_have_one_byte_are_read_one_by_one() -> None:
    bodies = [
        encode_performative(Transfer(handle=0, delivery_id=number, delivery_tag=b"t", message_format=0))
        for number in (1, 2)
    ]
    frames = [encode_frame(body, 0) for body in bodies]
    head = TransferHead()
    assert parse_transfer(b"".join(frames), 8, len(frames[0]), head)
    assert find_alike(b"".join(frames), 0, head, 100, 1000) == (0, len(frames[0]))


def test_delivery_ids_that_wrap_are_alike() -> None:
    writer = TransferWriter(0, 0)
    last = writer.first(0xFFFFFFFF, 1, settled=True, more=False) + b"x"
    data = last + writer.first(0, 1, settled=True, more=False) + b"x"
    head = TransferHead()
    assert parse_transfer(data, 8, len(last), head)
    assert find_alike(data, 0, head, 100, 1000) == (1, len(data))


@pytest.mark.parametrize("handle", [0, 255, 256])
@pytest.mark.parametrize("settled", [True, False])
@pytest.mark.parametrize("delivery_id", [0, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF])
def test_a_whole_message_is_written_as_its_head_and_it(handle: int, settled: bool, delivery_id: int) -> None:
    writer = TransferWriter(1, handle)
    output = OutputBuffer()
    writer.put_whole(output, delivery_id, b"payload", settled)
    size = output.size
    written = output.take()
    assert written == writer.first(delivery_id, 7, settled=settled, more=False) + b"payload"
    assert size == len(written)
