"""Imports permissions from Mosquitto's access list, the file of `acl_file`."""

from collections.abc import Mapping
from typing import Final

from lastvalue.config.configuration import Configuration
from lastvalue.config.report import Draft, Report, UnreadableSourceError

_ANONYMOUS: Final = "anonymous"
_READ: Final = ("read amq.topic", "browse mqtt.retained", "read mqtt.shared/*")
_WRITE: Final = ("write amq.topic", "write mqtt.retained")
_RULES: Final = {"read": _READ, "write": _WRITE, "readwrite": (*_READ, *_WRITE)}
_ACCESS: Final = (*_RULES, "deny")
_EVERY: Final = "#"
_NARROW: Final = (
    "rights here are of exchanges and queues, and those on all topics would be more; `[[mqtt.topics]]` gives "
    "retained messages queues, and so rights, of their own"
)


def import_access_list(text: str) -> tuple[Configuration, Report]:
    """Import who may read or write every topic; whatever is less is reported.

    Raises:
        UnreadableSourceError: a line of it is none.
    """
    draft = Draft()
    user = _ANONYMOUS
    # By user, where the rules begin, and themselves.
    found: dict[str, tuple[str, list[str]]] = {}
    denied: set[str] = set()
    for number, line in enumerate(text.splitlines(), 1):
        kind, _, rest = line.strip().partition(" ")
        rest = rest.strip()
        path = f"line {number}, {kind}"
        if not kind or kind.startswith("#"):
            continue
        if kind == "user":
            user = rest
        elif kind == "pattern":
            draft.leave_out(path, "a rule is of one user, and has no place for names of clients", rest)
        elif kind == "topic":
            access, _, topic = rest.partition(" ")
            if access not in _ACCESS:
                access, topic = "readwrite", rest
            if access == "deny":
                denied.add(user)
            if topic.strip() == _EVERY and access != "deny":
                found.setdefault(user, (path, []))[1].extend(_RULES[access])
            else:
                draft.leave_out(path, _NARROW, rest)
        else:
            raise UnreadableSourceError(f"line {number} is none of an access list: {kind!r:.40}")
    _add(found, denied, draft)
    return draft.finish()


def _add(found: Mapping[str, tuple[str, list[str]]], denied: set[str], draft: Draft) -> None:
    for user, (path, rules) in found.items():
        if user in denied:
            draft.leave_out(path, f"user {user!r} may not use some of the topics; {_NARROW}")
        else:
            draft.add("permission", {"user": user, "rules": list(dict.fromkeys(rules))}, path)
