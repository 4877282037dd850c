"""A console of QMF, which asks over a session of AMQP 0-10."""

from typing import Any

from amqp010_peer import Peer, Transfer

from lastvalue.codec.amqp010.command_layouts import MESSAGE_REPLY_TO
from lastvalue.codec.amqp010.decoder import decode_list, decode_map
from lastvalue.codec.amqp010.encoder import encode_list, encode_map
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.frontends.amqp010.broker_state import BrokerState

BROKER = "org.apache.qpid.broker:broker:amqp-broker"


class Console:
    """Asks over a peer's session, one of its own by default, and reads the answers."""

    def __init__(self, broker_state: BrokerState, peer: Peer | None = None) -> None:
        self.peer = peer or Peer(broker_state)
        self.peer.do("queue.declare", queue="answers", exclusive=True, auto_delete=True)
        self.peer.do("exchange.bind", exchange="qmf.default.direct", queue="answers", binding_key="me")
        self.peer.do("exchange.bind", exchange="amq.direct", queue="answers", binding_key="me")
        self.peer.subscribe("answers", "answers", accept_mode=1)

    def ask(self, opcode: str, body: Any, exchange: str = "qmf.default.direct", key: str = "broker") -> None:
        is_map = isinstance(body, dict)
        self.peer.send(
            key,
            encode_map(body) if is_map else encode_list(body),
            exchange=exchange,
            properties={
                "content_type": "amqp/map" if is_map else "amqp/list",
                "correlation_id": b"9",
                "reply_to": Record(MESSAGE_REPLY_TO, {"exchange": "qmf.default.direct", "routing_key": "me"}),
                "app_id": b"qmf2",
                "application_headers": {"method": "request", "qmf.opcode": opcode},
            },
        )

    def answers(self) -> list[Transfer]:
        return [each for each in self.peer.take() if each.destination == "answers"]

    def call(self, method: str, arguments: dict[str, Any], name: str = BROKER) -> dict[str, Any]:
        """The results of a method, or the values of the exception that it is refused with."""
        body = {"_object_id": {"_object_name": name}, "_method_name": method, "_arguments": arguments}
        self.ask("_method_request", body)
        (answer,) = self.answers()
        told: Any = decode_map(answer.body or b"")
        if answer.headers["qmf.opcode"] == "_exception":
            return dict(told["_values"])
        assert answer.headers["qmf.opcode"] == "_method_response"
        return dict(told["_arguments"])

    def objects(self, kind: str) -> list[dict[str, Any]]:
        query = {"_what": "OBJECT", "_schema_id": {"_class_name": kind}}
        self.ask("_query_request", query)
        return [each for answer in self.answers() for each in objects_in(answer)]

    def values(self, kind: str, name: str) -> dict[str, Any]:
        (found,) = [each["_values"] for each in self.objects(kind) if each["_values"]["name"] == name]
        return dict(found)

    def old(self, opcode: bytes, content: bytes = b"", key: str = "broker") -> list[bytes]:
        reply = Record(MESSAGE_REPLY_TO, {"exchange": "amq.direct", "routing_key": "me"})
        body = b"AM2" + opcode + b"\0\0\0\5" + content
        self.peer.send(key, body, exchange="qpid.management", properties={"reply_to": reply})
        return [answer.body or b"" for answer in self.answers()]


def objects_in(answer: Transfer) -> list[Any]:
    """The objects that an answer lists."""
    return decode_list(answer.body or b"")
