"""Which effects a queue notes: those that somebody reads."""

import pytest

from lastvalue.broker.broker import Broker
from lastvalue.queues.spec_arguments import spec_from_arguments


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
