"""Addresses as clients write them: the strings of `qpid.messaging` and Artemis's destinations."""

from lastvalue.addresses.address import (
    Address,
    AddressOptions,
    Binding,
    LinkFilter,
    LinkOptions,
    Mode,
    NodeOptions,
    NodeType,
    Policy,
    Reliability,
    Side,
)
from lastvalue.addresses.address_parser import is_plain, parse_address
from lastvalue.addresses.address_text import address_text, parts_text
from lastvalue.addresses.destinations import Destination, destination_arguments, parse_destination
from lastvalue.addresses.errors import InvalidAddressError
from lastvalue.addresses.node_arguments import node_arguments
from lastvalue.addresses.parts import Parts, parse_parts

__all__ = [
    "Address",
    "AddressOptions",
    "Binding",
    "Destination",
    "InvalidAddressError",
    "LinkFilter",
    "LinkOptions",
    "Mode",
    "NodeOptions",
    "NodeType",
    "Parts",
    "Policy",
    "Reliability",
    "Side",
    "address_text",
    "destination_arguments",
    "is_plain",
    "node_arguments",
    "parse_address",
    "parse_destination",
    "parse_parts",
    "parts_text",
]
