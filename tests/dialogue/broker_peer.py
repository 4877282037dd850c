"""A raw client of a broker behind its AMQP 1.0 frontend, frame by frame."""

from collections.abc import Mapping
from typing import Any

from scripted_peer import LARGEST_FRAME, ScriptedPeer
from wired_broker import Clock

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import PeerIdentity
from lastvalue.codec.amqp10.content import decode_content
from lastvalue.codec.amqp10.frames import AMQP_HEADER
from lastvalue.codec.amqp10.performatives import (
    ROLE_RECEIVER,
    ROLE_SENDER,
    Attach,
    Disposition,
    Source,
    Target,
    Transfer,
)
from lastvalue.codec.amqp10.values import Value
from lastvalue.frontends.amqp10.frontend import Frontend
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.protocols.amqp10.connection import Connection
from lastvalue.protocols.amqp10.options import ConnectionOptions, Role


class BrokerPeer(ScriptedPeer):
    """A raw client of a broker, in container `peer`; each is a connection."""

    def __init__(self, broker: Broker, clock: Clock, frame_size: int = LARGEST_FRAME) -> None:
        memory = MemoryAccount(broker.memory)
        super().__init__(Connection(Role.SERVER, ConnectionOptions("broker"), clock.now, memory))
        self.broker = broker
        self.clock = clock
        self.flushed = 1
        self.frontend = Frontend(self.engine, broker, lambda: None, False, PeerIdentity("10.0.0.1:1"))
        self.send(AMQP_HEADER).open(max_frame_size=frame_size)
        self.begin()
        self.frames_from_start()

    def send(self, data: bytes) -> "BrokerPeer":
        self.engine.receive(data, self.clock.now)
        self.turn()
        return self

    def turn(self) -> None:
        self.frontend.handle(self.clock.now)
        self.broker.pump(self.clock.now)
        self.broker.drain(self.clock.now)
        self.frontend.confirmations.seal(1)
        self.frontend.confirmations.confirm(self.flushed, self.clock.now)

    def vanish(self) -> None:
        """The connection is lost."""
        self.engine.receive_eof(self.clock.now)
        self.frontend.handle(self.clock.now)
        self.frontend.close(self.clock.now)

    def reads(
        self,
        credit: int = 10,
        unsettled: Mapping[Value, Value] | None = None,
        incomplete: bool = False,
        **source: Any,
    ) -> Attach:
        """Attach the reader `r`; the answer."""
        asked = Source(**({"address": "q"} | source))
        return self._attached(ROLE_RECEIVER, credit, unsettled, source=asked, incomplete_unsettled=incomplete)

    def writes(
        self,
        unsettled: Mapping[Value, Value] | None = None,
        mode: int = 0,
        incomplete: bool = False,
        **target: Any,
    ) -> Attach:
        asked = Target(**({"address": "kept"} | target))
        return self._attached(
            ROLE_SENDER, 0, unsettled, target=asked, rcv_settle_mode=mode, incomplete_unsettled=incomplete
        )

    def _attached(
        self, role: bool, credit: int, unsettled: Mapping[Value, Value] | None, **fields: Any
    ) -> Attach:
        self.attach(role, "r", unsettled=unsettled, **fields)
        answer = self.heard(Attach)
        if credit:
            self.flow(handle=0, delivery_count=0, credit=credit)
        return answer

    def got(self) -> list[tuple[bytes | None, bool, object]]:
        """The transfers that came: tag, whether resumed, and the body."""
        return [
            (frame.performative.delivery_tag, frame.performative.resume, body_of(frame.payload))
            for frame in self.frames()
            if isinstance(frame.performative, Transfer)
        ]

    def told(self) -> list[tuple[int, object]]:
        return [
            (frame.performative.first, frame.performative.state)
            for frame in self.frames()
            if isinstance(frame.performative, Disposition)
        ]


def body_of(payload: bytes) -> object:
    """A message's body; None if nothing of it was sent."""
    return decode_content(payload).body if payload else None
