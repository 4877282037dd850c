"""How a connection of AMQP 0-10 opens."""

import pytest
from amqp010_peer import START_MS, Peer

from lastvalue.codec.amqp010.frames import (
    PROTOCOL_HEADER,
)
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.protocols.amqp010.connection import Options
from lastvalue.protocols.sasl import Authenticator


def test_a_connection_opens_by_start_tune_and_open(broker_state: BrokerState) -> None:
    peer = Peer(broker_state, options=Options(properties={"product": "lastvalue"}))
    names = [record.layout.name for record in peer.controls[:3]]
    assert peer.start == PROTOCOL_HEADER
    assert names == ["connection.start", "connection.tune", "connection.open-ok"]
    assert peer.controls[0].map("server_properties") == {"product": "lastvalue"}
    assert peer.controls[1].number("max_frame_size") == 65535


def test_a_password_is_asked_for_and_looked_at(broker_state: BrokerState) -> None:
    authenticator = Authenticator(anonymous=False, check=lambda user, word: (user, word) == ("ann", "pw"))
    peer = Peer(broker_state, authenticator=authenticator, opens=False)
    peer.exchange(PROTOCOL_HEADER)
    peer.control("connection.start-ok", mechanism="PLAIN", locale="en_US")
    assert peer.last("connection.secure").binary("challenge") == b""
    peer.control("connection.secure-ok", response=b"\0ann\0pw")
    assert peer.last("connection.tune").number("channel_max") == 255


@pytest.mark.parametrize(
    ("mechanism", "response"), [("PLAIN", b"\0ann\0wrong"), ("ANONYMOUS", b""), ("NONE", b"")]
)
def test_who_is_not_known_is_not_let_in(broker_state: BrokerState, mechanism: str, response: bytes) -> None:
    authenticator = Authenticator(anonymous=False, check=lambda user, word: (user, word) == ("ann", "pw"))
    peer = Peer(broker_state, authenticator=authenticator, opens=False)
    peer.exchange(PROTOCOL_HEADER)
    peer.control("connection.start-ok", mechanism=mechanism, response=response)
    assert peer.last("connection.close").number("reply_code") == 320


@pytest.mark.parametrize(("right", "last"), [(True, "connection.open-ok"), (False, "connection.close")])
def test_what_comes_ahead_waits_for_the_check_of_the_password(
    broker_state: BrokerState, right: bool, last: str
) -> None:
    answers: list[bool | None] = [None]
    authenticator = Authenticator(anonymous=False, check=lambda user, word: answers[-1])
    peer = Peer(broker_state, authenticator=authenticator, opens=False)
    peer.exchange(PROTOCOL_HEADER)
    peer.exchange(
        peer.control_bytes("connection.start-ok", mechanism="PLAIN", response=b"\0ann\0pw", locale="en_US")
        + peer.control_bytes("connection.tune-ok", channel_max=10, max_frame_size=65535)
        + peer.control_bytes("connection.open", virtual_host="/")
    )
    assert [record.layout.name for record in peer.controls] == ["connection.start"]
    answers.append(right)
    peer.conversation.password_checked(START_MS, START_MS)
    peer.exchange()
    assert peer.controls[-1].layout.name == last


def test_another_header_is_answered_with_the_right_one(broker_state: BrokerState) -> None:
    peer = Peer(broker_state, opens=False)
    peer.exchange(b"AMQP\x01\x01\x00\x09")
    assert peer.start == PROTOCOL_HEADER
    assert peer.conversation.finished


def test_a_connection_that_is_not_opened_in_time_ends(broker_state: BrokerState) -> None:
    peer = Peer(broker_state, options=Options(open_timeout_ms=1000), opens=False)
    peer.exchange(PROTOCOL_HEADER)
    peer.conversation.advance(START_MS + 1000, START_MS)
    peer.conversation.data_to_send()
    assert peer.conversation.finished


@pytest.mark.parametrize(
    ("tuned", "refused"),
    [
        ({}, False),
        ({"max_frame_size": 0}, False),
        ({"max_frame_size": 4095}, True),
        ({"max_frame_size": 4096, "channel_max": 255}, False),
        ({"max_frame_size": 8192}, False),
        ({"max_frame_size": 8193}, True),
        ({"channel_max": 256}, True),
    ],
)
def test_a_peer_that_tunes_beyond_what_was_offered_gets_no_answer(
    broker_state: BrokerState, tuned: dict[str, int], refused: bool
) -> None:
    peer = Peer(broker_state, options=Options(max_frame_size=8192), opens=False)
    peer.exchange(PROTOCOL_HEADER)
    peer.control("connection.start-ok", mechanism="ANONYMOUS", response=b"", locale="en_US")
    count = len(peer.controls)
    peer.control("connection.tune-ok", **tuned)
    assert (peer.conversation.finished, len(peer.controls) - count) == (refused, 0)
