"""What goes into each control, command and struct. Written by packaging/amqp010_layouts.py."""

from typing import Final

from lastvalue.codec.amqp010.layouts import Layout

CONNECTION_START: Final = Layout(
    "connection.start", 0x0101, (("server_properties", "map"), ("mechanisms", "array"), ("locales", "array"))
)
CONNECTION_START_OK: Final = Layout(
    "connection.start-ok",
    0x0102,
    (("client_properties", "map"), ("mechanism", "str8"), ("response", "vbin32"), ("locale", "str8")),
)
CONNECTION_SECURE: Final = Layout("connection.secure", 0x0103, (("challenge", "vbin32"),))
CONNECTION_SECURE_OK: Final = Layout("connection.secure-ok", 0x0104, (("response", "vbin32"),))
CONNECTION_TUNE: Final = Layout(
    "connection.tune",
    0x0105,
    (
        ("channel_max", "uint16"),
        ("max_frame_size", "uint16"),
        ("heartbeat_min", "uint16"),
        ("heartbeat_max", "uint16"),
    ),
)
CONNECTION_TUNE_OK: Final = Layout(
    "connection.tune-ok",
    0x0106,
    (("channel_max", "uint16"), ("max_frame_size", "uint16"), ("heartbeat", "uint16")),
)
CONNECTION_OPEN: Final = Layout(
    "connection.open", 0x0107, (("virtual_host", "str8"), ("capabilities", "array"), ("insist", "bit"))
)
CONNECTION_OPEN_OK: Final = Layout("connection.open-ok", 0x0108, (("known_hosts", "array"),))
CONNECTION_REDIRECT: Final = Layout(
    "connection.redirect", 0x0109, (("host", "str16"), ("known_hosts", "array"))
)
CONNECTION_HEARTBEAT: Final = Layout("connection.heartbeat", 0x010A, ())
CONNECTION_CLOSE: Final = Layout(
    "connection.close", 0x010B, (("reply_code", "uint16"), ("reply_text", "str8"))
)
CONNECTION_CLOSE_OK: Final = Layout("connection.close-ok", 0x010C, ())
SESSION_ATTACH: Final = Layout("session.attach", 0x0201, (("name", "vbin16"), ("force", "bit")))
SESSION_ATTACHED: Final = Layout("session.attached", 0x0202, (("name", "vbin16"),))
SESSION_DETACH: Final = Layout("session.detach", 0x0203, (("name", "vbin16"),))
SESSION_DETACHED: Final = Layout("session.detached", 0x0204, (("name", "vbin16"), ("code", "uint8")))
SESSION_REQUEST_TIMEOUT: Final = Layout("session.request-timeout", 0x0205, (("timeout", "uint32"),))
SESSION_TIMEOUT: Final = Layout("session.timeout", 0x0206, (("timeout", "uint32"),))
SESSION_COMMAND_POINT: Final = Layout(
    "session.command-point", 0x0207, (("command_id", "sequence-no"), ("command_offset", "uint64"))
)
SESSION_EXPECTED: Final = Layout(
    "session.expected", 0x0208, (("commands", "sequence-set"), ("fragments", "array"))
)
SESSION_CONFIRMED: Final = Layout(
    "session.confirmed", 0x0209, (("commands", "sequence-set"), ("fragments", "array"))
)
SESSION_COMPLETED: Final = Layout(
    "session.completed", 0x020A, (("commands", "sequence-set"), ("timely_reply", "bit"))
)
SESSION_KNOWN_COMPLETED: Final = Layout("session.known-completed", 0x020B, (("commands", "sequence-set"),))
SESSION_FLUSH: Final = Layout(
    "session.flush", 0x020C, (("expected", "bit"), ("confirmed", "bit"), ("completed", "bit"))
)
SESSION_GAP: Final = Layout("session.gap", 0x020D, (("commands", "sequence-set"),))
EXECUTION_SYNC: Final = Layout("execution.sync", 0x0301, ())
EXECUTION_RESULT: Final = Layout(
    "execution.result", 0x0302, (("command_id", "sequence-no"), ("value", "struct32"))
)
EXECUTION_EXCEPTION: Final = Layout(
    "execution.exception",
    0x0303,
    (
        ("error_code", "uint16"),
        ("command_id", "sequence-no"),
        ("class_code", "uint8"),
        ("command_code", "uint8"),
        ("field_index", "uint8"),
        ("description", "str16"),
        ("error_info", "map"),
    ),
)
MESSAGE_DELIVERY_PROPERTIES: Final = Layout(
    "message.delivery-properties",
    0x0401,
    (
        ("discard_unroutable", "bit"),
        ("immediate", "bit"),
        ("redelivered", "bit"),
        ("priority", "uint8"),
        ("delivery_mode", "uint8"),
        ("ttl", "uint64"),
        ("timestamp", "datetime"),
        ("expiration", "datetime"),
        ("exchange", "str8"),
        ("routing_key", "str8"),
        ("resume_id", "str16"),
        ("resume_ttl", "uint64"),
    ),
)
MESSAGE_FRAGMENT_PROPERTIES: Final = Layout(
    "message.fragment-properties", 0x0402, (("first", "bit"), ("last", "bit"), ("fragment_size", "uint64"))
)
MESSAGE_REPLY_TO: Final = Layout("message.reply-to", 0x0000, (("exchange", "str8"), ("routing_key", "str8")))
MESSAGE_MESSAGE_PROPERTIES: Final = Layout(
    "message.message-properties",
    0x0403,
    (
        ("content_length", "uint64"),
        ("message_id", "uuid"),
        ("correlation_id", "vbin16"),
        ("reply_to", "struct:message.reply-to"),
        ("content_type", "str8"),
        ("content_encoding", "str8"),
        ("user_id", "vbin16"),
        ("app_id", "vbin16"),
        ("application_headers", "map"),
    ),
)
MESSAGE_TRANSFER: Final = Layout(
    "message.transfer", 0x0401, (("destination", "str8"), ("accept_mode", "uint8"), ("acquire_mode", "uint8"))
)
MESSAGE_ACCEPT: Final = Layout("message.accept", 0x0402, (("transfers", "sequence-set"),))
MESSAGE_REJECT: Final = Layout(
    "message.reject", 0x0403, (("transfers", "sequence-set"), ("code", "uint16"), ("text", "str8"))
)
MESSAGE_RELEASE: Final = Layout(
    "message.release", 0x0404, (("transfers", "sequence-set"), ("set_redelivered", "bit"))
)
MESSAGE_ACQUIRE: Final = Layout("message.acquire", 0x0405, (("transfers", "sequence-set"),))
MESSAGE_ACQUIRED: Final = Layout("message.acquired", 0x0404, (("transfers", "sequence-set"),))
MESSAGE_RESUME: Final = Layout("message.resume", 0x0406, (("destination", "str8"), ("resume_id", "str16")))
MESSAGE_MESSAGE_RESUME_RESULT: Final = Layout(
    "message.message-resume-result", 0x0405, (("offset", "uint64"),)
)
MESSAGE_SUBSCRIBE: Final = Layout(
    "message.subscribe",
    0x0407,
    (
        ("queue", "str8"),
        ("destination", "str8"),
        ("accept_mode", "uint8"),
        ("acquire_mode", "uint8"),
        ("exclusive", "bit"),
        ("resume_id", "str16"),
        ("resume_ttl", "uint64"),
        ("arguments", "map"),
    ),
)
MESSAGE_CANCEL: Final = Layout("message.cancel", 0x0408, (("destination", "str8"),))
MESSAGE_SET_FLOW_MODE: Final = Layout(
    "message.set-flow-mode", 0x0409, (("destination", "str8"), ("flow_mode", "uint8"))
)
MESSAGE_FLOW: Final = Layout(
    "message.flow", 0x040A, (("destination", "str8"), ("unit", "uint8"), ("value", "uint32"))
)
MESSAGE_FLUSH: Final = Layout("message.flush", 0x040B, (("destination", "str8"),))
MESSAGE_STOP: Final = Layout("message.stop", 0x040C, (("destination", "str8"),))
TX_SELECT: Final = Layout("tx.select", 0x0501, ())
TX_COMMIT: Final = Layout("tx.commit", 0x0502, ())
TX_ROLLBACK: Final = Layout("tx.rollback", 0x0503, ())
DTX_XA_RESULT: Final = Layout("dtx.xa-result", 0x0601, (("status", "uint16"),))
DTX_XID: Final = Layout(
    "dtx.xid", 0x0604, (("format", "uint32"), ("global_id", "vbin8"), ("branch_id", "vbin8"))
)
DTX_SELECT: Final = Layout("dtx.select", 0x0601, ())
DTX_START: Final = Layout(
    "dtx.start", 0x0602, (("xid", "struct:dtx.xid"), ("join", "bit"), ("resume", "bit"))
)
DTX_END: Final = Layout("dtx.end", 0x0603, (("xid", "struct:dtx.xid"), ("fail", "bit"), ("suspend", "bit")))
DTX_COMMIT: Final = Layout("dtx.commit", 0x0604, (("xid", "struct:dtx.xid"), ("one_phase", "bit")))
DTX_FORGET: Final = Layout("dtx.forget", 0x0605, (("xid", "struct:dtx.xid"),))
DTX_GET_TIMEOUT: Final = Layout("dtx.get-timeout", 0x0606, (("xid", "struct:dtx.xid"),))
DTX_GET_TIMEOUT_RESULT: Final = Layout("dtx.get-timeout-result", 0x0602, (("timeout", "uint32"),))
DTX_PREPARE: Final = Layout("dtx.prepare", 0x0607, (("xid", "struct:dtx.xid"),))
DTX_RECOVER: Final = Layout("dtx.recover", 0x0608, ())
DTX_RECOVER_RESULT: Final = Layout("dtx.recover-result", 0x0603, (("in_doubt", "array"),))
DTX_ROLLBACK: Final = Layout("dtx.rollback", 0x0609, (("xid", "struct:dtx.xid"),))
DTX_SET_TIMEOUT: Final = Layout("dtx.set-timeout", 0x060A, (("xid", "struct:dtx.xid"), ("timeout", "uint32")))
EXCHANGE_DECLARE: Final = Layout(
    "exchange.declare",
    0x0701,
    (
        ("exchange", "str8"),
        ("type", "str8"),
        ("alternate_exchange", "str8"),
        ("passive", "bit"),
        ("durable", "bit"),
        ("auto_delete", "bit"),
        ("arguments", "map"),
    ),
)
EXCHANGE_DELETE: Final = Layout("exchange.delete", 0x0702, (("exchange", "str8"), ("if_unused", "bit")))
EXCHANGE_QUERY: Final = Layout("exchange.query", 0x0703, (("name", "str8"),))
EXCHANGE_EXCHANGE_QUERY_RESULT: Final = Layout(
    "exchange.exchange-query-result",
    0x0701,
    (("type", "str8"), ("durable", "bit"), ("not_found", "bit"), ("arguments", "map")),
)
EXCHANGE_BIND: Final = Layout(
    "exchange.bind",
    0x0704,
    (("queue", "str8"), ("exchange", "str8"), ("binding_key", "str8"), ("arguments", "map")),
)
EXCHANGE_UNBIND: Final = Layout(
    "exchange.unbind", 0x0705, (("queue", "str8"), ("exchange", "str8"), ("binding_key", "str8"))
)
EXCHANGE_BOUND: Final = Layout(
    "exchange.bound",
    0x0706,
    (("exchange", "str8"), ("queue", "str8"), ("binding_key", "str8"), ("arguments", "map")),
)
EXCHANGE_EXCHANGE_BOUND_RESULT: Final = Layout(
    "exchange.exchange-bound-result",
    0x0702,
    (
        ("exchange_not_found", "bit"),
        ("queue_not_found", "bit"),
        ("queue_not_matched", "bit"),
        ("key_not_matched", "bit"),
        ("args_not_matched", "bit"),
    ),
)
QUEUE_DECLARE: Final = Layout(
    "queue.declare",
    0x0801,
    (
        ("queue", "str8"),
        ("alternate_exchange", "str8"),
        ("passive", "bit"),
        ("durable", "bit"),
        ("exclusive", "bit"),
        ("auto_delete", "bit"),
        ("arguments", "map"),
    ),
)
QUEUE_DELETE: Final = Layout(
    "queue.delete", 0x0802, (("queue", "str8"), ("if_unused", "bit"), ("if_empty", "bit"))
)
QUEUE_PURGE: Final = Layout("queue.purge", 0x0803, (("queue", "str8"),))
QUEUE_QUERY: Final = Layout("queue.query", 0x0804, (("queue", "str8"),))
QUEUE_QUEUE_QUERY_RESULT: Final = Layout(
    "queue.queue-query-result",
    0x0801,
    (
        ("queue", "str8"),
        ("alternate_exchange", "str8"),
        ("durable", "bit"),
        ("exclusive", "bit"),
        ("auto_delete", "bit"),
        ("arguments", "map"),
        ("message_count", "uint32"),
        ("subscriber_count", "uint32"),
    ),
)

CONTROLS: Final = {
    layout.code: layout
    for layout in (
        CONNECTION_START,
        CONNECTION_START_OK,
        CONNECTION_SECURE,
        CONNECTION_SECURE_OK,
        CONNECTION_TUNE,
        CONNECTION_TUNE_OK,
        CONNECTION_OPEN,
        CONNECTION_OPEN_OK,
        CONNECTION_REDIRECT,
        CONNECTION_HEARTBEAT,
        CONNECTION_CLOSE,
        CONNECTION_CLOSE_OK,
        SESSION_ATTACH,
        SESSION_ATTACHED,
        SESSION_DETACH,
        SESSION_DETACHED,
        SESSION_REQUEST_TIMEOUT,
        SESSION_TIMEOUT,
        SESSION_COMMAND_POINT,
        SESSION_EXPECTED,
        SESSION_CONFIRMED,
        SESSION_COMPLETED,
        SESSION_KNOWN_COMPLETED,
        SESSION_FLUSH,
        SESSION_GAP,
    )
}

COMMANDS: Final = {
    layout.code: layout
    for layout in (
        EXECUTION_SYNC,
        EXECUTION_RESULT,
        EXECUTION_EXCEPTION,
        MESSAGE_TRANSFER,
        MESSAGE_ACCEPT,
        MESSAGE_REJECT,
        MESSAGE_RELEASE,
        MESSAGE_ACQUIRE,
        MESSAGE_RESUME,
        MESSAGE_SUBSCRIBE,
        MESSAGE_CANCEL,
        MESSAGE_SET_FLOW_MODE,
        MESSAGE_FLOW,
        MESSAGE_FLUSH,
        MESSAGE_STOP,
        TX_SELECT,
        TX_COMMIT,
        TX_ROLLBACK,
        DTX_SELECT,
        DTX_START,
        DTX_END,
        DTX_COMMIT,
        DTX_FORGET,
        DTX_GET_TIMEOUT,
        DTX_PREPARE,
        DTX_RECOVER,
        DTX_ROLLBACK,
        DTX_SET_TIMEOUT,
        EXCHANGE_DECLARE,
        EXCHANGE_DELETE,
        EXCHANGE_QUERY,
        EXCHANGE_BIND,
        EXCHANGE_UNBIND,
        EXCHANGE_BOUND,
        QUEUE_DECLARE,
        QUEUE_DELETE,
        QUEUE_PURGE,
        QUEUE_QUERY,
    )
}

STRUCTS: Final = {
    layout.code: layout
    for layout in (
        MESSAGE_DELIVERY_PROPERTIES,
        MESSAGE_FRAGMENT_PROPERTIES,
        MESSAGE_MESSAGE_PROPERTIES,
        MESSAGE_ACQUIRED,
        MESSAGE_MESSAGE_RESUME_RESULT,
        DTX_XA_RESULT,
        DTX_XID,
        DTX_GET_TIMEOUT_RESULT,
        DTX_RECOVER_RESULT,
        EXCHANGE_EXCHANGE_QUERY_RESULT,
        EXCHANGE_EXCHANGE_BOUND_RESULT,
        QUEUE_QUEUE_QUERY_RESULT,
    )
}
