"""Clients, other brokers and stored histories know these names: none of them may change."""

from lastvalue.model import property_names


def test_the_names_of_annotations_are_those_that_others_write() -> None:
    names = {name: value for name, value in vars(property_names).items() if name.isupper()}
    assert names == {
        "ANNOTATION_PREFIX": "x-opt-",
        "SEQUENCE_NUMBER": "x-opt-sequence-number",
        "ENQUEUED_TIME": "x-opt-enqueued-time",
        "DELIVERY_TIME": "x-opt-delivery-time",
        "DELIVERY_DELAY": "x-opt-delivery-delay",
        "UPDATES": "x-opt-updates",
        "REPLACED_TRACES": "x-opt-replaced-traces",
        "TRACE_PARENT": "traceparent",
        "CONFLATION": "x-opt-conflation",
        "INTERVAL_START": "x-opt-interval-start",
        "PLACE": "x-opt-token",
        "REMOVED": "x-opt-removed",
        "SNAPSHOT": "x-opt-snapshot",
        "FIRST_TIME": "x-opt-first-time",
        "LAST_TIME": "x-opt-last-time",
        "POLICY": "x-opt-policy",
        "DELTA": "x-opt-delta",
        "DUPLICATE_ID": "_AMQ_DUPL_ID",
        "COUNTED": "lastvalue:",
        "REFUSED_ID": "lastvalue:duplicate-id",
        "ORIGINAL_QUEUE": "x-opt-original-queue",
        "ORIGINAL_SEQUENCE": "x-opt-original-sequence",
        "REASON": "x-opt-reason",
        "HISTORY_PREFIX": "x-opt-lastvalue-",
        "GROUP_ID": "JMSXGroupID",
        "GROUP_SEQUENCE": "JMSXGroupSeq",
        "SUBJECT": "qpid.subject",
        "QPID_APP_ID": "x-amqp-0-10.app-id",
        "MESSAGE_ID": "x-amqp-1.0.message-id",
        "TYPE": "x-opt-amqp-type",
        "APP_ID": "x-opt-amqp-app-id",
        "CLUSTER_ID": "x-opt-amqp-cluster-id",
        "AMQP010_PREFIX": "x-opt-amqp-0-10.",
        "HEADERS": "x-opt-amqp-0-10.headers",
        "REPLY_EXCHANGE": "x-opt-amqp-0-10.reply-exchange",
        "JMS_MESSAGE_TYPE": "x-opt-jms-msg-type",
        "JMS_DESTINATION": "x-opt-jms-dest",
        "JMS_REPLY_TO": "x-opt-jms-reply-to",
    }
