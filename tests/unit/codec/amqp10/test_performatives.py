"""Byte vectors written by hand from AMQP 1.0 §2.7, §3.4, §3.5, §4.5 and §5.3."""

import pytest
from amqp10_material import listed

from lastvalue.codec.amqp10.errors import DecodeError, EncodeError, FieldError
from lastvalue.codec.amqp10.performatives import (
    ROLE_RECEIVER,
    ROLE_SENDER,
    SASL_AUTH,
    SENDER_SETTLED,
    Accepted,
    AmqpError,
    Attach,
    Begin,
    Close,
    Coordinator,
    Declare,
    Declared,
    DeleteOnClose,
    DeleteOnNoLinks,
    DeleteOnNoLinksOrMessages,
    DeleteOnNoMessages,
    Detach,
    Discharge,
    Disposition,
    End,
    Flow,
    Modified,
    Open,
    Performative,
    Received,
    Rejected,
    Released,
    SaslChallenge,
    SaslInit,
    SaslMechanisms,
    SaslOutcome,
    SaslResponse,
    Source,
    Target,
    TransactionalState,
    Transfer,
    decode_composite,
    decode_performative,
    encode_performative,
)
from lastvalue.codec.amqp10.value_codec import encode_value
from lastvalue.codec.amqp10.values import Described, Symbol, UInt, ULong, Value
from lastvalue.model.conditions import Condition

ERROR = AmqpError("amqp:not-found", "no q")
ERROR_HEX = "00531dc01702a30e616d71703a6e6f742d666f756e64a1046e6f2071"


def disposition(state: str) -> str:
    """A disposition of delivery 1 by the receiver with this state."""
    return listed(0x15, "41", "5201", "40", "40", state)


CASES: list[tuple[Performative, str]] = [
    (Open(container_id="c"), "005310c00401a10163"),
    (
        Open(
            container_id="c",
            hostname="h",
            max_frame_size=65536,
            channel_max=255,
            idle_time_out=30000,
            outgoing_locales=("en",),
            incoming_locales=("de", "fr"),
            offered_capabilities=("a",),
            desired_capabilities=("b",),
            properties={"p": 1},
        ),
        listed(
            0x10,
            "a10163",
            "a10168",
            "7000010000",
            "6000ff",
            "7000007530",
            "a302656e",
            "e00802a3026465026672",
            "a30161",
            "a30162",
            "c10602a301705501",
        ),
    ),
    (
        Begin(next_outgoing_id=0, incoming_window=1, outgoing_window=2),
        listed(0x11, "40", "43", "5201", "5202"),
    ),
    (
        Begin(remote_channel=1, next_outgoing_id=0, incoming_window=1, outgoing_window=2, handle_max=7),
        listed(0x11, "600001", "43", "5201", "5202", "5207"),
    ),
    (
        Attach(name="l", handle=0, role=ROLE_SENDER, source=Source(), target=Target(address="q")),
        listed(0x12, "a1016c", "43", "42", "40", "40", "00532845", listed(0x29, "a10171")),
    ),
    (
        Attach(name="l", handle=1, role=ROLE_RECEIVER, target=Coordinator(("amqp:x",))),
        listed(0x12, "a1016c", "5201", "41", "40", "40", "40", listed(0x30, "a306616d71703a78")),
    ),
    (
        Flow(next_incoming_id=0, incoming_window=1, next_outgoing_id=2, outgoing_window=3),
        listed(0x13, "43", "5201", "5202", "5203"),
    ),
    (
        Flow(
            incoming_window=1,
            next_outgoing_id=2,
            outgoing_window=3,
            handle=0,
            delivery_count=4,
            link_credit=5,
            drain=True,
        ),
        listed(0x13, "40", "5201", "5202", "5203", "43", "5204", "5205", "40", "41"),
    ),
    (
        Transfer(handle=0, delivery_id=1, delivery_tag=b"t", message_format=0, settled=True),
        listed(0x14, "43", "5201", "a00174", "43", "41"),
    ),
    (Transfer(handle=0, more=True), listed(0x14, "43", "40", "40", "40", "40", "41")),
    (
        Disposition(role=ROLE_RECEIVER, first=1, last=2, settled=True, state=Accepted()),
        listed(0x15, "41", "5201", "5202", "41", "00532445"),
    ),
    (Disposition(role=ROLE_RECEIVER, first=1, state=Released()), disposition("00532645")),
    (Disposition(role=ROLE_RECEIVER, first=1, state=Rejected()), disposition("00532545")),
    (Disposition(role=ROLE_RECEIVER, first=1, state=Rejected(ERROR)), disposition(listed(0x25, ERROR_HEX))),
    (
        Disposition(role=ROLE_RECEIVER, first=1, state=Modified(delivery_failed=True)),
        disposition(listed(0x27, "41")),
    ),
    (
        Disposition(
            role=ROLE_RECEIVER,
            first=1,
            state=Modified(undeliverable_here=True, message_annotations={Symbol("x"): 1}),
        ),
        disposition(listed(0x27, "40", "41", "c10602a301785501")),
    ),
    (
        Disposition(role=ROLE_RECEIVER, first=1, state=Received(section_number=2, section_offset=3)),
        disposition(listed(0x23, "5202", "5303")),
    ),
    (Disposition(role=ROLE_RECEIVER, first=1, state=Declared(b"T")), disposition(listed(0x33, "a00154"))),
    (
        Disposition(role=ROLE_RECEIVER, first=1, state=TransactionalState(b"T", Accepted())),
        disposition(listed(0x34, "a00154", "00532445")),
    ),
    (
        Disposition(role=ROLE_RECEIVER, first=1, state=Described(Symbol("x:state"), [])),
        disposition("00a307783a737461746545"),
    ),
    (Detach(handle=0, closed=True, error=ERROR), listed(0x16, "43", "41", ERROR_HEX)),
    (End(), "00531745"),
    (End(ERROR), listed(0x17, ERROR_HEX)),
    (Close(), "00531845"),
    (Close(ERROR), listed(0x18, ERROR_HEX)),
    (SaslMechanisms(("PLAIN",)), listed(0x40, "a305504c41494e")),
    (SaslMechanisms(("A", "B")), listed(0x40, "e00602a301410142")),
    (SaslMechanisms(()), listed(0x40, "e00200a3")),
    (SaslInit("PLAIN", b"\x00u\x00p", "h"), listed(0x41, "a305504c41494e", "a00400750070", "a10168")),
    (SaslChallenge(b"c"), listed(0x42, "a00163")),
    (SaslResponse(b"r"), listed(0x43, "a00172")),
    (SaslOutcome(SASL_AUTH), listed(0x44, "5001")),
]

IDS = [f"{type(performative).__name__} {encoded[6:22]}" for performative, encoded in CASES]


def decode(encoded: str) -> Performative:
    data = bytes.fromhex(encoded)
    performative, pos = decode_performative(data, 0, len(data))
    assert pos == len(data)
    return performative


@pytest.mark.spec("amqp-1.0", "1.4", "trailing nulls of a composite's list may be left out")
@pytest.mark.parametrize(("performative", "encoded"), CASES, ids=IDS)
def test_a_performative_is_written_without_trailing_nulls(performative: Performative, encoded: str) -> None:
    assert encode_performative(performative).hex() == encoded


@pytest.mark.parametrize(("performative", "encoded"), CASES, ids=IDS)
def test_a_performative_is_read(performative: Performative, encoded: str) -> None:
    assert decode(encoded) == performative


@pytest.mark.spec("amqp-1.0", "2.8.1", "a role is a boolean")
@pytest.mark.parametrize(("performative", "encoded"), CASES, ids=IDS)
def test_a_boolean_is_read_as_one_and_not_as_a_number(performative: Performative, encoded: str) -> None:
    assert repr(decode(encoded)) == repr(performative)


def test_what_follows_a_performative_is_left() -> None:
    data = bytes.fromhex("00531845" + "ffff")
    assert decode_performative(data, 0, len(data)) == (Close(), 4)


@pytest.mark.spec("amqp-1.0", "1.5", "a descriptor is a code or a symbol")
@pytest.mark.parametrize("encoded", ["00800000000000000018" + "45", "00a30f616d71703a636c6f73653a6c69737445"])
def test_a_descriptor_may_be_long_or_a_symbol(encoded: str) -> None:
    assert decode(encoded) == Close()


@pytest.mark.spec("amqp-1.0", "1.4", "a field that is null or left out has its default")
def test_nulls_stand_for_defaults() -> None:
    assert decode("005310c00d0aa10163404040404040404040") == Open(container_id="c")


@pytest.mark.spec("amqp-1.0", "1.4", "a field of multiple values may be one value or an array")
def test_a_single_value_of_a_multiple_field_may_be_an_array_or_not() -> None:
    assert decode(listed(0x40, "e00401a30141")) == decode(listed(0x40, "a30141")) == SaslMechanisms(("A",))


@pytest.mark.spec("amqp-1.0", "3.5.3", "a source in all its fields")
def test_a_source_keeps_what_is_known_and_what_is_not() -> None:
    source = Source(
        address="q",
        durable=2,
        expiry_policy="never",
        timeout=60,
        dynamic=True,
        dynamic_node_properties={"lifetime-policy": DeleteOnClose()},
        distribution_mode="copy",
        filter={"selector": Described(ULong(0x468C00000004), "price > 5")},
        default_outcome=Modified(delivery_failed=True),
        outcomes=("amqp:accepted:list", "amqp:released:list"),
        capabilities=("queue",),
    )
    attach = Attach(name="l", handle=0, role=ROLE_RECEIVER, snd_settle_mode=SENDER_SETTLED, source=source)
    assert decode(encode_performative(attach).hex()) == attach


@pytest.mark.spec("amqp-1.0", "3.5.10", "the four lifetime policies are described lists [3.5.10 to 3.5.13]")
@pytest.mark.parametrize(
    ("policy", "code"),
    [
        (DeleteOnClose(), 0x2B),
        (DeleteOnNoLinks(), 0x2C),
        (DeleteOnNoMessages(), 0x2D),
        (DeleteOnNoLinksOrMessages(), 0x2E),
    ],
)
def test_a_lifetime_policy_has_its_descriptor(policy: Value, code: int) -> None:
    target = Target(dynamic=True, dynamic_node_properties={"lifetime-policy": policy})
    encoded = encode_performative(Attach(name="l", handle=0, role=ROLE_SENDER, target=target))
    assert bytes((0x00, 0x53, code, 0x45)) in encoded


@pytest.mark.spec("amqp-1.0", "2.7.3", "the unsettled map of an attach: delivery states by tag")
def test_unsettled_deliveries_keep_their_states() -> None:
    attach = Attach(name="l", handle=0, role=ROLE_SENDER, unsettled={b"1": Accepted(), b"2": None})
    assert decode(encode_performative(attach).hex()) == attach


def test_a_coordinators_commands_are_read_from_message_bodies() -> None:
    assert decode_composite(bytes.fromhex("00533145"), Declare) == Declare()
    assert decode_composite(bytes.fromhex(listed(0x32, "a00154", "41")), Discharge) == Discharge(
        b"T", fail=True
    )


@pytest.mark.parametrize("encoded", ["00533145" + "40", "00532445", "40"])
def test_another_body_is_refused(encoded: str) -> None:
    with pytest.raises(DecodeError):
        decode_composite(bytes.fromhex(encoded), Declare)


MALFORMED: list[tuple[str, str, str]] = [
    ("a mandatory field is missing", "00531045", "open.container-id"),
    ("a mandatory field is null", listed(0x10, "40"), "open.container-id"),
    ("a field of another type", listed(0x10, "5201"), "open.container-id"),
    ("an int where a uint should be", listed(0x10, "a10163", "40", "5401"), "open.max-frame-size"),
    ("a string where symbols should be", listed(0x40, "a10141"), "sasl-mechanisms.sasl-server-mechanisms"),
    ("an array of strings where symbols should be", listed(0x40, "e00401a10141"), "sasl-server-mechanisms"),
    ("a settle mode of 3", listed(0x12, "a1016c", "43", "42", "5003"), "attach.snd-settle-mode"),
    ("a SASL code of 5", listed(0x44, "5005"), "sasl-outcome.code"),
    (
        "a source that is a target",
        listed(0x12, "a1016c", "43", "42", "40", "40", "00532945"),
        "attach.source",
    ),
    ("a target that is a state", listed(0x12, "a1016c", "43", "42", "40", "40", "40", "00532445"), "target"),
    ("a state that is no delivery state", disposition("00531845"), "disposition.state"),
    ("an error that is unknown", listed(0x18, "00537745"), "close.error"),
    (
        "properties that are no map",
        listed(0x11, "40", "43", "43", "43", "40", "40", "40", "45"),
        "properties",
    ),
    (
        "properties whose keys are no symbols",
        listed(0x11, "40", "43", "43", "43", "40", "40", "40", "c10402520140"),
        "begin.properties",
    ),
]


@pytest.mark.spec("amqp-1.0", "1.4", "mandatory fields are there, and each is of its type")
@pytest.mark.parametrize(
    ("encoded", "field"), [each[1:] for each in MALFORMED], ids=[each[0] for each in MALFORMED]
)
def test_a_faulty_field_is_named(encoded: str, field: str) -> None:
    with pytest.raises(DecodeError, match=field.replace(".", r"\.")):
        decode(encoded)


def test_a_faulty_field_has_its_own_condition() -> None:
    with pytest.raises(FieldError) as caught:
        decode("005310c003015201")
    assert caught.value.condition is Condition.INVALID_FIELD
    assert (caught.value.composite, caught.value.field) == ("open", "container-id")


@pytest.mark.parametrize(
    "encoded",
    [
        "",
        "40",
        "00532445",
        "00537745",
        "0053ff45",
        "00a10178" + "45",
        "005318c10100",
        "005318c003024040",
        "005318a0024040",
    ],
)
def test_a_body_that_is_no_performative_is_refused(encoded: str) -> None:
    with pytest.raises(DecodeError):
        decode(encoded)


UNENCODABLE: list[tuple[str, Performative]] = [
    ("None in a mandatory field", Open(container_id=None)),  # type: ignore[arg-type]  # the fault
    ("a number as text", Open(container_id=5)),  # type: ignore[arg-type]  # the fault
    ("a boolean as a number", Detach(handle=True)),
    ("a handle beyond 32 bits", Detach(handle=2**32)),
    ("a symbol that is not ASCII", SaslMechanisms(("é",))),
    ("a target as a source", Attach(name="l", handle=0, role=True, source=Target())),  # type: ignore[arg-type]  # as the test says
    ("properties that are no map", Open(container_id="c", properties=5)),  # type: ignore[arg-type]  # as the test says
    ("properties with numbers as keys", Open(container_id="c", properties={5: 5})),  # type: ignore[dict-item]  # as the test says
]


@pytest.mark.parametrize(
    "performative", [each[1] for each in UNENCODABLE], ids=[each[0] for each in UNENCODABLE]
)
def test_a_field_that_cannot_be_written_is_refused(performative: Performative) -> None:
    with pytest.raises(EncodeError):
        encode_performative(performative)


@pytest.mark.spec("amqp-1.0", "2.8.14", "an error: a condition, perhaps a description and information")
def test_an_error_carries_its_information() -> None:
    close = Close(AmqpError("amqp:connection:redirect", info={"port": UInt(5672)}))
    assert decode(encode_performative(close).hex()) == close
    assert encode_value(Symbol("port")).hex() in encode_performative(close).hex()
