"""Protocol headers and the SASL exchange of both sides, which precede AMQP [1.0 §2.2, §5.3]."""

from typing import Final, final

from lastvalue.codec.amqp10.errors import FrameError, LongFrameError
from lastvalue.codec.amqp10.frames import (
    AMQP_HEADER,
    KIND_SASL,
    SASL_HEADER,
    FrameSplitter,
    encode_frame,
)
from lastvalue.codec.amqp10.performatives import (
    SASL_AUTH,
    SASL_OK,
    SASL_SYS,
    SASL_SYS_PERM,
    SASL_SYS_TEMP,
    AmqpError,
    Performative,
    SaslChallenge,
    SaslInit,
    SaslMechanisms,
    SaslOutcome,
    SaslResponse,
    decode_performative,
    encode_performative,
)
from lastvalue.model.conditions import Condition
from lastvalue.protocols.amqp10.faults import peer_error
from lastvalue.protocols.amqp10.options import ConnectionOptions, Role
from lastvalue.protocols.amqp10.wire import Wire
from lastvalue.protocols.sasl import (
    ANONYMOUS_IDENTITY,
    FAILED,
    Authenticator,
    ClientSaslExchange,
    SaslExchange,
)

_REFUSALS: Final = {
    SASL_AUTH: "wrong user or password",
    SASL_SYS: "its system failed",
    SASL_SYS_PERM: "its system failed, and trying again does not help",
    SASL_SYS_TEMP: "its system failed for now",
}
_FIRST_HEADER: Final = 0
_SASL: Final = 1
_AMQP_HEADER: Final = 2


@final
class Handshake:
    """Brings a connection to its first AMQP frame, or refuses the peer.

    Attributes:
        authenticator: on a server, decides who may connect.
        identity: the peer's user on a server, once known.
        ready: this side has sent the AMQP header, so it may send frames.
        done: the peer has sent it, too; its next bytes are AMQP frames.
        refusal: why the connection ends instead, or None.
    """

    __slots__ = (
        "_exchange",
        "_mechanism",
        "_options",
        "_pending",
        "_proving",
        "_role",
        "_stage",
        "_wire",
        "authenticator",
        "done",
        "identity",
        "ready",
        "refusal",
    )

    def __init__(self, role: Role, options: ConnectionOptions, wire: Wire) -> None:
        self._role = role
        self._options = options
        self._wire = wire
        self.authenticator: Authenticator | None = options.authenticator
        self._stage: int = _FIRST_HEADER
        self._mechanism: str | None = None
        self._exchange: SaslExchange | None = None
        self._proving: ClientSaslExchange | None = None
        self._pending = False
        self.identity: str | None = None
        self.ready = False
        self.done = False
        self.refusal: AmqpError | None = None
        if role is Role.CLIENT:
            self._greet()

    def read(self, splitter: FrameSplitter) -> bool:
        """Take one step; false where more bytes are needed.

        Raises:
            FrameError: the peer's bytes are not part of the exchange, such as an empty frame [1.0 §5.3.1].
            DecodeError: the bytes are malformed.
        """
        if self._stage == _SASL:
            if self._pending:
                # What the peer sent ahead waits for the check of its password.
                self._step(None)
                return not self._pending
            if not self._next(splitter):
                return False
            if splitter.kind != KIND_SASL:
                raise FrameError("an AMQP frame within the SASL exchange; expected a SASL frame")
            if splitter.body == splitter.end:
                raise FrameError("an empty frame within the SASL exchange; only AMQP frames may be empty")
            frame, stop = decode_performative(splitter.data, splitter.body, splitter.end)
            if stop != splitter.end:
                raise FrameError(f"{splitter.end - stop} bytes behind {type(frame).__name__} in a SASL frame")
            self._take(frame)
            return True
        header = splitter.take_protocol_header()
        if header is None:
            return False
        if self._role is Role.CLIENT:
            self._take_header_as_client(header)
        else:
            self._take_header_as_server(header)
        return True

    def _next(self, splitter: FrameSplitter) -> bool:
        try:
            return splitter.next()
        except LongFrameError as fault:
            if self._role is Role.SERVER:
                # A token may be that long, and its owner has to know.
                self._put(SaslOutcome(SASL_SYS_PERM, str(fault).encode()))
            raise

    @property
    def mechanism(self) -> str:
        """The mechanism of the exchange, or ""."""
        return self._mechanism or ""

    # ------------------------------------------------------------------ protocol headers

    def _greet(self) -> None:
        if self._options.credentials is None:
            self._start_amqp()
        else:
            self._wire.put(SASL_HEADER)

    def _start_amqp(self) -> None:
        self._stage = _AMQP_HEADER
        self.ready = True
        self._wire.put(AMQP_HEADER)

    def _take_header_as_client(self, header: bytes) -> None:
        expected = AMQP_HEADER if self._stage == _AMQP_HEADER else SASL_HEADER
        if header != expected:
            raise FrameError(f"the peer answered {expected!r} with {header!r}: it speaks another protocol")
        if self._stage == _AMQP_HEADER:
            self.done = True
        else:
            self._stage = _SASL

    def _take_header_as_server(self, header: bytes) -> None:
        authenticator = self.authenticator
        if self._stage == _FIRST_HEADER and header == SASL_HEADER and authenticator is not None:
            self._stage = _SASL
            self._wire.put(SASL_HEADER)
            self._put(SaslMechanisms(authenticator.mechanisms))
            return
        identified = self.identity is not None
        if header == AMQP_HEADER and (identified or authenticator is None or authenticator.anonymous):
            if not identified and authenticator is not None:
                self.identity = ANONYMOUS_IDENTITY
            self._start_amqp()
            self.done = True
            return
        # [1.0 §2.2] A peer with another protocol gets the header of the one to use, and is disconnected.
        self._wire.put(AMQP_HEADER if authenticator is None or identified else SASL_HEADER)
        self.refusal = peer_error(Condition.FRAMING_ERROR, f"no protocol header of ours: {header!r}")

    # ------------------------------------------------------------------ SASL frames

    def _take(self, frame: Performative) -> None:
        if self._role is Role.SERVER:
            self._take_as_server(frame)
        else:
            self._take_as_client(frame)

    def _take_as_server(self, frame: Performative) -> None:
        authenticator = self.authenticator
        if isinstance(frame, SaslInit) and self._mechanism is None and authenticator is not None:
            self._mechanism = frame.mechanism
            self._exchange = authenticator.begin(frame.mechanism)
            self._step(frame.initial_response)
        elif isinstance(frame, SaslResponse) and self._exchange is not None:
            self._step(frame.response)
        else:
            raise FrameError(f"{type(frame).__name__} is out of place in the SASL exchange")

    def _step(self, response: bytes | None) -> None:
        step = FAILED if self._exchange is None else self._exchange.step(response)
        self._pending = step.pending
        if step.pending:
            return
        if step.challenge is not None:
            self._put(SaslChallenge(step.challenge))
            return
        self._exchange = None
        self.identity = step.identity
        if self.identity is None:
            refusal = "" if self.authenticator is None else self.authenticator.refusal()
            self._put(SaslOutcome(SASL_SYS_TEMP, refusal.encode()) if refusal else SaslOutcome(SASL_AUTH))
            self._refuse(refusal or "authentication failed")
            return
        self._put(SaslOutcome(SASL_OK, step.proof))
        self._stage = _AMQP_HEADER

    def _take_as_client(self, frame: Performative) -> None:
        credentials = self._options.credentials
        exchange = self._proving
        if isinstance(frame, SaslMechanisms) and self._mechanism is None and credentials is not None:
            offered = frame.sasl_server_mechanisms
            self._mechanism = credentials.choose(offered)
            if self._mechanism is None:
                names = ", ".join(offered) or "no mechanism"
                self._refuse(f"the peer offers {names}; none of them fits the credentials")
            else:
                self._proving = credentials.begin(self._mechanism)
                self._put(SaslInit(self._mechanism, self._proving.first(), self._options.hostname))
        elif isinstance(frame, SaslChallenge | SaslOutcome) and exchange is not None:
            try:
                self._prove(frame, exchange)
            except ValueError as fault:
                self._refuse(f"the peer does not prove that it knows the password: {fault}")
        else:
            raise FrameError(f"{type(frame).__name__} is out of place in the SASL exchange")

    def _prove(self, frame: SaslChallenge | SaslOutcome, exchange: ClientSaslExchange) -> None:
        if isinstance(frame, SaslChallenge):
            self._put(SaslResponse(exchange.respond(frame.challenge)))
        elif frame.code == SASL_OK:
            exchange.finish(frame.additional_data)
            self._proving = None
            self._start_amqp()
        else:
            # [1.0 §5.3.3.6] What comes with a failure is not specified; we send its reason.
            reason = (frame.additional_data or b"").decode(errors="replace")
            reason = reason or _REFUSALS.get(frame.code, str(frame.code))
            self._refuse(f"the peer refused the credentials: {reason}")

    def _refuse(self, text: str) -> None:
        self.refusal = peer_error(Condition.UNAUTHORIZED_ACCESS, text)

    def _put(self, frame: Performative) -> None:
        self._wire.put(encode_frame(encode_performative(frame), 0, KIND_SASL))
