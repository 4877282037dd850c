"""Outcomes of deliveries [1.0 §3.4] as outcomes of queues, and a source's choice of them [1.0 §3.5.3]."""

from typing import Final, TypeAlias

from lastvalue.broker.queue_host import QueueReader
from lastvalue.codec.amqp10.errors import DecodeError, EncodeError
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.payloads import amended_payload
from lastvalue.codec.amqp10.performatives import (
    Accepted,
    DeliveryState,
    Modified,
    Received,
    Rejected,
    Released,
    Source,
)
from lastvalue.codec.amqp10.values import Symbol
from lastvalue.delivery.confirmations import Confirmations
from lastvalue.model.message import Message
from lastvalue.protocols.amqp10.receiver import ReceiverLink
from lastvalue.queues.entry import Entry
from lastvalue.queues.subscription import Outcome

_REJECTED: Final = Symbol("amqp:rejected:list")
OUTCOMES: Final = (
    Symbol("amqp:accepted:list"),
    _REJECTED,
    Symbol("amqp:released:list"),
    Symbol("amqp:modified:list"),
)
"""The outcomes that a reader may choose from."""

MOST_ANNOTATED: Final = 64 * 1024
"""Bytes of annotations up to which readers may add annotations to a message."""

RELEASED: Final = Released()
_ACCEPTED: Final = Outcome.ACCEPTED

LinkConfirmations: TypeAlias = Confirmations[ReceiverLink, DeliveryState]
"""The outcomes that one connection owes its peer, by links and delivery ids."""


def outcome_of(state: DeliveryState | None) -> Outcome:
    """The queue's outcome for a delivery state [1.0 §3.4]."""
    if isinstance(state, Accepted):
        return _ACCEPTED
    if isinstance(state, Rejected):
        return Outcome.REJECTED
    if isinstance(state, Modified) and state.delivery_failed:
        return Outcome.MODIFIED_FAILED
    return Outcome.RELEASED


def reached(state: DeliveryState | None, default: DeliveryState) -> DeliveryState:
    """The outcome of a delivery that was settled in this state: the default where it is not terminal."""
    return default if state is None or isinstance(state, Received) else state


def default_outcome(asked: DeliveryState | None) -> DeliveryState:
    """The outcome of deliveries whose reader chose none: the one its source asks for, else released."""
    return asked if isinstance(asked, Accepted | Rejected | Released | Modified) else RELEASED


def offered_outcomes(asked: tuple[str, ...]) -> tuple[str, ...]:
    """The outcomes that a source asks for and that exist; all of them where it names none."""
    return tuple(each for each in asked if each in OUTCOMES) if asked else OUTCOMES


def takes_rejected(link: ReceiverLink) -> bool:
    """Whether a publisher's source has the outcome rejected [1.0 §3.5.3]; without `outcomes` it has all."""
    source = link.asked().source
    return not isinstance(source, Source) or not source.outcomes or _REJECTED in source.outcomes


def remark(reader: QueueReader, entry: Entry, state: Modified) -> None:
    """Carry out what a modified outcome asks for besides the release; call it before that."""
    message = amended(entry.message, state)
    if message is not None:
        reader.amend(entry, message)
    if state.undeliverable_here:
        reader.exclude(entry)


def amended(message: Message, state: DeliveryState | None) -> Message | None:
    """The message with the annotations of a modified outcome [1.0 §3.4.5]; None if it does not change.

    A message that cannot be read, or whose annotations would become too large, does not change.
    """
    if not isinstance(state, Modified) or not state.message_annotations:
        return None
    try:
        copy = read_message(amended_payload(message.encoded, state.message_annotations, MOST_ANNOTATED))
    except (DecodeError, EncodeError):
        return None
    copy.origin = message.origin
    copy.duplicate_id = message.duplicate_id
    return copy
