"""Imports the diverts of an Artemis `broker.xml`: each is a binding of an address to another one."""

from typing import Any, Final
from xml.etree.ElementTree import Element

from lastvalue.config.report import Draft

_PASSED_OVER: Final = ("address", "forwarding-address", "filter", "exclusive", "routing-name", "routing-type")
_AS_A_BINDING: Final = ("", "STRIP", "PASS")


def diverts_of(core: Element, draft: Draft) -> list[Element]:
    """The diverts that map; each other one is reported by its name, and why it does not map."""
    found: list[Element] = []
    for divert in core.iterfind("diverts/divert"):
        reason = _unfit(divert)
        if reason is None:
            found.append(divert)
        else:
            draft.leave_out(_path(divert), reason)
    return found


def bind_diverts(diverts: list[Element], declared: set[str], draft: Draft) -> None:
    """Bind the address of each divert to its forwarding address; one that is not declared is an address."""
    for divert in diverts:
        path = _path(divert)
        source, target = _child(divert, "address"), _child(divert, "forwarding-address")
        for name in (source, target):
            if name not in declared:
                declared.add(name)
                draft.add("exchange", {"name": name, "type": "address", "durable": True}, path)
        binding: dict[str, Any] = {"exchange": source, "queue": target}
        if selector := selector_of(divert):
            binding["arguments"] = {"x-filter-jms-selector": selector}
        draft.add("binding", binding, path)
        draft.note("a divert is a binding of its address to the other one, whatever a message's routing type")


def selector_of(element: Element) -> str:
    """The filter of a divert or a queue; empty without one."""
    child = element.find("filter")
    return "" if child is None else child.get("string") or (child.text or "").strip()


def _unfit(divert: Element) -> str | None:
    source, target = _child(divert, "address"), _child(divert, "forwarding-address")
    if not source or not target:
        return "a divert needs an address and a forwarding-address"
    if source == target:
        return "a divert to its own address passes nothing on"
    if _child(divert, "exclusive").lower() == "true":
        return (
            "a binding does not take a message from the other queues of its address, as an exclusive divert "
            f"does; let producers send to {target!r}, or give the queues of {source!r} filters"
        )
    routing = _child(divert, "routing-type")
    if routing not in _AS_A_BINDING:
        return f"a binding does not change the routing type of messages, here to {routing}"
    for child in divert:
        if child.tag not in _PASSED_OVER:
            return f"a binding passes messages on as they are, and has no {child.tag}"
    return None


def _path(divert: Element) -> str:
    return f"core/diverts/divert[{divert.get('name', '')}]"


def _child(divert: Element, name: str) -> str:
    return divert.findtext(name, "").strip()
