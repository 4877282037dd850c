"""What the settings of alerts are declared with."""

from typing import Any, Final

ALERT_FORM: Final = r"([^\\\[\](){}|^]{1,255}):(messages|bytes|age_s)=([1-9][0-9]{0,14})"
"""What of which queues, by a pattern of `addresses.name_pattern`, may be at most how much."""

ALERT_SETTING: Final[dict[str, Any]] = {
    "flag": "--http-alert",
    "metavar": "ALERT",
    "form": (ALERT_FORM, "NAME:messages=N, NAME:bytes=N or NAME:age_s=N"),
    "page": "http.md#alerts",
}
"""Of what queues may hold."""

WEBHOOK_SETTING: Final[dict[str, Any]] = {
    "metavar": "URL",
    "form": (r"https?://\S+", "a URL of http or https"),
    "is_secret": True,
    "page": "http.md#alerts",
}
"""Of who hears of it."""
