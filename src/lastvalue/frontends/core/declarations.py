"""Addresses and queues: declared, shown and deleted."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, final

from mypy_extensions import i64

from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.rights.owner import BROKER, Owner
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.routing.bindings import ANYCAST, MULTICAST, ROUTING_TYPE, Binding
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType, created_address
from lastvalue.broker.routing.exchanges import Exchange
from lastvalue.broker.subscriptions import bind_subscription, subscribable
from lastvalue.codec.core import jms_names
from lastvalue.codec.core.errors import ADDRESS_EXISTS, INVALID_TRANSIENT_USE, QUEUE_EXISTS, CoreError
from lastvalue.codec.core.packets import Packet
from lastvalue.frontends.core.filter_text import filter_text_of, jms_selector
from lastvalue.frontends.core.queue_names import bare_name, find_queue, look_up, own_name, shown_name
from lastvalue.model.errors import BrokerError, InvalidSpecError
from lastvalue.queues.meanings import ARTEMIS_KEY
from lastvalue.queues.spec import Exclusive, LastValue, Lifetime, QueueSpec, WhenFull
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ALL_MODES

MANAGEMENT_ADDRESS: Final = "activemq.management"
NOTIFICATION_ADDRESS: Final = "activemq.notifications"

_UNLIMITED: Final = -1

DECLARED_FIELDS: Final[dict[str, str]] = {
    "exclusive": "exclusive",
    "last_value": "last-value",
    "last_value_key": "last-value-key",
    "non_destructive": "non-destructive",
    "consumers_before_dispatch": "consumers-before-dispatch",
    "delay_before_dispatch": "delay-before-dispatch",
    "group_rebalance": "group-rebalance",
    "group_rebalance_pause_dispatch": "group-rebalance-pause-dispatch",
    "group_buckets": "group-buckets",
    "auto_delete": "auto-delete",
    "auto_delete_delay": "auto-delete-delay",
    "group_first_key": "group-first-key",
    "ring_size": "ring-size",
    "enabled": "enabled",
    "max_consumers": "max-consumers",
    "purge_on_no_consumers": "purge-on-no-consumers",
}
"""The fields of a declaration, with Artemis's spelling of the argument.

`auto_delete_message_count` chooses the lifetime.
"""


_DEFAULTS: Final = (
    "purge_on_no_consumers", "max_consumers", "exclusive", "last_value", "last_value_key", "non_destructive",
    "consumers_before_dispatch", "delay_before_dispatch",
)  # fmt: skip
"""The fields of a declaration that a query of an address shows, for its queues."""


@final
class Declarations:
    """Declares and shows what one caller asks for."""

    __slots__ = ("_broker", "_owner")

    def __init__(self, broker: Broker, owner: Owner) -> None:
        self._broker = broker
        self._owner = owner

    # ------------------------------------------------------------------ declarations

    def create_address(self, packet: Packet) -> None:
        """Declare an address; one that exists stays as it is.

        Raises:
            CoreError: the client declares it, and it exists.
        """
        broker, owner = self._broker, self._owner
        address = packet.text("address")
        created = packet.flag("auto_created")

        def suits(present: Exchange | HostedQueue) -> None:
            del present
            if not created:
                raise CoreError(ADDRESS_EXISTS, f"address {address!r} exists")

        if broker.has_queue(address):
            broker.authorize(owner, Verb.DECLARE_EXCHANGE, address, None)
            suits(broker.lookup(address))
        elif created and packet.values["routing_types"] == [jms_names.ANYCAST]:
            # Its queue, which the client declares next, is the address.
            broker.authorize(owner, Verb.DECLARE_EXCHANGE, address, None)
        else:
            spec = ExchangeSpec(address, ExchangeType.ADDRESS, durable=True, auto_delete=created)
            broker.declare_exchange(spec, owner, suits=suits)

    def create_queue(self, packet: Packet, routing_type: i64, now: i64) -> None:
        """Declare a queue, and bind it to its address where the two are not one.

        Raises:
            CoreError: it exists.
            LastvalueError: the caller may not declare it, or its options contradict one another.
        """
        name = bare_name(packet.text("queue"))
        if look_up(self._broker, name, self._owner) is not None:
            raise CoreError(QUEUE_EXISTS, f"queue {name!r} exists")
        self._declare(packet, routing_type, now)

    def create_shared_queue(self, packet: Packet, routing_type: i64, now: i64) -> None:
        """Declare a queue, or continue with one of the same address and filter.

        Raises:
            CoreError: it exists with another address or filter.
        """
        hosted = look_up(self._broker, packet.text("queue"), self._owner)
        if hosted is None:
            self._declare(packet, routing_type, now)
            return
        spec = hosted.queue.spec
        differs = address_of(self._broker, hosted) != packet.text("address")
        if differs or spec.filter != jms_selector(packet.text("filter").strip()):
            text = f"queue {spec.name!r} exists with another address or filter"
            raise CoreError(INVALID_TRANSIENT_USE, text)

    def _declare(self, packet: Packet, routing_type: i64, now: i64) -> None:
        broker, owner = self._broker, self._owner
        name = bare_name(packet.text("queue"))
        address = packet.text("address") or name
        multicast = routing_type == jms_names.MULTICAST or (
            routing_type != jms_names.ANYCAST and address != name
        )
        if not broker.authorization.allows(owner, Verb.DECLARE_QUEUE, (name, None, None, None)) and multicast:
            # A subscriber needs no right to declare queues, only to read the address.
            name = own_name(name, owner)
        spec = self._spec(name, address, packet)
        if not multicast and address == name and broker.exchanges.get(address) is None:
            broker.declare(spec, owner)
            return
        # All rights first: a refusal leaves no address.
        broker.authorize(owner, Verb.BIND, address, name)
        broker.authorization.check_spec(owner, Verb.DECLARE_QUEUE, spec)
        binding = Binding(name, "", {ROUTING_TYPE: MULTICAST if multicast else ANYCAST})
        exists = broker.exchanges.get(address) is not None
        exchange = self._exchange(address, multicast, now)
        try:
            bind_subscription(broker, exchange, spec, binding, owner, now)
        except BrokerError:
            if not exists:
                broker.delete_exchange(address, BROKER, even_alternate=True)
            raise

    def _exchange(self, address: str, multicast: bool, now: i64) -> Exchange:
        """The exchange of an address; a queue of its name, which was the address alone, is bound to it."""
        broker, owner = self._broker, self._owner
        present = broker.exchanges.get(address)
        if present is not None:
            return present
        if multicast:
            exchange = subscribable(broker, address, owner)
        else:
            broker.declare_exchange(created_address(address), owner)
            exchange = broker.exchanges.find(address)
        if broker.has_queue(address):
            broker.bind(address, Binding(address, "", {ROUTING_TYPE: ANYCAST}), BROKER, now)
        return exchange

    def _spec(self, name: str, address: str, packet: Packet) -> QueueSpec:
        """The declaration of a packet's fields; the settings of the address decide what it leaves out."""
        settings = settings_of(self._broker, address)
        arguments: dict[str, Any] = {"durable": packet.flag("durable")}
        for field, spelling in DECLARED_FIELDS.items():
            value = packet.values.get(field)
            if value is not None and value != "" and value != _UNLIMITED:
                arguments[spelling] = value
        selector = packet.text("filter").strip()
        if selector:
            arguments["filter-string"] = jms_selector(selector)
        if packet.flag("temporary"):
            arguments["lifetime"] = Lifetime.CONNECTION_CLOSE.value
            arguments["durable"] = False
        if arguments.get("auto-delete") is True and _deleted_with_messages(packet):
            del arguments["auto-delete"]
            arguments["lifetime"] = Lifetime.NO_OUTBOUND_LINKS.value
        spec = spec_from_arguments(name, {**settings, **arguments}, settings.keys())
        # [JMS 2.0 §6.2.2] Only the connection that made it reads it.
        return replace(spec, exclusive=Exclusive.CONNECTION) if packet.flag("temporary") else spec

    def _defaults_of(self, address: str) -> dict[str, object]:
        """[Artemis] A client writes these into its declaration of a queue of this address.

        The settings of the address would mean nothing otherwise.
        """
        settings = settings_of(self._broker, address)
        shown = queried(spec_from_arguments("any", settings, settings.keys()))
        return {f"default_{name}": shown[name] for name in _DEFAULTS}

    def delete_queue(self, packet: Packet, now: i64) -> None:
        """Delete a queue that nobody reads.

        Raises:
            LastvalueError: it does not exist, is read, or the caller may not delete it.
        """
        broker = self._broker
        hosted = look_up(broker, packet.text("queue"), self._owner)
        name = bare_name(packet.text("queue")) if hosted is None else hosted.queue.spec.name
        broker.delete(name, now, self._owner, ALL_MODES, even_alternate=True)

    # ------------------------------------------------------------------ queries

    def query_queue(self, packet: Packet) -> dict[str, object]:
        """What there is of a queue."""
        broker, owner = self._broker, self._owner
        name = packet.text("queue")
        bare = bare_name(name)
        hosted = look_up(broker, name, owner)
        values: dict[str, object] = {
            "name": bare,
            "address": name.partition("::")[0],
            "auto_create_queues": self._may_declare(bare),
            "routing_type": jms_names.ANYCAST,
            "max_consumers": _UNLIMITED,
            "enabled": True,
        }
        if hosted is None:
            # The management address has no queue, and takes messages.
            values["exists"] = bare == MANAGEMENT_ADDRESS
            return values
        values |= queried(hosted.queue.spec)
        values |= {
            "exists": True,
            "consumers": int(hosted.consumers),
            "messages": int(hosted.queue.depth),
            "name": shown_name(hosted.queue.spec.name, owner),
            "address": address_of(broker, hosted),
            "routing_type": jms_names.ANYCAST if is_anycast(broker, hosted) else jms_names.MULTICAST,
        }
        return values

    def query_bindings(self, packet: Packet) -> dict[str, object]:
        """What there is of an address."""
        broker, owner = self._broker, self._owner
        address = packet.text("address").partition("::")[0]
        names: list[str] = []
        exchange = broker.authorization.visible_exchange(owner, address)
        if exchange is not None:
            bound = [each.destination for each in exchange.bindings.values() if not each.to_exchange]
            names = [name for name in bound if broker.authorization.shows(owner, name)]
        elif broker.authorization.visible_queue(owner, address) is not None:
            names = [address]
        may_declare = self._may_declare(address)
        return {
            "exists": exchange is not None or bool(names) or address == MANAGEMENT_ADDRESS,
            "queues": [shown_name(each, owner) for each in names],
            "auto_create_queues": may_declare,
            "auto_create_addresses": may_declare,
            **self._defaults_of(address),
            "supports_multicast": True,
            "supports_anycast": True,
        }

    def query_consumed(self, packet: Packet) -> dict[str, object]:
        """What there is of the queue of a new consumer."""
        find_queue(self._broker, packet.text("queue"), self._owner)
        return self.query_queue(packet)

    def _may_declare(self, name: str) -> bool:
        """[Artemis] Clients create what they miss where they may: here, where their user may."""
        authorization = self._broker.authorization
        return authorization.allows(self._owner, Verb.DECLARE_QUEUE, (name, None, None, None))


def address_of(broker: Broker, hosted: HostedQueue) -> str:
    """The address whose messages a queue gets."""
    name = hosted.queue.spec.name
    bindings = broker.exchanges.bindings_of(name)
    return bindings[0][0].name if bindings else name


def is_anycast(broker: Broker, hosted: HostedQueue) -> bool:
    """Whether a queue shares the messages of its address with others."""
    bindings = broker.exchanges.bindings_of(hosted.queue.spec.name)
    return not bindings or bindings[0][1].anycast


def settings_of(broker: Broker, address: str) -> Mapping[str, object]:
    """The settings of an address, which decide what a declaration leaves out."""
    settings = broker.missing.address_settings
    return {} if settings is None else settings(address)


def _deleted_with_messages(packet: Packet) -> bool:
    """Whether a queue that is deleted when it is unused need not be empty.

    Raises:
        InvalidSpecError: it is to be deleted once it has a number of messages.
    """
    count = packet.number("auto_delete_message_count", 0)
    if count > 0:
        raise InvalidSpecError(
            f"auto-delete-message-count is {count}; "
            "a queue is deleted once it is empty (0), or with all its messages (-1)"
        )
    return count < 0


def queried(spec: QueueSpec) -> dict[str, object]:
    """A declaration as the fields of a query's answer."""
    ordering = spec.ordering
    grouping = spec.grouping
    readers = spec.readers
    is_last_value = isinstance(ordering, LastValue)
    ring = spec.limit.messages if spec.limit.when_full is WhenFull.DROP_OLDEST else _UNLIMITED
    return {
        "durable": spec.durable,
        "temporary": spec.lifetime is Lifetime.CONNECTION_CLOSE,
        "filter": filter_text_of(spec.filter) if spec.filter else None,
        "purge_on_no_consumers": spec.purge_unread,
        "max_consumers": readers.most or _UNLIMITED,
        "exclusive": readers.live == 1,
        "last_value": is_last_value,
        "last_value_key": _key_of(spec),
        "non_destructive": readers.non_destructive,
        "consumers_before_dispatch": readers.before_dispatch,
        "delay_before_dispatch": readers.dispatch_delay_ms or _UNLIMITED,
        "group_rebalance": grouping is not None and grouping.rebalance,
        "group_buckets": _UNLIMITED if grouping is None else grouping.buckets or _UNLIMITED,
        "group_first_key": None if grouping is None else grouping.first_key,
        "group_rebalance_pause_dispatch": grouping is not None and grouping.rebalance_pauses,
        "auto_delete": spec.lifetime not in (Lifetime.PERMANENT, Lifetime.CONNECTION_CLOSE),
        "auto_delete_delay": spec.auto_delete_delay_ms,
        "auto_delete_message_count": _UNLIMITED if spec.lifetime is Lifetime.NO_OUTBOUND_LINKS else 0,
        "ring_size": ring or _UNLIMITED,
        "enabled": not spec.paused,
    }


def _key_of(spec: QueueSpec) -> str | None:
    ordering = spec.ordering
    if not isinstance(ordering, LastValue) or ordering.key == ARTEMIS_KEY:
        return None
    return ordering.key
