"""lastvalue.delivery.sender."""

import pytest

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.permissions import ImpersonationError
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.message import EncodedMessage, read_message
from lastvalue.codec.amqp10.message_shape import message_shape
from lastvalue.delivery.sender import Sender


def sender(user: str) -> Sender:
    return Sender(Broker().authorization, Owner(container="c", principal=user))


def said(user_id: bytes | None) -> EncodedMessage:
    return read_message(encode_content(MessageContent(body=b"a body", subject="s", user_id=user_id)))


@pytest.mark.parametrize("user_id", [None, b"", b"ann"])
def test_a_message_names_its_sender_or_nobody(user_id: bytes | None) -> None:
    shape = message_shape(said(user_id))
    assert shape is not None
    sender("ann").check(said(user_id), shape)
    assert shape.is_own


@pytest.mark.parametrize("user_id", [b"bob", b"\xff"])
def test_a_message_that_names_somebody_else_is_refused(user_id: bytes) -> None:
    shape = message_shape(said(user_id))
    assert shape is not None
    with pytest.raises(ImpersonationError):
        sender("ann").check(said(user_id), shape)
    assert not shape.is_own


@pytest.mark.parametrize("user", ["", "anonymous"])
def test_without_users_an_anonymous_sender_may_be_everybody(user: str) -> None:
    sender(user).check(said(b"bob"), None)


def test_messages_of_a_shape_have_one_user_id() -> None:
    shape = message_shape(said(b"ann"))
    assert shape is not None
    assert shape.fits(said(b"ann").encoded)
    assert not shape.fits(said(b"bob").encoded)


def test_the_mark_of_the_messages_is_their_container() -> None:
    signature = sender("ann").signature
    assert signature is not None
    assert signature.origin == "c"
    assert Sender(Broker().authorization, Owner()).signature is None
