"""The output of a connection."""

from typing import final

from mypy_extensions import i64

from lastvalue.codec.amqp091.dialects import MODERN
from lastvalue.codec.amqp091.frames import FRAME_MIN
from lastvalue.codec.output_buffer import OutputBuffer


@final
class Output(OutputBuffer):
    """Bytes for the peer, which a connection and its channels share.

    Attributes:
        frame_max: the largest frame that the peer takes.
        dialect: the version that the peer speaks.
    """

    __slots__ = ("dialect", "frame_max")

    def __init__(self) -> None:
        super().__init__()
        self.frame_max: i64 = FRAME_MIN
        self.dialect = MODERN
