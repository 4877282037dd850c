"""A message's place on a queue, told by delivery annotations."""

import pytest
from amqp10_material import hex_symbol as symbol
from amqp10_material import hex_text as text
from amqp10_material import listed, mapped

from lastvalue.codec.amqp10.content import decode_content
from lastvalue.codec.amqp10.shortcuts.stamps import STAMP_NUMBERS, place_in, stamped
from lastvalue.codec.amqp10.values import Timestamp

BODY = "005375a00178"


@pytest.mark.spec("amqp-1.0", "3.2.2", "delivery annotations are for the next hop")
@pytest.mark.parametrize("header", ["", "00537045", listed(0x70, "41")])
@pytest.mark.parametrize("known", ["", mapped(0x71), mapped(0x71, symbol("a"), "5501")])
def test_a_message_is_told_its_place_by_delivery_annotations(header: str, known: str) -> None:
    payload = bytes.fromhex(header + known + mapped(0x74, text("key"), text("v")) + BODY)
    content = decode_content(stamped(payload, 2**40, 1_700_000_000_000, 3))
    assert {
        **decode_content(payload).delivery_annotations,
        "x-opt-sequence-number": 2**40,
        "x-opt-enqueued-time": Timestamp(1_700_000_000_000),
        "x-opt-updates": 3,
    } == content.delivery_annotations
    assert type(content.delivery_annotations["x-opt-enqueued-time"]) is Timestamp
    assert content.application_properties == {"key": "v"}
    assert stamped(payload, 1, 2, 3).endswith(bytes.fromhex(mapped(0x74, text("key"), text("v")) + BODY))


def test_a_message_may_be_stamped_again() -> None:
    once = stamped(bytes.fromhex(BODY), 1, 2, 3)
    assert decode_content(stamped(once, 4, 5, 6)).delivery_annotations["x-opt-sequence-number"] == 4


@pytest.mark.parametrize("place", [(1, 2, 3), (2**63 - 1, 1_700_000_000_000, 2**32)])
def test_a_place_that_was_stamped_is_read_again(place: tuple[int, int, int]) -> None:
    payload = bytes.fromhex(BODY)
    assert place_in(stamped(payload, *place)[3 : -len(payload)]) == place


PLACE = stamped(bytes.fromhex(BODY), 1, 2, 3)[3 : -len(BODY) // 2]


@pytest.mark.parametrize("changed", range(len(PLACE)))
def test_annotations_of_another_form_are_no_place(changed: int) -> None:
    annotations = bytearray(PLACE)
    annotations[changed] ^= 0x80
    numbers = {each for start in STAMP_NUMBERS for each in range(start - 3, start + 5)}
    assert (place_in(bytes(annotations)) is None) is (changed not in numbers)
    assert place_in(PLACE[:changed]) is None
