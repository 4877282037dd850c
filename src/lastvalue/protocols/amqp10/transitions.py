"""The states of a connection, a session and a link: both sides open and close each of them.

One table serves all three [1.0 §2.4.6, §2.5.5, §2.6.3]: open and close, begin and end, attach and detach.
An action that a state does not allow is a missing key.
"""

from enum import Enum
from typing import Final


class State(Enum):
    """Which of the two sides have opened and closed."""

    START = "start"
    OPEN_SENT = "open sent"
    OPEN_RECEIVED = "open received"
    OPEN = "open"
    CLOSE_PIPELINED = "closed before the peer opened"
    CLOSE_SENT = "close sent"
    ABANDONED = "closed by the peer before this side opened"
    CLOSE_RECEIVED = "close received"
    CLOSED = "closed"


class Input(Enum):
    """An action of one side."""

    SEND_OPEN = "send open"
    RECEIVE_OPEN = "receive open"
    SEND_CLOSE = "send close"
    RECEIVE_CLOSE = "receive close"


TRANSITIONS: Final[dict[tuple[State, Input], State]] = {
    (State.START, Input.SEND_OPEN): State.OPEN_SENT,
    (State.START, Input.RECEIVE_OPEN): State.OPEN_RECEIVED,
    (State.OPEN_SENT, Input.RECEIVE_OPEN): State.OPEN,
    (State.OPEN_SENT, Input.SEND_CLOSE): State.CLOSE_PIPELINED,
    (State.OPEN_RECEIVED, Input.SEND_OPEN): State.OPEN,
    (State.OPEN_RECEIVED, Input.RECEIVE_CLOSE): State.ABANDONED,
    (State.OPEN, Input.SEND_CLOSE): State.CLOSE_SENT,
    (State.OPEN, Input.RECEIVE_CLOSE): State.CLOSE_RECEIVED,
    (State.CLOSE_PIPELINED, Input.RECEIVE_OPEN): State.CLOSE_SENT,
    (State.CLOSE_PIPELINED, Input.RECEIVE_CLOSE): State.CLOSED,
    (State.CLOSE_SENT, Input.RECEIVE_CLOSE): State.CLOSED,
    (State.ABANDONED, Input.SEND_OPEN): State.CLOSE_RECEIVED,
    (State.CLOSE_RECEIVED, Input.SEND_CLOSE): State.CLOSED,
}


def after(state: State, action: Input) -> State | None:
    """The next state, or None if the state does not allow the action."""
    return TRANSITIONS.get((state, action))
