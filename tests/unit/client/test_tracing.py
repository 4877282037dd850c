"""Spans of what a connection sends and receives, and trace contexts through the broker."""

import asyncio
from collections.abc import AsyncIterator

import pika
import pytest

from lastvalue.client import Connection, Message, Wanted, WatchOptions, connect

trace = pytest.importorskip("opentelemetry.sdk.trace")

from opentelemetry.sdk.trace.export import SimpleSpanProcessor  # noqa: E402 - only where it is
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter  # noqa: E402 - with the extra
from opentelemetry.trace import SpanKind, StatusCode, get_current_span  # noqa: E402 - with the extra

from lastvalue.client.tracing import Tracing, context_of  # noqa: E402 - it needs the extra

FIRST = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
SECOND = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"
THIRD = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


@pytest.fixture
def spans() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
async def traced(url: str, spans: InMemorySpanExporter) -> AsyncIterator[Connection]:
    provider = trace.TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    async with connect(url) as connection:
        connection.trace(Tracing(provider))
        yield connection


async def test_a_message_is_linked_to_what_published_it(
    traced: Connection, spans: InMemorySpanExporter
) -> None:
    queue = await traced.declare("q")
    await queue.send_many([Message(1), Message(2)])
    async with queue.receive(limit=2) as receiver:
        async for delivery in receiver:
            delivery.accept() if delivery.message.body == 1 else delivery.reject("too many")
    sent, first, second = spans.get_finished_spans()
    assert (sent.name, sent.kind) == ("send q", SpanKind.PRODUCER)
    for received in (first, second):
        assert (received.name, received.kind) == ("receive q", SpanKind.CONSUMER)
        assert [link.context.span_id for link in received.links] == [sent.context.span_id]
    assert (first.status.status_code, second.status.status_code) == (StatusCode.UNSET, StatusCode.ERROR)


async def test_a_delivery_is_linked_to_what_its_value_replaced(
    traced: Connection, spans: InMemorySpanExporter
) -> None:
    queue = await traced.declare("prices", lvq_key="symbol", trace_links=2)
    for trace_parent in (FIRST, SECOND, THIRD):
        await queue.send(Message(trace_parent, {"symbol": "A", "traceparent": trace_parent}))
    await queue.send(Message(4, {"symbol": "A"}))
    (message,) = [each async for each in queue.browse()]
    assert message.replaced_traces == (THIRD, SECOND)
    received = spans.get_finished_spans()[-1]
    kinds = [dict(link.attributes or {})["lastvalue.link"] for link in received.links]
    assert kinds == ["published", "replaced", "replaced"]
    assert f"{received.links[1].context.trace_id:032x}" == THIRD.split("-")[1]
    assert dict(received.attributes or {})["lastvalue.updates"] == 4


async def test_without_the_option_nothing_is_kept(connection: Connection) -> None:
    queue = await connection.declare("prices", lvq_key="symbol")
    for trace_parent in (FIRST, SECOND):
        await queue.send(Message(1, {"symbol": "A", "traceparent": trace_parent}))
    (message,) = [each async for each in queue.browse()]
    assert (message.properties["traceparent"], message.replaced_traces) == (SECOND, ())


async def test_a_value_in_the_place_of_its_key_has_links_too(connection: Connection) -> None:
    queue = await connection.declare("p", lvq_key="symbol", lvq_placement="in-place", trace_links=5)
    for trace_parent in (FIRST, "no trace context", SECOND):
        await queue.send(Message(1, {"symbol": "A", "traceparent": trace_parent}))
    (message,) = [each async for each in queue.browse()]
    assert message.replaced_traces == (FIRST,)


async def test_what_is_conflated_for_a_single_reader_has_links_too(connection: Connection) -> None:
    plain = await connection.declare("plain", trace_links=5)
    for trace_parent in (FIRST, SECOND, THIRD):
        await plain.send(Message(1, {"symbol": "A", "traceparent": trace_parent}))
    wanted = Wanted(watch=WatchOptions(conflate="symbol"))
    (message,) = [each async for each in plain.browse(wanted=wanted)]
    assert (message.updates, message.replaced_traces) == (3, (SECOND, FIRST))


async def test_an_application_goes_on_with_the_trace_of_a_message() -> None:
    context = get_current_span(context_of(Message(1, {"traceparent": FIRST}))).get_span_context()
    assert f"{context.trace_id:032x}" == FIRST.split("-")[1]
    assert not get_current_span(context_of(Message(1, {"traceparent": "x"}))).get_span_context().is_valid


async def test_a_trace_context_is_carried_between_protocols(url: str, connection: Connection) -> None:
    queue = await connection.declare("q")

    def through_0_9_1() -> dict[str, object]:
        with pika.BlockingConnection(pika.URLParameters(url)) as peer:
            channel = peer.channel()
            _, properties, _ = channel.basic_get("q", auto_ack=True)
            headers = {"traceparent": SECOND, "tracestate": "a=b"}
            channel.basic_publish("", "q", b"x", pika.BasicProperties(headers=headers))
            return dict(properties.headers)

    await queue.send(Message(1, {"traceparent": FIRST}))
    assert (await asyncio.to_thread(through_0_9_1))["traceparent"] == FIRST
    (back,) = [each async for each in queue.browse()]
    assert (back.properties["traceparent"], back.properties["tracestate"]) == (SECOND, "a=b")
