"""MQTT for the driver of a socket."""

from collections.abc import Callable
from functools import partial
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.containers import ContainerConnection
from lastvalue.broker.not_leader import NotLeaderError
from lastvalue.broker.statistics.connections import ConnectionStatistics, SessionStatistics
from lastvalue.codec.mqtt.packet_types import VERSION_NAMES, PacketType
from lastvalue.codec.mqtt.packets import Acks, Connect, Disconnect, Publish, Subscribe, Unsubscribe, Will
from lastvalue.codec.mqtt.properties import PropertyId, PropertyValue
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.delivery.protocol_connection import (
    SHUTTING_DOWN,
    ConnectionContext,
    EngineConnection,
    ProtocolConnection,
)
from lastvalue.frontends.mqtt.broker_state import BrokerState
from lastvalue.frontends.mqtt.connection_state import MqttConnectionState, reason_of
from lastvalue.frontends.mqtt.producer import ClientProducer, PublishRun, publish_will
from lastvalue.frontends.mqtt.session import FILTER_WORK, MOST_NAME_LENGTH, Session
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError, LastvalueError
from lastvalue.protocols.mqtt.connection import Connection, Event
from lastvalue.protocols.mqtt.options import Options

SESSION: Final = "lastvalue-session"
NEWEST: Final = "newest"
"""The user property of a CONNECT with which only the newest message of each topic waits for the client."""
_CLOSES_EARLIER: Final = 1
_EVENT_WORK: Final = 2


@final
class MqttConnection(EngineConnection[Connection]):
    """See ProtocolConnection.

    Args:
        context: of the connection.
        options: of the engine.
        shared: what all MQTT connections share.
        wire_now: the time.
    """

    __slots__ = (
        "_client",
        "_connect_bytes",
        "_enter",
        "_producer",
        "_publish_waits",
        "_reasons",
        "_refusal",
        "_session",
        "_state",
        "_will",
    )

    def __init__(
        self, context: ConnectionContext, options: Options, shared: BrokerState, wire_now: i64
    ) -> None:
        engine = Connection(options, context.authenticator, wire_now, shared.names)
        self._state = MqttConnectionState(context, engine, shared)
        self._enter = context.enter
        self._session: Session | None = None
        self._producer: ClientProducer | None = None
        self._client: _Client | None = None
        self._will: Will | None = None
        self._connect_bytes: i64 = 0
        # Of the filters that are done of the SUBSCRIBE or UNSUBSCRIBE that is carried out.
        self._reasons: list[ReasonCode] | None = None
        self._refusal = ""
        self._publish_waits = False
        super().__init__(context, engine, self._state.output, self._state.confirmations, wire_now)
        self.number = self._state.number

    def seal(self, position: int, now: i64) -> None:
        """See ProtocolConnection: also end what is over, and a connection whose reader a fault has ended."""
        super().seal(position, now)
        session = self._session
        if session is None:
            return
        session.sweep(now)
        for consumer in self._output.take_failed():
            if session.has(consumer):
                self._close(Condition.INTERNAL_ERROR, "a fault of the broker has ended a subscription")

    def data_to_send(self) -> bytes:
        """See ProtocolConnection."""
        data = super().data_to_send()
        self.reading_paused = self._engine.reading_paused
        return data

    @property
    def family(self) -> str:
        """See ConnectionHandle."""
        return "MQTT"

    def _waits_for_memory(self) -> bool:
        """See EngineConnection."""
        return self._publish_waits and self._engine.reading_paused

    def _statistics(self) -> ConnectionStatistics | None:
        """See EngineConnection."""
        engine, session, producer = self._engine, self._session, self._producer
        if not engine.opened or session is None:
            return None
        protocol = VERSION_NAMES[int(engine.level)]
        statistics = ConnectionStatistics(
            self._state.name, protocol, engine.identity, self._state.output.traffic
        )
        statistics.mechanism = engine.mechanism
        statistics.properties = {"client-id": self._state.client_id}
        links = session.statistics()
        if producer is not None:
            links.append(producer.statistics("", ""))
        unsettled = session.consumer.unsettled.held
        statistics.sessions.append(SessionStatistics(self._state.client_id, 0, links, unsettled))
        return statistics

    def _close(self, condition: Condition, reason: str) -> None:
        """See EngineConnection."""
        stops = condition is Condition.CONNECTION_FORCED and reason == SHUTTING_DOWN
        code = ReasonCode.SERVER_SHUTTING_DOWN if stops else ReasonCode(condition.mqtt)
        self._engine.disconnect(code, reason)

    def _release(self, now: i64) -> None:
        """See EngineConnection."""
        client, session, producer = self._client, self._session, self._producer
        self._client = self._session = self._producer = None
        if client is not None:
            self._broker.connections.containers.leave(client)
        if session is not None:
            will, self._will = self._will, None
            wills, client_id = self._state.shared.wills, self._state.client_id
            if will is None:
                wills.end(self._engine.identity, client_id, False, now)
            else:
                wills.lose(self._state.owner(), client_id, will, session.expiry_s, now)
            session.release(now)
        if producer is not None:
            producer.close()
        self._broker.ended(self._state.number, now)

    def _open_bytes(self) -> i64:
        """See EngineConnection: an incomplete packet, what the CONNECT had, and the session."""
        session = self._session
        known = self._engine.waiting_bytes + self._connect_bytes
        return known + (0 if session is None else session.open_bytes)

    def give_way(self) -> None:
        """Another connection has the client's identifier from now on [MQTT-3.1.4-3]."""
        self._state.end(ReasonCode.SESSION_TAKEN_OVER, "another connection has the client identifier")

    def take_over(self, now: i64) -> None:
        """Leave the session to another connection."""
        self.give_way()
        self._release(now)

    # ------------------------------------------------------------------ events

    def _handle(self, now: i64) -> None:
        """See EngineConnection."""
        self._state.output.schedule_write()
        work = self._broker.exchanges.work
        self._publish_waits = False
        while events := self._engine.events():
            place: i64 = 0
            while place < len(events):
                event = events[place]
                done: i64 = 0
                if not work.is_over and not self._output.holds_answers:
                    if isinstance(event, Publish):
                        done = 0 if self._puts_publish_off() else self._publish(events, place, now)
                    elif not (isinstance(event, Disconnect) and self._puts_end_off()):
                        done = 1 if self._take(event, now) else 0
                place += done
                if done == 0 or work.is_over:
                    self._engine.put_back(events[place:])
                    return

    def _take(self, event: Event, now: i64) -> bool:
        """Process an event but a message; false if a part of it waits for the next look at the clock."""
        session = self._session
        work = self._broker.exchanges.work
        work.spend(_EVENT_WORK)
        if session is None:
            # Any other is of a session that is over.
            if isinstance(event, Connect):
                self._connect(event, now)
        elif isinstance(event, Acks):
            work.spend(_EVENT_WORK * (event.last - event.first))
            self._acknowledge(session, event, now)
        elif isinstance(event, (Subscribe, Unsubscribe)):
            return self._change_subscriptions(session, event, now)
        elif isinstance(event, Disconnect):
            if event.reason is ReasonCode.SUCCESS:
                # [MQTT-3.14.4-3] A normal end has no will.
                self._will = None
            asked_s = event.properties.number(PropertyId.SESSION_EXPIRY_S, -1)
            if asked_s >= 0:
                session.change_expiry(self._expiry_s(asked_s), now)
        return True

    def _puts_publish_off(self) -> bool:
        """Whether a message waits for memory, with all behind it."""
        if self._broker.alarms.memory_alarm and self._session is not None:
            self._producer = self._producer or ClientProducer(self._state)
            self._producer.join()
            # The alarm may be newer than the last turn, which regulates those that have joined.
            self._producer.regulate()
            self._publish_waits = True
        return self._publish_waits

    def _publish(self, events: list[Event], place: i64, now: i64) -> i64:
        """Publish the messages from this place on, as far as they follow one another; how many are done."""
        publishes: list[Publish] = []
        for event in events[place:]:
            if not isinstance(event, Publish):
                break
            publishes.append(event)
        session = self._session
        if session is None:
            # They are of a session that is over.
            return len(publishes)
        producer = self._producer = self._producer or ClientProducer(self._state)
        run = PublishRun(producer, self._state, session, publishes, now)
        producer.give(run, now)
        return len(events) - place if run.ends else run.at

    def _acknowledge(self, session: Session, acks: Acks, now: i64) -> None:
        if acks.packet_type is not PacketType.PUBREL:
            session.consumer.take(acks, now)
            return
        for packet_id in range(acks.first, acks.last + 1):
            known = session.received.release(packet_id, now)
            reason = ReasonCode.SUCCESS if known else ReasonCode.PACKET_IDENTIFIER_NOT_FOUND
            self._confirmations.answer(partial(self._complete, packet_id, reason))

    def _complete(self, packet_id: i64, reason: ReasonCode, now: i64) -> None:
        del now
        self._engine.acknowledge(PacketType.PUBCOMP, packet_id, reason)

    # ------------------------------------------------------------------ connecting

    def _connect(self, connect: Connect, now: i64) -> None:
        state, engine = self._state, self._engine
        leader = self._broker.authorization.leader
        if leader is not None:
            error = NotLeaderError("have clients of MQTT", leader)
            engine.disconnect(ReasonCode.USE_ANOTHER_SERVER, str(error), error.host)
            return
        self._connect_bytes = connect.size_bytes
        state.client_id = connect.client_id or self._new_client_id()
        state.peer.describe(state.name, VERSION_NAMES[connect.level], engine.mechanism)
        state.peer.name_client({}, state.client_id)
        newest = (SESSION, NEWEST) in connect.properties.user
        session = Session(state, connect.receive_maximum, newest)
        if len(session.received.name) > MOST_NAME_LENGTH:
            text = "the client identifier is too long; with the user's name it has about 200 characters"
            engine.disconnect(ReasonCode.CLIENT_IDENTIFIER_INVALID, text)
            return
        refusal = self._enter(engine.identity)
        if refusal is not None:
            engine.disconnect(ReasonCode.QUOTA_EXCEEDED, refusal)
            return
        self._take_client(session, now)
        if connect.clean_start and not session.end_earlier(now):
            self._confirmations.answer(lambda now: self._begin(session, connect, now), durable=False)
        else:
            self._begin(session, connect, now)

    def _take_client(self, session: Session, now: i64) -> None:
        """Have the client's identifier, from an earlier connection if there is one."""
        identity = self._engine.identity
        containers = self._broker.connections.containers
        client = _Client(self, session.name, identity)
        for rival in containers.rivals(session.name, identity, True):
            if isinstance(rival, _Client):
                rival.connection.take_over(now)
            else:
                rival.give_way()
        containers.enter(client)
        self._client = client

    def _new_client_id(self) -> str:
        while True:
            self._state.client_id = f"lastvalue-{self._broker.identify()}"
            if not self._broker.has_queue(Session(self._state, 1).name):
                return self._state.client_id

    def _expiry_s(self, asked_s: int) -> int:
        return min(asked_s, self._state.shared.settings.longest_expiry_s)

    def _begin(self, session: Session, connect: Connect, now: i64) -> None:
        """Begin or continue the session, and let the client in once that is stored."""
        if self._engine.ended:
            return
        # [MQTT-3.1.3-9] A client that is back in time has no will; an earlier session that ends has.
        wills = self._state.shared.wills
        wills.end(self._engine.identity, self._state.client_id, connect.clean_start, now)
        expiry_s = self._expiry_s(connect.session_expiry_s)
        self._session = session
        session.hold()
        try:
            present = session.begin(expiry_s, now)
            if connect.will is not None and expiry_s > 0:
                wills.keep(self._state.owner(), self._state.client_id, connect.will, expiry_s, now)
        except BrokerError as fault:
            self._engine.disconnect(reason_of(fault), str(fault))
            return
        values: dict[int, PropertyValue] = {}
        if not connect.client_id:
            values[PropertyId.ASSIGNED_CLIENT_IDENTIFIER] = self._state.client_id
        if expiry_s != connect.session_expiry_s:
            values[PropertyId.SESSION_EXPIRY_S] = expiry_s
        self._answer(session, lambda now: self._let_in(session, connect, present, values, now), now)

    def _let_in(
        self, session: Session, connect: Connect, present: bool, values: dict[int, PropertyValue], now: i64
    ) -> None:
        if self._engine.ended or session is not self._session:
            return
        self._will = connect.will
        self._engine.accept(present, values)
        session.send_on()
        work = self._broker.exchanges.work
        work.begin()
        self._handle(now)
        self.input_waiting = work.is_over

    # ------------------------------------------------------------------ subscriptions

    def _change_subscriptions(self, session: Session, request: Subscribe | Unsubscribe, now: i64) -> bool:
        """Carry out a request, and answer it; what is subscribed to comes after the answer.

        False if a part of it waits for the next look at the clock.
        """
        work = self._broker.exchanges.work
        reasons = self._reasons = self._reasons or []
        done = len(reasons)
        if isinstance(request, Subscribe):
            packet_type = PacketType.SUBACK
            steps = [
                partial(session.subscribe, each, request.properties) for each in request.subscriptions[done:]
            ]
        else:
            packet_type = PacketType.UNSUBACK
            steps = [partial(session.unsubscribe, each) for each in request.filters[done:]]
        for step in steps:
            if work.is_over:
                return False
            try:
                reasons.append(step(now))
            except LastvalueError as fault:
                reasons.append(reason_of(fault))
                self._refusal = self._refusal or str(fault)
                work.spend(FILTER_WORK)
        text = self._refusal
        self._reasons, self._refusal = None, ""
        session.hold()

        def send(now: i64) -> None:
            del now
            self._engine.answer_filters(packet_type, request.packet_id, reasons, text)
            session.send_on()

        self._answer(session, send, now)
        return True

    def _answer(self, session: Session, send: Callable[[i64], None], now: i64) -> None:
        """Answer at once, or if the session survives a restart once the journal has what was changed."""
        if session.is_durable:
            self._confirmations.answer(send)
        else:
            send(now)


@final
class _Client(ContainerConnection):
    """A connection as the one that has its client's identifier."""

    __slots__ = ("_user", "connection")

    def __init__(self, connection: MqttConnection, name: str, user: str) -> None:
        super().__init__(name, _CLOSES_EARLIER)
        self.connection = connection
        self._user = user

    @property
    def user(self) -> str:
        """See ContainerConnection."""
        return self._user

    def give_way(self) -> None:
        """See ContainerConnection."""
        self.connection.give_way()


def opener(options: Options, shared: BrokerState) -> Callable[[ConnectionContext, int], ProtocolConnection]:
    """The function that makes a connection in MQTT from its context and the time."""
    shared.wills.publish = partial(publish_will, shared)
    return lambda context, wire_now: MqttConnection(context, options, shared, wire_now)
