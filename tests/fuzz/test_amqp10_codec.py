"""What is right in AMQP 1.0 survives being written and read, in whichever encoding it comes."""

from amqp10_material import exactly, mutated, plain_values, values, written
from amqp10_peers import (
    KEY,
    as_peers_write,
    contents,
    dispositions,
    families,
    payloads,
    payloads_as_peers_write,
    performatives,
    plain_dispositions,
    plain_transfers,
    property_test,
    with_key,
)
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.performatives import (
    Accepted,
    Disposition,
    Performative,
    Released,
    Transfer,
    decode_performative,
    encode_performative,
)
from lastvalue.codec.amqp10.shortcuts.dispositions import (
    DispositionHead,
    encode_disposition,
    parse_disposition,
)
from lastvalue.codec.amqp10.shortcuts.stamps import stamped
from lastvalue.codec.amqp10.shortcuts.transfers import TransferHead, parse_transfer
from lastvalue.codec.amqp10.value_codec import decode_value, encode_value, skip_value
from lastvalue.codec.amqp10.values import (
    Value,
)

# ---- What is right survives


@property_test
@given(values)
def test_a_value_survives_being_written_and_read(value: Value) -> None:
    data = encode_value(value)
    read, pos = decode_value(data, 0, len(data))
    assert exactly(read) == exactly(value)
    assert pos == skip_value(data, 0, len(data)) == len(data)


@property_test
@given(st.data(), plain_values)
def test_every_way_to_write_a_value_is_read_and_the_smallest_is_ours(
    data: st.DataObject, value: Value
) -> None:
    foreign = data.draw(written(value))
    read, pos = decode_value(foreign, 0, len(foreign))
    assert exactly(read) == exactly(value)
    assert pos == skip_value(foreign, 0, len(foreign)) == len(foreign)
    ours = encode_value(read)
    assert len(ours) <= len(foreign)
    assert ours == encode_value(value)


@property_test
@given(performatives, st.binary(max_size=8))
def test_a_performative_survives_being_written_and_read(performative: Performative, payload: bytes) -> None:
    data = encode_performative(performative)
    read, pos = decode_performative(data + payload, 0, len(data) + len(payload))
    assert (read, pos) == (performative, len(data))
    # 0 and False are equal; their texts are not.
    assert repr(read) == repr(performative)


@property_test
@given(contents)
def test_a_message_survives_being_written_and_read(content: MessageContent) -> None:
    read = decode_content(encode_content(content))
    assert read == content
    assert repr(read) == repr(content)


@property_test
@given(payloads_as_peers_write())
def test_a_key_is_found_however_it_is_written(written_message: tuple[bytes, dict[str, Value]]) -> None:
    payload, properties = written_message
    foreign = read_message(payload)
    ours = read_message(encode_content(MessageContent(application_properties=properties, body=None)))
    assert foreign.key(KEY) == ours.key(KEY)
    assert repr(foreign.order(KEY)) == repr(ours.order(KEY))
    assert (foreign.key(KEY) is None) == (properties.get("key") is None)


@property_test
@given(families, families)
def test_two_values_are_one_key_exactly_when_they_are_equal_and_of_one_kind(
    one: tuple[str, Value], other: tuple[str, Value]
) -> None:
    alike = one[0] == other[0] and one[1] == other[1]
    assert (read_message(with_key(one[1])).key(KEY) == read_message(with_key(other[1])).key(KEY)) == alike


@property_test
@given(payloads, st.integers(0, 2**63 - 1), st.integers(0, 2**63 - 1), st.integers(1, 2**40))
def test_a_stamp_changes_nothing_but_the_delivery_annotations(
    payload: bytes, sequence: int, enqueued_ms: int, updates: int
) -> None:
    before = decode_content(payload)
    after = decode_content(stamped(payload, sequence, enqueued_ms, updates))
    assert list(after.delivery_annotations.values()) == [sequence, enqueued_ms, updates]
    for name in MessageContent.__dataclass_fields__:
        if name != "delivery_annotations":
            assert getattr(after, name) == getattr(before, name)


# ---- The compact readers and the general decoder agree

HEAD = (
    *("handle", "delivery_id", "tag", "message_format", "settled", "more", "payload_start"),
    *("rcv_settle_mode", "state", "resume", "aborted", "batchable"),
)


def head_of(data: bytes) -> list[object] | str:
    head = TransferHead()
    head.take(Transfer(handle=99, delivery_id=99, state=Released(), aborted=True), 99)
    try:
        if not parse_transfer(data, 0, len(data), head):
            return "another"
    except DecodeError:
        return "refused"
    return [getattr(head, name) for name in HEAD]


def decoded_head_of(data: bytes) -> list[object] | str:
    head = TransferHead()
    try:
        performative, pos = decode_performative(data, 0, len(data))
    except DecodeError:
        return "refused"
    if not isinstance(performative, Transfer):
        return "another"
    head.take(performative, pos)
    return [getattr(head, name) for name in HEAD]


@property_test
@given(as_peers_write(plain_transfers))
def test_both_ways_to_read_a_transfer_agree(data: bytes) -> None:
    assert head_of(data) == decoded_head_of(data) != "refused"


@property_test
@given(mutated(as_peers_write(plain_transfers)))
def test_both_ways_to_read_a_broken_transfer_agree(data: bytes) -> None:
    read = head_of(data)
    assert read == decoded_head_of(data) or (read == "another" and data[:3] != b"\x00\x53\x14")


def disposition_of(data: bytes) -> list[object] | str:
    head = DispositionHead()
    try:
        if not parse_disposition(data, 0, len(data), head):
            return "another"
    except DecodeError:
        return "refused"
    return [head.role, head.first, head.last, head.settled, head.accepted, head.state]


def decoded_disposition_of(data: bytes) -> list[object] | str:
    try:
        read, _ = decode_performative(data, 0, len(data))
    except DecodeError:
        return "refused"
    if not isinstance(read, Disposition):
        return "another"
    accepted = isinstance(read.state, Accepted)
    last = read.first if read.last is None else read.last
    return [read.role, read.first, last, read.settled, accepted, None if accepted else read.state]


@property_test
@given(as_peers_write(plain_dispositions))
def test_both_ways_to_read_a_disposition_agree(data: bytes) -> None:
    assert disposition_of(data) == decoded_disposition_of(data) != "refused"


@property_test
@given(mutated(as_peers_write(plain_dispositions)))
def test_both_ways_to_read_a_broken_disposition_agree(data: bytes) -> None:
    read = disposition_of(data)
    assert read == decoded_disposition_of(data) or (read == "another" and data[:3] != b"\x00\x53\x15")


@property_test
@given(dispositions, st.integers(0, 65535))
def test_both_ways_to_write_a_disposition_agree(disposition: Disposition, channel: int) -> None:
    last = disposition.first if disposition.last is None else disposition.last
    frame = encode_disposition(
        channel,
        disposition.first,
        last,
        disposition.state,
        role=disposition.role,
        settled=disposition.settled,
    )
    body = encode_performative(
        Disposition(
            role=disposition.role,
            first=disposition.first,
            last=last,
            settled=disposition.settled,
            state=disposition.state,
        )
    )
    assert decode_performative(frame, 8, len(frame))[0] == decode_performative(body, 0, len(body))[0]
