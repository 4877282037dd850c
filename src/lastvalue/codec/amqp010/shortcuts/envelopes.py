"""The frames around the transfers of one subscription."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp010.shortcuts.transfer_form import TransferForm
from lastvalue.codec.amqp10.message_form import FormBenefit
from lastvalue.codec.octets import OCTETS

_HEADER_FRAME: Final = b"\x03\x02"
_BODY_FRAME: Final = b"\x07\x03"
_FRAME_HEADER_SIZE: Final = 12


@final
class Envelope:
    """The frames around the transfers of one subscription.

    Args:
        command: the frame of the command, which all transfers share.
        channel: the session's channel.
        largest: the size of the largest frame that the peer accepts, in bytes.

    Attributes:
        forms: of its messages; that of the last one is the first.
        benefit: whether to learn more of them.
    """

    __slots__ = ("_command", "_largest", "_places", "benefit", "forms")

    def __init__(self, command: bytes, channel: int, largest: int) -> None:
        self._command = command
        self._largest: i64 = largest
        self._places = b"\0\1" + channel.to_bytes(2, "big") + bytes(4)
        self.forms: list[TransferForm] = []
        self.benefit = FormBenefit()

    def holds(self, header_size: i64, body_size: i64) -> bool:
        """Whether a header segment and a body fit into a frame each."""
        room = self._largest - _FRAME_HEADER_SIZE
        return header_size <= room and body_size <= room

    def before(self, header_size: i64) -> bytes:
        """What is before a header segment."""
        return self._command + _HEADER_FRAME + self._frame_size(header_size) + self._places

    def between(self, body_size: i64) -> bytes:
        """What is between a header segment and a body."""
        return _BODY_FRAME + self._frame_size(body_size) + self._places

    def _frame_size(self, size: i64) -> bytes:
        size = (size + _FRAME_HEADER_SIZE) & 0xFFFF
        return OCTETS[size >> 8] + OCTETS[size & 0xFF]
