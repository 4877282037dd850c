"""Header segments of messages that differ only in values."""

from uuid import UUID

import pytest

from lastvalue.codec.amqp010.header_and_body import header_and_body
from lastvalue.codec.amqp010.names import Names
from lastvalue.codec.amqp010.shortcuts.transfer_form import PublishedTo, TransferForm
from lastvalue.codec.amqp10.content import BodyKind, MessageContent, encode_content
from lastvalue.codec.amqp10.message_form import form_places
from lastvalue.model.message import NEVER


class Known(Names):
    """A broker with some exchanges, and one queue."""

    exchanges = ("news",)

    def is_exchange(self, name: str) -> bool:
        return name in self.exchanges

    def is_queue(self, name: str) -> bool:
        return name == "q"


def encoded(
    subject: str = "a", number: int = 1, key: str = "k", created: int = 5000, ttl_ms: int | None = None
) -> bytes:
    return encode_content(
        MessageContent(
            to="news",
            subject=subject,
            message_id=UUID(int=number),
            creation_time=created,
            ttl_ms=ttl_ms,
            application_properties={"key": key, "flag": True},
            body=b"body",
            body_kind=BodyKind.DATA,
        )
    )


def segment(data: bytes) -> bytes:
    return header_and_body(data, Known(), {}, 0, NEVER, 0)[0]


def form_of(data: bytes) -> TransferForm:
    places = form_places(data)
    assert places is not None
    return TransferForm(data, places, segment(data), PublishedTo("news", "a", Known()))


def written(form: TransferForm, data: bytes) -> bytes:
    """The segment of a message that has the form."""
    assert form.form.fits(data)
    more = form.convert()
    header_size = form.header_more + form.form.body + more
    form.set_sizes(header_size, form.size_of_delivery(), form.size_of_map(more), len(data) - form.form.body)
    header = b"".join(form.parts[1:-2])
    assert len(header) == header_size
    return header


@pytest.mark.parametrize(
    "other",
    [
        encoded(),
        encoded(number=2**100, created=1_700_000_000_000),
        encoded(subject="", key="longer"),
        encoded(subject="é" * 100, key=""),
        encoded(created=-1),
    ],
)
def test_the_segment_of_another_message_has_its_values_and_sizes(other: bytes) -> None:
    assert written(form_of(encoded()), other) == segment(other)


def test_a_time_to_live_is_a_part() -> None:
    form = form_of(encoded(ttl_ms=700))
    assert form.ttl_ms == 700
    assert form.parts[form.ttl_at] == (700).to_bytes(8, "big")
    assert form_of(encoded()).ttl_ms == NEVER


def test_a_text_that_is_not_utf_8_does_not_fit() -> None:
    data = encoded(key="a long key")
    broken = data.replace(b"a long key", b"a long \xff\xffy")
    assert not form_of(data).form.fits(broken)


@pytest.mark.parametrize(
    ("address", "subject"), [("news", "q"), (None, "q"), (None, "other"), ("gone", None)]
)
def test_what_is_known_of_names_holds_until_they_come_or_go(address: str | None, subject: str | None) -> None:
    names = Known()
    to = PublishedTo(address, subject, names)
    assert to.holds(names)
    names.exchanges = ("gone",)
    assert to.holds(names) is (address is None)
