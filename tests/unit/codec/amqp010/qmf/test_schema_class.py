"""Classes of QMF's schema, in bytes."""

from lastvalue.codec.amqp010.encoder import encode_map
from lastvalue.codec.amqp010.qmf.schema_class import EVENT, SchemaClass
from lastvalue.codec.amqp10.values import UByte

LAMP = SchemaClass("lamp", "name:text watts:u16?", "hours:u32", ("dim(by:u8 <rest:u8 <>note:long)",))


def test_a_class_has_the_properties_statistics_and_methods_of_its_declaration() -> None:
    assert [(each.name, each.kind, each.optional) for each in LAMP.properties] == [
        ("name", "text", False),
        ("watts", "u16", True),
    ]
    assert [each.name for each in LAMP.statistics] == ["hours"]
    (method,) = LAMP.methods
    assert [(direction, each.name) for direction, each in method.arguments] == [
        ("I", "by"),
        ("O", "rest"),
        ("IO", "note"),
    ]


def test_a_class_is_named_by_its_package_its_name_and_a_hash_of_its_form() -> None:
    assert LAMP.key() == b"\x16org.apache.qpid.broker\x04lamp" + LAMP.hash.bytes
    assert LAMP.identity()["_hash"] == LAMP.hash
    assert SchemaClass("lamp", "name:text").hash != LAMP.hash


def test_a_class_of_objects_is_encoded_with_the_numbers_of_its_parts() -> None:
    encoded = LAMP.encoded()
    head = b"\x01" + LAMP.key() + b"\0\2" + b"\0\1" + b"\0\1"
    assert encoded.startswith(head)
    first = {"name": "name", "type": UByte(6), "access": UByte(1), "index": UByte(1), "optional": UByte(0)}
    assert encoded[len(head) :].startswith(encode_map(first))
    assert encoded.endswith(encode_map({"name": "note", "type": UByte(7), "dir": "IO"}))


def test_an_event_is_encoded_as_its_arguments_alone() -> None:
    lit = SchemaClass("lit", "lamp:text", kind=EVENT)
    argument = encode_map({"name": "lamp", "type": UByte(6)})
    assert lit.encoded() == b"\x02" + lit.key() + b"\0\1" + argument
    assert lit.identity()["_type"] == "_event"
