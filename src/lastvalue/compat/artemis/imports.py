"""Imports configurations from an Artemis `broker.xml`."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final, TypeAlias
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from lastvalue.config.address_settings import AddressSettings, Wildcards
from lastvalue.config.configuration import Configuration
from lastvalue.config.diverts import bind_diverts, diverts_of, selector_of
from lastvalue.config.errors import IllegalMatchError
from lastvalue.config.report import Draft, Report, UnreadableSourceError
from lastvalue.config.setting_fields import NOT_OFFERED, RENAMED, read_setting
from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.meanings import refuse_not_offered

_Entry: TypeAlias = dict[str, Any]

_QUEUE_ATTRIBUTES: Final = (
    "max-consumers",
    "purge-on-no-consumers",
    "exclusive",
    "group-rebalance",
    "group-rebalance-pause-dispatch",
    "group-buckets",
    "group-first-key",
    "last-value",
    "last-value-key",
    "non-destructive",
    "consumers-before-dispatch",
    "delay-before-dispatch",
    "enabled",
    "ring-size",
)

_DEFAULTS: Final = {
    "max-delivery-attempts": 10,
    "durable": True,
    "priorities": 10,
    "auto-create-queues": True,
    "auto-create-addresses": True,
    "auto-delete-queues": True,
    "default-queue-routing-type": "MULTICAST",
    "default-address-routing-type": "MULTICAST",
}
"""Artemis's defaults that differ from lastvalue's."""

_POLICIES: Final = {
    "PAGE": "lastvalue does not page to disk; the size of the address is not limited",
    "DROP": "lastvalue refuses (FAIL) or blocks (BLOCK) and never drops silently; the size is not limited",
}

_AS_IT_IS: Final = {
    "redelivery-delay": ("0",),
    "redelivery-delay-multiplier": ("1", "1.0"),
}
"""Values that lastvalue always behaves by."""

_SIZE: Final = re.compile(r"(\d+)\s*([kmg])i?b?", re.IGNORECASE)
_NUMBER: Final = re.compile(r"-?\d{1,18}")
_UNITS: Final = {"k": 2**10, "m": 2**20, "g": 2**30}
_NO_PLACE: Final = "lastvalue's configuration does not have this"
_READ: Final = (
    "addresses",
    "diverts",
    "address-settings",
    "wildcard-addresses",
    "literal-match-markers",
    "id-cache-size",
)


def import_artemis(text: str) -> tuple[Configuration, Report]:
    """Import the addresses, queues and address settings of a `broker.xml`, with a report of the rest.

    Raises:
        UnreadableSourceError: it is not XML, declares entities, or is not a configuration of Artemis.
    """
    try:
        return _imported(_core(text))
    except RecursionError:
        raise UnreadableSourceError("not a broker.xml: its elements are nested too deeply") from None


def _imported(core: Element) -> tuple[Configuration, Report]:
    draft = Draft()
    wildcards = _wildcards(core, draft)
    _settings(core, draft, wildcards)
    is_pattern = AddressSettings(wildcards).is_pattern
    diverts = diverts_of(core, draft)
    diverted = {divert.findtext("address", "").strip() for divert in diverts}
    declared: set[str] = set()
    for address in core.iterfind("addresses/address"):
        name = address.get("name", "")
        declared.add(name)
        # What is a pattern or diverted has bindings, which a queue cannot have.
        _address(address, draft, has_bindings=name in diverted or is_pattern(name))
    bind_diverts(diverts, declared, draft)
    for child in core:
        if child.tag not in _READ:
            _leave_out(child, f"core/{child.tag}", draft)
        elif child.tag == "addresses":
            _strangers(child, "core/addresses", ("address",), draft)
        elif child.tag == "diverts":
            _strangers(child, "core/diverts", ("divert",), draft)
    draft.note("Artemis groups messages by their group id on every queue; here group_mode = 'default' does")
    return draft.finish()


def _core(text: str) -> Element:
    try:
        root = fromstring(text, forbid_dtd=True)
    except (ParseError, ValueError, DefusedXmlException) as error:
        raise UnreadableSourceError(f"not a broker.xml: {error}") from None
    for element in root.iter():
        # Every element of a broker.xml is in the namespace of the schema.
        element.tag = str(element.tag).rpartition("}")[2]
    core = root if root.tag == "core" else root.find("core")
    if core is None:
        raise UnreadableSourceError("not a broker.xml: it has no element <core>")
    return core


def _wildcards(core: Element, draft: Draft) -> Wildcards:
    names = {"delimiter": "delimiter", "any-words": "any_words", "single-word": "single_word"}
    entry: dict[str, str] = {}
    for child in core.iterfind("wildcard-addresses/*"):
        value = _text(child)
        if child.tag in names:
            entry[names[child.tag]] = value
        elif child.tag not in ("routing-enabled", "enabled"):
            draft.leave_out(f"core/wildcard-addresses/{child.tag}", _NO_PLACE, value)
        elif value.lower() != "true":
            reason = "an address with wildcards in its name always gets the messages of matching addresses"
            draft.leave_out(f"core/wildcard-addresses/{child.tag}", reason, value)
    if markers := core.findtext("literal-match-markers", "").strip():
        entry["literal_markers"] = markers
    if not entry:
        return Wildcards()
    try:
        wildcards = Wildcards(**entry)
    except IllegalMatchError as fault:
        draft.leave_out("core/wildcard-addresses", str(fault))
        return Wildcards()
    draft.set("wildcards", entry, "core/wildcard-addresses")
    if replace(wildcards, literal_markers="") != Wildcards():
        draft.note("other wildcard characters apply to settings only; addresses use . * and #")
    return wildcards


# ---------------------------------------------------------------------- address settings


def _settings(core: Element, draft: Draft, wildcards: Wildcards) -> None:
    everything = wildcards.any_words
    settings: dict[str, _Entry] = {}
    for setting in core.iterfind("address-settings/*"):
        match = setting.get("match", "")
        path = f"core/address-settings/{setting.tag}[{match}]"
        if setting.tag != "address-setting":
            _leave_out(setting, path, draft)
            continue
        settings[match] = {**settings.get(match, {}), **dict(_fields(setting, path, draft))}
    draft.note(f"the defaults of Artemis are written out as settings of {everything!r}")
    settings[everything] = {**_DEFAULTS, **_ids(core, draft), **settings.get(everything, {})}
    for match, fields in settings.items():
        draft.add(
            "address-setting", {"match": match, **fields}, f"core/address-settings/address-setting[{match}]"
        )


def _ids(core: Element, draft: Draft) -> _Entry:
    """How many ids every address remembers, from the setting of the whole broker."""
    size = core.find("id-cache-size")
    if size is None:
        return {}
    try:
        return dict([read_setting("id-cache-size", _text(size))])
    except InvalidSpecError as fault:
        draft.leave_out("core/id-cache-size", str(fault), _text(size))
        return {}


def _fields(setting: Element, path: str, draft: Draft) -> Iterator[tuple[str, Any]]:
    for name in setting.attrib:
        if name != "match":
            draft.leave_out(f"{path}/@{name}", _NO_PLACE, setting.get(name))
    for child in setting:
        raw = _text(child)
        value = _translated(child.tag, raw)
        try:
            read_setting(child.tag, value)
        except InvalidSpecError as fault:
            if raw not in _AS_IT_IS.get(child.tag, ()):
                draft.leave_out(f"{path}/{child.tag}", str(fault).removesuffix("; leave it out"), raw)
        else:
            if child.tag == "address-full-policy" and raw in _POLICIES:
                draft.leave_out(f"{path}/{child.tag}", _POLICIES[raw], raw)
            yield child.tag, value


def _translated(name: str, text: str) -> Any:
    """The value with its type in TOML and its meaning in lastvalue."""
    if name.endswith("delay-before-dispatch") and text == "0":
        # [Artemis] 0 does not wait, and -1 waits for ever; in lastvalue 0 waits for ever.
        return 1
    if name == "max-size-bytes" and (size := _SIZE.fullmatch(text)):
        return int(size[1]) * _UNITS[size[2].lower()]
    if name == "address-full-policy":
        return "PAGE" if text in _POLICIES else text
    name = RENAMED.get(name, name)
    if name in ("last-value", "exclusive", "enabled"):
        return text.lower() == "true"
    return int(text) if name in ("ring-size", "group-buckets") and _NUMBER.fullmatch(text) else text


# ---------------------------------------------------------------------- addresses


def _address(address: Element, draft: Draft, *, has_bindings: bool) -> None:
    name = address.get("name", "")
    path = f"core/addresses/address[{name}]"
    _strangers(address, path, ("anycast", "multicast"), draft, known_attributes=("name",))
    queues = [
        (kind.tag, queue)
        for kind in address
        if kind.tag in ("anycast", "multicast")
        for queue in _queues(kind, f"{path}/{kind.tag}", draft)
    ]
    # The only queue of an address of the same name is declared as the address itself.
    is_plain = not has_bindings and len(queues) == 1 and queues[0][1].get("name") == name
    if not is_plain:
        draft.add("exchange", {"name": name, "type": "address", "durable": True}, path)
    for routing, queue in queues:
        source = f"{path}/{routing}/queue[{queue.get('name', '')}]"
        entry = _queue(queue, name, source, draft)
        draft.add("queue", entry, source)
        if not is_plain:
            binding = {"exchange": name, "queue": entry["name"], "arguments": {"routing-type": routing}}
            draft.add("binding", binding, source)


def _queues(kind: Element, path: str, draft: Draft) -> list[Element]:
    _strangers(kind, path, ("queue",), draft)
    return kind.findall("queue")


def _queue(queue: Element, address: str, path: str, draft: Draft) -> _Entry:
    name = queue.get("name", "")
    # [Artemis] A queue that is declared in XML has its own values of these two, whatever the settings say.
    entry: _Entry = {"name": name, "durable": True, "ring-size": -1, "purge-on-no-consumers": False}
    if address != name:
        entry["address"] = address
    entry |= dict(_attributes(queue, path, draft))
    for child in queue:
        if child.tag == "durable":
            entry["durable"] = _text(child).lower() == "true"
        elif child.tag == "filter":
            entry["filter-string"] = selector_of(queue)
        else:
            _leave_out(child, f"{path}/{child.tag}", draft)
    return entry


def _attributes(queue: Element, path: str, draft: Draft) -> Iterator[tuple[str, Any]]:
    for attribute, raw in queue.attrib.items():
        if attribute == "name" or raw in _AS_IT_IS.get(attribute, ()):
            continue
        try:
            if attribute not in _QUEUE_ATTRIBUTES:
                raise InvalidSpecError(NOT_OFFERED.get(attribute, _NO_PLACE))
            refuse_not_offered(attribute, raw)
        except InvalidSpecError as fault:
            draft.leave_out(f"{path}/@{attribute}", str(fault), raw)
        else:
            yield attribute, _translated(attribute, raw)


# ---------------------------------------------------------------------- not imported elements


def _strangers(
    element: Element,
    path: str,
    known: tuple[str, ...],
    draft: Draft,
    known_attributes: tuple[str, ...] = (),
) -> None:
    for attribute, value in element.attrib.items():
        if attribute not in known_attributes:
            draft.leave_out(f"{path}/@{attribute}", _NO_PLACE, value)
    for child in element:
        if child.tag not in known:
            _leave_out(child, f"{path}/{child.tag}", draft)


def _leave_out(element: Element, path: str, draft: Draft) -> None:
    """Report an element with its attributes, its text and its children."""
    name = element.get("name") or element.get("match") or ""
    path = path if not name or path.endswith("]") else f"{path}[{name}]"
    children = list(element)
    if not children and (text := _text(element)):
        draft.leave_out(path, _NO_PLACE, text)
    elif not children and len(element.attrib) <= bool(name):
        draft.leave_out(path, _NO_PLACE)
    for attribute, value in element.attrib.items():
        if value != name:
            draft.leave_out(f"{path}/@{attribute}", _NO_PLACE, value)
    for child in children:
        _leave_out(child, f"{path}/{child.tag}", draft)


def _text(element: Element) -> str:
    return (element.text or "").strip()
