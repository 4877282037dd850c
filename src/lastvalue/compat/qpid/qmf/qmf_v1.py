"""Consoles of QMF v1, which ask in bytes: for the schema, for objects, and for methods."""

from collections.abc import Iterator
from typing import Final
from uuid import UUID

from mypy_extensions import i64

from lastvalue.broker.rights.owner import Owner
from lastvalue.codec.amqp010.errors import DecodeError
from lastvalue.codec.amqp010.qmf.schema_class import PACKAGE, short_text
from lastvalue.codec.amqp010.qmf.v1_messages import (
    V1Request,
    encode_object,
    encode_results,
    encode_status,
    number_of,
)
from lastvalue.compat.qpid.qmf.methods import FAILED, INVALID, UNKNOWN_OBJECT, MethodError, Methods
from lastvalue.compat.qpid.qmf.objects import Objects
from lastvalue.compat.qpid.qmf.schema import SCHEMA
from lastvalue.model.errors import LastvalueError

_NS_PER_MS: Final = 1_000_000


class QmfV1:
    """Answers requests of v1."""

    def __init__(self, instance: UUID, objects: Objects, methods: Methods) -> None:
        self._instance = instance
        self._objects = objects
        self._methods = methods

    def answer(self, body: bytes, owner: Owner, now: i64) -> Iterator[bytes]:
        """The messages that answer a request, made one by one; none for what is not known or malformed."""
        try:
            request = V1Request(body)
        except DecodeError:
            return
        for content in self._contents(request, owner, now):
            yield request.answer(content)
        if request.opcode in (b"P", b"Q", b"G"):
            yield request.end()

    def _contents(self, request: V1Request, owner: Owner, now: i64) -> Iterator[bytes]:
        """The contents of the answers."""
        match request.opcode:
            case b"B":
                yield self._instance.bytes
            case b"P":
                yield short_text(PACKAGE)
            case b"Q":
                for kind in SCHEMA.values():
                    yield bytes((kind.kind,)) + kind.key()
            case b"S" if request.class_name in SCHEMA:
                yield SCHEMA[request.class_name].encoded()
            case b"G":
                for each in self._objects.of_class(request.class_name, owner, now):
                    yield encode_object(each.kind, each.object_name, each.values, _NS_PER_MS * int(now))
            case b"M":
                yield self._call(request, owner, now)

    def _call(self, request: V1Request, owner: Owner, now: i64) -> bytes:
        name, number = request.method_name, request.object_number
        objects = self._objects.of_class(request.class_name, owner, now)
        target = next((each for each in objects if number_of(each.object_name) == number), None)
        methods = [] if target is None else target.kind.methods
        method = next((each for each in methods if each.name == name), None)
        try:
            if target is None or method is None:
                raise MethodError(UNKNOWN_OBJECT if target is None else INVALID, f"there is no {name!r} here")
            results = self._methods.call(target, name, request.arguments(method), owner, now)
        except MethodError as fault:
            return encode_status(fault.code, str(fault))
        except LastvalueError as fault:
            return encode_status(FAILED, str(fault))
        return encode_status(0, "OK") + encode_results(method, results)
