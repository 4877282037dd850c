"""Runs scenarios on a broker behind its AMQP 0-10 frontend, without a socket."""

from typing import Any

from amqp010_peer import UNLIMITED, Peer, Transfer
from scenario import Asked, Given, ReaderRefusedError
from wired_broker import FIRST_OF_GROUP, WiredBroker

from lastvalue.frontends.amqp010.broker_state import BrokerState

_NO_WORDS = (
    "annotations",
    "delay_ms",
    "delivery_time_in_ms",
    "not_valid_before_in_ms",
    "group",
    "group_sequence",
    "subject",
)
"""What a message of this protocol cannot say."""


def is_said_here(steps: tuple[dict[str, Any], ...], options: dict[str, Any]) -> bool:
    """Whether a scenario asks messages for nothing that this protocol has no words for."""
    sent = [step[word] for step in steps for word in ("send", "send_many") if word in step]
    silent = not any(word in what for what in sent for word in _NO_WORDS)
    # Its messages have other sizes than those of the scenarios.
    sizes = any("depth_bytes" in step.get("figures", {}) for step in steps)
    return (
        silent and not sizes and not any(str(value).startswith("properties.") for value in options.values())
    )


class Amqp010Broker(WiredBroker):
    """Each reader has a connection of its own; the producer has a new one when a message was refused."""

    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__(options)
        self._producer.client.close()
        self._producer.exchange()
        self._broker_state = BrokerState(self.broker)
        self._sends = self._peer("producer")
        self._peers: dict[str, Peer] = {}
        self._taken: dict[str, list[tuple[str, int]]] = {}

    def _peer(self, name: str) -> Peer:
        peer = Peer(self._broker_state, opens=False)
        peer.now = self.clock.now
        peer.open(name.encode())
        return peer

    def send(self, body: str, properties: dict[str, Any], ttl_ms: int | None, **more: Any) -> bool:
        peer = self._sends
        peer.now = self.clock.now
        delivery: dict[str, Any] = {} if ttl_ms is None else {"ttl": ttl_ms}
        if "priority" in more:
            delivery["priority"] = more["priority"]
        if "durable" in more:
            delivery["delivery_mode"] = 2 if more["durable"] else 1
        if "absolute_expiry_time" in more:
            delivery["expiration"] = more["absolute_expiry_time"]
        headers = {"application_headers": properties} if properties else {}
        peer.send("q", body.encode(), delivery=delivery, properties=headers)
        if peer.failures:
            peer.conversation.lost(peer.now, peer.now)
            self._sends = self._peer("producer")
            return False
        return True

    def attach(self, by: str, reads: str, asked: Asked, queue: str = "q") -> None:
        if by in self._peers:
            return
        peer = self._peer(by)
        arguments: dict[str, Any] = {"x-apache-selector": asked.selector} if asked.selector else {}
        period_s = 0 if asked.only_new else asked.replay_period_s
        if period_s is not None:
            arguments["x-qpid-replay-period"] = period_s
        if asked.priority is not None:
            arguments["x-priority"] = asked.priority
        peer.do(
            "message.subscribe",
            queue=queue,
            destination="d",
            acquire_mode=0 if reads == "acquire" else 1,
            arguments=arguments,
        )
        if peer.failures:
            raise ReaderRefusedError(peer.failures[-1].text("description"))
        peer.do("message.set-flow-mode", destination="d", flow_mode=0)
        peer.do("message.flow", destination="d", unit=1, value=UNLIMITED)
        self._peers[by] = peer

    def read(self, by: str, reads: str, count: int, asked: Asked) -> list[Given]:
        self.listen(by, count, asked, reads)
        self._peers[by].do("message.flush", destination="d")
        self._peers[by].do("message.flow", destination="d", unit=1, value=UNLIMITED)
        return self._got(by)

    def listen(self, by: str, credit: int, asked: Asked, reads: str = "acquire") -> None:
        self.attach(by, reads, asked)
        self._peers[by].now = self.clock.now
        self._peers[by].do("message.flow", destination="d", unit=0, value=credit)

    def hears(self, by: str) -> list[Given]:
        return self._got(by)

    def _got(self, by: str) -> list[Given]:
        peer = self._peers[by]
        peer.now = self.clock.now
        given = []
        for transfer in peer.take():
            body = (transfer.body or b"").decode()
            marked = transfer.headers.get(FIRST_OF_GROUP) is True
            life, expires_ms = transfer.delivery.get("ttl"), transfer.delivery.get("expiration")
            if life is not None:
                expires_ms = self.now + int(life)
            given.append(Given(body, self._failed(peer, transfer), marked, expires_ms))
            self._taken.setdefault(by, []).append((body, transfer.number))
        return given

    def _failed(self, peer: Peer, transfer: Transfer) -> int:
        """How often a delivery has failed: the peer is told only that it has."""
        for state in peer.states():
            for delivery in state.unsettled.between(transfer.number, transfer.number):
                assert delivery.entry is not None
                count = int(delivery.entry.delivery_count)
                assert ("redelivered" in transfer.delivery) is (count > 0)
                return count
        return 0

    def held(self, by: str) -> list[str]:
        return [body for body, _ in self._taken.get(by, ())]

    def settle(self, by: str, body: str, outcome: str) -> None:
        _, number = self._taken[by].pop(self.held(by).index(body))
        command, fields = _SETTLING[outcome]
        peer = self._peers[by]
        peer.now = self.clock.now
        peer.do(command, transfers=[(number, number)], **fields)

    def close(self, by: str) -> None:
        peer = self._peers.pop(by)
        self._taken.pop(by, None)
        peer.now = self.clock.now
        peer.do("message.cancel", destination="d")
        peer.conversation.lost(peer.now, peer.now)
        self._sends.exchange()

    def wait(self, milliseconds: int) -> None:
        super().wait(milliseconds)
        self._sends.now = self.clock.now


_SETTLING: dict[str, tuple[str, dict[str, Any]]] = {
    "accepted": ("message.accept", {}),
    "rejected": ("message.reject", {}),
    "released": ("message.release", {}),
    "modified": ("message.release", {"set_redelivered": True}),
}
