"""lastvalue.config.toml_reader, tables and cross_checks."""

from pathlib import Path

import pytest

from lastvalue.config.address_settings import Wildcards
from lastvalue.config.configuration import (
    AddressSetting,
    AutoCreate,
    Configuration,
    ConfiguredBinding,
    ConfiguredExchange,
    ConfiguredQueue,
    ConfiguredTopics,
)
from lastvalue.config.errors import ConfigurationError
from lastvalue.config.server_options import OnCorruption
from lastvalue.config.toml_reader import parse_toml, read_toml
from lastvalue.store.writer import Sync

EVERYTHING = """
[server]
host = "0.0.0.0"
port = 5673
port_fallback = true
anonymous = false
users = { alice = "secret" }
refuse_unknown_filters = true
memory_limit = 0
journal_limit = 1048576
disk_reserve = 0
store = "/var/lib/lastvalue"
sync = "interval"
sync_interval_ms = 50
on_corruption = "salvage"
segment_size = 1048576

[wildcards]
delimiter = "/"
literal_markers = "()"

[[exchange]]
name = "news"
type = "Topic"
durable = true
alternate = "dead"
unroutable = "refuse"

[[queue]]
name = "prices"
lvqKey = "symbol"
overflowPolicy = "RING"
"qpid.max_count" = "10"

[[mqtt.topics]]
pattern = "prices/{symbol}"
queue = "prices"

[[queue]]
name = "dead"
address = "dead/letters"
durable = true

[[binding]]
exchange = "news"
queue = "prices"
key = "prices.*"
arguments = { x-match = "any", size = 5 }

[[address-setting]]
match = "dead/#"
default-ring-size = 100
expiry-delay = 5000

[[auto-create]]
pattern = "fooQ#"
on_publish = true
options = { durable = true }

[[auto-create]]
pattern = "fooE#"
node = "exchange"
on_consume = true
options = { type = "fanout" }
"""


def faults_of(text: str) -> list[str]:
    with pytest.raises(ConfigurationError) as caught:
        parse_toml(text, "f")
    assert str(caught.value) == "; ".join(caught.value.lines())
    return [str(fault) for fault in caught.value.faults]


def test_everything_that_a_file_can_say_is_read() -> None:
    assert parse_toml(EVERYTHING) == Configuration(
        server={
            "host": "0.0.0.0",
            "port": 5673,
            "port_fallback": True,
            "anonymous": False,
            "users": {"alice": "secret"},
            "refuse_unknown_filters": True,
            "memory_limit": 0,
            "journal_limit": 1 << 20,
            "disk_reserve": 0,
            "store": Path("/var/lib/lastvalue"),
            "sync": Sync.INTERVAL,
            "sync_interval_ms": 50,
            "on_corruption": OnCorruption.SALVAGE,
            "segment_size": 1 << 20,
        },
        wildcards=Wildcards("/", literal_markers="()"),
        queues=(
            ConfiguredQueue(
                "prices", "prices", {"lvq_key": "symbol", "when_full": "drop-oldest", "max_messages": 10}
            ),
            ConfiguredQueue("dead", "dead/letters", {"durable": True}),
        ),
        exchanges=(ConfiguredExchange("news", "topic", True, "dead", "refuse"),),
        bindings=(ConfiguredBinding("news", "prices", "prices.*", {"x-match": "any", "size": 5}),),
        mqtt_topics=(ConfiguredTopics("prices/{symbol}", "prices"),),
        address_settings=(AddressSetting("dead/#", {"ring-size": 100, "expiry-delay": 5000}),),
        auto_creates=(
            AutoCreate("fooQ#", "queue", True, False, {"durable": True}),
            AutoCreate(
                "fooE#",
                "exchange",
                False,
                True,
                {"type": "fanout", "durable": False, "alternate": None, "unroutable": "discard"},
            ),
        ),
    )


def test_an_empty_file_says_nothing() -> None:
    assert parse_toml("") == Configuration()


def test_passwords_are_not_in_what_is_printed_of_a_configuration() -> None:
    assert "secret" not in repr(parse_toml(EVERYTHING))


def test_all_faults_are_told_at_once() -> None:
    assert faults_of(
        """
        queues = 1
        [server]
        prot = 5
        port = 70000
        [[queue]]
        name = "a"
        max_mesages = 10
        order_by = 3
        [[queue]]
        type = "lvq"
        """
    ) == [
        "server.port is 70000: expected a number of 0 to 65535",
        "server.prot is 5: unknown key; did you mean 'port'?",
        "queue[1].max_mesages is 10: unknown option of a queue; did you mean 'max_messages'?",
        "queue[1].order_by is 3: expected text",
        'queue[2]: name is missing; write for example name = "prices"',
        "queues is 1: unknown key; did you mean 'queue'?",
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[[queue]", "is not TOML: "),
        ("queue = 3", "queue is 3: expected tables; write [[queue]]"),
        ("queue = [3]", "queue[1] is 3: expected a table"),
        ("server = 3", "server is 3: expected a table"),
        ("[server]\nanonymous = false", "this accepts no clients; set users_file or users"),
        ("[server]\nusers = { alice = 5 }", "server.users.alice: expected a password, as text"),
        ("[server]\nusers = 'alice'", "server.users: expected a table"),
        ("[wildcards]\ndelimiter = '#'", "wildcards: delimiter and wildcards must be three different"),
        ("[[queue]]\nname = ''", "queue[1].name is '': expected text"),
        ("[[queue]]\nname = 'q'\ntype = 'lvq'", "queue[1]: queue 'q': a queue of type 'lvq' needs lvq_key"),
        ("[[queue]]\nname = '$q'", "queue[1]: queue '$q': '$q': names that begin with $"),
        ("[[queue]]\nname = 'q'\nlvq_key = 'a'\nlvqKey = 'b'", "'lvq_key' is the same option with another"),
        ("[[queue]]\nname = 'q'\n[[queue]]\nname = 'q'", "queue[2].name is 'q': queue[1] has the same"),
        ("[[queue]]\nname = 'q'\npriorities = -1", "is -1: expected a number of levels that is not negative"),
        ("[[queue]]\nname = 'q'\nwhen_full = 'burst'", "is 'burst': expected one of refuse, drop-oldest"),
        ("[[queue]]\nname = 'q'\ndurable = 'perhaps'", "is 'perhaps': expected true or false"),
        ("[[queue]]\nname = 'q'\nring-size = 'x'", "expected a number"),
        (
            "[[exchange]]\nname = 'e'\ntype = 'xml'",
            "exchange[1].type is 'xml': expected one of direct, topic",
        ),
        ("[[exchange]]\nname = 'amq.e'\ntype = 'topic'", "names that begin with amq., qpid. or $"),
        ("[[exchange]]\nname = 'e'\ntype = 'topic'\nalternate = 'e'", "cannot be its own alternate"),
        ("[[exchange]]\nname = 'e'\ntype = 'topic'\nunroutable = 'x'", "expected one of discard, refuse"),
        ("[[binding]]\nexchange = 'e'\nqueue = 'amq.fanout'", "binding[1].exchange is 'e': no exchange"),
        ("[[binding]]\nexchange = 'amq.topic'\nqueue = 'q'", "binding[1].queue is 'q': no queue of that"),
        ("[[binding]]\nexchange = 'amq.topic'", "binding[1]: queue is missing"),
        (
            "[[queue]]\nname='q'\n[[binding]]\nexchange='amq.topic'\nqueue='q'\narguments={a=[2026-01-31]}",
            "binding[1].arguments.a is ['2026-01-31']: expected text, a number",
        ),
        ("[[address-setting]]\nmatch = 'a.#.b'", "address-setting[1].match is 'a.#.b': match 'a.#.b': #"),
        ("[[address-setting]]\nring-size = 5", "address-setting[1]: match is missing"),
        ("[[address-setting]]\nmatch = '#'\nredelivery-delay = 5", "lastvalue redelivers at once"),
        ("[[address-setting]]\nmatch = '#'\nexpiry-dely = 5", "unknown setting; did you mean 'expiry-delay'"),
        ("[[address-setting]]\nmatch = '#'\nqqq = 5", "unknown setting; expected an option of a queue"),
        ("[[address-setting]]\nmatch = '#'\nexpiry-delay = 'x'", "expected a number, -1 for none"),
        ("[[address-setting]]\nmatch = '#'\nexpiry-delay = true", "expected a number, -1 for none"),
        ("[[address-setting]]\nmatch = '#'\naddress-full-policy = 'DROP'", "expected BLOCK or FAIL or PAGE"),
        ("[[address-setting]]\nmatch = '#'\nno-expiry = 'x'", "expected true or false"),
        (
            "[[address-setting]]\nmatch = '#'\ndefault-max-consumers = 0",
            "does not have queues without consumers",
        ),
        (
            "[[address-setting]]\nmatch = 'a'\n[[address-setting]]\nmatch = 'a'",
            "address-setting[2].match is 'a': address-setting[1] has the same",
        ),
        (
            "[[queue]]\nname = 'q'\n[[address-setting]]\nmatch = '#'\norder_by = 'x'",
            "queue 'q': with the settings of its address: order_by needs lvq_key",
        ),
        (
            "[[auto-create]]\npattern = 'a['\non_publish = true",
            "auto-create[1].pattern is 'a[': 'a[' is a regular expression; write a name",
        ),
        ("[[auto-create]]\npattern = 'a'", "auto-create[1]: no use creates the node; set on_publish"),
        (
            "[server]\nannounce = 'RabbitMQ'",
            "server.announce is 'RabbitMQ': expected a product and a version",
        ),
        (
            "[[queue]]\nname='q'\n[[binding]]\nexchange='amq.topic'\nqueue='q'\noctets={a='-'}",
            "binding[1].octets.a is '-': expected octets in Base64",
        ),
        (
            (
                "[[queue]]\nname='q'\n[[binding]]\nexchange='amq.topic'\nqueue='q'\narguments={a='1'}\n"
                "nulls=['a']"
            ),
            "binding[1].nulls is 'a': it is among the arguments or the octets, too; keep one",
        ),
        ("[[auto-create]]\non_publish = true", "auto-create[1]: pattern is missing"),
        (
            "[[auto-create]]\npattern = 'a'\non_publish = true\noptions = { type = 'lvq' }",
            "auto-create[1].options: a queue of type 'lvq' needs lvq_key",
        ),
        (
            "[[auto-create]]\npattern = 'a'\nnode = 'exchange'\non_publish = true\noptions = {lvq_key='x'}",
            "auto-create[1].options.lvq_key is 'x': unknown key; expected one of type, durable",
        ),
        (
            "[[mqtt.topics]]\npattern = 'prices/+'\nqueue = 'prices'",
            "mqtt.topics[1].pattern is 'prices/+': 'prices/+' is no pattern of topics",
        ),
        (
            (
                "[[queue]]\nname='prices'\nlvq_key='isin'\n"
                "[[mqtt.topics]]\npattern = 'prices/{symbol}'\nqueue = 'prices'"
            ),
            "queue is 'prices': the queue is declared, and not as a last-value queue with the key 'symbol'",
        ),
        (
            (
                "[[mqtt.topics]]\npattern = 'a/{b}'\nqueue = 'q'\n"
                "[[mqtt.topics]]\npattern = 'c/{b}'\nqueue = 'q'"
            ),
            "mqtt.topics[2].queue is 'q': mqtt.topics[1] has the same",
        ),
    ],
)
def test_a_fault_is_told_with_its_place_and_what_would_be_right(text: str, fault: str) -> None:
    faults = faults_of(text)
    assert len(faults) == 1
    assert fault in faults[0]


def test_a_long_value_is_shortened() -> None:
    (fault,) = faults_of(f"[server]\nport = '{'x' * 500}'")
    assert len(fault) < 150


def test_a_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "lastvalue.toml"
    file.write_text(EVERYTHING)
    assert read_toml(file) == parse_toml(EVERYTHING)


@pytest.mark.parametrize(
    ("content", "reason"), [(None, "No such file or directory"), (b"\xff", "it is not UTF-8 text")]
)
def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, content: bytes | None, reason: str) -> None:
    file = tmp_path / "lastvalue.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ConfigurationError, match=rf"lastvalue.toml: cannot be read: {reason}"):
        read_toml(file)


def test_an_alternate_may_be_created_when_it_is_needed() -> None:
    parse_toml(
        """
        [[queue]]
        name = "a"
        alternate = "a_DLQ"
        expiry_alternate = "expired"
        [[auto-create]]
        pattern = "*_DLQ"
        on_publish = true
        [[address-setting]]
        match = "expired"
        auto-create-queues = true
        """
    )


def test_default_filters_may_be_a_table() -> None:
    configuration = parse_toml(
        """
        [[queue]]
        name = "a"
        default_filters = { only = { x-filter-jms-selector = ["size > 5"] } }
        """
    )
    spec = configuration.spec_of(configuration.queues[0])
    assert spec.readers.filters == (("only", "x-filter-jms-selector", "size > 5"),)


@pytest.mark.parametrize(
    "line",
    [
        'users = "ann:hunter2"',
        'users = ["ann:hunter2"]',
        'user = { ann = "hunter2" }',
        'user = ["ann:hunter2"]',
        'password = "hunter2"',
        "password = [1, 'hunter2']",
        'http_webhook = "ftp://hooks.example/hunter2"',
        'store = "nats://ann:hunter2@a"',
        'snapshots = "s3://ann:hunter2@bucket/x"',
        'store_monitors = ["tls://ann:hunter2@a"]',
    ],
)
def test_a_fault_does_not_show_what_is_or_may_be_a_secret(line: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_toml(f"[server]\n{line}\n")
    assert "hunter2" not in str(caught.value)
    assert line.partition(" ")[0] in str(caught.value)
