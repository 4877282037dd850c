"""Runs scenarios on a broker behind its AMQP 0-9-1 frontend, without a socket.

Each reader has a connection of its own, and the deliveries of its channel flow while it reads.
"""

from typing import Any

from amqp091_peer import Peer
from pamqp import commands
from scenario import Asked, Given, ReaderRefusedError
from wired_broker import FIRST_OF_GROUP, Clock, WiredBroker

from lastvalue.broker.broker import Broker
from lastvalue.queues.spec_arguments import spec_from_arguments

Basic, Channel = commands.Basic, commands.Channel
SUBJECTS = "subjects"
"""The exchange for messages whose routing key, which is their subject, is not the queue's name."""


class Amqp091Broker(WiredBroker):
    def __init__(self, options: dict[str, Any]) -> None:
        self.clock = Clock()
        self.broker = Broker()
        spec = spec_from_arguments("q", options)
        self._alternates = sorted({name for name in (spec.alternate, spec.expiry_alternate) if name})
        self._held = {}
        self._peers: dict[str, Peer] = {}
        self._publisher = self._peer()
        for name in self._alternates:
            self._publisher.say(commands.Queue.Declare(queue=name))
        self._publisher.say(
            commands.Queue.Declare(queue="q", arguments=options),
            commands.Exchange.Declare(exchange=SUBJECTS, exchange_type="fanout"),
            commands.Queue.Bind(queue="q", exchange=SUBJECTS),
            commands.Confirm.Select(),
        )
        while self._publisher.frames[0][1].name != "Confirm.SelectOk":
            assert self._publisher.frames.pop(0)[1].name != "Channel.Close"
        self._publisher.expect(commands.Confirm.SelectOk)

    def _peer(self) -> Peer:
        peer = Peer(self.broker)
        peer.now = self.clock.now
        return peer.open()

    def send(self, body: str, properties: dict[str, Any], ttl_ms: int | None, **more: Any) -> bool:
        publisher = self._publisher
        publisher.now = self.clock.now
        headers = {**properties, **more.get("message_annotations", {})}
        for name, header in (("group_id", "JMSXGroupID"), ("group_sequence", "JMSXGroupSeq")):
            if name in more:
                headers[header] = more[name]
        fields: dict[str, Any] = {"headers": headers or None, "priority": more.get("priority")}
        if more.get("durable"):
            fields["delivery_mode"] = 2
        if ttl_ms is not None:
            fields["expiration"] = str(ttl_ms)
        exchange, key = (SUBJECTS, more["subject"]) if "subject" in more else ("", "q")
        publisher.publish(body.encode(), key, exchange, **fields)
        asked = [part for _, part in publisher.frames if not isinstance(part, Channel.Flow)]
        publisher.frames.clear()
        assert len(asked) == 1, asked
        return isinstance(asked[0], Basic.Ack)

    def attach(self, by: str, reads: str, asked: Asked, queue: str = "q") -> None:
        if by in self._peers:
            return
        peer = self._peers[by] = self._peer()
        arguments: dict[str, Any] = {"x-filter-no-consume": reads == "browse"}
        if asked.selector:
            arguments["x-filter-jms-selector"] = asked.selector
        if asked.priority is not None:
            arguments["x-priority"] = asked.priority
        period_s = 0 if asked.only_new else asked.replay_period_s
        if period_s is not None:
            arguments["x-qpid-replay-period"] = period_s
        peer.say(Channel.Flow(False)).expect(Channel.FlowOk)
        peer.say(Basic.Consume(queue=queue, consumer_tag=by, arguments=arguments))
        if isinstance(peer.frames[0][1], Channel.Close):
            raise ReaderRefusedError(peer.expect(Channel.Close).reply_text)
        peer.expect(Basic.ConsumeOk)

    def read(self, by: str, reads: str, count: int, asked: Asked) -> list[Given]:
        self.attach(by, reads, asked)
        self.listen(by, count, asked)
        given = self._given(by, reads)
        self._at(by).say(Channel.Flow(False)).expect(Channel.FlowOk)
        return given

    def listen(self, by: str, credit: int, asked: Asked) -> None:
        self.attach(by, "acquire", asked)
        most = min(65535, credit + len(self._held.get(by, ())))
        self._at(by).say(Basic.Qos(prefetch_count=most, global_=True)).expect(Basic.QosOk)
        self._at(by).say(Channel.Flow(True)).expect(Channel.FlowOk)

    def _at(self, by: str) -> Peer:
        peer = self._peers[by]
        peer.now = self.clock.now
        return peer

    def _given(self, by: str, reads: str) -> list[Given]:
        peer = self._at(by).turn()
        given = []
        while peer.frames and isinstance(peer.frames[0][1], Basic.Deliver):
            method, properties, payload = peer.content(Basic.Deliver)
            headers: dict[str, Any] = dict(properties.headers or {})
            body = payload.decode()
            marked = headers.get(FIRST_OF_GROUP) is True
            life = properties.expiration
            expires_ms = None if life is None else self.now + int(life)
            given.append(Given(body, headers.get("x-delivery-count", 0), marked, expires_ms))
            if reads == "acquire":
                self._held.setdefault(by, []).append((body, method.delivery_tag or 0))
        if reads == "browse" and given:
            peer.say(Channel.Flow(False)).expect(Channel.FlowOk)
            peer.say(Basic.Ack(0, multiple=True))
        return given

    def settle(self, by: str, body: str, outcome: str) -> None:
        _, tag = self._held[by].pop(self.held(by).index(body))
        peer = self._at(by)
        if outcome == "accepted":
            peer.say(Basic.Ack(tag))
        else:
            peer.say(Basic.Nack(tag, requeue=outcome != "rejected"))

    def close(self, by: str) -> None:
        peer = self._at(by)
        del self._peers[by]
        self._held.pop(by, None)
        peer.say(commands.Connection.Close(200, "", 0, 0), channel=0)
        assert peer.conversation.finished
        peer.conversation.lost(self.clock.now, self.clock.now)
