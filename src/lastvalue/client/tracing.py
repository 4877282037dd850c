"""Spans of OpenTelemetry for what a connection sends and receives; they need the extra `otel`.

A message belongs to a trace by its application property `traceparent` [W3C Trace Context], which the broker
carries unchanged over every protocol.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from opentelemetry.context import Context
from opentelemetry.trace import (
    Link,
    Span,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    TracerProvider,
    get_current_span,
    get_tracer,
    set_span_in_context,
)
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from lastvalue import __version__
from lastvalue.client.message import Message
from lastvalue.model.property_names import TRACE_PARENT

_TRACE_STATE: Final = "tracestate"
_PROPAGATOR: Final = TraceContextTextMapPropagator()


class Tracing:
    """Makes the spans of a connection: `connection.trace(Tracing())`.

    Args:
        provider: makes the spans; without one it is the process's own.
    """

    def __init__(self, provider: TracerProvider | None = None) -> None:
        self._tracer = get_tracer("lastvalue", __version__, provider)

    @contextmanager
    def publishing(self, queue: str) -> Iterator[Mapping[str, str]]:
        """A span of one call that sends; it ends with the call. Gives the properties of its messages."""
        attributes = _attributes(queue, "send", "publish")
        with self._tracer.start_as_current_span(
            f"send {queue}", kind=SpanKind.PRODUCER, attributes=attributes
        ) as span:
            carrier: dict[str, str] = {}
            _PROPAGATOR.inject(carrier, set_span_in_context(span))
            yield carrier

    def receiving(self, queue: str, message: Message) -> Span:
        """A span of one message that was received, linked to its publishing and to what it replaced.

        Who asks for it ends it.
        """
        attributes: dict[str, str | int] = {
            **_attributes(queue, "receive", "receive"),
            "lastvalue.updates": message.updates,
        }
        if message.sequence is not None:
            attributes["lastvalue.sequence"] = message.sequence
        links = [Link(context, {"lastvalue.link": "published"}) for context in _contexts(message.properties)]
        for trace in message.replaced_traces:
            links += [
                Link(context, {"lastvalue.link": "replaced"}) for context in _contexts({TRACE_PARENT: trace})
            ]
        return self._tracer.start_span(
            f"receive {queue}", kind=SpanKind.CONSUMER, links=links, attributes=attributes
        )

    @staticmethod
    def traced(message: Message, carrier: Mapping[str, str]) -> Message:
        """A message with the properties of a span; one that belongs to a trace already keeps that."""
        if TRACE_PARENT in message.properties:
            return message
        return replace(message, properties={**message.properties, **carrier})

    @staticmethod
    def end(span: Span, fault: str = "") -> None:
        """End a span, with an error if there is a fault."""
        if fault:
            span.set_status(Status(StatusCode.ERROR, fault))
        span.end()


def context_of(message: Message) -> Context:
    """The context of the trace that a message belongs to, as the parent of an application's own spans."""
    return _PROPAGATOR.extract(_carrier(message.properties))


def _attributes(queue: str, operation: str, kind: str) -> dict[str, str]:
    return {
        "messaging.system": "lastvalue",
        "messaging.destination.name": queue,
        "messaging.operation.name": operation,
        "messaging.operation.type": kind,
    }


def _carrier(properties: Mapping[str, object]) -> dict[str, str]:
    return {
        name: value for name in (TRACE_PARENT, _TRACE_STATE) if isinstance(value := properties.get(name), str)
    }


def _contexts(properties: Mapping[str, object]) -> list[SpanContext]:
    context = get_current_span(_PROPAGATOR.extract(_carrier(properties), Context())).get_span_context()
    return [context] if context.is_valid else []
