"""A peer that says exactly the bytes it is told to, and decodes what comes back."""

import socket
from contextlib import suppress
from types import TracebackType
from typing import Self, TypeVar

from lastvalue.codec.amqp10.frames import AMQP_HEADER, KIND_SASL, SASL_HEADER, FrameSplitter, encode_frame
from lastvalue.codec.amqp10.performatives import (
    Attach,
    Begin,
    Open,
    Performative,
    SaslInit,
    SaslMechanisms,
    SaslOutcome,
    Source,
    Target,
    decode_performative,
    encode_performative,
)

SECONDS = 60
WINDOW = 2**31 - 1
MAX_FRAME_BYTES = 1 << 20
_Expected = TypeVar("_Expected", bound=Performative)


class RawPeer:
    """One blocking connection; nothing is said that the test did not ask for."""

    def __init__(self, host: str, port: int) -> None:
        self.socket = socket.create_connection((host, port), timeout=SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._splitter = FrameSplitter(MAX_FRAME_BYTES)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.socket.close()

    def send(self, data: bytes) -> None:
        # The broker may close while it is still being told; what it said before can be read all the same.
        with suppress(ConnectionResetError, BrokenPipeError):
            self.socket.sendall(data)

    def say(self, performative: Performative, payload: bytes = b"", *, kind: int = 0) -> None:
        self.send(encode_frame(encode_performative(performative), 0, kind, payload))

    def open(self, mechanism: str = "ANONYMOUS", response: bytes = b"") -> SaslOutcome:
        """Authenticate and open the connection and a session; the outcome of the first."""
        self.send(SASL_HEADER)
        self.say(SaslInit(mechanism, response), kind=KIND_SASL)
        assert self.protocol_header() == SASL_HEADER
        self.expect(SaslMechanisms)
        outcome = self.expect(SaslOutcome)
        if outcome.code == 0:
            self.send(AMQP_HEADER)
            self.say(Open(container_id="raw", max_frame_size=MAX_FRAME_BYTES))
            self.say(Begin(next_outgoing_id=0, incoming_window=WINDOW, outgoing_window=WINDOW))
            assert self.protocol_header() == AMQP_HEADER
            self.expect(Open)
            self.expect(Begin)
        return outcome

    def attach_sender(self, queue: str, name: str = "sender", handle: int = 0) -> Attach:
        self.say(
            Attach(
                name=name,
                handle=handle,
                role=False,
                source=Source(),
                target=Target(address=queue),
                initial_delivery_count=0,
            )
        )
        return self.expect(Attach)

    def attach_receiver(self, queue: str, name: str = "receiver", handle: int = 0) -> Attach:
        self.say(Attach(name=name, handle=handle, role=True, source=Source(address=queue), target=Target()))
        return self.expect(Attach)

    def expect(self, kind: type[_Expected]) -> _Expected:
        """The next performative of this kind; those before it are dropped."""
        while (performative := self.next_performative()) is not None:
            if isinstance(performative, kind):
                return performative
        raise AssertionError(f"the broker closed the socket and sent no {kind.__name__}")

    def next_performative(self) -> Performative | None:
        """What comes next, or None if the broker closed the socket."""
        while True:
            if self._splitter.next():
                if self._splitter.body == self._splitter.end:
                    continue
                found, _ = decode_performative(self._splitter.data, self._splitter.body, self._splitter.end)
                return found
            if not self._receive():
                return None

    def protocol_header(self) -> bytes:
        while (header := self._splitter.take_protocol_header()) is None:
            if not self._receive():
                raise AssertionError("the broker closed the socket before its header")
        return header

    def is_closed(self) -> bool:
        """Wait until the broker closes the socket; what it still says is dropped."""
        while self.next_performative() is not None:
            pass
        return True

    def _receive(self) -> bool:
        try:
            data = self.socket.recv(1 << 16)
        except ConnectionResetError:  # the broker closed while we were still sending
            return False
        if data:
            self._splitter.feed(data)
        return bool(data)
