"""Clients of MQTT: what they have sent and not heard confirmed they keep, as real ones do in a file."""

from dataclasses import dataclass
from typing import Any, Final

from history import MQTT_PUBLISHERS
from ledger import CONFIRMED, UNKNOWN
from simulated_wire import WireClient

from lastvalue.codec.mqtt.frames import FrameReader
from lastvalue.codec.mqtt.packet_decoder import decode_packet
from lastvalue.codec.mqtt.packet_encoder import encode_packet
from lastvalue.codec.mqtt.packet_types import LEVEL_5, PacketType
from lastvalue.codec.mqtt.packets import (
    Ack,
    ConnAck,
    Connect,
    Disconnect,
    Packet,
    Ping,
    Publish,
    SubAck,
    Subscribe,
    Subscription,
)
from lastvalue.codec.mqtt.properties import NONE, Properties, PropertyId
from lastvalue.codec.mqtt.reason_codes import FIRST_FAILURE, ReasonCode

TOPIC: Final = "mq"
EXPIRY_S: Final = 7_200
LARGEST: Final = 1 << 20
EXACTLY_ONCE: Final = 2


class MqttClient(WireClient):
    """Has a session that outlives its connections.

    Attributes:
        had_session: the broker has confirmed a session; from then on there is one.
    """

    def __init__(self, *args: Any) -> None:
        self.had_session = False
        super().__init__(*args)

    def hello(self) -> None:
        self._reader = FrameReader(LARGEST)
        properties = Properties({PropertyId.SESSION_EXPIRY_S: EXPIRY_S})
        self.say(Connect(LEVEL_5, self.name, clean_start=False, keep_alive_s=4, properties=properties))

    def say(self, packet: Packet) -> None:
        """Send a packet."""
        self.wire.transport.write(encode_packet(packet, LEVEL_5))

    def arrived(self, data: bytes) -> None:
        reader = self._reader
        reader.feed(data)
        while reader.next():
            packet = decode_packet(reader.first, reader.data, reader.start, reader.end, LEVEL_5)
            match packet:
                case ConnAck(present, ReasonCode.SUCCESS):
                    self._logged_in(present=present)
                case ConnAck() | Disconnect():
                    # It follows another broker, or ends.
                    self.world.counts[f"mqtt {packet.reason.name}"] += 1
                    self.leave()
                    return
                case Ping():
                    pass
                case _:
                    self.take(packet)

    def _logged_in(self, *, present: bool) -> None:
        if self.had_session and not present:
            self.world.break_law(f"{self.name}: the broker does not know its session any more")
        self.world.counts["mqtt sessions resumed"] += present
        self.had_session = True
        self.greeted()

    def beat(self) -> None:
        self.say(Ping(PacketType.PINGREQ))

    def greeted(self) -> None:
        """The session is there."""
        raise NotImplementedError

    def take(self, packet: Packet) -> None:
        """A packet has come."""
        raise NotImplementedError


@dataclass(slots=True)
class Flight:
    """A message that is not confirmed.

    Attributes:
        received: the broker has it, and its identifier is to be released.
    """

    name: str
    qos: int
    received: bool = False


class MqttPublisher(MqttClient):
    """Publishes to a topic; what is not confirmed it sends again over the next connection."""

    def __init__(self, *args: Any) -> None:
        self._flights: dict[int, Flight] = {}
        self._sent = 0
        super().__init__(*args)

    @property
    def is_idle(self) -> bool:
        return super().is_idle and not self._flights

    async def publish(self, count: int, qos: int) -> None:
        """Publish several messages, and wait until they are confirmed."""
        await self.until(lambda: self.ready)
        for _ in range(count):
            self._sent += 1
            name = f"{self.name}-{self._sent}"
            self.ledger.topics[name] = UNKNOWN
            if qos == EXACTLY_ONCE:
                self.ledger.once.add(name)
            if qos:
                flight = self._flights[self._sent] = Flight(name, qos)
                self._transmit(self._sent, flight, again=False)
            else:
                self.say(Publish(TOPIC, name.encode(), 0, 0, NONE))
        await self.until(lambda: not self._flights)

    def _transmit(self, number: int, flight: Flight, *, again: bool) -> None:
        if flight.received:
            self.say(Ack(PacketType.PUBREL, number))
            return
        publish = Publish(TOPIC, flight.name.encode(), flight.qos, number, NONE)
        publish.duplicate = again
        self.say(publish)

    def greeted(self) -> None:
        self.ready = True
        for number, flight in self._flights.items():
            self.world.counts["mqtt messages sent again"] += 1
            self._transmit(number, flight, again=True)

    def take(self, packet: Packet) -> None:
        if not isinstance(packet, Ack):
            self.world.break_law(f"{self.name} got {packet}")
            return
        flight = self._flights.get(packet.packet_id)
        if flight is None:
            return
        if packet.packet_type is PacketType.PUBREC and packet.reason < FIRST_FAILURE:
            flight.received = True
            self._transmit(packet.packet_id, flight, again=False)
            return
        del self._flights[packet.packet_id]
        if packet.reason < FIRST_FAILURE:
            self.ledger.topics[flight.name] = CONFIRMED
            self.world.counts[f"mqtt confirmed at QoS {flight.qos}"] += 1
        else:
            self.world.counts[f"mqtt {packet.reason.name}"] += 1


class MqttSubscriber(MqttClient):
    """Has everything of the topic; what it has received at QoS 2 and not completed it knows again."""

    def __init__(self, *args: Any) -> None:
        self._begun: dict[int, str] = {}
        self._last: dict[int, int] = {}
        self._subscribed = False
        super().__init__(*args)

    def greeted(self) -> None:
        if self._subscribed:
            self.ready = True
        else:
            self.say(Subscribe(1, (Subscription(TOPIC, EXACTLY_ONCE),)))

    def take(self, packet: Packet) -> None:
        match packet:
            case SubAck():
                self._subscribed = self.ready = True
            case Publish():
                self._receive(packet)
            case Ack(packet_type=PacketType.PUBREL):
                self._begun.pop(packet.packet_id, None)
                self.say(Ack(PacketType.PUBCOMP, packet.packet_id))
            case _:
                self.world.break_law(f"{self.name} got {packet}")

    def _receive(self, publish: Publish) -> None:
        # A broker that was killed may not know that it has sent it, so the flag DUP says nothing.
        name = publish.payload.decode()
        known = self._begun.get(publish.packet_id)
        if known not in (None, name):
            self.world.break_law(f"{self.name} got {name} by the identifier of {known} before its PUBREL")
        if known is None:
            self._check_order(name, publish.qos)
            self.ledger.heard[name] += 1
        if publish.qos == EXACTLY_ONCE:
            self._begun[publish.packet_id] = name
        if publish.qos:
            kind = PacketType.PUBREC if publish.qos == EXACTLY_ONCE else PacketType.PUBACK
            self.say(Ack(kind, publish.packet_id))
        self.world.counts[f"mqtt deliveries at QoS {publish.qos}"] += 1
        self.world.counts["mqtt deliveries again"] += publish.duplicate

    def _check_order(self, name: str, qos: int) -> None:
        """[MQTT 4.6] What a client has published at one QoS comes in that order, whatever comes again."""
        if qos and name.startswith(MQTT_PUBLISHERS) and not self.ledger.heard[name]:
            number = int(name.rpartition("-")[2])
            if number < self._last.get(qos, 0):
                self.world.break_law(
                    f"{self.name} got {name} behind number {self._last[qos]} of its QoS {qos}"
                )
            self._last[qos] = number

    async def depart(self, seconds: float) -> None:
        """Disconnect, and come back; the session stays."""
        await self.until(lambda: self.ready)
        self.say(Disconnect())
        for end in self.network.of(self.machine):
            end.close()
        await self.pass_s(seconds)
        await self.until(lambda: self.ready)
