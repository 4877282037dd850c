"""Which declarations have somebody who reads what comes and leaves, and what the broker acts on."""

import pytest

from lastvalue.broker.broker import Broker
from lastvalue.broker.effect_readers import has_effect_readers, has_turn_work
from lastvalue.queues.spec_arguments import spec_from_arguments


@pytest.mark.parametrize(
    ("options", "read"),
    [
        ({}, False),
        ({"lvq_key": "k"}, False),
        ({"durable": True}, False),
        ({"lvq_key": "k", "history": "h"}, True),
        ({"lvq_key": "k", "top_talkers": 3}, True),
        ({"removal_log": 5}, True),
        ({"lvq_key": "k", "max_age_ms": 5}, True),
    ],
)
def test_a_history_and_statistics_read_effects(options: dict[str, object], read: bool) -> None:
    assert has_effect_readers(spec_from_arguments("q", options)) is read


@pytest.mark.parametrize(
    ("options", "noted"),
    [
        ({}, (False, False)),
        ({"durable": True}, (True, True)),
        ({"durable": True, "removal_log": 5}, (True, False)),
        ({"removal_log": 5}, (True, False)),
    ],
)
def test_messages_share_an_effect_where_the_journal_alone_reads_it(
    options: dict[str, object], noted: tuple[bool, bool]
) -> None:
    broker = Broker(all_effects=False)
    broker.declare(spec_from_arguments("q", options))
    contents = broker.lookup("q").queue.contents
    assert (contents.notes_all, contents.notes_runs) == noted


@pytest.mark.parametrize(
    ("options", "acts"),
    [
        ({}, False),
        ({"alternate": "d"}, True),
        ({"expiry_alternate": "d"}, True),
        ({"max_messages": 3, "when_full": "self-destruct"}, True),
        ({"lifetime": "delete-on-no-links-or-messages"}, True),
        ({"flow_stop_messages": 4}, True),
    ],
)
def test_the_broker_acts_on_some(options: dict[str, object], acts: bool) -> None:
    assert has_turn_work(spec_from_arguments("q", options)) is acts
