"""`lastvalue import-retained`: copies the retained messages of another broker of MQTT."""

from dataclasses import replace
from typing import Annotated, Final
from urllib.parse import urlsplit

import typer

from lastvalue.cli.exits import CommandFailedError, UsageError, complain, confirm
from lastvalue.cli.mqtt_peer import MqttPeer
from lastvalue.cli.options import DEFAULT_URL, Url
from lastvalue.client.url import BrokerUrl, parse_url

_SCHEMES: Final = {"mqtt": ("amqp", 1883), "mqtts": ("amqps", 8883)}
_ALL: Final = ["#"]


def import_retained(
    source: Annotated[
        str, typer.Argument(metavar="MQTT-URL", help="The other broker, as mqtt://user:password@host:port.")
    ],
    *,
    filters: Annotated[
        list[str] | None,
        typer.Option(
            "--filter", metavar="FILTER", help="These topics alone, instead of all; may be repeated."
        ),
    ] = None,
    quiet_s: Annotated[
        float, typer.Option("--quiet-s", min=0.1, help="End once none has come for this many seconds.")
    ] = 2.0,
    url: Url = DEFAULT_URL,
) -> None:
    """Copy the retained messages of another broker of MQTT; those of the same topics are replaced.

    Their properties move, too. They are confirmed here, and so published at QoS 1.
    """
    with MqttPeer(_source_url(source)) as reader, MqttPeer(parse_url(url)) as writer:
        copied = 0
        for message in reader.messages(filters or _ALL, quiet_s):
            if message.retain:
                writer.publish(message)
                copied += 1
        writer.settle(0)
        for topic, reason in writer.refused:
            complain(f"{topic}: refused: {reason.name.lower().replace('_', ' ')}")
        confirm(f"copied {copied - len(writer.refused)} retained messages")
        if writer.refused:
            raise CommandFailedError(f"{len(writer.refused)} of {copied} retained messages were refused")


def _source_url(text: str) -> BrokerUrl:
    scheme, separator, rest = text.partition("://")
    if scheme not in _SCHEMES or not separator:
        raise UsageError(f"{text!r} is no URL of a broker of MQTT; expected mqtt://host or mqtts://host")
    own, port = _SCHEMES[scheme]
    url = parse_url(f"{own}://{rest}")
    return url if urlsplit(text).port else replace(url, port=port)
