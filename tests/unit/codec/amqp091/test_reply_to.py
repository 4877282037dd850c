"""Where direct replies go [RabbitMQ]."""

from lastvalue.codec.amqp091.reply_to import REPLY_TO, with_reply_queue
from lastvalue.codec.amqp10.content import BodyKind, MessageContent, decode_content, encode_content

QUEUE = b"amq.rabbitmq.reply-to.7"


def test_the_address_of_direct_replies_becomes_the_queue_of_the_channel() -> None:
    content = MessageContent(
        durable=True, subject="q", reply_to=REPLY_TO, correlation_id="1", body=b"?", body_kind=BodyKind.DATA
    )
    answered = decode_content(with_reply_queue(encode_content(content), QUEUE))
    assert answered.reply_to == QUEUE.decode()
    assert (answered.durable, answered.subject, answered.correlation_id, answered.body) == (
        True,
        "q",
        "1",
        b"?",
    )


def test_the_words_elsewhere_stay_as_they_are() -> None:
    for content in (
        MessageContent(reply_to="mine", body=REPLY_TO.encode(), body_kind=BodyKind.DATA),
        MessageContent(application_properties={"reply": REPLY_TO}, body=b"", body_kind=BodyKind.DATA),
    ):
        payload = encode_content(content)
        assert with_reply_queue(payload, QUEUE) == payload
