"""What asyncio calls for a socket reaches its owner."""

import asyncio
import socket

import pytest
from waiting import until

from lastvalue.server.socket_protocol import READ_SIZE, SmallReadProtocol, SocketProtocol


class Owner:
    """Keeps what it reads into a buffer of its own, or of others as well."""

    def __init__(self, view: memoryview | None = None) -> None:
        self.view = memoryview(bytearray(READ_SIZE)) if view is None else view
        self.calls: list[str] = []
        self.data = b""
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        self.calls.append("made")
        self.transport = transport
        transport.set_write_buffer_limits(high=0)

    def get_buffer(self, sizehint: int) -> memoryview:
        del sizehint
        return self.view

    def buffer_updated(self, nbytes: int) -> None:
        self.data += self.view[:nbytes]

    def data_received(self, data: bytes) -> None:
        self.data += data

    def pause_writing(self) -> None:
        self.calls.append("pause")

    def resume_writing(self) -> None:
        self.calls.append("resume")

    def connection_lost(self, exc: Exception | None) -> None:
        self.calls.append("lost")


async def test_each_socket_has_its_own_bytes_though_all_are_read_into_one_buffer() -> None:
    view = memoryview(bytearray(READ_SIZE))
    owners = [Owner(view), Owner(view)]
    peers = [await connected(SocketProtocol(owner)) for owner in owners]
    for peer, sent in zip(peers, (b"a", b"b"), strict=True):
        peer.sendall(sent * (READ_SIZE + 1))
    await until(lambda: all(len(owner.data) == READ_SIZE + 1 for owner in owners))
    assert [set(owner.data) for owner in owners] == [{ord("a")}, {ord("b")}]
    for peer in peers:
        peer.close()
    await until(lambda: all(owner.calls == ["made", "lost"] for owner in owners))


async def test_an_owner_gets_the_objects_that_the_loop_has_made() -> None:
    owner = Owner()
    peer = await connected(SmallReadProtocol(owner))
    peer.sendall(b"a" * (READ_SIZE + 1))
    await until(lambda: len(owner.data) == READ_SIZE + 1)
    peer.close()
    await until(lambda: owner.calls == ["made", "lost"])


@pytest.mark.parametrize("kind", [SocketProtocol, SmallReadProtocol])
async def test_an_owner_is_told_when_the_kernel_takes_no_more_and_when_it_does_again(
    kind: type[SocketProtocol | SmallReadProtocol],
) -> None:
    owner = Owner()
    peer = await connected(kind(owner))
    assert owner.transport is not None
    size = 1 << 24
    owner.transport.write(bytes(size))
    assert owner.calls == ["made", "pause"]
    read = 0
    while read < size:
        read += len(await asyncio.to_thread(peer.recv, 1 << 20))
    await until(lambda: owner.calls == ["made", "pause", "resume"])
    owner.transport.abort()
    await until(lambda: owner.calls[-1] == "lost")
    peer.close()


async def connected(protocol: asyncio.BaseProtocol) -> socket.socket:
    """The other end of a socket on which this protocol is called."""
    here, there = socket.socketpair()
    here.settimeout(0)
    loop = asyncio.get_running_loop()
    await loop.connect_accepted_socket(lambda: protocol, here)
    return there
