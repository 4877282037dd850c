"""lastvalue.config.alert_setting."""

import re

import pytest

from lastvalue.config.alert_setting import ALERT_SETTING, WEBHOOK_SETTING
from lastvalue.server.queue_alerts import read_threshold


@pytest.mark.parametrize("text", ["orders:messages=1", "a:b*:age_s=300"])
def test_what_has_the_form_of_an_alert_is_a_threshold(text: str) -> None:
    assert re.fullmatch(ALERT_SETTING["form"][0], text)
    assert read_threshold(text).most > 0


@pytest.mark.parametrize("url", ["ftp://host/x", "file:///etc/passwd", "http:// x", "host"])
def test_a_webhook_is_a_url_of_http(url: str) -> None:
    assert re.fullmatch(WEBHOOK_SETTING["form"][0], url) is None
