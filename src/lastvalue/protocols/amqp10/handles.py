"""A session's links, by either side's handle, and a connection's, by name [1.0 §2.6.1, §2.6.2]."""

from typing import Final, TypeAlias, final

from mypy_extensions import i64

from lastvalue.codec.amqp10.performatives import Attach
from lastvalue.protocols.amqp10.receiver import ReceiverLink
from lastvalue.protocols.amqp10.sender import SenderLink

Link: TypeAlias = SenderLink | ReceiverLink

LinksByName: TypeAlias = dict[tuple[bool, str], Link]
"""A link is known by its name and direction, here the peer's role, wherever on the connection it is."""

# Of very many sessions most only read: they share this one, which stays empty.
_NO_RECEIVERS: Final[dict[int, ReceiverLink]] = {}


@final
class Handles:
    """The links of one session.

    Attributes:
        by_local: by this side's handle.
        by_remote: by the peer's.
    """

    __slots__ = ("_free", "_latest", "_latest_handle", "_names", "_receivers", "by_local", "by_remote")

    def __init__(self, names: LinksByName) -> None:
        self.by_local: dict[int, Link] = {}
        self.by_remote: dict[int, Link] = {}
        self._receivers: dict[int, ReceiverLink] = _NO_RECEIVERS
        # Most transfers are of the link that had the one before.
        self._latest: ReceiverLink | None = None
        self._latest_handle: i64 = 0
        self._names = names
        self._free = 0

    def free(self) -> int:
        """The lowest handle of this side's that no link has."""
        handle = self._free
        while handle in self.by_local:
            handle += 1
        self._free = handle
        return handle

    def receiver(self, handle: i64) -> ReceiverLink | None:
        """The link of the peer's handle on which this side receives."""
        if self._latest is None or self._latest_handle != handle:
            self._latest = self._receivers.get(handle)
            self._latest_handle = handle
        return self._latest

    def named(self, name: str, *, remote_role: bool) -> Link | None:
        """The link of that name and direction, on any session of the connection."""
        return self._names.get((remote_role, name))

    def add(self, link: Link) -> None:
        """This side's handle of the link is taken, and its name."""
        self.by_local[link.link_state.handle] = link
        self._names[_remote_role(link), link.link_state.name] = link

    def join(self, link: Link, attach: Attach) -> None:
        """The peer's handle of the link is taken."""
        link.joined(attach)
        self.by_remote[attach.handle] = link
        if isinstance(link, ReceiverLink):
            if self._receivers is _NO_RECEIVERS:
                self._receivers = {}
            self._receivers[attach.handle] = link
            self._latest = None

    def remove(self, link: Link) -> None:
        """The link's handles are free again, and its name unless another link took it over."""
        link_state = link.link_state
        self.by_local.pop(link_state.handle, None)
        self.by_remote.pop(link_state.remote_handle, None)
        self._receivers.pop(link_state.remote_handle, None)
        self._latest = None
        self._free = min(self._free, link_state.handle)
        self.forget_name(link)

    def forget_name(self, link: Link) -> None:
        """The link's name is free, unless another link took it over."""
        key = (_remote_role(link), link.link_state.name)
        if self._names.get(key) is link:
            del self._names[key]

    def lose(self) -> None:
        """The session is over: its links stay here for their owner, and can do nothing any more."""
        for link in self.by_local.values():
            link.lose()
            self.forget_name(link)


def _remote_role(link: Link) -> bool:
    return isinstance(link, SenderLink)
