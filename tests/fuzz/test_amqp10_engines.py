"""Two engines talk: however their bytes are cut and whenever they come, the same messages arrive."""

from amqp10_peers import property_test
from engine_owner import EngineOwner
from frame_auditor import FrameAuditor
from hypothesis import event, given
from hypothesis import strategies as st

from lastvalue.codec.amqp10.performatives import Source, Target
from lastvalue.protocols.amqp10.options import ConnectionOptions, Role
from lastvalue.protocols.amqp10.receiver import ReceiverLink
from lastvalue.protocols.sasl import Authenticator, Credentials

SENDS = st.tuples(
    st.sampled_from(["up", "down", "side"]),
    st.integers(0, 2000) | st.sampled_from([478, 479, 480]),
    st.booleans(),
)


class Wires:
    """What two engines have sent and not heard yet; what they send is checked against the standard."""

    def __init__(self, client: EngineOwner, server: EngineOwner) -> None:
        self.client = client
        self.server = server
        self.up = bytearray()
        self.down = bytearray()
        self._says_up = FrameAuditor(server.engine.options.max_frame_size)
        self._says_down = FrameAuditor(client.engine.options.max_frame_size)

    def carry(self, size: int, up: bool) -> None:
        """Let so many bytes arrive at one side, which reacts."""
        says_up = self.client.engine.data_to_send()
        says_down = self.server.engine.data_to_send()
        self._says_up.hear(says_up)
        self._says_down.hear(says_down)
        self.up += says_up
        self.down += says_down
        wire, owner = (self.up, self.server) if up else (self.down, self.client)
        owner.engine.receive(bytes(wire[:size]), 0)
        del wire[:size]
        owner.react()

    def settle(self) -> None:
        """Let everything arrive."""
        self.carry(0, up=True)
        while self.up or self.down:
            self.carry(1 << 20, up=True)
            self.carry(1 << 20, up=False)
            self.carry(0, up=True)


def connected(client_options: ConnectionOptions, server_options: ConnectionOptions) -> Wires:
    client = EngineOwner(Role.CLIENT, client_options)
    server = EngineOwner(Role.SERVER, server_options)
    wires = Wires(client, server)
    client.engine.open()
    wires.settle()
    session = client.engine.begin()
    session.attach_sender("up", Target(address="up"))
    session.attach_sender("side", Target(address="side"))
    session.attach_sender("nothing", Target(address="nothing"))
    session.attach_receiver("down", Source(address="down")).credit_window = 5
    return wires


def options(name: str, frame_size: int, window: int) -> ConnectionOptions:
    return ConnectionOptions(name, max_frame_size=frame_size, incoming_window=window, max_unsettled=3)


@property_test
@given(
    frame_sizes=st.tuples(st.integers(512, 700), st.integers(512, 700)),
    windows=st.tuples(st.integers(1, 9), st.integers(1, 9)),
    sends=st.lists(SENDS, max_size=25),
    cuts=st.lists(st.tuples(st.integers(0, 900), st.booleans()), max_size=60),
)
def test_every_message_arrives_once_and_in_order_however_the_bytes_come(
    frame_sizes: tuple[int, int],
    windows: tuple[int, int],
    sends: list[tuple[str, int, bool]],
    cuts: list[tuple[int, bool]],
) -> None:
    wires = connected(
        options("client", frame_sizes[0], windows[0]), options("server", frame_sizes[1], windows[1])
    )
    client, server = wires.client, wires.server
    moments = iter(cuts)
    sent: dict[str, list[tuple[bytes, bool]]] = {"up": [], "down": [], "side": []}
    for number, (name, size, settled) in enumerate(sends):
        payload = number.to_bytes(2, "big") * (size // 2)
        sent[name].append((payload, settled))
        (server if name == "down" else client).send(name, payload, settled=settled)
        wires.carry(*next(moments, (0, True)))
    down = next(link for link in client.engine.sessions[0].links.values() if isinstance(link, ReceiverLink))
    down.add_credit(5)
    for moment in moments:
        wires.carry(*moment)
    wires.settle()

    for name, owner, other in [("up", server, client), ("side", server, client), ("down", client, server)]:
        assert owner.received.get(name, []) == [payload for payload, _ in sent[name]]
        unsettled = [payload for payload, settled in sent[name] if not settled]
        outcomes = other.outcomes.get(name, [])
        assert sorted(payload for payload, _ in outcomes) == sorted(unsettled)
    assert client.engine.sessions[0].windows.unsettled == {}
    client.engine.close()
    wires.settle()
    assert client.engine.finished
    assert server.engine.finished
    event("a message took several frames" if any(size > 700 for _, size, _ in sends) else "short messages")
    event("messages were released" if any(len(got) > 2 for got in server.received.values()) else "accepted")


@property_test
@given(st.lists(st.integers(1, 60), max_size=200), st.lists(SENDS, max_size=8), st.booleans())
def test_chunks_do_not_matter(sizes: list[int], sends: list[tuple[str, int, bool]], sasl: bool) -> None:
    """One side's phases, cut in any way: the same events at the other side, and the same bytes back."""
    credentials = Credentials("user", "secret") if sasl else None
    client = EngineOwner(Role.CLIENT, ConnectionOptions("client", credentials=credentials))
    whole = EngineOwner(Role.SERVER, _server_options(sasl=sasl))
    cut = EngineOwner(Role.SERVER, _server_options(sasl=sasl))
    chunks = iter(sizes)
    client.engine.open()
    for phase in range(8):
        if phase == 5:
            session = client.engine.begin()
            session.attach_sender("up", Target(address="up"))
            session.attach_receiver("down", Source(address="down")).add_credit(3)
        if phase == 6:
            for name, size, settled in sends:
                client.send("up" if name == "side" else name, bytes(size), settled=settled)
        data = client.engine.data_to_send()
        whole.engine.receive(data, 0)
        while data:
            size = next(chunks, len(data))
            cut.engine.receive(data[:size], 0)
            data = data[size:]
        whole.react()
        cut.react()
        assert cut.happened == whole.happened
        back = whole.engine.data_to_send()
        assert cut.engine.data_to_send() == back
        client.engine.receive(back, 0)
        client.react()
    assert client.engine.opened
    assert len(whole.received.get("up", [])) == sum(name != "down" for name, _, _ in sends)


def _server_options(*, sasl: bool) -> ConnectionOptions:
    authenticator = Authenticator(anonymous=False, check=_is_known) if sasl else None
    return ConnectionOptions("server", authenticator=authenticator)


def _is_known(user: str, password: str) -> bool:
    return (user, password) == ("user", "secret")
