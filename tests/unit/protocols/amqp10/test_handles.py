"""A session's links by handle, and a connection's by name."""

from lastvalue.codec.amqp10.performatives import ROLE_RECEIVER, ROLE_SENDER, Attach
from lastvalue.protocols.amqp10.handles import Handles, Link, LinksByName
from lastvalue.protocols.amqp10.link_state import LinkState
from lastvalue.protocols.amqp10.receiver import ReceiverLink
from lastvalue.protocols.amqp10.sender import SenderLink
from lastvalue.protocols.amqp10.settlements import Settlements
from lastvalue.protocols.amqp10.windows import Windows
from lastvalue.protocols.amqp10.wire import Wire

WIRE = Wire()


def link_state(name: str, handle: int) -> LinkState:
    return LinkState(name, handle, 0, WIRE, Windows(1, 1), Settlements(0, WIRE))


def sender(name: str, handle: int) -> SenderLink:
    return SenderLink(link_state(name, handle))


def joined(handles: Handles, link: Link, remote_handle: int) -> Link:
    handles.add(link)
    role = isinstance(link, SenderLink)
    handles.join(link, Attach(name=link.name, handle=remote_handle, role=role))
    return link


def test_the_lowest_free_handle_is_taken() -> None:
    handles = Handles({})
    links = [joined(handles, sender(str(number), number), number) for number in range(4)]
    assert handles.free() == 4
    handles.remove(links[2])
    handles.remove(links[1])
    assert handles.free() == 1
    handles.add(sender("again", 1))
    assert handles.free() == 2


def test_a_link_is_found_by_either_handle_and_by_name() -> None:
    handles = Handles({})
    link = joined(handles, ReceiverLink(link_state("link", 3), 0), 8)
    assert handles.by_local == {3: link}
    assert handles.by_remote == {8: link}
    assert (handles.receiver(8), handles.receiver(3)) == (link, None)
    assert handles.named("link", remote_role=ROLE_SENDER) is link
    assert handles.named("link", remote_role=ROLE_RECEIVER) is None
    handles.remove(link)
    assert (handles.by_local, handles.by_remote) == ({}, {})
    assert handles.receiver(8) is None
    assert handles.named("link", remote_role=ROLE_SENDER) is None


def test_each_of_several_links_is_found_however_they_take_turns() -> None:
    handles = Handles({})
    links = [joined(handles, ReceiverLink(link_state(str(each), each), 0), each + 8) for each in range(3)]
    found = [handles.receiver(each + 8) for each in (0, 0, 1, 2, 0, 2)]
    assert found == [links[each] for each in (0, 0, 1, 2, 0, 2)]
    handles.remove(links[2])
    assert handles.receiver(10) is None
    again = joined(handles, ReceiverLink(link_state("again", 2), 0), 10)
    assert handles.receiver(10) is again


def test_a_name_that_another_link_took_over_stays_with_it() -> None:
    names: LinksByName = {}
    here, there = Handles(names), Handles(names)
    first, second = sender("same", 0), sender("same", 0)
    here.add(first)
    there.add(second)
    here.remove(first)
    assert here.named("same", remote_role=ROLE_RECEIVER) is second
    there.lose()
    assert names == {}
    assert list(there.by_local.values()) == [second]
