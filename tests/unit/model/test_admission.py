"""lastvalue.model.admission."""

from lastvalue.config.server_options import SETTINGS, ServerOptions
from lastvalue.model.admission import LIMITS


def test_a_limit_that_is_a_setting_has_the_setting_s_default() -> None:
    options = ServerOptions()
    of_settings = {each.setting: each.most for each in LIMITS if each.setting}
    assert of_settings == {name: getattr(options, name) for name in of_settings}
    assert of_settings.keys() <= SETTINGS.keys()
