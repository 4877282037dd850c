"""A message says who has sent it, and says nobody else: by whatever protocol it comes."""

from typing import Any

import pytest
from amqp010_peer import Peer as Peer010
from amqp091_peer import Peer as Peer091
from amqp091_peer import closed
from broker_desk import made
from connected_peer import EVERYONE, ConnectedPeer
from core_peer import Peer as CorePeer
from core_peer import keyed
from pamqp import body, commands, frame, header

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.permissions import Permissions, parse_rule
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.performatives import ROLE_SENDER, Accepted, Detach, Disposition, Rejected, Target
from lastvalue.codec.core import packets
from lastvalue.codec.core.jms_names import USER
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.queues.spec import QueueSpec

ME = "anonymous"
"""The user of whoever logs in by ANONYMOUS, or to a broker that asks for no password."""


@pytest.fixture
def broker() -> Broker:
    """A broker whose users may publish, and nothing else."""
    broker = made(QueueSpec("q"))
    permissions = Permissions([parse_rule("write,read *")])
    broker.authorization.permissions = lambda user: permissions
    return broker


def depth(broker: Broker) -> int:
    return broker.lookup("q").queue.depth


def sent_by(user: str | None) -> bytes:
    return encode_content(MessageContent(body="m", user_id=None if user is None else user.encode()))


def writing(broker: Broker, user: str = "ann", address: str | None = "q") -> ConnectedPeer:
    peer = ConnectedPeer(broker).log_in(user).connect()
    peer.attach(ROLE_SENDER, target=Target(address=address))
    peer.frames()
    return peer


@pytest.mark.parametrize("address", ["q", "amq.fanout"])
def test_another_users_message_is_rejected_in_amqp_1_0(broker: Broker, address: str) -> None:
    peer = writing(broker, address=address).together()
    for number, user in enumerate((None, "ann", "bob", "ann", "bob", None)):
        peer.transfer(number, sent_by(user))
    told: dict[int, Any] = {}
    for each in peer.write().frames():
        if isinstance(each.performative, Disposition):
            last = each.performative.last
            for number in range(each.performative.first, (last or each.performative.first) + 1):
                told[number] = each.performative.state
    assert [type(told[number]) for number in range(6)] == [
        Accepted, Accepted, Rejected, Accepted, Rejected, Accepted,
    ]  # fmt: skip
    assert told[2].error.condition == "amqp:unauthorized-access"
    assert "'bob'" in told[2].error.description
    assert depth(broker) == (4 if address == "q" else 0)


def test_another_users_settled_message_ends_the_link_in_amqp_1_0(broker: Broker) -> None:
    peer = writing(broker).transfer(0, sent_by("bob"), settled=True)
    assert peer.condition(Detach) == "amqp:unauthorized-access"
    assert depth(broker) == 0


@pytest.mark.parametrize("confirms", [False, True])
def test_another_users_message_closes_the_channel_in_amqp_0_9_1(broker: Broker, confirms: bool) -> None:
    """As in RabbitMQ, by 406."""
    peer = Peer091(broker, authenticator=EVERYONE).open()
    if confirms:
        peer.say(commands.Confirm.Select()).expect(commands.Confirm.SelectOk)
    octets = b""
    for user in (None, "me", "bob"):
        properties = commands.Basic.Properties(user_id=user)
        publish = commands.Basic.Publish(routing_key="q")
        for each in (
            publish,
            header.ContentHeader(body_size=1, properties=properties),
            body.ContentBody(b"m"),
        ):
            octets += frame.marshal(each, 1)
    peer.raw(octets)
    code, text = closed(peer)
    assert code == 406
    assert "'bob'" in text
    assert depth(broker) == 2


def test_another_users_message_ends_the_session_in_amqp_0_10(broker: Broker) -> None:
    peer = Peer010(BrokerState(broker))
    peer.send("q", b"m", properties={"user_id": ME.encode()})
    peer.send("q", b"m", properties={"user_id": b"bob"})
    assert peer.failures[-1].number("error_code") == 403
    assert depth(broker) == 1


def test_another_users_message_is_refused_in_core(broker: Broker) -> None:
    peer = CorePeer(broker).open()
    peer.send("m", properties=keyed("bob", USER))
    assert peer.expect(packets.EXCEPTION).number("code") == 105
    peer.send("m", properties=keyed(ME, USER))
    peer.expect(packets.NULL_RESPONSE)
    assert depth(broker) == 1


def test_an_unknown_peer_is_nobody_where_there_are_users(broker: Broker) -> None:
    peer = ConnectedPeer(broker).connect().attach(ROLE_SENDER, target=Target(address="q"))
    peer.transfer(0, sent_by("bob"))
    assert depth(broker) == 0
    broker.authorization.permissions = None
    peer.transfer(1, sent_by("bob"))
    assert depth(broker) == 1


def test_who_may_send_for_others_does_and_no_longer_when_that_is_revoked(broker: Broker) -> None:
    before = broker.authorization.permissions
    rules = Permissions([parse_rule("write *"), parse_rule("administer $senders")])
    broker.authorization.permissions = lambda user: rules
    peer = writing(broker)
    peer.transfer(0, sent_by("bob")).transfer(1, sent_by("bob"))
    assert depth(broker) == 2
    broker.authorization.permissions = before
    peer.transfer(2, sent_by("bob"))
    assert depth(broker) == 2
    (record,) = [each for each in broker.authorization.take_audit() if each.right]
    assert (record.right, record.name, record.detail) == ("administer", "$senders", "bob")
