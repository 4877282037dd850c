"""Clients of CORE, whose sessions go on with the next connection: publishers and consumers."""

from collections import deque
from dataclasses import dataclass, field
from typing import Any, Final

from core_peer import Received, anycast, message
from ledger import CONFIRMED, REFUSED, UNKNOWN
from simulated_clients import LEFT, RIGHT, WORK
from simulated_wire import WireClient

from lastvalue.codec.core import packets
from lastvalue.codec.core.packets import (
    BY_CODE,
    HEADER_BYTES,
    NEWEST_VERSION,
    Packet,
    PacketType,
    read_packet,
    write_packet,
)
from lastvalue.codec.core.reader import CoreReader
from lastvalue.codec.core.writer import CoreWriter
from lastvalue.model.errors import LastvalueError
from lastvalue.protocols.core.connection import MAGIC

TTL_MS: Final = 6_000
"""So long a broker keeps the sessions of a lost connection."""

WINDOW: Final = 600
"""After so many bytes a broker confirms commands."""

CONFIRMED_EVERY: Final = 5
"""After so many packets a client confirms what it has got."""

PLAIN: Final = 10
TRANSACTED: Final = 11
TEXT: Final = 3
WITHOUT_ANSWER: Final = -1


class SessionLostError(LastvalueError):
    """The broker does not know the session any more, or has refused something."""


@dataclass
class CoreSession:
    """A session, from one connection to the next.

    Attributes:
        led: the broker has it, and leads.
        joined: commands are sent at once; else they wait for the next connection.
        sent: the number of the last command.
        received: the number of the last packet that came.
        kept: the commands that are not confirmed, by their numbers.
        answers: what has come for the command that waits for an answer.
        unanswered: names of the messages by the number that the answer has.
        came: the messages that came to the consumer.
    """

    name: str
    channel: int
    led: bool = False
    joined: bool = False
    lost: bool = False
    sent: int = -1
    received: int = -1
    kept: dict[int, bytes] = field(default_factory=dict)
    answers: list[PacketType] = field(default_factory=list)
    unanswered: dict[int, str] = field(default_factory=dict)
    came: list[Received] = field(default_factory=list)

    @property
    def commits(self) -> bool:
        """Whether each command counts by itself."""
        return self.channel == PLAIN


class CoreClient(WireClient):
    """Has a session that commits by itself, and a transacted one."""

    _made = 0

    def begin(self) -> None:
        self.sessions: dict[int, CoreSession] = {}
        for channel in (PLAIN, TRANSACTED):
            self._make(channel)
        super().begin()

    def _make(self, channel: int) -> None:
        self._made += 1
        self.sessions[channel] = CoreSession(f"{self.name} {self._made}", channel)

    # ------------------------------------------------------------------ connecting

    def hello(self) -> None:
        self._data = b""
        self.wire.transport.write(MAGIC)
        self.beat()
        for channel, session in [*self.sessions.items()]:
            session.joined = False
            if not session.led and session.sent >= 0:
                self._replace(channel)
        self._joining = deque(self.sessions)
        self._join()

    def beat(self) -> None:
        self._write(packets.PING, 0, ttl_ms=TTL_MS)

    def _write(self, kind: PacketType, channel: int, **values: Any) -> None:
        self.wire.transport.write(write_packet(kind, channel, NEWEST_VERSION, values))

    def _join(self) -> None:
        """Attach the next session, or make it; at the end the client is ready."""
        if not self._joining:
            self.ready = True
            self.look()
            return
        session = self.sessions[self._joining[0]]
        if session.led:
            self._write(packets.REATTACH, 1, name=session.name, last_command=session.received)
        else:
            values = {"name": session.name, "session_channel": session.channel, "version": NEWEST_VERSION}
            values |= dict.fromkeys(("auto_commit_sends", "auto_commit_acks"), session.commits)
            self._write(packets.CREATE_SESSION_V2, 1, **values, min_large_message_size=102_400, window=WINDOW)

    def _replace(self, channel: int) -> None:
        session = self.sessions[channel]
        session.lost = True
        self.world.counts["core sessions lost"] += 1
        self._make(channel)
        self.look()

    def _take_own(self, kind: PacketType, packet: Packet) -> None:
        """Something on the channels of the connection itself."""
        if kind.name.startswith("DISCONNECT") or kind is packets.EXCEPTION:
            self._refused(kind.name)
        elif kind is packets.SESSION_CREATED:
            session = self.sessions[self._joining[0]]
            session.joined = True
            self.say(session, packets.START)
            # A broker that follows refuses it, and one that leads and has no such queue yet.
            self.say(session, packets.CREATE_CONSUMER, consumer=0, queue=WORK, wants_response=True)
        elif kind is packets.REATTACHED:
            self._reattached(self.sessions[self._joining[0]], packet)

    def _reattached(self, session: CoreSession, packet: Packet) -> None:
        if not packet.flag("reattached"):
            self._replace(session.channel)
            self._join()
            return
        self.world.counts["core sessions reattached"] += 1
        self._confirmed(session, int(packet.number("last_command")))
        for data in session.kept.values():
            self.world.counts["core commands sent again"] += 1
            self.wire.transport.write(data)
        session.joined = True
        self._joining.popleft()
        self._join()

    def _refused(self, why: str) -> None:
        self.world.counts[f"core {why}"] += 1
        self.leave()

    # ------------------------------------------------------------------ saying

    def say(self, session: CoreSession, kind: PacketType, **values: Any) -> None:
        """Send a command, now or over the next connection."""
        session.sent += 1
        data = write_packet(kind, session.channel, NEWEST_VERSION, values)
        session.kept[session.sent] = data
        if session.joined and not self.wire.lost:
            self.wire.transport.write(data)

    async def ask(self, session: CoreSession, kind: PacketType, **values: Any) -> None:
        """Send a command, and wait for its answer.

        Raises:
            SessionLostError: there will be none.
        """
        session.answers.clear()
        self.say(session, kind, **values)
        await self.until(lambda: session.lost or bool(session.answers))
        if session.answers[:1] in ([], [packets.EXCEPTION]):
            raise SessionLostError

    async def until_lost_or(self, session: CoreSession, names: dict[int, str]) -> None:
        """Wait until nothing is known to be unconfirmed.

        Raises:
            SessionLostError: nobody will say more.
        """
        await self.until(lambda: session.lost or not names)
        if session.lost:
            raise SessionLostError

    # ------------------------------------------------------------------ hearing

    def arrived(self, data: bytes) -> None:
        wire = self.wire
        self._data += data
        while not wire.lost and wire is self.wire and len(self._data) >= HEADER_BYTES:
            size = 4 + int.from_bytes(self._data[:4], "big")
            if len(self._data) < size:
                return
            octets, self._data = self._data[:size], self._data[size:]
            reader = CoreReader(octets, 4)
            kind = BY_CODE[int(reader.int8())]
            channel = int(reader.int64())
            if kind is packets.RECEIVE:
                self._count(self.sessions[channel]).came.append(Received(octets))
                continue
            packet = read_packet(kind, reader, NEWEST_VERSION)
            if channel < PLAIN:
                self._take_own(kind, packet)
            else:
                self._take(self.sessions[channel], kind, packet)

    def _count(self, session: CoreSession) -> CoreSession:
        """One more packet has come that a broker keeps until it is confirmed."""
        session.received += 1
        if session.received % CONFIRMED_EVERY == 0:
            self._write(packets.PACKETS_CONFIRMED, session.channel, command=session.received)
        return session

    def _take(self, session: CoreSession, kind: PacketType, packet: Packet) -> None:
        if kind is packets.PACKETS_CONFIRMED:
            self._confirmed(session, int(packet.number("command")))
            return
        self._count(session)
        if session.joined and not session.led:
            if kind is packets.EXCEPTION:
                self._refused("refused consumers")
                return
            session.led = True
            self._joining.popleft()
            self._join()
            return
        name = session.unanswered.pop(int(packet.number("correlation", -2)), None)
        if name is None:
            session.answers.append(kind)
        elif kind is packets.NULL_RESPONSE:
            self.ledger.work[name] = CONFIRMED
            self.world.counts["core answers"] += 1

    def _confirmed(self, session: CoreSession, last: int) -> None:
        """Commands up to this number are carried out, or refused, and need not be sent again."""
        for number in [each for each in session.kept if each <= last]:
            del session.kept[number]
            self.world.counts["core commands confirmed"] += 1


class CorePublisher(CoreClient):
    """Publishes to queues, alone and in transactions."""

    _number = 0

    def _next(self) -> str:
        self._number += 1
        return f"{self.name}-{self._number}"

    def _send(self, session: CoreSession, name: str, queue: str, *, answered: bool) -> None:
        body = CoreWriter()
        body.nullable_simple_string(name)
        content = message(body.data(), queue, kind=TEXT, durable=True, properties=anycast())
        correlation = self._number if answered else WITHOUT_ANSWER
        values = {"message": content, "wants_response": answered, "correlation": correlation}
        self.say(session, packets.SEND, **values)

    async def send(self, count: int, queue: str, answered: bool, lost_after_s: float) -> None:
        """Publish several messages, and wait for the answers to those that have one.

        Args:
            count: how many.
            queue: where to.
            answered: each is answered.
            lost_after_s: the connection is lost after this time, or with 0 it is not.
        """
        await self.until(lambda: self.ready)
        session = self.sessions[PLAIN]
        for _ in range(count):
            name = self._next()
            self.ledger.send([name], queue)
            self.ledger.work[name] = UNKNOWN
            if answered:
                session.unanswered[self._number] = name
            self._send(session, name, queue, answered=answered)
        if lost_after_s:
            self.world.wire.call_later(lost_after_s, self.network.cut, self.machine)
        await self.until_lost_or(session, session.unanswered)

    async def transact(self, count: int, end: str) -> None:
        """Send to two queues in one transaction."""
        await self.until(lambda: self.ready)
        session = self.sessions[TRANSACTED]
        names = [self._next() for _ in range(count)]
        self.ledger.pairs.update(dict.fromkeys(names, UNKNOWN))
        for name in names:
            for queue in (LEFT, RIGHT):
                self._send(session, name, queue, answered=False)
        commits = end == "commit"
        await self.ask(session, packets.COMMIT if commits else packets.ROLLBACK)
        self.ledger.pairs.update(dict.fromkeys(names, CONFIRMED if commits else REFUSED))
        self.world.counts["core transactions"] += 1


class CoreConsumer(CoreClient):
    """Takes messages, and acknowledges them in all ways."""

    _consumers = 0

    async def take(self, most: int, outcome: str, queue: str) -> None:
        """Take so many messages, if they come in a second."""
        await self.until(lambda: self.ready)
        session = self.sessions[PLAIN if outcome in ("one", "all") else TRANSACTED]
        self._consumers += 1
        consumer = {"consumer": self._consumers}
        session.came.clear()
        await self.ask(session, packets.CREATE_CONSUMER, queue=queue, wants_response=True, **consumer)
        self.say(session, packets.CREDIT, credits=-1, **consumer)
        await self.at_most(1.0, lambda: session.lost or len(session.came) >= most)
        taken = session.came[:most]
        for each in taken:
            self._note(_text_of(each), outcome, queue)
        if taken and not session.lost:
            await self._acknowledge(session, outcome, [each.number for each in taken], consumer)
        await self.ask(session, packets.CLOSE_CONSUMER, **consumer)

    def _note(self, name: str, outcome: str, queue: str) -> None:
        if self.ledger.sent_to.get(name) != queue:
            self.world.break_law(f"{self.name} got {name!r}, which nobody has sent")
        if outcome != "roll back":
            # The broker may get the outcome even if this program does not live to know.
            self.ledger.done.add(name)
        self.world.counts[f"core {outcome}"] += 1

    async def _acknowledge(
        self, session: CoreSession, outcome: str, numbers: list[int], consumer: dict[str, int]
    ) -> None:
        if outcome == "one":
            for number in numbers:
                await self.ask(
                    session, packets.ACKNOWLEDGE_ONE, message=number, wants_response=True, **consumer
                )
            return
        values = {"message": numbers[-1], "wants_response": True}
        await self.ask(session, packets.ACKNOWLEDGE, **values, **consumer)
        if outcome == "commit":
            await self.ask(session, packets.COMMIT)
        elif outcome == "roll back":
            await self.ask(session, packets.ROLLBACK, last_delivered=True)


def _text_of(received: Received) -> str:
    """What a message is called: its text, or its bytes."""
    if received.kind == TEXT:
        return CoreReader(received.body).nullable_simple_string() or ""
    return received.body.decode()
