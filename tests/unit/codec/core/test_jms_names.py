"""The types of JMS in CORE and in AMQP 1.0."""

from lastvalue.codec.core.jms_names import CORE_TYPES, JMS_TYPES


def test_every_type_has_one_number_and_every_number_one_type() -> None:
    assert {number: CORE_TYPES[number] for number in range(6)} == CORE_TYPES
    assert {CORE_TYPES[number]: number for number in CORE_TYPES} == JMS_TYPES
