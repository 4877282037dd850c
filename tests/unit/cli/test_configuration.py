"""lastvalue.cli.configuration, and `lastvalue serve --config`."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

Lastvalue = Callable[[str], tuple[int, str, str]]
COMMAND = [sys.executable, "-c", "from lastvalue.cli.main import main; main()", "serve"]

GOOD = """
[server]
port = 0
users = { alice = "secret" }

[[queue]]
name = "prices"
lvq_key = "symbol"

[[queue]]
name = "old.dead"

[[address-setting]]
match = "old.#"
default-ring-size = 5
"""

BROKER_XML = """
<configuration xmlns="urn:activemq"><core xmlns="urn:activemq:core">
  <name>b</name>
  <addresses><address name="orders"><anycast><queue name="orders"/></anycast></address></addresses>
</core></configuration>
"""


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str, str], Path]:
    """Writes a file of some name and text."""

    def write(name: str, text: str) -> Path:
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return write


Write = Callable[[str, str], Path]


@contextmanager
def serving(*arguments: str) -> Iterator[str]:
    """The address of a broker in a process of its own."""
    with subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().removeprefix("listening on ").strip()
        finally:
            process.kill()


@pytest.mark.parametrize("command", ["check", "show", "convert"])
def test_the_help_of_each_command_has_an_example(lastvalue: Lastvalue, command: str) -> None:
    assert f"Example: lastvalue config {command}" in lastvalue(f"config {command} --help")[1]


def test_a_sound_configuration_is_checked(lastvalue: Lastvalue, file: Write) -> None:
    path = file("lastvalue.toml", GOOD)
    assert lastvalue(f"config check {path}") == (
        0,
        f"{path} has no faults and declares 2 queues, 1 address setting\n",
        "",
    )


def test_an_empty_configuration_is_checked(lastvalue: Lastvalue, file: Write) -> None:
    path = file("lastvalue.toml", "")
    assert lastvalue(f"config check {path}") == (0, f"{path} has no faults and declares nothing\n", "")


@pytest.mark.parametrize(
    ("command", "expected"), [("config check", 1), ("config show", 1), ("serve --config", 2)]
)
def test_every_fault_is_told_on_a_line(
    lastvalue: Lastvalue, file: Write, command: str, expected: int
) -> None:
    path = file("lastvalue.toml", '[[queue]]\nname = "q"\nlvqkey = 5\nmax_messages = "x"')
    code, output, errors = lastvalue(f"{command} {path}")
    assert (code, output) == (expected, "")
    unknown = "unknown option of a queue; did you mean 'lvq_key'?"
    assert errors.splitlines() == [
        f"lastvalue: {path}:3: queue 'q': queue[1].lvqkey is 5: {unknown}",
        f"lastvalue: {path}:4: queue 'q': queue[1].max_messages is 'x': expected number (messages)",
    ]


def test_declarations_are_shown_with_the_settings_of_their_address(lastvalue: Lastvalue, file: Write) -> None:
    path = file("lastvalue.toml", GOOD)
    code, output, _ = lastvalue(f"config show {path}")
    assert (code, output.splitlines()) == (
        0,
        [
            "KIND     NAME      TYPE      OPTIONS",
            "queue    prices    lvq       lvq_key=symbol",
            "queue    old.dead  standard  max_messages=5 when_full=drop-oldest",
            "setting  old.#               ring-size=5",
        ],
    )
    assert "secret" not in output


def test_every_part_of_a_configuration_is_shown_as_json(lastvalue: Lastvalue, file: Write) -> None:
    text = """
    [[exchange]]
    name = "news"
    type = "topic"
    unroutable = "refuse"
    [[queue]]
    name = "q"
    address = "news.q"
    [[binding]]
    exchange = "news"
    queue = "q"
    key = "a.#"
    [[auto-create]]
    pattern = "x.*"
    on_publish = true
    """
    output = lastvalue(f"config show {file('lastvalue.toml', text)} -o json")[1]
    assert json.loads(output) == [
        {"kind": "queue", "name": "q", "type": "standard", "options": {"address": "news.q"}},
        {"kind": "exchange", "name": "news", "type": "topic", "options": {"unroutable": "refuse"}},
        {"kind": "binding", "name": "news", "type": "", "options": {"queue": "q", "key": "a.#"}},
        {"kind": "policy", "name": "x.*", "type": "queue", "options": {"on_publish": True}},
    ]


def test_what_the_settings_make_of_an_address_is_shown(lastvalue: Lastvalue, file: Write) -> None:
    path = file("lastvalue.toml", GOOD)
    assert lastvalue(f"config show {path} --address old.x")[1].splitlines() == [
        "address      old.x",
        "matches      old.#",
        "settings     ring-size=5",
        "declaration  type=standard max_messages=5 when_full=drop-oldest",
    ]
    assert json.loads(lastvalue(f"config show {path} --address new.x -o json")[1]) == {
        "address": "new.x",
        "matches": [],
        "settings": {},
        "declaration": {"type": "standard"},
    }


def test_settings_that_make_no_queue_are_told(lastvalue: Lastvalue, file: Write) -> None:
    path = file("lastvalue.toml", '[[address-setting]]\nmatch = "#"\norder_by = "n"')
    code, _, errors = lastvalue(f"config show {path} --address x")
    assert code == 1
    assert "a queue 'x' cannot be created: with the settings of its address: order_by needs" in errors


def test_an_import_is_written_and_what_does_not_map_is_told(lastvalue: Lastvalue, file: Write) -> None:
    source = file("broker.xml", BROKER_XML)
    target = source.with_name("lastvalue.toml")
    code, output, errors = lastvalue(f"config convert {source} --out {target}")
    assert (code, output) == (0, "")
    assert "lastvalue: not mapped: core/name = 'b': " in errors
    assert lastvalue(f"config check {target}")[0] == 0
    assert lastvalue(f"config convert {source}")[1] == target.read_text()
    code, _, errors = lastvalue(f"config convert {source} --out {target}")
    assert code == 1
    assert "exists; name another file" in errors


def test_mosquittos_files_are_converted(lastvalue: Lastvalue, file: Write) -> None:
    code, output, errors = lastvalue(f"config convert {file('mosquitto.conf', 'listener 1884')}")
    assert code == 0
    assert "mqtt_port = 1884" in output
    assert "not mapped: mosquitto.conf/anonymous" in errors
    path = file("acl", "user ann\ntopic write #")
    _, output, _ = lastvalue(f"config convert {path} --format mosquitto-acl")
    assert 'rules = ["write amq.topic", "write mqtt.retained"]' in output


def test_the_format_is_told_by_the_name_or_by_the_option(lastvalue: Lastvalue, file: Write) -> None:
    store = '{"queues": [{"name": "orders"}]}'
    assert 'name = "orders"' in lastvalue(f"config convert {file('config.json', store)}")[1]
    path = file("store", store)
    assert 'name = "orders"' in lastvalue(f"config convert {path} --format broker-j")[1]
    code, _, errors = lastvalue(f"config convert {path}")
    assert code == 2
    assert "add one of --format toml, --format json, --format artemis" in errors


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("a.xml", "<a>", "not a broker.xml: "),
        ("a.json", "[", "not JSON: "),
        ("a.json", "[]", "it is not a JSON object"),
    ],
)
def test_what_cannot_be_imported_is_told(
    lastvalue: Lastvalue, file: Write, name: str, text: str, fault: str
) -> None:
    code, output, errors = lastvalue(f"config convert {file(name, text)}")
    assert (code, output) == (1, "")
    assert fault in errors


def test_an_import_to_where_nothing_can_be_written_is_told(lastvalue: Lastvalue, file: Write) -> None:
    source = file("broker.xml", BROKER_XML)
    code, _, errors = lastvalue(f"config convert {source} --out {source.parent / 'no' / 'x.toml'}")
    assert code == 1
    assert "cannot be written: No such file or directory" in errors


def test_a_broker_declares_what_is_configured_and_listens_as_told(lastvalue: Lastvalue, file: Write) -> None:
    path = file("lastvalue.toml", GOOD)
    with serving("--config", str(path)) as url:
        assert lastvalue(f"queue list --url {url}")[0] == 3
        output = lastvalue(f"queue list -o json --url {url.replace('//', '//alice:secret@')}")[1]
    assert [queue["name"] for queue in json.loads(output)] == ["old.dead", "prices"]


def test_the_command_line_goes_before_the_configuration(lastvalue: Lastvalue, file: Write) -> None:
    path = file("lastvalue.toml", GOOD.replace("port = 0", "port = 1"))
    with serving("--config", str(path), "--port", "0", "--anonymous") as url:
        assert lastvalue(f"queue list -o json --url {url}")[0] == 0


def test_a_broker_routes_as_configured(lastvalue: Lastvalue, file: Write) -> None:
    text = """
    [server]
    port = 0
    [[exchange]]
    name = "news"
    type = "fanout"
    [[queue]]
    name = "copy"
    [[binding]]
    exchange = "news"
    queue = "copy"
    """
    with serving("--config", str(file("lastvalue.toml", text))) as url:
        assert lastvalue(f"send news hello --url {url}")[:2] == (0, "")
        output = lastvalue(f"receive copy --count 1 -o jsonl --url {url}")[1]
    assert json.loads(output)["body"] == "hello"


def test_a_served_address_setting_makes_the_queues_that_are_used(lastvalue: Lastvalue, file: Write) -> None:
    settings = '[[address-setting]]\nmatch = "prices.#"\nauto-create-queues = true\ndefault-ring-size = 1'
    with serving("--port", "0", "--config", str(file("lastvalue.toml", settings))) as url:
        for body in ("old", "new"):
            assert lastvalue(f"send prices.fx {body} --url {url}")[:2] == (0, "")
        output = lastvalue(f"browse prices.fx -o jsonl --url {url}")[1]
        assert lastvalue(f"send orders new --url {url}")[0] != 0
    assert [json.loads(line)["body"] for line in output.splitlines()] == ["new"]


def test_a_certificate_that_is_not_there_is_found(lastvalue: Lastvalue, file: Write) -> None:
    path = file("lastvalue.toml", '[[queue]]\nname = "q"\n[server]\ntls_certificate = "/nowhere/cert.pem"')
    code, _, errors = lastvalue(f"config check {path}")
    assert code == 1
    assert f"{path}:4: server.tls_certificate: the certificate in /nowhere/cert.pem cannot be used" in errors
