"""The sink's options."""

import pytest

from lastvalue.client.errors import InvalidUrlError
from lastvalue.pipeline.sink.options import Delivery, InvalidSinkError, SinkOptions, parse_sink_options


def test_a_queue_is_all_that_is_needed() -> None:
    assert parse_sink_options({"queue": "prices"}) == SinkOptions(
        queue="prices",
        url="amqp://127.0.0.1:5672",
        key_property=None,
        timeout_s=60.0,
        delivery=Delivery.EXACTLY_ONCE,
        write_id=None,
        transaction_rows=100_000,
        dead_letters=None,
        durable=True,
    )


def test_names_of_options_are_taken_in_any_case() -> None:
    parsed = parse_sink_options({"QUEUE": "q", "keyproperty": "symbol", "timeoutSeconds": "5"})
    assert (parsed.key_property, parsed.timeout_s) == ("symbol", 5.0)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({}, "needs the option 'queue'"),
        ({"queue": ""}, "needs the option 'queue'"),
        ({"queue": "q", "topic": "t"}, "has no option 'topic'; its options are queue, url"),
        ({"queue": "q", "path": "p"}, "a queue has no path"),
        ({"queue": "q", "password": "p"}, "a password needs the option 'user'"),
        ({"queue": "q", "user": "a", "url": "amqp://b:c@host"}, "names a user already"),
        ({"queue": "q", "timeoutSeconds": "soon"}, "timeoutSeconds is not a number above 0: 'soon'"),
        ({"queue": "q", "timeoutSeconds": "0"}, "timeoutSeconds is not a number above 0: '0'"),
        ({"queue": "q", "delivery": "twice"}, "expected 'exactly-once' or 'at-least-once'"),
        ({"queue": "q", "transactionRows": "-1"}, "transactionRows is '-1'"),
        ({"queue": "q", "onRejected": "q"}, "the name of another queue"),
        ({"queue": "q", "durable": "yes"}, "durable is 'yes'; expected 'true' or 'false'"),
    ],
)
def test_options_that_cannot_be_are_named(options: dict[str, str], text: str) -> None:
    with pytest.raises(InvalidSinkError, match=text):
        parse_sink_options(options)


def test_a_url_that_names_no_broker_is_refused() -> None:
    with pytest.raises(InvalidUrlError):
        parse_sink_options({"queue": "q", "url": "http://host"})


def test_what_spark_adds_to_a_stream_is_no_option_of_the_sink() -> None:
    given = {"queue": "q", "checkpointLocation": "/c", "queryName": "prices"}
    assert parse_sink_options(given) == SinkOptions(queue="q")


def test_every_option_is_read() -> None:
    given = {
        "queue": "q",
        "delivery": "at-least-once",
        "writeId": "w",
        "transactionRows": "0",
        "onRejected": "bad",
        "durable": "false",
    }
    assert parse_sink_options(given) == SinkOptions(
        queue="q",
        delivery=Delivery.AT_LEAST_ONCE,
        write_id="w",
        transaction_rows=0,
        dead_letters="bad",
        durable=False,
    )
