"""The AMQP client inside Azure's SDK for Python against the real server."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from served_broker import HOST, PASSWORD, USER, ServedBroker
from waiting import wait_until

from lastvalue.client import blocking
from lastvalue.server.users import Users

pyamqp = pytest.importorskip("azure.servicebus._pyamqp")
authentication = pytest.importorskip("azure.servicebus._pyamqp.authentication")
constants = pytest.importorskip("azure.servicebus._pyamqp.constants")
endpoints = pytest.importorskip("azure.servicebus._pyamqp.endpoints")
message = pytest.importorskip("azure.servicebus._pyamqp.message")
errors = pytest.importorskip("azure.servicebus._pyamqp.error")

pytestmark = pytest.mark.interop

NAME = "Azure pyamqp"
PROGRAM = Path(__file__).with_name("azure_prices.py")
PAGE = Path(__file__).parents[2] / "docs" / "clients" / "azure-pyamqp.md"
SECONDS = 60
EXPIRES_S = 4_000_000_000


def options(**more: Any) -> dict[str, Any]:
    auth = authentication.SASLPlainAuth(USER, PASSWORD)
    return {"auth": auth, "use_tls": False, "receive_settle_mode": constants.ReceiverSettleMode.First, **more}


@contextmanager
def opened(client: Any) -> Iterator[Any]:
    with client:
        while not client.client_ready():
            client.do_work()
        yield client


def send(broker: ServedBroker, queue: str, *bodies: bytes) -> None:
    with opened(pyamqp.SendClient(f"{HOST}:{broker.port}", queue, **options())) as sender:
        for body in bodies:
            sent = message.Message(data=[body], application_properties={"key": body[:1].decode()})
            sender.send_message(sent, timeout=SECONDS)


def reader(broker: ServedBroker, source: object, **more: Any) -> Any:
    return pyamqp.ReceiveClient(f"{HOST}:{broker.port}", source, **options(**more))


def body(received: Any) -> bytes:
    return b"".join(received.data)


def bodies(receiver: Any, count: int) -> list[bytes]:
    found: list[bytes] = []
    while len(found) < count:
        batch = receiver.receive_message_batch(max_batch_size=count - len(found), timeout=SECONDS)
        assert batch, f"only {found} came"
        found += [body(received) for received in batch]
    return found


def copying(queue: str, **more: Any) -> Any:
    return endpoints.Source(address=queue, distribution_mode="copy", **more)


@pytest.mark.capability(NAME, "send")
@pytest.mark.capability(NAME, "password")
def test_a_message_is_sent_and_confirmed(broker: ServedBroker, standard_queue: str) -> None:
    send(broker, standard_queue, b"one", b"two")
    assert broker.depth(standard_queue) == 2


@pytest.mark.capability(NAME, "receive")
@pytest.mark.capability(NAME, "outcomes")
def test_each_outcome_does_what_it_says(broker: ServedBroker, standard_queue: str) -> None:
    send(broker, standard_queue, b"one", b"two", b"three")
    taken = []
    with opened(reader(broker, standard_queue, link_credit=1)) as receiver:
        for outcome in ("accepted", "released", "rejected"):
            while receiver._received_messages.empty():
                receiver.do_work()
            frame, received = receiver._received_messages.get()
            taken.append(body(received))
            receiver.settle_messages(frame[1], frame[2], outcome)
    assert taken == [b"one", b"two", b"two"]
    assert broker.depth(standard_queue) == 1


@pytest.mark.capability(NAME, "browse")
def test_a_browser_leaves_the_messages(broker: ServedBroker, standard_queue: str) -> None:
    send(broker, standard_queue, b"one", b"two")
    with opened(reader(broker, copying(standard_queue))) as browser:
        assert bodies(browser, 2) == [b"one", b"two"]
    assert broker.depth(standard_queue) == 2


@pytest.mark.capability(NAME, "updates")
def test_a_browser_follows_the_newest(broker: ServedBroker) -> None:
    queue = broker.declare(lvq_key="key")
    send(broker, queue, b"a1", b"b1", b"a2")
    with opened(reader(broker, copying(queue))) as browser:
        assert bodies(browser, 2) == [b"b1", b"a2"]
        send(broker, queue, b"b2")
        assert bodies(browser, 1) == [b"b2"]


@pytest.mark.capability(NAME, "selector")
def test_a_selector_selects(broker: ServedBroker, standard_queue: str) -> None:
    send(broker, standard_queue, b"one", b"two", b"three")
    name = b"apache.org:selector-filter:string"
    source = endpoints.Source(address=standard_queue, filters={name: (name, "key = 't'")})
    with opened(reader(broker, source)) as receiver:
        assert bodies(receiver, 2) == [b"two", b"three"]


@pytest.mark.capability(NAME, "large")
def test_a_large_message_comes_back(broker: ServedBroker, standard_queue: str) -> None:
    send(broker, standard_queue, bytes(3_000_000))
    with opened(reader(broker, standard_queue, max_message_size=10_000_000)) as receiver:
        assert [len(each) for each in bodies(receiver, 1)] == [3_000_000]


def bearer(key: Any, user: str) -> Any:
    """Who shows a token for a user to `$cbs`, as the SDKs do."""
    claims = {"sub": user, "aud": "lastvalue", "exp": EXPIRES_S}
    token = authentication.AccessToken(jwt.encode(claims, key, "ES256"), EXPIRES_S)
    return authentication.JWTTokenAuth(f"amqp://{HOST}", f"amqp://{HOST}", lambda: token)


def test_a_token_that_is_shown_to_cbs_lets_in(tmp_path: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    (tmp_path / "key.pem").write_bytes(
        key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    )
    Users(tmp_path / "users.toml").put("ann", None, ("write,read,configure mine",))
    config = tmp_path / "lastvalue.toml"
    config.write_text(
        "[server]\nanonymous = true\nport = 0\nopen_timeout_ms = 1000\n"
        f'users_file = "{tmp_path}/users.toml"\ntoken_keys = "{tmp_path}/key.pem"\n'
        '[[queue]]\nname = "mine"\n'
    )
    with ServedBroker("--config", str(config)) as broker:
        address = f"{HOST}:{broker.port}"
        with opened(pyamqp.SendClient(address, "mine", **options(auth=bearer(key, "ann")))) as sender:
            sender.send_message(message.Message(data=[b"one"]), timeout=SECONDS)
            with blocking.connect(broker.url, reconnect=False) as nobody:
                wait_until(lambda: not nobody.is_open)
            sender.send_message(message.Message(data=[b"two"]), timeout=SECONDS)
        with opened(pyamqp.ReceiveClient(address, "mine", **options(auth=bearer(key, "ann")))) as receiver:
            assert bodies(receiver, 2) == [b"one", b"two"]
        stranger = pyamqp.SendClient(
            address, "mine", **options(auth=bearer(ec.generate_private_key(ec.SECP256R1()), "ann"))
        )
        with pytest.raises(errors.TokenAuthFailure), opened(stranger):
            pass


@pytest.mark.capability(NAME, "updates")
def test_the_program_of_the_page_prints_the_current_prices(broker: ServedBroker) -> None:
    assert PROGRAM.read_text().partition('"""\n\n')[2] in PAGE.read_text()
    with blocking.connect(broker.url) as administrator:
        administrator.declare("prices", lvq_key="symbol")
        administrator.purge("prices")
    command = [sys.executable, str(PROGRAM), f"{HOST}:{broker.port}", USER, PASSWORD]
    run = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=True)
    assert run.stdout.splitlines() == ["MSFT 402.1", "AAPL 101.7"]
