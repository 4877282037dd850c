"""What a hostile client of MQTT may try, before its login and after it; see `attacks`."""

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from typing import Final

from attacked_broker import LARGEST_BYTES, MIB, PEER_FAULTS, World, discard
from raw_mqtt import RawMqtt, published
from served_broker import HOST

from lastvalue.broker.queue_names import subscription_queue
from lastvalue.codec.mqtt.fields import variable
from lastvalue.codec.mqtt.packet_decoder import MOST_FILTERS
from lastvalue.codec.mqtt.packet_encoder import encode_packet
from lastvalue.codec.mqtt.packet_types import LASTS_FOR_EVER, LEVEL_5, LEVEL_311, PacketType
from lastvalue.codec.mqtt.packets import (
    Ack,
    Auth,
    ConnAck,
    Connect,
    Disconnect,
    Packet,
    Ping,
    Publish,
    SubAck,
    Subscribe,
    Subscription,
    Unsubscribe,
    Will,
)
from lastvalue.codec.mqtt.properties import MOST_USER_PROPERTIES, Properties, PropertyId, PropertyValue
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.frontends.mqtt.retained_queues import DEFAULT_QUEUE

_ELSEWHERE: Final = "127.0.0.2"
_AT_ONCE: Final = 200
_DAY_S: Final = 86_400
_SCRAM: Final = "SCRAM-SHA-256"
_LARGEST_CONNECT: Final = b"\x10\xff\xff\xff\x7f\0\x04MQTT\x05\x02\0\0"


def _octets(*packets: Packet) -> bytes:
    return b"".join(encode_packet(each, LEVEL_5) for each in packets)


def _asking(**properties: PropertyValue) -> Properties:
    return Properties({PropertyId[name.upper()]: value for name, value in properties.items()})


@contextmanager
def _client(
    world: World, client_id: str, expiry_s: int = 0, will: Will | None = None, level: int = LEVEL_5
) -> Iterator[RawMqtt]:
    """A client that was let in; `clear` ends its session."""
    connect = Connect(
        level,
        client_id,
        clean_start=expiry_s == 0,
        will=will,
        properties=_asking(session_expiry_s=expiry_s),
    )
    for name in ("mqtt", "mqtt-received"):
        world.leave(subscription_queue("anonymous", client_id, name))
    with RawMqtt(HOST, world.broker.port, level) as client:
        client.enter(connect)
        yield client


@contextmanager
def _reader(world: World, client_id: str, *filters: str, qos: int = 0) -> Iterator[RawMqtt]:
    """A client that subscribes, and reads all that comes."""
    with _client(world, client_id) as client, ExitStack() as stack:
        client.subscribe(*filters, qos=qos)
        discard(client.socket, stack)
        yield client


def _flood(world: World, client: RawMqtt, *packets: Packet) -> None:
    """Say packets at QoS 0 again and again, until the attack's time is over."""
    octets = _octets(*packets)
    while not world.over:
        client.socket.sendall(octets)
        client.say(Ping(PacketType.PINGREQ))
        client.expect(Ping)


def _crowd(world: World) -> int:
    return max(2, world.many // 12_500)


def _retain_many(world: World, client: RawMqtt) -> int:
    """Have a value of each of very many topics."""
    world.leave(DEFAULT_QUEUE)
    topics = world.many // 10
    values = [published(f"many/{number}/value", b"v" * 100, retain=True) for number in range(topics)]
    client.socket.sendall(_octets(*values, Ping(PacketType.PINGREQ)))
    client.expect(Ping)
    return topics


# ---------------------------------------------------------------------- before the login


def trickling_connects(world: World) -> None:
    """A CONNECT on each of very many connections, of which now and then one byte more comes."""
    with ExitStack() as stack:
        peers = [
            stack.enter_context(socket.create_connection((HOST, world.broker.port), timeout=60))
            for _ in range(190)
        ]
        for peer in peers:
            peer.sendall(b"\x10\xff\x7f\0\x04MQTT\x05\x02\0\0")
        while not world.over:
            for peer in peers:
                with suppress(*PEER_FAULTS):
                    peer.sendall(b"\x26")


def huge_connects(world: World) -> None:
    """A CONNECT that says that it has 256 MiB, and 1 MiB of it."""
    while not world.over:
        with (
            suppress(*PEER_FAULTS),
            socket.create_connection((HOST, world.broker.port), timeout=60) as peer,
        ):
            peer.sendall(_LARGEST_CONNECT + bytes(MIB))
            peer.recv(1 << 12)


def connect_properties(world: World) -> None:
    """A CONNECT, and a will, with as many user properties as fit, of nobody."""
    many = Properties(user=[("", "")] * 3000)
    asked = (
        Connect(LEVEL_5, "", user_name="nobody", password=b"", properties=many),
        Connect(LEVEL_5, "", user_name="nobody", password=b"", will=Will("t", b"", properties=many)),
    )
    while not world.over:
        for each in asked:
            with suppress(*PEER_FAULTS), RawMqtt(HOST, world.broker.port) as peer:
                peer.enter(each)


def mqtt_passwords(world: World) -> None:
    """Wrong passwords of a user and of nobody, on many connections at once."""
    while not world.over:
        for name in (world.user[0], "nobody"):
            with ExitStack() as stack:
                peers = [stack.enter_context(RawMqtt(HOST, world.broker.port)) for _ in range(10)]
                for peer in peers:
                    peer.say(Connect(LEVEL_5, "guesser", user_name=name, password=b"wrong"))
                for peer in peers:
                    with suppress(*PEER_FAULTS):
                        peer.expect(ConnAck)


def endless_proofs(world: World) -> None:
    """Exchanges of AUTH that are begun, answered wrongly, or begun again without end."""
    first = b"n,,n=" + world.user[0].encode() + b",r=" + b"a" * 8000
    begun = Connect(
        LEVEL_5,
        "prover",
        properties=_asking(authentication_method=_SCRAM, authentication_data=first),
    )
    again = _asking(authentication_method=_SCRAM, authentication_data=b"n,,n=anonymous,r=abc")
    wrong = _asking(authentication_method=_SCRAM, authentication_data=b"c=biws,r=abc,p=" + b"A" * 8000)
    with ExitStack() as stack:
        for number in range(150):
            peer = stack.enter_context(RawMqtt(HOST, world.broker.port))
            peer.say(begun)
            with suppress(*PEER_FAULTS):
                peer.next_packet()
                if number % 2:
                    peer.say(Auth(ReasonCode.CONTINUE_AUTHENTICATION, wrong))
        while not world.over:
            with suppress(*PEER_FAULTS), _client(world, "proving") as client:
                for _ in range(_AT_ONCE):
                    client.say(Auth(ReasonCode.REAUTHENTICATE, again))


def silent_clients(world: World) -> None:
    """1,000 peers of another address that begin a CONNECT and say nothing more."""
    with ExitStack() as stack:
        for _ in range(1000):
            peer = socket.create_connection(
                (HOST, world.broker.port), timeout=60, source_address=(_ELSEWHERE, 0)
            )
            stack.enter_context(peer)
            with suppress(*PEER_FAULTS):
                peer.sendall(b"\x10\xff\x7f\0\x04MQTT\x05\x02\0\0" + bytes(16_000))
        world.wait()


# ---------------------------------------------------------------------- subscriptions


def retained_floods(world: World) -> None:
    """Subscriptions with wildcards begin again and again where very many topics have values."""
    with _client(world, "retainer") as client:
        _retain_many(world, client)
    with ExitStack() as stack:
        clients = [
            stack.enter_context(_reader(world, f"flooded {number}", "none"))
            for number in range(_crowd(world))
        ]
        filters = [Subscription("#", 0), Subscription("many/+/value", 0), Subscription("+/#", 1)]
        filters.append(Subscription("+/+/other", 1))
        while not world.over:
            for client in clients:
                client.say(Subscribe(1, tuple(filters)))


def many_subscriptions(world: World) -> None:
    """Very many subscriptions of a session, all of which fit the topics of what is published."""
    with _client(world, "subscriber", _DAY_S) as client, ExitStack() as stack:
        most = min(9000, world.many // 4)
        for first in range(0, most, 500):
            filters = [f"{'+/' * (number % 7)}#" if number < 7 else f"+/+/x{number}/#" for number in
                range(first, first + 500)]  # fmt: skip
            client.subscribe(*filters, qos=first // 500 % 2)
        discard(client.socket, stack)
        with _client(world, "its publisher") as publisher:
            for number in count():
                if world.over:
                    return
                topics = [f"a/{number}/x{each}/b" for each in range(_AT_ONCE)]
                publisher.say(*[published(topic, b"") for topic in topics], Ping(PacketType.PINGREQ))
                publisher.expect(Ping)


def wide_subscribes(world: World) -> None:
    """SUBSCRIBE and UNSUBSCRIBE with as many filters as fit into a packet."""
    with _client(world, "wide") as client:
        filters = tuple(f"f{number:x}" for number in range(MOST_FILTERS))
        while not world.over:
            client.say(Subscribe(1, tuple(Subscription(each) for each in filters)))
            client.expect(SubAck)
            client.say(Unsubscribe(2, filters))
            client.expect(SubAck)


def too_many_filters(world: World) -> None:
    """SUBSCRIBE with as many filters of an octet as a packet could have."""
    octets = encode_packet(Subscribe(1, (Subscription("a"),)), LEVEL_5)[2:5]
    filters = octets + b"\0\x01a\0" * (LARGEST_BYTES // 4 - 10)
    with suppress(*PEER_FAULTS), _client(world, "widest") as client:
        client.socket.sendall(b"\x82" + variable(len(filters)) + filters)
        client.expect(SubAck)


def topic_levels(world: World) -> None:
    """Topics and filters with as many levels and wildcards as may be."""
    with _client(world, "leveled", _DAY_S) as client, ExitStack() as stack:
        for first in range(0, min(300, world.many // 10), 100):
            filters = [f"{'+/' * (100 + number % 150)}x{number}/#" for number in range(first, first + 100)]
            client.subscribe(*filters)
        discard(client.socket, stack)
        with _client(world, "leveling") as publisher:
            _flood(world, publisher, *[published("a/" * 255 + str(each), b"") for each in range(_AT_ONCE)])


def groups(world: World) -> None:
    """Groups that are joined and left, each with a queue of its own."""
    with _client(world, "joiner", _DAY_S) as client:
        for number in range(world.many // 20):
            if world.over:
                return
            text = f"$share/g{number}/a/#"
            world.leave(f"mqtt.shared/g{number}/a/#")
            client.subscribe(text, qos=1)
            client.say(Unsubscribe(2, (text,)))
            client.expect(SubAck)


# ---------------------------------------------------------------------- deliveries


def unacknowledged(world: World) -> None:
    """Messages at QoS 1 for a client that reads on and acknowledges nothing."""
    with _client(world, "silent reader", _DAY_S) as client, ExitStack() as stack:
        client.subscribe("unanswered/#", qos=1)
        discard(client.socket, stack)
        with _client(world, "busy") as publisher:
            _flood(world, publisher, *[published(f"unanswered/{each}", b"x" * 100) for each in range(200)])


def stopped_readers(world: World) -> None:
    """Clients that stop reading while the retained values of what they watch change."""
    with ExitStack() as stack:
        publisher = stack.enter_context(_client(world, "changing"))
        topics = _retain_many(world, publisher)
        for number in range(min(200, world.many // 100)):
            client = stack.enter_context(_client(world, f"stopped {number}"))
            client.say(Subscribe(1, (Subscription("many/#", number % 2),)))
        values = [published(f"many/{each}/value", b"w" * 100, retain=True) for each in range(topics)]
        _flood(world, publisher, *values[:2000])


def watched_topics(world: World) -> None:
    """Very many watches of one client, each of a topic that changes."""
    with ExitStack() as stack:
        publisher = stack.enter_context(_client(world, "their publisher"))
        topics = min(5000, _retain_many(world, publisher))
        watcher = stack.enter_context(_client(world, "watcher"))
        names = [f"many/{number}/value" for number in range(topics)]
        for first in range(0, topics, 500):
            watcher.subscribe(*names[first : first + 500])
        discard(watcher.socket, stack)
        _flood(world, publisher, *[published(each, b"w", retain=True) for each in names[:2000]])


def acknowledged_beside_watches(world: World) -> None:
    """Messages at QoS 1 are acknowledged in a session that has very many watches."""
    with ExitStack() as stack:
        publisher = stack.enter_context(_client(world, "acknowledged"))
        _retain_many(world, publisher)
        watcher = stack.enter_context(_client(world, "acknowledging"))
        watcher.subscribe("acknowledged", qos=1)
        for first in range(0, world.many // 12, 500):
            watcher.subscribe(*[f"many/{number}/value" for number in range(first, first + 500)])
        burst = [published("acknowledged", b"x", 1, each) for each in range(1, 500)]
        while not world.over:
            publisher.say(*burst)
            watcher.say(*[Ack(PacketType.PUBACK, watcher.expect(Publish).packet_id) for _ in burst])
            for _ in burst:
                publisher.expect(Ack)


# ---------------------------------------------------------------------- what is published


def unreleased(world: World) -> None:
    """Messages at QoS 2 with all packet identifiers, none of which is released."""
    for level, most in ((LEVEL_311, 65_535), (LEVEL_5, 1024)):
        expiry_s = LASTS_FOR_EVER if level < LEVEL_5 else _DAY_S
        with _client(world, f"unreleased {level}", expiry_s, level=level) as client, ExitStack() as stack:
            discard(client.socket, stack)
            for first in range(1, most, _AT_ONCE):
                if world.over:
                    break
                ids = range(first, min(most, first + _AT_ONCE))
                client.say(*[published("unreleased", b"x", 2, each) for each in ids])


def topic_aliases(world: World) -> None:
    """Aliases of the longest topics, which change, and all of which a reader takes."""
    with _reader(world, "aliased", "a/#"), _client(world, "aliasing") as publisher:
        topics = ["a/" + chr(97 + each % 26) * 60_000 for each in range(60)]
        _flood(
            world,
            publisher,
            *[
                published(topic, b"", properties=_asking(topic_alias=place % 64 + 1))
                for place, topic in enumerate(topics)
            ],
        )


def user_properties(world: World) -> None:
    """Messages with very many user properties, retained and not, for readers of MQTT and AMQP."""
    world.leave(DEFAULT_QUEUE)
    few = Properties(user=[(f"n{number}", "") for number in range(1000)])
    most = Properties(user=[("", "")] * MOST_USER_PROPERTIES)
    with _reader(world, "of properties", "properties/#", qos=1), _client(world, "propertied") as publisher:
        while not world.over:
            for number, properties in enumerate((few, few, few, most)):
                topic = f"properties/{number}"
                publisher.say(published(topic, b"", properties=properties, retain=number % 2 == 1))
            publisher.say(Ping(PacketType.PINGREQ))
            publisher.expect(Ping)


# ---------------------------------------------------------------------- sessions


def wills(world: World) -> None:
    """Clients that go away, each with as large a will as may be, which waits."""
    will = Will("will", bytes(15_000), 1, properties=_asking(will_delay_s=_DAY_S))
    for number in range(world.many // 20):
        if world.over:
            return
        with _client(world, f"dying {number}", _DAY_S, will):
            pass


def published_wills(world: World) -> None:
    """Clients that go away at once, each with a will for very many subscribers."""
    with ExitStack() as stack:
        for number in range(20):
            stack.enter_context(_reader(world, f"mourner {number}", "will"))
        will = Will("will", bytes(15_000), retain=True)
        world.leave(DEFAULT_QUEUE)
        while not world.over:
            with _client(world, "mourned", will=will) as client:
                client.say(Disconnect(ReasonCode.DISCONNECT_WITH_WILL))


def take_overs(world: World) -> None:
    """Connections that take the session of one client over, in which much waits."""
    with _client(world, "taken over", _DAY_S) as client:
        client.subscribe("taken/#", qos=1)
    with _client(world, "giving") as publisher:
        waiting = [published("taken/x", b"x" * 100, 1, each) for each in range(1, 1001)]
        publisher.say(*waiting, Ping(PacketType.PINGREQ))
        publisher.expect(Ping)
    while not world.over:
        with ExitStack() as stack:
            for _ in range(50):
                stack.enter_context(_client(world, "taken over", _DAY_S))


def many_sessions(world: World) -> None:
    """Sessions of client identifiers that do not come again, which last for long."""
    for number in range(world.many // 20):
        if world.over:
            return
        with _client(world, f"once {number}", LASTS_FOR_EVER) as client:
            client.subscribe("once/#", qos=1)


def unanswered_releases(world: World) -> None:
    """PUBREC and PUBREL of messages that nobody knows, whose answers are read."""
    with _client(world, "unknowing") as client, ExitStack() as stack:
        discard(client.socket, stack)
        kinds = (PacketType.PUBREL, PacketType.PUBREC, PacketType.PUBACK)
        octets = _octets(*[Ack(kinds[each % 3], each + 1) for each in range(10 * _AT_ONCE)])
        while not world.over:
            client.socket.sendall(octets)


def pings(world: World) -> None:
    """PINGREQ as often as fits into the input, of clients that read the answers."""
    with ExitStack() as stack:
        clients = [
            stack.enter_context(_reader(world, f"pinging {number}", "none"))
            for number in range(_crowd(world))
        ]
        octets = _octets(Ping(PacketType.PINGREQ)) * 30_000
        while not world.over:
            for client in clients:
                client.socket.sendall(octets)


MQTT_ATTACKS: Final[tuple[tuple[Callable[[World], None], int], ...]] = (
    (trickling_connects, 16 * MIB),
    (huge_connects, 16 * MIB),
    (connect_properties, 16 * MIB),
    (mqtt_passwords, 16 * MIB),
    (endless_proofs, 32 * MIB),
    (silent_clients, 32 * MIB),
    (retained_floods, 64 * MIB),
    (many_subscriptions, 64 * MIB),
    (wide_subscribes, 128 * MIB),
    (too_many_filters, 64 * MIB),
    (topic_levels, 64 * MIB),
    (groups, 64 * MIB),
    (unacknowledged, 128 * MIB),
    (stopped_readers, 128 * MIB),
    (watched_topics, 64 * MIB),
    (acknowledged_beside_watches, 64 * MIB),
    (unreleased, 64 * MIB),
    (topic_aliases, 64 * MIB),
    (user_properties, 128 * MIB),
    (wills, 64 * MIB),
    (published_wills, 32 * MIB),
    (take_overs, 32 * MIB),
    (many_sessions, 64 * MIB),
    (unanswered_releases, 32 * MIB),
    (pings, 32 * MIB),
)
"""Each with the bytes by which the broker's memory may grow meanwhile."""
