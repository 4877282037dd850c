"""How a peer became its user: what another connection takes over, and what it refuses."""

from core_peer import Peer

from lastvalue.broker.broker import Broker
from lastvalue.codec.core import packets
from lastvalue.delivery.authentication import Authentication


class Shown(Authentication):
    """An authentication that a test ends."""

    def __init__(self) -> None:
        self.reason: str | None = None
        self.followed: list[Authentication] = []

    @property
    def revoked(self) -> str | None:
        return self.reason

    def follow(self, earlier: Authentication) -> None:
        self.followed.append(earlier)


def attached(peer: Peer, shown: Shown) -> bool:
    """Whether another connection may continue with the session of a peer."""
    other = Peer(peer.broker, shared=peer.shared, authentication=shown).begin()
    asked = other.say(packets.REATTACH, 1, name="kept", last_command=0)
    return asked.expect(packets.REATTACHED, 1).flag("reattached")


def test_a_session_goes_on_as_the_user_of_its_first_connection() -> None:
    first, second = Shown(), Shown()
    peer = Peer(Broker(), authentication=first).open(name="kept", window=1000)
    peer.vanish()
    assert attached(peer, second)
    assert second.followed == [first]


def test_a_session_whose_user_or_token_is_no_longer_valid_is_not_attached() -> None:
    first, second = Shown(), Shown()
    peer = Peer(Broker(), authentication=first).open(name="kept", window=1000)
    peer.vanish()
    first.reason = "the token has expired"
    assert not attached(peer, second)
    assert second.followed == []


def test_nor_while_its_connection_lives() -> None:
    first = Shown()
    peer = Peer(Broker(), authentication=first).open(name="kept", window=1000)
    first.reason = "the user has been removed"
    assert not attached(peer, Shown())
    assert not peer.conversation.finished
