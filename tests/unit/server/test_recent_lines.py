"""The newest lines of the log, in memory."""

import io
from pathlib import Path

from lastvalue.broker.rights.audit import AuditRecord
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.verbs import Verb
from lastvalue.config.server_options import ServerOptions
from lastvalue.server.log_events import CONFIG_INVALID, CONFIG_NONE
from lastvalue.server.log_observations import log_audit
from lastvalue.server.log_output import LogOutput
from lastvalue.server.recent_lines import RecentLines


def test_lines_are_chosen_by_number_level_and_event_also_those_of_the_audit(tmp_path: Path) -> None:
    recent = RecentLines()
    output = LogOutput(ServerOptions(audit_log=tmp_path / "audit.jsonl"), io.StringIO())
    output.keep(recent.filter)
    with output:
        CONFIG_NONE.log()
        CONFIG_INVALID.log(fault="line 3")
        log_audit(AuditRecord(Owner(principal="ann"), Verb.PURGE_QUEUE, "q"))
    lines = recent.lines(0, "debug", "")
    assert [line["event"] for line in lines] == [CONFIG_NONE.name, CONFIG_INVALID.name, "audit.done"]
    assert [line["number"] for line in recent.lines(1, "debug", "")] == [2, 3]
    assert [line["fault"] for line in recent.lines(0, "error", "")] == ["line 3"]
    assert [line["user"] for line in recent.lines(0, "debug", "audit")] == ["ann"]


def test_only_the_newest_are_kept() -> None:
    recent = RecentLines(most=2)
    output = LogOutput(ServerOptions(), io.StringIO())
    output.keep(recent.filter)
    with output:
        for _ in range(5):
            CONFIG_NONE.log()
    assert [line["number"] for line in recent.lines(0, "debug", "")] == [4, 5]
    assert recent.newest() == 5
