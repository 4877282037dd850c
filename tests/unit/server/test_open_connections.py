"""lastvalue.server.open_connections."""

import asyncio
from typing import cast

import pytest

from lastvalue.config.server_options import ServerOptions
from lastvalue.server.connection import ServerConnection
from lastvalue.server.open_connections import OpenConnections


class Peer:
    """A connection that notes what is done to it; an obstinate one closes only when it is dropped."""

    def __init__(self, user: str | None = None, *, obstinate: bool = False) -> None:
        self.user = user
        self.obstinate = obstinate
        self.done: list[str] = []
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def stop_reading(self) -> None:
        self.done.append("stop reading")

    def resume_reading(self) -> None:
        self.done.append("resume reading")

    def end_revoked(self) -> None:
        self.done.append("end revoked")

    def shut_down(self, reason: str) -> None:
        self.done.append(reason)
        if not self.obstinate:
            self._end()

    def abort(self) -> None:
        self.done.append("abort")
        self._end()

    def _end(self) -> None:
        if not self.over.done():
            self.over.set_result(None)

    def gone(self) -> asyncio.Future[None]:
        return self.over


def connections_of(*peers: Peer) -> OpenConnections:
    connections = OpenConnections()
    connections.members |= {cast("ServerConnection", peer): None for peer in peers}
    return connections


async def test_all_are_held_and_let_go_and_aborted() -> None:
    one, other = Peer(), Peer()
    connections = connections_of(one, other)
    connections.stop_reading()
    connections.resume_reading()
    connections.end_revoked()
    connections.abort()
    assert one.done == other.done == ["stop reading", "resume reading", "end revoked", "abort"]
    assert len(connections) == 2


async def test_connections_end_whose_user_is_gone_or_has_another_password() -> None:
    peers = [Peer(user) for user in ("same", "changed", "gone", "of a token", None)]
    before = ServerOptions(users={"same": "1", "changed": "1", "gone": "1"})
    connections_of(*peers).take_settings(before, ServerOptions(users={"same": "1", "changed": "2"}))
    assert [peer.user for peer in peers if peer.done] == ["changed", "gone"]


@pytest.mark.parametrize("obstinate", [False, True])
async def test_a_close_confirms_tells_why_and_drops_who_does_not_close(*, obstinate: bool) -> None:
    peer = Peer(obstinate=obstinate)

    async def confirm() -> None:
        peer.done.append("confirmed")

    await connections_of(peer).close(confirm, 0.001 if obstinate else 60)
    assert peer.done == ["stop reading", "confirmed", "the broker is shutting down", "abort"]
    assert peer.over.done()


async def test_without_connections_nothing_is_waited_for() -> None:
    confirmed = asyncio.Event()

    async def confirm() -> None:
        confirmed.set()

    await OpenConnections().close(confirm, 60)
    assert confirmed.is_set()
