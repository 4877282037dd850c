"""The fast path from AMQP 1.0 sections to AMQP 0-10 frames.

Messages of a form that was learnt from `header_and_body` are written by that form. The result equals that of
`header_and_body`, byte for byte, which also handles annotated and all other messages.
"""

import struct
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp010.header_and_body import header_and_body, left_ms, routed_by
from lastvalue.codec.amqp010.names import Names
from lastvalue.codec.amqp010.shortcuts.envelopes import Envelope
from lastvalue.codec.amqp010.shortcuts.segments import behind_delivery
from lastvalue.codec.amqp010.shortcuts.transfer_form import PublishedTo, TransferForm
from lastvalue.codec.amqp10.message_form import form_places
from lastvalue.codec.amqp10.sections import PROPERTIES
from lastvalue.codec.output_buffer import LARGEST_COPIED
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import NEVER

_QUAD: Final = struct.Struct(">Q")
_MOST_FORMS: Final = 16
_REPLY_TO: Final = 8


@final
class TransferEncoder:
    """Writes messages as transfers.

    Attributes:
        names: the existing exchanges and queues.
        parts: the bytes of the last message that was written.
        size: the size of its header segment and its body, in bytes.
    """

    __slots__ = ("names", "parts", "size")

    def __init__(self, names: Names) -> None:
        self.names = names
        self.parts: list[bytes] = []
        self.size: i64 = 0

    def write(self, data: bytes, envelope: Envelope, expires_ms: i64, now: i64) -> bool:
        """Write a message that was not delivered before; returns false if `header_and_body` must do it."""
        form = self._form_of(data, envelope)
        if form is None:
            return False
        try:
            more = form.convert()
        except LastvalueError:
            return False
        body: i64 = form.form.body
        body_size: i64 = len(data) - body
        header_size: i64 = form.header_more + body + more
        if not envelope.holds(header_size, body_size):
            return False
        map_size = form.size_of_map(more)
        delivery_size = form.size_of_delivery()
        parts = form.parts
        if (
            header_size != form.header_size
            or delivery_size != form.delivery_size
            or map_size != form.map_size
            or body_size != form.body_size
        ):
            form.set_sizes(header_size, delivery_size, map_size, body_size)
            parts[0] = envelope.before(header_size)
            parts[-2] = envelope.between(body_size)
        if form.ttl_at > 0:
            parts[form.ttl_at] = _QUAD.pack(left_ms(form.ttl_ms, expires_ms, now))
        if body_size <= LARGEST_COPIED:
            parts[-1] = data[body:]
            self.parts = [b"".join(parts)]
            # A form that no further message has does not keep a body.
            parts[-1] = b""
        else:
            self.parts = [b"".join(parts), data[body:]]
        self.size = header_size + body_size
        return True

    def _form_of(self, data: bytes, envelope: Envelope) -> TransferForm | None:
        forms = envelope.forms
        for index in range(len(forms)):
            form = forms[index]
            try:
                fits = form.form.fits(data) and form.published_to.holds(self.names)
            except (LastvalueError, IndexError):
                fits = False
            if fits and form.has_body is (form.form.body < len(data)):
                if index > 0:
                    del forms[index]
                    forms.insert(0, form)
                envelope.benefit.found()
                return form
        return self._learn(data, envelope) if envelope.benefit.missed() else None

    def _learn(self, data: bytes, envelope: Envelope) -> TransferForm | None:
        """The form of a message; the fields of the properties may differ if those of the last one did."""
        try:
            places = form_places(data)
            if places is None:
                return None
            if envelope.benefit.misses == 1:
                places = [place for place in places if place.section != PROPERTIES]
            header, _ = header_and_body(data, self.names, {}, 0, NEVER, 0)
            published_to = PublishedTo(*routed_by(data), self.names)
            behind = behind_delivery(header)
            if behind < len(header) and header[behind + 6] & _REPLY_TO:
                # Which names there are decides what it is.
                return None
            form = TransferForm(data, places, header, published_to)
        except (LastvalueError, IndexError):
            return None
        del envelope.forms[_MOST_FORMS - 1 :]
        envelope.forms.insert(0, form)
        return form
