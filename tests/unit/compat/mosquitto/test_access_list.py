"""lastvalue.compat.mosquitto.access_list."""

import pytest

from lastvalue.compat.mosquitto.access_list import import_access_list
from lastvalue.config.report import UnreadableSourceError

READ = ("read amq.topic", "browse mqtt.retained", "read mqtt.shared/*")
WRITE = ("write amq.topic", "write mqtt.retained")
TEXT = """
# Whoever gives no name
topic read #
user ann
topic #
user bob
topic write #
topic read sensors/#
user eve
topic readwrite #
topic deny secret/#
pattern readwrite home/%u/#
"""


def test_who_may_use_every_topic_has_rules() -> None:
    configuration, report = import_access_list(TEXT)
    rules = {each.user: tuple(map(str, each.rules)) for each in configuration.permissions}
    assert rules == {"anonymous": READ, "ann": (*READ, *WRITE), "bob": WRITE}
    lines = report.lines()
    assert len(lines) == 4
    assert lines[0].startswith("not mapped: line 8, topic = 'read sensors/#': rights here are of exchanges")
    assert lines[1].startswith("not mapped: line 11, topic = 'deny secret/#': ")
    assert lines[2].startswith("not mapped: line 12, pattern = 'readwrite home/%u/#': a rule is of one user")
    assert lines[3].startswith("not mapped: line 10, topic: user 'eve' may not use some of the topics")


def test_another_file_is_refused() -> None:
    with pytest.raises(UnreadableSourceError, match="line 1 is none of an access list: 'listener'"):
        import_access_list("listener 1883")
