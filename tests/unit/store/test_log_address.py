import pytest

from lastvalue.store.log_address import LogAddress, is_log_address, read_log_address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("nats://a/N", LogAddress(("a:4222",), "N")),
        ("nats://a:1,b,c:3/my_log-1", LogAddress(("a:1", "b:4222", "c:3"), "my_log-1")),
        ("tls://a/N", LogAddress(("a:4222",), "N", tls=True)),
        ("nats://ann:p%40ss@a,b/N", LogAddress(("a:4222", "b:4222"), "N", user="ann", password="p@ss")),
        ("nats://s3cret@a/N", LogAddress(("a:4222",), "N", password="s3cret")),
        ("nats://[::1]/N", LogAddress(("[::1]:4222",), "N")),
    ],
)
def test_an_address_names_servers_and_a_stream(text: str, address: LogAddress) -> None:
    assert is_log_address(text)
    assert read_log_address(text) == address


@pytest.mark.parametrize(
    "text", ["nats://a", "nats://a/", "nats:///N", "nats://a,/N", "nats://a/N.M", "nats://a/N/M"]
)
def test_what_is_no_address_is_refused_with_the_form(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected nats://\[USER:PASSWORD@\]HOST"):
        read_log_address(text)


def test_an_address_is_shown_without_its_password() -> None:
    address = read_log_address("tls://ann:secret@a,b/N")
    assert str(address) == "tls://a:4222,b:4222/N"
    assert address.urls == ["tls://a:4222", "tls://b:4222"]
    assert "secret" not in repr(address)


@pytest.mark.parametrize("text", ["/var/lib/lastvalue", "nats", "./nats:/x"])
def test_other_texts_are_directories(text: str) -> None:
    assert not is_log_address(text)
