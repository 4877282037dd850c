"""Checks what an AMQP 1.0 engine sends against the standard's rules, naively."""

from lastvalue.codec.amqp10.frames import AMQP_HEADER, PROTOCOL_HEADER_SIZE, FrameSplitter
from lastvalue.codec.amqp10.performatives import (
    Attach,
    Begin,
    Close,
    Detach,
    Disposition,
    End,
    Flow,
    Open,
    Performative,
    Transfer,
    decode_performative,
)

LARGEST_FRAME = 2**24


class FrameAuditor:
    """Listens to one side of a connection; every broken rule is an AssertionError."""

    def __init__(self, max_frame_size: int) -> None:
        self.performatives: list[Performative] = []
        self.closed = False
        self.max_frame_size = max_frame_size
        self._splitter = FrameSplitter(LARGEST_FRAME)
        self._headers = b""
        self._opened = False
        self._begun: dict[int, dict[int, bool]] = {}
        self._unfinished: dict[tuple[int, int], int] = {}
        self._next_delivery: dict[int, int] = {}

    def hear(self, data: bytes) -> None:
        """Check bytes of a connection without SASL."""
        if len(self._headers) < PROTOCOL_HEADER_SIZE:
            missing = PROTOCOL_HEADER_SIZE - len(self._headers)
            self._headers += data[:missing]
            data = data[missing:]
            assert AMQP_HEADER.startswith(self._headers)
        if data:
            self._splitter.feed(data)
        while self._splitter.next():
            if self._splitter.body == self._splitter.end:
                continue
            splitter = self._splitter
            assert splitter.end - splitter.body + 8 <= self.max_frame_size
            performative, _ = decode_performative(splitter.data, splitter.body, splitter.end)
            self.performatives.append(performative)
            self._check(performative, splitter.channel)

    def _check(self, performative: Performative, channel: int) -> None:
        assert not self.closed, "nothing follows a close"
        match performative:
            case Open():
                assert not self._opened, "a connection is opened once"
                self._opened = True
            case Close():
                assert self._opened, "a close follows an open"
                self.closed = True
            case Begin():
                assert self._opened
                assert channel not in self._begun, "a channel has one session at a time"
                self._begun[channel] = {}
            case End():
                assert channel in self._begun, "an end follows a begin"
                del self._begun[channel]
                self._unfinished = {
                    key: value for key, value in self._unfinished.items() if key[0] != channel
                }
                self._next_delivery.pop(channel, None)
            case _:
                assert channel in self._begun, f"{performative} needs a session"
                self._check_in_session(performative, channel, self._begun[channel])

    def _check_in_session(self, performative: Performative, channel: int, handles: dict[int, bool]) -> None:
        match performative:
            case Attach():
                assert performative.handle not in handles, "a handle has one link at a time"
                assert performative.role or performative.initial_delivery_count is not None
                handles[performative.handle] = performative.role
            case Detach():
                assert performative.handle in handles, "a detach follows an attach"
                del handles[performative.handle]
                self._unfinished.pop((channel, performative.handle), None)
            case Flow():
                assert performative.handle is None or performative.handle in handles
            case Transfer():
                assert handles[performative.handle] is False, "only senders transfer"
                self._check_transfer(performative, channel)
            case Disposition():
                assert performative.last is None or performative.first <= performative.last
            case _:
                raise AssertionError(f"{performative} is out of place")

    def _check_transfer(self, transfer: Transfer, channel: int) -> None:
        key = (channel, transfer.handle)
        if key in self._unfinished:
            assert transfer.delivery_id in (None, self._unfinished[key])
        else:
            assert transfer.delivery_tag is not None
            # Deliveries that were dropped with their link leave gaps.
            assert transfer.delivery_id is not None
            assert transfer.delivery_id >= self._next_delivery.get(channel, 0), "delivery-ids ascend"
            self._next_delivery[channel] = transfer.delivery_id + 1
            self._unfinished[key] = transfer.delivery_id
        if not transfer.more:
            del self._unfinished[key]
