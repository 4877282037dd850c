"""What a SUBSCRIBE asks for, with its user properties, as subscriptions."""

from typing import Final

from lastvalue.codec.mqtt.errors import MqttError
from lastvalue.codec.mqtt.packets import Subscribe, Subscription
from lastvalue.codec.mqtt.properties import PropertyId
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.frontends.mqtt.subscription_table import ClientSubscription, requested_subscription

DELIVERY: Final = "lastvalue-delivery"
"""The user property that says how retained messages are delivered: `watch` or `every`."""
RATE: Final = "lastvalue-rate"
"""The user property with the most messages a second of a watch."""
_WATCH: Final = "watch"
_EVERY: Final = "every"


def requested_subscriptions(
    request: Subscribe,
) -> list[tuple[Subscription, ClientSubscription | MqttError]]:
    """Each subscription that is asked for, with what it is here, or why it cannot be.

    At QoS 0 retained messages are watched, unless a user property says otherwise; above that every one of
    them is delivered, as no watch is settled.
    """
    identifier = request.properties.number(PropertyId.SUBSCRIPTION_IDENTIFIER)
    user = dict(request.properties.user)
    found: list[tuple[Subscription, ClientSubscription | MqttError]] = []
    for asked in request.subscriptions:
        try:
            wanted = requested_subscription(asked, identifier)
            wanted.rate = _rate(user.get(RATE))
            delivery = user.get(DELIVERY, _EVERY if asked.qos > 0 else _WATCH)
            if delivery not in (_WATCH, _EVERY):
                raise MqttError(
                    ReasonCode.IMPLEMENTATION_ERROR,
                    f"{DELIVERY} is {delivery!r:.40}; expected {_WATCH} or {_EVERY}",
                )
            wanted.watches = delivery == _WATCH and not wanted.filter.group
            found.append((asked, wanted))
        except MqttError as fault:
            found.append((asked, fault))
    return found


def _rate(text: str | None) -> float:
    if text is None:
        return 0.0
    try:
        rate = float(text)
    except ValueError:
        rate = -1.0
    if not 0 < rate <= 1e9:
        raise MqttError(
            ReasonCode.IMPLEMENTATION_ERROR, f"{RATE} is {text!r:.40}; expected messages a second"
        )
    return rate
