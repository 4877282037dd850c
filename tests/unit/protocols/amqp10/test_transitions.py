"""The life of a connection, a session and a link [1.0 §2.4.6]."""

import pytest

from lastvalue.protocols.amqp10.transitions import TRANSITIONS, Input, State, after

# One row a state: where send open, receive open, send close and receive close lead; "-" is refused.
TABLE = """
    start                               open sent        open received    -                                 -
    open sent                           -                open             closed before the peer opened     -
    open received                       open             -                -                                 closed by the peer before this side opened
    open                                -                -                close sent                        close received
    closed before the peer opened       -                close sent       -                                 closed
    closed by the peer before this side opened  close received  -         -                                 -
    close sent                          -                -                -                                 closed
    close received                      -                -                closed                            -
    closed                              -                -                -                                 -
"""  # noqa: E501 - a table

COLUMNS = (Input.SEND_OPEN, Input.RECEIVE_OPEN, Input.SEND_CLOSE, Input.RECEIVE_CLOSE)


def rows() -> list[list[str]]:
    return [
        [cell.strip() for cell in line.split("  ") if cell.strip()] for line in TABLE.strip().splitlines()
    ]


PAIRS = [
    pytest.param(
        State(row[0]), action, None if target == "-" else State(target), id=f"{row[0]}: {action.value}"
    )
    for row in rows()
    for action, target in zip(COLUMNS, row[1:], strict=True)
]


@pytest.mark.parametrize(("state", "action", "expected"), PAIRS)
def test_every_state_takes_each_input_or_refuses_it(
    state: State, action: Input, expected: State | None
) -> None:
    assert after(state, action) is expected


def test_the_table_of_this_test_has_every_pair() -> None:
    assert len(PAIRS) == len(State) * len(Input)


def test_a_life_ends_when_both_sides_have_closed() -> None:
    assert {target for (_, action), target in TRANSITIONS.items() if action is Input.RECEIVE_CLOSE} == {
        State.ABANDONED,
        State.CLOSE_RECEIVED,
        State.CLOSED,
    }
    assert not [state for state, _ in TRANSITIONS if state is State.CLOSED]
